import { rememberPerObject, rememberResult } from '../../lib/memo.ts';

/**
 * A text in the one spelling in which names are looked for. `exact` keeps capitals, `lower` does not; both have the same
 * length. `starts[i]` is where the character at `i` begins in the original; undefined when nothing moved.
 */
export type FoldedText = {
  original: string;
  exact: string;
  lower: string;
  starts: Uint32Array | undefined;
};

/** Longest text that is folded, in UTF-16 units: what is longer is cut. An answer has at most 32 kB. */
export const MAX_FOLDED_CHARS = 64 * 1024;

/**
 * Folds a text: NFKC, accents off Latin, Greek and Cyrillic letters, straight quotes, plain hyphens and spaces, nothing
 * unseen. Raised and circled numbers and marks such as ™ become spaces, since they end a name. Cyrillic letters do not
 * become Latin ones. Takes any string; linear.
 */
export function foldText(text: string): FoldedText {
  const original = text.slice(0, MAX_FOLDED_CHARS);
  if (PLAIN.test(original)) return { original, exact: original, lower: original.toLowerCase(), starts: undefined };
  const clusters = original.match(CLUSTER) ?? [];
  const pieces = clusters.map(foldCluster);
  const exact = pieces.join('');
  // Most texts hold no name whose place is asked for.
  const starts = rememberResult(() => findStarts(clusters, pieces, exact.length));
  return {
    original,
    exact,
    lower: lowerKeepingLength(exact),
    get starts() {
      return starts();
    },
  };
}

/** Where each character of the folded pieces begins among the clusters they were made of, and the end. */
function findStarts(clusters: readonly string[], pieces: readonly string[], length: number): Uint32Array {
  const starts = new Uint32Array(length + 1);
  let from = 0;
  let to = 0;
  for (const [index, cluster] of clusters.entries()) {
    const folded = pieces[index] ?? '';
    const step = folded === cluster ? 1 : 0;
    for (let at = 0; at < folded.length; at += 1) starts[to + at] = from + at * step;
    from += cluster.length;
    to += folded.length;
  }
  starts[to] = from;
  return starts;
}

/** Where the character at `position` of the folded text begins in the original. */
export const toOriginalIndex = ({ original, starts }: FoldedText, position: number): number =>
  Math.min(original.length, starts?.[position] ?? position);

/** Where the character at `position` of the original begins in the folded text. */
export function toFoldedIndex({ exact, starts }: FoldedText, position: number): number {
  if (starts === undefined) return Math.min(exact.length, position);
  let low = 0;
  let high = exact.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The texts of the blocks of an answer, folded once for every name that is looked for in them. */
export const foldBlocks: (answer: Blocks) => readonly FoldedText[] = rememberPerObject(({ blocks }: Blocks) =>
  blocks.map(({ text }) => foldText(text)),
);

type Blocks = { blocks: readonly { text: string }[] };

const PLAIN = /^[\n\r\t -~]*$/u;

/** A run of plain characters, a Hangul syllable in parts, or one character with its marks. */
const CLUSTER =
  /[\n\r\t -~]+(?![\p{M}\uFF9E\uFF9F])|[\u1100-\u1112][\u1161-\u1175][\u11A8-\u11C2]?|[^][\p{M}\uFF9E\uFF9F]{0,8}/gu;

/** Folded characters per UTF-16 unit that are kept: NFKC writes one Arabic ligature as eighteen. */
const MAX_GROWTH = 4;

/** Characters whose fold is not what NFKC and the loss of accents give. */
const SPECIAL: ReadonlyMap<string, string> = new Map([
  ...["'", '‘', '’', '‚', '‛', '`', '´', 'ʼ', '′', '＇'].map((quote) => [quote, "'"] as const),
  ...['“', '”', '„', '‟', '«', '»', '″', '＂'].map((quote) => [quote, '"'] as const),
  ...['‐', '‑', '‒', '−', '﹣', '－'].map((hyphen) => [hyphen, '-'] as const),
  ...['™', '℠', '®', '©'].map((mark) => [mark, ' '] as const),
  ['ß', 'ss'],
  ['ẞ', 'SS'],
  ['æ', 'ae'],
  ['Æ', 'AE'],
  ['œ', 'oe'],
  ['Œ', 'OE'],
  ['ø', 'o'],
  ['Ø', 'O'],
  ['ł', 'l'],
  ['Ł', 'L'],
  ['đ', 'd'],
  ['Đ', 'D'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ı', 'i'],
  ['ς', 'σ'],
  // Letters of their own, though Unicode takes them apart.
  ['й', 'й'],
  ['Й', 'Й'],
]);

/** Clusters recur, and there are few of them; a hostile text cannot fill the memory. */
const MAX_REMEMBERED = 4096;
const remembered = new Map<string, string>();

function foldCluster(cluster: string): string {
  if (cluster.length > 1 && PLAIN.test(cluster)) return cluster;
  const known = remembered.get(cluster);
  if (known !== undefined) return known;
  const folded = foldUnknown(cluster);
  if (remembered.size < MAX_REMEMBERED && cluster.length < 8) remembered.set(cluster, folded);
  return folded;
}

function foldUnknown(cluster: string): string {
  const seen = cluster.replaceAll(UNSEEN, '');
  const special = SPECIAL.get(seen.normalize('NFC'));
  if (special !== undefined) return special;
  if (/^\p{No}/u.test(seen) && !/^[₀-₉]/u.test(seen)) return ' ';
  const composed = seen.normalize('NFKC');
  const bare = composed.normalize('NFD');
  const folded = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(bare)
    ? bare.replaceAll(/\p{M}/gu, '')
    : composed;
  const spelled = Array.from(folded, (letter) => SPECIAL.get(letter) ?? letter).join('');
  return spelled.replaceAll(/\s/gu, ' ').slice(0, cluster.length * MAX_GROWTH);
}

const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}](?<![\t\n\r])/gu;

/** Lower case of the same length: where a letter would grow, it stays. */
function lowerKeepingLength(exact: string): string {
  const lower = exact.toLowerCase().replaceAll('ς', 'σ');
  if (lower.length === exact.length) return lower;
  return Array.from(exact, (letter) => {
    const small = letter.toLowerCase();
    return small.length === letter.length ? small : letter;
  }).join('');
}
