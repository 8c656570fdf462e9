import type { Exchange, ExchangeLookup } from '../../core/snapshot.ts';
import { findDecidingRule, findGroupAt, type RobotsFile, type RobotsGroup } from './robots.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { getString, isJsonRecord, type Issue } from '../../structured-data/facts/json-document.ts';
import { type DocumentState, readDocument } from '../../mcp/facts/document.ts';
import { getMetaContent } from '../../page/facts/page.ts';

/** The uses that Content-Signal speaks of (contentsignals.org). */
export const SIGNAL_KEYS = ['search', 'ai-input', 'ai-train'] as const;
export type SignalKey = (typeof SIGNAL_KEYS)[number];

/** Signals of one file or header, and settings of one signal, that are read. */
const MAX_SIGNALS = 100;
const MAX_SETTINGS = 20;

/** How far a use may go, by the `use` key that Cloudflare added in 2026; it gives and takes no leave by itself. */
export const USE_LEVELS: ReadonlySet<string> = new Set(['immediate', 'reference', 'full']);

/** `use` is the level that the signal names, if it names one. */
export type SignalSettings = {
  settings: readonly { key: SignalKey; yes: boolean }[];
  use: string | undefined;
  faults: readonly string[];
};

/** One Content-Signal as published. `group` is the robots.txt group that contains it; a header has none. */
export type ContentSignal = SignalSettings & {
  from: 'robots' | 'header';
  exchange: Exchange;
  text: string;
  line?: number;
  group: RobotsGroup | undefined;
};

/** Reads `search=yes, ai-train=no`. Never throws; `faults` say in our words what no reader can use. */
export function parseContentSignal(value: string): SignalSettings {
  const settings: { key: SignalKey; yes: boolean }[] = [];
  const faults = new Set<string>();
  let use: string | undefined;
  const parts = value.slice(0, 2_000).split(',').slice(0, MAX_SETTINGS);
  for (const part of parts.map((text) => text.trim())) {
    const found = /^([A-Za-z-]{1,40})\s{0,9}=\s{0,9}([A-Za-z]{1,20})$/u.exec(part);
    const key = SIGNAL_KEYS.find((known) => known === found?.[1]?.toLowerCase());
    const word = found?.[2]?.toLowerCase();
    if (part === '') faults.add('an empty part');
    else if (!found) faults.add('a part that is no key=value');
    else if (found[1]?.toLowerCase() === 'use' && USE_LEVELS.has(word ?? '')) use = word;
    else if (found[1]?.toLowerCase() === 'use') faults.add('a use other than immediate, reference and full');
    else if (key === undefined) faults.add('a key other than search, ai-input, ai-train and use');
    else if (word !== 'yes' && word !== 'no') faults.add('a value other than yes and no');
    else settings.push({ key, yes: word === 'yes' });
  }
  const twofold = SIGNAL_KEYS.some(
    (key) => new Set(settings.filter((one) => one.key === key).map(({ yes }) => yes)).size > 1,
  );
  return { settings, use, faults: [...faults, ...(twofold ? ['both answers for one key'] : [])] };
}

/** The Content-Signal records of a robots.txt. One outside every group applies to no crawler. */
export function listRobotsSignals(file: RobotsFile, exchange: Exchange): readonly ContentSignal[] {
  return file.others
    .filter(({ key }) => key === 'content-signal')
    .slice(0, MAX_SIGNALS)
    .map(({ value, line }) => {
      const group = findGroupAt(file, line);
      const read = parseContentSignal(value);
      const faults = group ? read.faults : [...read.faults, 'it is in no group'];
      return { ...read, faults, from: 'robots', exchange, text: value, line, group };
    });
}

/** The Content-Signal header of an answer, as a list of none or one. */
export function listHeaderSignals(exchange: Exchange): readonly ContentSignal[] {
  const value = exchange.answer.ok ? exchange.answer.headers['content-signal'] : undefined;
  if (value === undefined) return [];
  return [{ ...parseContentSignal(value), from: 'header', exchange, text: value, group: undefined }];
}

