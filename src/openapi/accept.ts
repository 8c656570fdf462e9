/** Characters and ranges of one Accept header that are read. */
const MAX_ACCEPT_CHARS = 1_000;
const MAX_RANGES = 20;

/**
 * The media type of `offered` that `accept` likes best (RFC 9110, section 12.5.1). Between equal weights a type that is
 * named beats one that a wildcard covers, then the order of `offered` decides. Where nothing fits the first is returned:
 * any answer helps more than a 406.
 */
export function selectPreferredType<T extends string>(accept: string | null, offered: readonly [T, ...T[]]): T {
  const [first] = offered;
  return listAcceptedTypes(accept, offered)[0] ?? first;
}

/** The media types of `offered` that `accept` admits, the one it likes best first: none where nothing fits. */
export function listAcceptedTypes<T extends string>(accept: string | null, offered: readonly T[]): readonly T[] {
  const ranges = parseRanges(accept ?? '*/*');
  const rated = offered.map((type) => ({ type, ...rateType(type, ranges) })).filter(({ weight }) => weight > 0);
  return rated.toSorted((a, b) => b.weight - a.weight || b.precision - a.precision).map(({ type }) => type);
}

type Range = { type: string; weight: number };

const parseRanges = (accept: string): readonly Range[] =>
  accept
    .slice(0, MAX_ACCEPT_CHARS)
    .toLowerCase()
    .split(',', MAX_RANGES)
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return { type, weight: /^[01](?:\.\d{0,3})?$/.test(q) ? Math.min(Number(q), 1) : 0 };
    });

/** The most precise range decides: `text/html` before `text/*` before any. */
function rateType(type: string, ranges: readonly Range[]): { weight: number; precision: number } {
  const spellings = ['*/*', `${type.split('/')[0] ?? ''}/*`, type];
  for (const precision of [2, 1, 0]) {
    const range = ranges.find((one) => one.type === spellings[precision]);
    if (range) return { weight: range.weight, precision };
  }
  return { weight: 0, precision: 0 };
}
