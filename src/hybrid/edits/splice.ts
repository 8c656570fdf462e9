/** A piece of the old text, from `start` to before `end` in UTF-16 units, and what takes its place. */
export type Edit = { start: number; end: number; text: string; reason: string };

/**
 * The text with all edits made: what lies outside of them is what it was, byte for byte.
 * @throws when edits overlap or leave the text: that would be a bug of ours
 */
export function spliceText(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text: piece } of sortEdits(edits)) {
    if (start < at || end < start || end > text.length) throw new Error('edits overlap');
    pieces.push(text.slice(at, start), piece);
    at = end;
  }
  return [...pieces, text.slice(at)].join('');
}

/** By place; those of one place in the order they were made, removals last. */
export const sortEdits = (edits: readonly Edit[]): readonly Edit[] =>
  edits.toSorted((one, other) => one.start - other.start || one.end - other.end);
