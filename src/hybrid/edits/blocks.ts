import { isMap, type YAMLMap } from 'yaml';
import { REMOVED_FROM_VIRTUAL_HOSTS } from '../core/keys-data.ts';
import type { MigrateOptions } from '../core/options.ts';
import type { Overrides, VirtualHost } from '../core/overrides.ts';
import { type Place, problem, type Problem } from '../core/problem.ts';
import type { ProblemCode } from '../core/problems-data.ts';
import type { Source } from '../core/source.ts';
import { entriesOf, type Entry, isEmpty, yamlScalar } from '../core/tree.ts';
import { groupNameOf } from '../rules/groups.ts';
import { before, contentEnd, lineEnd, lineStart, ownLines } from './lines.ts';
import type { Edit } from './splice.ts';

/** All of them, in their order. */
export const joined = (parts: readonly Edits[]): Edits => ({
  edits: parts.flatMap(({ edits }) => edits),
  problems: parts.flatMap(({ problems }) => problems),
});

/** What is to happen to a mapping. */
export type Change = {
  remove: ReadonlySet<string>;
  /** Keys with their values as they are written, in order, and a comment behind where lines can have one. */
  add: readonly { key: string; raw: string; comment?: string }[];
  /** Values of keys that stay, as they are to be written. */
  replace?: ReadonlyMap<string, string>;
  reason: string;
};

export type Edits = { edits: readonly Edit[]; problems: readonly Problem[] };

const none: Edits = { edits: [], problems: [] };
const only = (...edits: readonly Edit[]): Edits => ({ edits, problems: [] });

/** Indentation of a file's first block below its top; two blanks where it has none. */
export function stepOf(source: Source): string {
  for (const entry of entriesOf(source, source.root)) {
    if (!isMap(entry.value) || entry.value.flow === true) continue;
    const [first] = entriesOf(source, entry.value);
    const depth = first === undefined ? 0 : before(source, first).length - before(source, entry).length;
    if (depth > 0) return ' '.repeat(depth);
  }
  return '  ';
}

/** Changes the block of a top-level key. One that nothing is left of goes itself. */
export function changeBlock(source: Source, owner: Entry, change: Change): Edits {
  const { value } = owner;
  if (isMap(value)) {
    const entries = entriesOf(source, value);
    const isLeft = change.add.length > 0 || entries.some(({ key }) => !change.remove.has(key));
    if (!isLeft && entries.length > 0) return only(removal(source, owner, change.reason));
    return changeMap(source, value, change, owner);
  }
  if (change.add.length === 0 || !isEmpty(owner)) return none;
  return addBelow(source, owner, change);
}

/** Keys that are there without a value get it where they stand. */
function filledIn(source: Source, map: YAMLMap, change: Change): Change {
  const blank = new Set(entriesOf(source, map).flatMap((entry) => (isEmpty(entry) ? [entry.key] : [])));
  const fills = change.add.filter(({ key }) => blank.has(key));
  if (fills.length === 0) return change;
  const replace = new Map([
    ...(change.replace ?? []),
    ...fills.map(({ key, raw, comment = '' }) => [key, map.flow === true ? raw : raw + comment] as const),
  ]);
  return { ...change, add: change.add.filter(({ key }) => !blank.has(key)), replace };
}

/** Changes a mapping that keeps at least one key, or gets one. */
export function changeMap(source: Source, map: YAMLMap, wanted: Change, owner?: Entry): Edits {
  const change = filledIn(source, map, wanted);
  if (map.flow === true) return changeFlow(source, map, change);
  const entries = entriesOf(source, map);
  const [start] = entries;
  if (start === undefined) return none;
  const removed = entries.filter(({ key }) => change.remove.has(key));
  const edits = [
    ...(removed.length === 0 ? [] : removeEntries(source, entries, change)),
    ...entries.flatMap((entry) => replacement(source, entry, change)),
  ];
  if (change.add.length === 0) return { edits, problems: unsafeStarts(source, removed) };
  const indent = ' '.repeat(before(source, start).length);
  const at = ownLines(source, owner ?? entries.at(-1) ?? start).end;
  // The last line of a file may have no end; one that was removed leaves the end of the line before it.
  const isRemoved = edits.some(({ start: from, end, text }) => end === at && from < end && text === '');
  const lines = linesAt(source, at, indent, change, isRemoved);
  return { edits: [...edits, lines], problems: unsafeStarts(source, removed) };
}

function replacement(source: Source, entry: Entry, { replace, reason }: Change): readonly Edit[] {
  const raw = replace?.get(entry.key);
  return raw === undefined ? [] : [valueEdit(source, entry, raw, reason)];
}

/** Writes the value of an entry, also where nothing stands after the colon. */
export function valueEdit(source: Source, entry: Entry, raw: string, reason: string): Edit {
  const { keyNode, value } = entry;
  const [from = 0, to = 0] = value?.range ?? [];
  const comment = signComment(source.text.slice(from, to));
  if (to > from) return { start: from, end: contentEnd(source, entry), text: raw + comment, reason };
  const at = source.text.indexOf(':', keyNode.range?.[1] ?? 0) + 1;
  return { start: at, end: at, text: ` ${raw}`, reason };
}

/** A text of several lines may have a comment on the line of its sign: `>- # why`. */
function signComment(raw: string): string {
  const [line = ''] = raw.split('\n', 1);
  const at = /^[|>]/.test(line) ? line.indexOf(' #') : -1;
  return at < 0 ? '' : line.slice(at).trimEnd();
}

