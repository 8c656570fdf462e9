import { type Exchange, type ExchangeLookup } from '../../core/snapshot.ts';
import { isHtmlAnswer } from '../../reach/facts/html-answer.ts';
import { type Issue, isJsonRecord, getString } from '../../structured-data/facts/json-document.ts';
import { type DocumentState, readDocument } from '../../mcp/facts/document.ts';
import { getMetaContent } from '../../page/facts/page.ts';
import { getPageFacts } from '../../reach/facts/page-of.ts';
import { findDecidingRule } from './robots.ts';

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
