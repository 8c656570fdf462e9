/** An entry's position in a list: two entries with the same three values are the same entry (the vendor's rule). */
export type EntryPlace = {
  ts: string;
  insertId: string;
  container: string;
  /** Of the entries at this place, those of streams up to this one were looked at, and none was shown. */
  stream?: number;
};

/** The order of places: by time, then by id, then by the log's container. */
export const comparePlaces = (a: EntryPlace, b: EntryPlace): number =>
  compareTexts(a.ts, b.ts) || compareTexts(a.insertId, b.insertId) || compareTexts(a.container, b.container);

/** Surrogates come after the characters from U+E000 in UTF-8, which SQLite compares by, and before them in UTF-16. */
const HIGHEST_UNITS = 0xd800;

/** The order of two texts as SQLite has it: by code point. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  if (at === length) return a.length - b.length;
  const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)];
  if (left < HIGHEST_UNITS || right < HIGHEST_UNITS) return left - right;
  return rank(left) - rank(right);
}

const LAST_SURROGATE = 0xdfff;
/** Surrogates behind all other units. */
const rank = (unit: number): number => (unit > LAST_SURROGATE ? unit - 0x10000 : unit);
