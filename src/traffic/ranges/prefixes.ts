import { ADDRESS_WORDS, joinAddressWords, readAddressWords } from '../../net/address-words.ts';

/** Addresses of one family, from the first to the last. */
export type AddressSpan = { family: 4 | 6; first: bigint; last: bigint };

/** Why a prefix is not taken. */
export type PrefixRefusal = 'bad_prefix' | 'prefix_too_wide';

/** Wider blocks are no list of crawlers: one of them would verify a good part of the internet. */
export const MIN_PREFIX_BITS = { 4: 8, 6: 16 } as const;

const BITS = { 4: 32, 6: 128 } as const;
const LENGTH = /^(?:0|[1-9]\d{0,2})$/;
const words = new Uint32Array(ADDRESS_WORDS);

/** Reads a CIDR block, or a single address. Bits behind the length are ignored: the block is what counts. */
export function parsePrefix(text: string): AddressSpan | PrefixRefusal {
  const slash = text.indexOf('/');
  const family = readAddressWords(slash < 0 ? text : text.slice(0, slash), words);
  if (family === 0) return 'bad_prefix';
  const bits = BITS[family];
  const written = slash < 0 ? String(bits) : text.slice(slash + 1);
  if (!LENGTH.test(written) || Number(written) > bits) return 'bad_prefix';
  if (Number(written) < MIN_PREFIX_BITS[family]) return 'prefix_too_wide';
  const shift = BigInt(bits - Number(written));
  const first = (joinAddressWords(words) >> shift) << shift;
  return { family, first, last: first + (1n << shift) - 1n };
}

/** Spans in their order, those that overlap or touch as one. */
export function mergeSpans(spans: readonly AddressSpan[]): readonly AddressSpan[] {
  const merged: AddressSpan[] = [];
  for (const span of spans.toSorted(compareSpans)) {
    const before = merged.at(-1);
    if (before === undefined || before.family !== span.family || before.last + 1n < span.first)
      merged.push({ ...span });
    else if (span.last > before.last) before.last = span.last;
  }
  return merged;
}

const compareSpans = (a: AddressSpan, b: AddressSpan): number =>
  a.family - b.family || (a.first < b.first ? -1 : Number(a.first > b.first));

/** The fewest blocks that are the same addresses, in their order; a single address has no length. */
export function formatSpans(spans: readonly AddressSpan[]): readonly string[] {
  return mergeSpans(spans).flatMap(({ family, first, last }) => {
    const blocks: string[] = [];
    for (let from = first; from <= last;) {
      let free = 0;
      while (free < BITS[family] && isBlock(from, free + 1, last)) free += 1;
      blocks.push(`${formatAddress(family, from)}${free === 0 ? '' : `/${BITS[family] - free}`}`);
      from += 1n << BigInt(free);
    }
    return blocks;
  });
}

const isBlock = (from: bigint, free: number, last: bigint): boolean => {
  const size = 1n << BigInt(free);
  return from % size === 0n && from + size - 1n <= last;
};

function formatAddress(family: 4 | 6, value: bigint): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.');
  const groups = [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 0xffffn).toString(16));
  return new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1);
}
