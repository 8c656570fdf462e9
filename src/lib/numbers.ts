export const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** How often each item occurs, in the order of first occurrence. */
export function countOccurrences<T>(items: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

/** A share from 0 to 1 in whole percent. */
export const formatPercent = (share: number): string => `${Math.round(share * 100)} %`;

/** NaN of no numbers. */
export const computeMean = (numbers: readonly number[]): number => sum(numbers) / numbers.length;