/** Keys behind something that is no indentation and no dash: `? key`. */
const unsafeStarts = (source: Source, entries: readonly Entry[]): readonly Problem[] =>
  entries
    .filter((entry) => !STARTS_LINE.test(before(source, entry)))
    .map(({ place }) => problem('unsafe-edit', place, 'Something else stands before this key on its line.'));

const STARTS_LINE = /^[ -]*$/;

/** Removes entries; where the first of a list's item goes, the next takes its place behind the dash. */
function removeEntries(source: Source, entries: readonly Entry[], change: Change): readonly Edit[] {
  const firstKept = entries.findIndex(({ key }) => !change.remove.has(key));
  const isAfterDash = before(source, entries[0] as Entry).includes('-');
  const leading = isAfterDash ? entries.slice(0, Math.max(firstKept, 0)) : [];
  const others = entries.slice(leading.length).filter(({ key }) => change.remove.has(key));
  return [
    ...afterDash(source, leading, entries[firstKept], change.reason),
    ...others.map((entry) => removal(source, entry, change.reason)),
  ];
}

function afterDash(
  source: Source,
  leading: readonly Entry[],
  kept: Entry | undefined,
  reason: string,
): readonly Edit[] {
  const [first] = leading;
  if (first === undefined || kept === undefined) return [];
  const start = first.keyNode.range?.[0] ?? 0;
  const keptAt = kept.keyNode.range?.[0] ?? 0;
  const isNext = leading.every((entry, index) => {
    const next = leading[index + 1] ?? kept;
    return ownLines(source, entry).end === lineStart(source, next.keyNode.range?.[0] ?? 0);
  });
  if (isNext) return [{ start, end: keptAt, text: '', reason }];
  // Comments or blank lines stay in between: the dash keeps its line to itself.
  const dash = source.text.slice(0, start).trimEnd().length;
  const [, ...rest] = leading;
  const firstEnd = ownLines(source, first).end;
  return [
    { start: dash, end: firstEnd, text: source.eol, reason },
    ...rest.map((entry) => removal(source, entry, reason)),
  ];
}

/** Removes the lines of an entry. */
export function removal(source: Source, entry: Entry, reason: string): Edit {
  const { start, end } = ownLines(source, entry);
  const isFirst = source.text.startsWith('\uFEFF') && start === 0;
  return { start: isFirst ? 1 : start, end, text: '', reason };
}

/** Lines with keys at a place between two lines, or at the end of a file whose last line is not ended. */
export function linesAt(
  source: Source,
  at: number,
  indent: string,
  { add, reason }: Omit<Change, 'remove'>,
  isAfterRemoval = false,
): Edit {
  const lines = add.map(({ key, raw, comment = '' }) => `${indent}${key}: ${raw}${comment}`);
  const isEnded = isAfterRemoval || at === 0 || source.text[at - 1] === '\n';
  const text = lines.map((line) => (isEnded ? line + source.eol : source.eol + line)).join('');
  return { start: at, end: at, text, reason };
}

/** Keys below one that has no value; `null` and its like give way. */
function addBelow(source: Source, owner: Entry, change: Change): Edits {
  const [from = 0, to = 0] = owner.value?.range ?? [];
  const blank = source.text.slice(0, from).trimEnd().length;
  const emptied = to > from ? [{ start: blank, end: to, text: '', reason: change.reason }] : [];
  const indent = ' '.repeat(before(source, owner).length) + stepOf(source);
  return only(...emptied, linesAt(source, lineEnd(source, contentEnd(source, owner)), indent, change));
}

/** A {...} on one line is written anew of the pieces that stay. */
function changeFlow(source: Source, map: YAMLMap, { remove, add, replace, reason }: Change): Edits {
  const [start = 0, end = 0] = map.range ?? [];
  const entries = entriesOf(source, map);
  const isSame = add.length === 0 && !entries.some(({ key }) => remove.has(key) || replace?.has(key));
  if (isSame) return none;
  const old = source.text.slice(start, end);
  if (old.includes('\n')) return notHere('flow-lines', source.placeOf(start), 'This {...} goes over several lines.');
  const kept = entries
    .filter(({ key }) => !remove.has(key))
    .map((entry) => {
      const [from = 0, to = 0] = entry.keyNode.range ?? [];
      const raw = replace?.get(entry.key);
      return raw === undefined
        ? source.text.slice(from, contentEnd(source, entry))
        : `${source.text.slice(from, to)}: ${raw}`;
    });
  const pieces = [...kept, ...add.map(({ key, raw }) => `${key}: ${raw}`)];
  const pad = old.startsWith('{ ') ? ' ' : '';
  return only({ start, end, text: `{${pad}${pieces.join(', ')}${pad}}`, reason });
}

const notHere = (code: ProblemCode, place: Place, message: string): Edits => ({
  edits: [],
  problems: [problem(code, place, message)],
});

const remove: ReadonlySet<string> = new Set(REMOVED_FROM_VIRTUAL_HOSTS);

/** Virtual hosts keep name and certificate; host names and rules become environment groups. */
export const virtualHostEdits = ({ source, virtualHosts }: Overrides, options: MigrateOptions): Edits =>
  joined(
    virtualHosts.map((host) =>
      changeMap(source, host.map, {
        remove,
        add: [],
        replace: newName(host, options),
        reason: 'environment groups have it',
      }),
    ),
  );

function newName(host: VirtualHost, options: MigrateOptions): ReadonlyMap<string, string> {
  const group = groupNameOf(host, options);
  return group === (host.name?.value ?? '') ? new Map() : new Map([['name', yamlScalar(group)]]);
}