/** Entries of one file that are read. */
const MAX_ENTRIES = 100;

export type TdmEntry = { location: string; reserved: boolean | undefined };

/** /.well-known/tdmrep.json as read; `issues` by the TDM Reservation Protocol. */
export type TdmFile = { entries: readonly TdmEntry[]; issues: readonly Issue[] };

/** A reservation that an answer or a page states; `value` as written, `policy` the address of the terms, '' for none. */
export type TdmStatement = { from: 'header' | 'meta'; exchange: Exchange; value: string; policy: string };

/** @see https://www.w3.org/community/reports/tdmrep/CG-FINAL-tdmrep-20240510/ */
export type Tdm = { file: DocumentState<TdmFile>; statements: readonly TdmStatement[] };

/** What the site says about text and data mining, among the exchanges so far. */
export function readTdm(find: ExchangeLookup): Tdm {
  return { file: readDocument(find('tdmrep'), find('control'), readFile), statements: listTdmStatements(find('page')) };
}

function readFile(value: unknown): TdmFile | undefined {
  if (!Array.isArray(value)) return undefined;
  const entries = (value as readonly unknown[]).slice(0, MAX_ENTRIES);
  return {
    entries: entries.map((entry) => ({
      location: getString(entry, 'location') ?? '',
      reserved: readReservation(entry),
    })),
    issues: entries.flatMap((entry, at) => listEntryIssues(entry, `/${at}`)),
  };
}

function readReservation(entry: unknown): boolean | undefined {
  const value = isJsonRecord(entry) ? entry['tdm-reservation'] : undefined;
  return value === 1 || value === 0 ? value === 1 : undefined;
}

function listEntryIssues(entry: unknown, pointer: string): readonly Issue[] {
  const location = getString(entry, 'location') ?? '';
  const policy = isJsonRecord(entry) ? entry['tdm-policy'] : undefined;
  return [
    ...(location === '' ? [{ pointer: `${pointer}/location`, message: 'is missing' }] : []),
    ...(readReservation(entry) === undefined
      ? [{ pointer: `${pointer}/tdm-reservation`, message: 'must be 0 or 1' }]
      : []),
    ...(policy === undefined || isAddress(policy)
      ? []
      : [{ pointer: `${pointer}/tdm-policy`, message: 'must be a URL' }]),
  ];
}

const isAddress = (value: unknown): boolean => typeof value === 'string' && /^https?:\/\/\S{1,2000}$/iu.test(value);

/** Faults of a reservation in a header or a meta element, in our words. */
export const listStatementFaults = ({ value, policy }: TdmStatement): readonly string[] => [
  ...(value === '0' || value === '1' ? [] : ['tdm-reservation must be 0 or 1']),
  ...(policy === '' || isAddress(policy) ? [] : ['tdm-policy must be a URL']),
];

function listTdmStatements(exchange: Exchange | undefined): readonly TdmStatement[] {
  if (!exchange?.answer.ok) return [];
  const { answer } = exchange;
  const header = answer.headers['tdm-reservation'];
  const page = isHtmlAnswer(answer) ? getPageFacts(answer) : undefined;
  const meta = page ? getMetaContent(page, 'tdm-reservation') : '';
  return [
    ...(header === undefined
      ? []
      : [{ from: 'header' as const, exchange, value: header.trim(), policy: answer.headers['tdm-policy'] ?? '' }]),
    ...(page && meta !== ''
      ? [{ from: 'meta' as const, exchange, value: meta, policy: getMetaContent(page, 'tdm-policy') }]
      : []),
  ];
}

/** What the file says of a URL: the first entry whose location matches it, with `*` and `$` as in robots.txt. */
export const findTdmEntry = (file: TdmFile, url: string): TdmEntry | undefined =>
  file.entries.find(
    ({ location, reserved }) =>
      reserved !== undefined &&
      findDecidingRule([{ agents: [], rules: [{ allow: true, pattern: location, line: 1 }], line: 1 }], url) !==
        undefined,
  );
