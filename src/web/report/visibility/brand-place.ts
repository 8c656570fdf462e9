/** Where a brand is among those that are named. */
export type BrandPlace =
  /** `tied`: how many others are named as often. `of`: undefined where the table may end before the last of them. */
  | { place: number; tied: number; of: number | undefined }
  /** So many are listed, and all of them are named more often: the place itself is not known. */
  | { behind: number };

/**
 * The place of a brand by its own figure and those of the listed rivals.
 * @param max rows that the table has at most: one that is full may leave brands out
 */
export function findBrandPlace(own: number, rivals: readonly number[], max: number): BrandPlace {
  const above = rivals.filter((rival) => rival > own).length;
  const isFull = rivals.length >= max;
  if (isFull && above === rivals.length) return { behind: above };
  const tied = rivals.filter((rival) => rival === own).length;
  return { place: above + 1, tied, of: isFull ? undefined : rivals.length + 1 };
}
