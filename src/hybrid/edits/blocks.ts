import { isMap, type YAMLMap } from 'yaml';
import { REMOVED_FROM_VIRTUAL_HOSTS } from '../core/keys-data.ts';
import type { MigrateOptions } from '../core/options.ts';
import type { Overrides, VirtualHost } from '../core/overrides.ts';
import { type FilePosition, buildOverridesProblem, type OverridesProblem } from '../core/problem.ts';
import type { ProblemCode } from '../core/problems-data.ts';
import type { OverridesSource } from '../core/source.ts';
import { listMapEntries, type YamlEntry, isEmpty, formatYamlScalar } from '../core/tree.ts';
import { getGroupName } from '../rules/groups.ts';
import { getKeyPrefix, findContentEnd, findLineEnd, findLineStart, findEntryLines } from './lines.ts';
import type { Edit } from './splice.ts';

/** All of them, in their order. */
export const mergeEdits = (parts: readonly Edits[]): Edits => ({
  edits: parts.flatMap(({ edits }) => edits),
  problems: parts.flatMap(({ problems }) => problems),
});

/** What is to happen to a mapping. */
export type BlockChange = {
  remove: ReadonlySet<string>;
  /** Keys with their values as they are written, in order, and a comment behind where lines can have one. */
  add: readonly { key: string; raw: string; comment?: string }[];
  /** Values of keys that stay, as they are to be written. */
  replace?: ReadonlyMap<string, string>;
  reason: string;
};

export type Edits = { edits: readonly Edit[]; problems: readonly OverridesProblem[] };

const none: Edits = { edits: [], problems: [] };
const wrapEdits = (...edits: readonly Edit[]): Edits => ({ edits, problems: [] });

/** Indentation of a file's first block below its top; two blanks where it has none. */
export function detectIndentation(source: OverridesSource): string {
  for (const entry of listMapEntries(source, source.root)) {
    if (!isMap(entry.value) || entry.value.flow === true) continue;
    const [first] = listMapEntries(source, entry.value);
    const depth = first === undefined ? 0 : getKeyPrefix(source, first).length - getKeyPrefix(source, entry).length;
    if (depth > 0) return ' '.repeat(depth);
  }
  return '  ';
}

/** Changes the block of a top-level key. One that nothing is left of goes itself. */
export function changeBlock(source: OverridesSource, owner: YamlEntry, change: BlockChange): Edits {
  const { value } = owner;
  if (isMap(value)) {
    const entries = listMapEntries(source, value);
    const isLeft = change.add.length > 0 || entries.some(({ key }) => !change.remove.has(key));
    if (!isLeft && entries.length > 0) return wrapEdits(buildRemoval(source, owner, change.reason));
    return changeMap(source, value, change, owner);
  }
  if (change.add.length === 0 || !isEmpty(owner)) return none;
  return addBelow(source, owner, change);
}

/** Keys without a value get theirs in place. */
function fillBlankKeys(source: OverridesSource, map: YAMLMap, change: BlockChange): BlockChange {
  const blank = new Set(listMapEntries(source, map).flatMap((entry) => (isEmpty(entry) ? [entry.key] : [])));
  const fills = change.add.filter(({ key }) => blank.has(key));
  if (fills.length === 0) return change;
  const replace = new Map([
    ...(change.replace ?? []),
    ...fills.map(({ key, raw, comment = '' }) => [key, map.flow === true ? raw : raw + comment] as const),
  ]);
  return { ...change, add: change.add.filter(({ key }) => !blank.has(key)), replace };
}

/** Changes a mapping that keeps at least one key, or gets one. */
export function changeMap(source: OverridesSource, map: YAMLMap, wanted: BlockChange, owner?: YamlEntry): Edits {
  const change = fillBlankKeys(source, map, wanted);
  if (map.flow === true) return changeFlow(source, map, change);
  const entries = listMapEntries(source, map);
  const [start] = entries;
  if (start === undefined) return none;
  const removed = entries.filter(({ key }) => change.remove.has(key));
  const edits = [
    ...(removed.length === 0 ? [] : removeEntries(source, entries, change)),
    ...entries.flatMap((entry) => buildReplacement(source, entry, change)),
  ];
  if (change.add.length === 0) return { edits, problems: findUnsafeStarts(source, removed) };
  const indent = ' '.repeat(getKeyPrefix(source, start).length);
  const at = findEntryLines(source, owner ?? entries.at(-1) ?? start).end;
  // The last line of a file may have no end; one that was removed leaves the end of the line before it.
  const isRemoved = edits.some(({ start: from, end, text }) => end === at && from < end && text === '');
  const lines = buildLineInsertion(source, at, indent, change, isRemoved);
  return { edits: [...edits, lines], problems: findUnsafeStarts(source, removed) };
}

function buildReplacement(
  source: OverridesSource,
  entry: YamlEntry,
  { replace, reason }: BlockChange,
): readonly Edit[] {
  const raw = replace?.get(entry.key);
  return raw === undefined ? [] : [buildValueEdit(source, entry, raw, reason)];
}

