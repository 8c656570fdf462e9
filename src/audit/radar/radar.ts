import { aiAgents } from '../crawlers/facts/ai-agents-data.ts';
import { edgeProviders } from '../crawlers/facts/edge-providers-data.ts';
import { checks } from '../core/catalogue.ts';
import { CATALOGUE_READ, citedDocuments, recordedLooks } from './sources-data.ts';

/** Something that rests on a source, and the last day on which that source was looked at. */
export type DatedRow = {
  kind: 'check' | 'agent' | 'provider' | 'document' | 'ranges';
  name: string;
  source: string;
  read: string;
};

/** Days after which a source must be looked at again. */
export const MAX_SOURCE_AGE_DAYS = 90;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Every check, agent, provider and cited document with its date: its own, or that of the last recorded look. */
export function listDatedRows(): readonly DatedRow[] {
  const rows: readonly DatedRow[] = [
    ...checks.map(
      ({ id, source, read }) => ({ kind: 'check', name: id, source, read: read ?? CATALOGUE_READ }) as const,
    ),
    ...aiAgents.map(({ token, source, read }) => ({ kind: 'agent', name: token, source, read }) as const),
    ...edgeProviders.map(({ name, source, read }) => ({ kind: 'provider', name, source, read }) as const),
    ...citedDocuments.map(({ name, address, read }) => ({ kind: 'document', name, source: address, read }) as const),
  ];
  return rows.map((row) => ({ ...row, read: findLastLook(row) }));
}

const findLastLook = ({ name, read }: DatedRow): string =>
  recordedLooks
    .filter(({ subject }) => subject === name)
    .map(({ on }) => on)
    .reduce((latest, on) => (on > latest ? on : latest), read);

/** Rows whose source was looked at more than `MAX_SOURCE_AGE_DAYS` before the given time, the oldest first. */
export const listStaleRows = (rows: readonly DatedRow[], nowMs: number): readonly (DatedRow & { days: number })[] =>
  rows
    .map((row) => ({ ...row, days: Math.floor((nowMs - Date.parse(row.read)) / DAY_MS) }))
    .filter(({ days }) => days > MAX_SOURCE_AGE_DAYS)
    .toSorted((a, b) => b.days - a.days || (a.name < b.name ? -1 : 1));
