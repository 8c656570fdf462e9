import { publishedLists } from './agent-ranges-data.ts';
import { agentSources } from './agent-sources-data.ts';
import type { RangeRow } from './compile-ranges.ts';

/** The ranges of this release, one row for each list of an owner that was read. */
export const shippedRanges: readonly RangeRow[] = agentSources.flatMap(({ owner, tokens, list }) =>
  publishedLists
    .filter(({ source }) => source === list)
    .map(({ source, date, prefixes }) => ({ owner, tokens, source, date, prefixes: splitPrefixes(prefixes) })),
);

/** The day on which the newest of the shipped lists was read. */
export const RANGES_DATE = publishedLists
  .map(({ read }) => read)
  .reduce((latest, read) => (read > latest ? read : latest), '');

function splitPrefixes(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** The shipped rows, without the tokens for which newer ones are there. */
export function withNewerRanges(rows: readonly RangeRow[], newer: readonly RangeRow[]): readonly RangeRow[] {
  const replaced = new Set(newer.flatMap(({ tokens }) => tokens));
  const left = rows.map((row) => ({ ...row, tokens: row.tokens.filter((token) => !replaced.has(token)) }));
  return [...left.filter(({ tokens }) => tokens.length > 0), ...newer];
}
