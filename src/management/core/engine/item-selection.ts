import type { Call } from './operation.ts';

/** Members that are shown of each item of a list; absent: all, with their entity tags. */
export type ItemSelection = ReadonlySet<string>;

/** Of a collection: where its lists have their items, how they are shown, and what a view is made of. */
type SelectedFrom = { items: string; view?: unknown; parts?: Readonly<Record<string, readonly string[]>> };

/** An entity tag is made of all that is shown, of a list of all its items: who asks for one needs everything. */
const TAGS = ['etag', 'etags'];

/** What a call wants to see of each item of a list (`fields`); undefined for everything. */
export function readItemSelection({ selection }: Call, items: string): ItemSelection | undefined {
  if (selection === undefined || TAGS.some((tag) => selection[tag] !== undefined)) return undefined;
  const members = selection[items] ?? [];
  return members === true || TAGS.some((tag) => members.includes(tag)) ? undefined : new Set(members);
}

/**
 * The members of stored bodies that a list must read to show what is selected. Undefined: all, because all is asked for, or
 * because the collection does not say what its view is made of.
 */
export function listReadMembers({ parts, view, items }: SelectedFrom, call: Call): readonly string[] | undefined {
  const selected = readItemSelection(call, items);
  if (selected === undefined || (view !== undefined && parts === undefined)) return undefined;
  const read = [...selected].flatMap((name) => parts?.[name] ?? (name === 'kind' ? [] : [name]));
  return [...new Set(read)];
}
