import { type Overrides, type RenamedEntry, listRenamedEntries } from '../core/overrides.ts';
import type { OverridesSource } from '../core/source.ts';
import { type YamlEntry, isEmpty, getYamlMap, readRawScalar, readEntryText } from '../core/tree.ts';
import { type BlockChange, buildLineInsertion, buildRemoval, detectIndentation } from './blocks.ts';
import { getKeyPrefix, findContentEnd, findLineEnd, findLineStart, findEntryLines } from './lines.ts';
import type { Edit } from './splice.ts';

/** Keys that go into blocks which are there, blocks that come to be, and edits for these. */
export type Renames = { edits: readonly Edit[]; adds: ReadonlyMap<string, Added>; made: ReadonlySet<string> };

type Added = BlockChange['add'];

/**
 * Old keys become keys of their blocks. Where the block is there, they move to its end; where it is not, the first one
 * becomes it at its place, and those that follow it directly stay where they are. An old key without a value, or whose
 * new one is there, goes.
 * @param extra keys that blocks get besides; those of blocks that neither are there nor come to be are not done here
 */
export function buildRenames(overrides: Overrides, extra: ReadonlyMap<string, Added>): Renames {
  const { source, entries } = overrides;
  const edits: Edit[] = [];
  const adds = new Map<string, Added>();
  const openRuns = new Map<string, Run>();
  for (const each of listRenamedEntries(overrides)) {
    const { row, old, now } = each;
    const text = readEntryText(source, old);
    if (now !== undefined || isEmpty(old) || text === undefined) {
      edits.push(buildRemoval(source, old, `${old.key} goes`));
      continue;
    }
    const add = { key: row.key, raw: readRawScalar(source.text, text), comment: readTrailingComment(source, old) };
    const run = openRuns.get(row.block);
    if (entries.has(row.block)) {
      edits.push(buildKeyRemoval(source, each, isFlow(entries.get(row.block)) ? add.comment : ''));
      adds.set(row.block, [...(adds.get(row.block) ?? []), add]);
    } else if (run === undefined) {
      openRuns.set(row.block, { last: old, moved: [] });
      edits.push(asBlock(source, each));
    } else if (isAdjacent(source, run.last, old)) {
      run.last = old;
      edits.push(asMember(source, each));
    } else {
      edits.push(buildKeyRemoval(source, each, ''));
      run.moved.push(add);
    }
  }
  for (const [block, { last, moved }] of openRuns) {
    const lines = [...moved, ...(extra.get(block) ?? [])];
    if (lines.length > 0) edits.push(insertMovedKeys(source, last, lines));
  }
  return { edits, adds, made: new Set(openRuns.keys()) };
}

type Run = { last: YamlEntry; moved: Added[number][] };

const describeRename = ({ row, old }: RenamedEntry): string => `${old.key} is ${row.block}.${row.key} now`;

const isFlow = (entry: YamlEntry | undefined): boolean => getYamlMap(entry)?.flow === true;

/** Takes out the line of a key that moves. Comments below it stay, and one behind it that its new place cannot have. */
function buildKeyRemoval(source: OverridesSource, each: RenamedEntry, comment: string): Edit {
  const { start } = buildRemoval(source, each.old, '');
  const end = findLineEnd(source, findContentEnd(source, each.old));
  return { start, end, text: comment === '' ? '' : comment.trimStart() + source.eol, reason: describeRename(each) };
}

/** A comment on the line where an entry ends, with the blanks before it. */
function readTrailingComment(source: OverridesSource, entry: YamlEntry): string {
  const at = findContentEnd(source, entry);
  const rest = source.text.slice(at, findLineEnd(source, at)).trimEnd();
  return rest.trimStart().startsWith('#') ? rest : '';
}

const getKeyRange = ({ keyNode }: YamlEntry): { start: number; end: number } => {
  const [start = 0, end = 0] = keyNode.range ?? [];
  return { start, end };
};

function asBlock(source: OverridesSource, each: RenamedEntry): Edit {
  const { row, old } = each;
  const indent = getKeyPrefix(source, old) + detectIndentation(source);
  return { ...getKeyRange(old), text: `${row.block}:${source.eol}${indent}${row.key}`, reason: describeRename(each) };
}

function asMember(source: OverridesSource, each: RenamedEntry): Edit {
  return { ...getKeyRange(each.old), text: detectIndentation(source) + each.row.key, reason: describeRename(each) };
}

/** Nothing but blank lines and comments lies between the two. */
function isAdjacent(source: OverridesSource, one: YamlEntry, other: YamlEntry): boolean {
  const between = source.text.slice(findEntryLines(source, one).end, findLineStart(source, getKeyRange(other).start));
  return between.split('\n').every((line) => line.trim() === '' || line.trimStart().startsWith('#'));
}

function insertMovedKeys(source: OverridesSource, last: YamlEntry, moved: Added): Edit {
  const at = findEntryLines(source, last).end;
  const indent = getKeyPrefix(source, last) + detectIndentation(source);
  return buildLineInsertion(source, at, indent, { add: moved, reason: 'old keys move to their block' });
}