/** Writes the value of an entry, even when nothing follows the colon. */
export function buildValueEdit(source: OverridesSource, entry: YamlEntry, raw: string, reason: string): Edit {
  const { keyNode, value } = entry;
  const [from = 0, to = 0] = value?.range ?? [];
  const comment = signComment(source.text.slice(from, to));
  if (to > from) return { start: from, end: findContentEnd(source, entry), text: raw + comment, reason };
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
const findUnsafeStarts = (source: OverridesSource, entries: readonly YamlEntry[]): readonly OverridesProblem[] =>
  entries
    .filter((entry) => !STARTS_LINE.test(getKeyPrefix(source, entry)))
    .map(({ place }) => buildOverridesProblem('unsafe-edit', place, 'This key is not the first thing on its line.'));

const STARTS_LINE = /^[ -]*$/;

/** Removes entries; where the first of a list's item goes, the next takes its place behind the dash. */
function removeEntries(source: OverridesSource, entries: readonly YamlEntry[], change: BlockChange): readonly Edit[] {
  const firstKept = entries.findIndex(({ key }) => !change.remove.has(key));
  const isAfterDash = getKeyPrefix(source, entries[0] as YamlEntry).includes('-');
  const leading = isAfterDash ? entries.slice(0, Math.max(firstKept, 0)) : [];
  const others = entries.slice(leading.length).filter(({ key }) => change.remove.has(key));
  return [
    ...removeAfterDash(source, leading, entries[firstKept], change.reason),
    ...others.map((entry) => buildRemoval(source, entry, change.reason)),
  ];
}

function removeAfterDash(
  source: OverridesSource,
  leading: readonly YamlEntry[],
  kept: YamlEntry | undefined,
  reason: string,
): readonly Edit[] {
  const [first] = leading;
  if (first === undefined || kept === undefined) return [];
  const start = first.keyNode.range?.[0] ?? 0;
  const keptAt = kept.keyNode.range?.[0] ?? 0;
  const isNext = leading.every((entry, index) => {
    const next = leading[index + 1] ?? kept;
    return findEntryLines(source, entry).end === findLineStart(source, next.keyNode.range?.[0] ?? 0);
  });
  if (isNext) return [{ start, end: keptAt, text: '', reason }];
  // Comments or blank lines stay in between: the dash keeps its line to itself.
  const dash = source.text.slice(0, start).trimEnd().length;
  const [, ...rest] = leading;
  const firstEnd = findEntryLines(source, first).end;
  return [
    { start: dash, end: firstEnd, text: source.eol, reason },
    ...rest.map((entry) => buildRemoval(source, entry, reason)),
  ];
}

/** Removes the lines of an entry. */
export function buildRemoval(source: OverridesSource, entry: YamlEntry, reason: string): Edit {
  const { start, end } = findEntryLines(source, entry);
  const isFirst = source.text.startsWith('\uFEFF') && start === 0;
  return { start: isFirst ? 1 : start, end, text: '', reason };
}

/** Lines with keys at a place between two lines, or at the end of a file whose last line is not ended. */
export function buildLineInsertion(
  source: OverridesSource,
  at: number,
  indent: string,
  { add, reason }: Omit<BlockChange, 'remove'>,
  isAfterRemoval = false,
): Edit {
  const lines = add.map(({ key, raw, comment = '' }) => `${indent}${key}: ${raw}${comment}`);
  const isEnded = isAfterRemoval || at === 0 || source.text[at - 1] === '\n';
  const text = lines.map((line) => (isEnded ? line + source.eol : source.eol + line)).join('');
  return { start: at, end: at, text, reason };
}

/** Keys below one that has no value; `null` and its like give way. */
function addBelow(source: OverridesSource, owner: YamlEntry, change: BlockChange): Edits {
  const [from = 0, to = 0] = owner.value?.range ?? [];
  const blank = source.text.slice(0, from).trimEnd().length;
  const emptied = to > from ? [{ start: blank, end: to, text: '', reason: change.reason }] : [];
  const indent = ' '.repeat(getKeyPrefix(source, owner).length) + detectIndentation(source);
  return wrapEdits(
    ...emptied,
    buildLineInsertion(source, findLineEnd(source, findContentEnd(source, owner)), indent, change),
  );
}

/** A {...} on one line is written anew of the pieces that stay. */
function changeFlow(source: OverridesSource, map: YAMLMap, { remove, add, replace, reason }: BlockChange): Edits {
  const [start = 0, end = 0] = map.range ?? [];
  const entries = listMapEntries(source, map);
  const isSame = add.length === 0 && !entries.some(({ key }) => remove.has(key) || replace?.has(key));
  if (isSame) return none;
  const old = source.text.slice(start, end);
  if (old.includes('\n'))
    return refuseChange('flow-lines', source.placeOf(start), 'This {...} goes over several lines.');
  const kept = entries
    .filter(({ key }) => !remove.has(key))
    .map((entry) => {
      const [from = 0, to = 0] = entry.keyNode.range ?? [];
      const raw = replace?.get(entry.key);
      return raw === undefined
        ? source.text.slice(from, findContentEnd(source, entry))
        : `${source.text.slice(from, to)}: ${raw}`;
    });
  const pieces = [...kept, ...add.map(({ key, raw }) => `${key}: ${raw}`)];
  const pad = old.startsWith('{ ') ? ' ' : '';
  return wrapEdits({ start, end, text: `{${pad}${pieces.join(', ')}${pad}}`, reason });
}

const refuseChange = (code: ProblemCode, place: FilePosition, message: string): Edits => ({
  edits: [],
  problems: [buildOverridesProblem(code, place, message)],
});

const remove: ReadonlySet<string> = new Set(REMOVED_FROM_VIRTUAL_HOSTS);

/** Virtual hosts keep name and certificate; host names and rules become environment groups. */
export const buildVirtualHostEdits = ({ source, virtualHosts }: Overrides, options: MigrateOptions): Edits =>
  mergeEdits(
    virtualHosts.map((host) =>
      changeMap(source, host.map, {
        remove,
        add: [],
        replace: buildNameReplacement(host, options),
        reason: 'environment groups have it',
      }),
    ),
  );

function buildNameReplacement(host: VirtualHost, options: MigrateOptions): ReadonlyMap<string, string> {
  const group = getGroupName(host, options);
  return group === (host.name?.value ?? '') ? new Map() : new Map([['name', formatYamlScalar(group)]]);
}
