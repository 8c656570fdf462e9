import { RENAMED } from './keys-data.ts';
import type { Overrides } from './overrides.ts';
import { type Entry, entryOf, isEmpty, mapIn, type Text, textIn } from './tree.ts';

export type Renamed = (typeof RENAMED)[number];

/** The entry of a block: `gcp`, `region`. */
export const entryAt = ({ source, entries }: Overrides, block: string, key: string): Entry | undefined =>
  entryOf(source, mapIn(entries.get(block)), key);

/** What the new file will have there: the value of the block, or that of the old key which becomes it. */
export function textAt(overrides: Overrides, block: string, key: string): Text | undefined {
  const own = textIn(overrides.source, entryAt(overrides, block, key));
  if (own !== undefined) return own;
  const old = RENAMED.find((row) => row.block === block && row.key === key)?.old;
  return old === undefined ? undefined : textIn(overrides.source, overrides.entries.get(old));
}

/** An old key, and the key of its block where that is there too. */
export type RenamedEntry = { row: Renamed; old: Entry; now: Entry | undefined };

/** Old keys of the file, in its order. */
export const renamedIn = (overrides: Overrides): readonly RenamedEntry[] =>
  [...overrides.entries.values()].flatMap((old) => {
    const row = RENAMED.find((each) => each.old === old.key);
    const now = row && entryAt(overrides, row.block, row.key);
    return row ? [{ row, old, now: now && isEmpty(now) ? undefined : now }] : [];
  });
