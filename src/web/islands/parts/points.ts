/** Days that a chart may hold. */
const MAX_POINTS = 1_000;
const MICRO = 1_000_000;

/**
 * The points of a chart: Unix seconds and USDC. Undefined when the two lists of the page do not fit each other.
 * @param days `2026-11-22` and so on, by spaces
 * @param microUsdc as many whole numbers
 */
export function parsePoints(days: string, microUsdc: string): [number[], number[]] | undefined {
  const xs = days.split(' ').map((day) => Date.parse(day) / 1000);
  const ys = microUsdc.split(' ').map((amount) => (amount === '' ? Number.NaN : Number(amount) / MICRO));
  const fits = xs.length === ys.length && xs.length <= MAX_POINTS && [...xs, ...ys].every(Number.isFinite);
  return fits ? [xs, ys] : undefined;
}
