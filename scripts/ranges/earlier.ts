import { DAY_MS } from '../../src/lib/time.ts';
import type { EarlierBlocks, PublishedList } from '../../src/traffic/ranges/agent-ranges-data.ts';
import { type AddressSpan, formatSpans, parsePrefix, withoutSpans } from '../../src/traffic/ranges/prefixes.ts';
import { splitPrefixes } from '../../src/traffic/ranges/shipped-ranges.ts';

/** Days for which blocks that an owner left out still verify. */
export const EARLIER_DAYS = 365;

/** What the list of before had and the new one has not, with what earlier ones had; at most a year old. */
export function collectEarlier(
  before: PublishedList | undefined,
  prefixes: readonly string[],
  today: string,
): readonly EarlierBlocks[] {
  if (before === undefined) return [];
  const oldest = Date.parse(today) - EARLIER_DAYS * DAY_MS;
  const lists = [{ until: before.read, prefixes: before.prefixes }, ...(before.earlier ?? [])];
  const kept: EarlierBlocks[] = [];
  let known = toSpans(prefixes);
  for (const { until, prefixes: text } of lists) {
    if (Date.parse(until) < oldest) continue;
    const blocks = formatSpans(withoutSpans(toSpans(splitPrefixes(text)), known));
    if (blocks.length === 0) continue;
    kept.push({ until, prefixes: blocks.join(' ') });
    known = [...known, ...toSpans(blocks)];
  }
  return kept;
}

const toSpans = (prefixes: readonly string[]): readonly AddressSpan[] =>
  prefixes.map(parsePrefix).filter((span) => typeof span !== 'string');
