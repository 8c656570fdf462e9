import { ADDRESS_WORDS, readAddressWords } from '../../net/address-words.ts';
import { ianaIpv4Prefixes, ianaIpv6Prefixes, otherPrefixes } from '../../net/special-addresses.ts';
import { type AddressSpan, mergeSpans, parsePrefix } from './prefixes.ts';

/** Addresses of agents as their owner publishes them. */
export type RangeRow = {
  owner: string;
  /** Tokens of the roster that come from these addresses. */
  tokens: readonly string[];
  /** The owner's address of the list, or the name of the file that was given. */
  source: string;
  /** The day of the list, `YYYY-MM-DD`; '' where it has none. */
  date: string;
  /** CIDR blocks or single addresses. */
  prefixes: readonly string[];
};

/** Addresses of one family in their order: `bounds` has the words of first and last of each span, flat. */
type Lane = { count: number; firsts: Uint32Array; lasts: Uint32Array };
type AddressSet = { 4: Lane; 6: Lane };

/** The ranges of a token, and those of everything else that its owner publishes. */
type TokenRanges = { own: AddressSet; owners: AddressSet };

export type RangeTable = ReadonlyMap<string, TokenRanges>;

/** Where an address lies, as seen from a token. `none`: not to be judged, since it is hidden, private or no address. */
export type Place = 'own' | 'owners' | 'elsewhere' | 'none' | 'unknown-token';

const WORDS = { 4: 1, 6: ADDRESS_WORDS } as const;
const words = new Uint32Array(ADDRESS_WORDS);

/**
 * Addresses that no visitor from the internet has: the log has that of a proxy. Those of documentation are ordinary here:
 * nothing comes from them but lines that were made up.
 */
const hidden = compileSpans(
  [...ianaIpv4Prefixes, ...ianaIpv6Prefixes, ...otherPrefixes]
    .filter(({ name }) => !name.startsWith('Documentation'))
    .map(({ prefix }) => toWideSpan(prefix)),
);

/** @throws Error where a row has a prefix that `parsePrefix` refuses: rows are checked where they are read */
export function compileRanges(rows: readonly RangeRow[]): RangeTable {
  const read = rows.map((row) => ({ ...row, spans: row.prefixes.map(toSpan) }));
  const tokens = [...new Set(rows.flatMap((row) => row.tokens))];
  return new Map(
    tokens.map((token) => {
      const own = read.filter((row) => row.tokens.includes(token));
      const owners = read.filter((row) => own.some(({ owner }) => owner === row.owner));
      const compile = (list: typeof read): AddressSet => compileSpans(list.flatMap(({ spans }) => spans));
      return [token, { own: compile(own), owners: compile(owners) }];
    }),
  );
}

/** Looks an address up without allocating; one in the form `::ffff:192.0.2.1` is the IPv4 address in it. */
export function locateAddress(table: RangeTable, token: string, address: string): Place {
  const ranges = table.get(token);
  if (ranges === undefined) return 'unknown-token';
  const read = readAddressWords(address, words);
  if (read === 0) return 'none';
  const family = read === 6 && words[0] === 0 && words[1] === 0 && words[2] === 0xffff ? 4 : read;
  if (hasAddress(ranges.own[family], family)) return 'own';
  if (hasAddress(hidden[family], family)) return 'none';
  return hasAddress(ranges.owners[family], family) ? 'owners' : 'elsewhere';
}

/** Whether the address in `words` is in the lane: a binary search for the last span that begins at or before it. */
function hasAddress({ count, firsts, lasts }: Lane, family: 4 | 6): boolean {
  const size = WORDS[family];
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareAt(firsts, middle * size, size) <= 0) low = middle + 1;
    else high = middle;
  }
  return low > 0 && compareAt(lasts, (low - 1) * size, size) >= 0;
}

/** The order of a bound and the address in `words`. */
function compareAt(bounds: Uint32Array, start: number, size: number): number {
  for (let index = 0; index < size; index += 1) {
    const difference = (bounds[start + index] ?? 0) - (words[ADDRESS_WORDS - size + index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function compileSpans(spans: readonly AddressSpan[]): AddressSet {
  const merged = mergeSpans(spans);
  return { 4: compileLane(merged, 4), 6: compileLane(merged, 6) };
}

function compileLane(merged: readonly AddressSpan[], family: 4 | 6): Lane {
  const spans = merged.filter((span) => span.family === family);
  const flatten = (pick: (span: AddressSpan) => bigint): Uint32Array =>
    Uint32Array.from(spans.flatMap((span) => splitWords(pick(span), WORDS[family])));
  return { count: spans.length, firsts: flatten(({ first }) => first), lasts: flatten(({ last }) => last) };
}

function splitWords(value: bigint, size: number): number[] {
  return Array.from({ length: size }, (_, index) => Number((value >> BigInt(32 * (size - 1 - index))) & 0xffff_ffffn));
}

function toSpan(prefix: string): AddressSpan {
  const span = parsePrefix(prefix);
  if (typeof span === 'string') throw new Error(`a row of ranges has a prefix that is not taken: ${prefix}`);
  return span;
}

/** Special blocks may be wider than those of a list. */
function toWideSpan(prefix: string): AddressSpan {
  const [text = '', length = ''] = prefix.split('/');
  const family = readAddressWords(text, words) === 4 ? 4 : 6;
  const start = toSpan(text);
  return {
    family,
    first: start.first,
    last: start.first + (1n << BigInt((family === 4 ? 32 : 128) - Number(length))) - 1n,
  };
}
