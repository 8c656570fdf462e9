import { type Overrides, type RenamedEntry, renamedIn } from '../core/overrides.ts';
import type { Source } from '../core/source.ts';
import { type Entry, isEmpty, mapIn, rawOf, textIn } from '../core/tree.ts';
import { type Change, linesAt, removal, stepOf } from './blocks.ts';
import { before, contentEnd, lineEnd, lineStart, ownLines } from './lines.ts';
import type { Edit } from './splice.ts';

/** Keys that go into blocks which are there, blocks that come to be, and edits for these. */
export type Renames = { edits: readonly Edit[]; adds: ReadonlyMap<string, Added>; made: ReadonlySet<string> };

type Added = Change['add'];

/**
 * Old keys become keys of their blocks. Where the block is there, they move to its end; where it is not, the first one
 * becomes it at its place, and those that follow it directly stay where they are. An old key without a value, or whose
 * new one is there, goes.
 * @param extra keys that blocks get besides; those of blocks that neither are there nor come to be are not done here
 */
export function renames(overrides: Overrides, extra: ReadonlyMap<string, Added>): Renames {
  const { source, entries } = overrides;
  const edits: Edit[] = [];
  const adds = new Map<string, Added>();
  const openRuns = new Map<string, Run>();
  for (const each of renamedIn(overrides)) {
    const { row, old, now } = each;
    const text = textIn(source, old);
    if (now !== undefined || isEmpty(old) || text === undefined) {
      edits.push(removal(source, old, `${old.key} goes`));
      continue;
    }
    const add = { key: row.key, raw: rawOf(source.text, text), comment: commentBehind(source, old) };
    const run = openRuns.get(row.block);
    if (entries.has(row.block)) {
      edits.push(takenOut(source, each, isFlow(entries.get(row.block)) ? add.comment : ''));
      adds.set(row.block, [...(adds.get(row.block) ?? []), add]);
    } else if (run === undefined) {
      openRuns.set(row.block, { last: old, moved: [] });
      edits.push(asBlock(source, each));
    } else if (follows(source, run.last, old)) {
      run.last = old;
      edits.push(asMember(source, each));
    } else {
      edits.push(takenOut(source, each, ''));
      run.moved.push(add);
    }
  }
  for (const [block, { last, moved }] of openRuns) {
    const lines = [...moved, ...(extra.get(block) ?? [])];
    if (lines.length > 0) edits.push(movedBehind(source, last, lines));
  }
  return { edits, adds, made: new Set(openRuns.keys()) };
}

type Run = { last: Entry; moved: Added[number][] };

const reasonOf = ({ row, old }: RenamedEntry): string => `${old.key} is ${row.block}.${row.key} now`;

const isFlow = (entry: Entry | undefined): boolean => mapIn(entry)?.flow === true;

/** Takes out the line of a key that moves. Comments below it stay, and one behind it that its new place cannot have. */
function takenOut(source: Source, each: RenamedEntry, comment: string): Edit {
  const { start } = removal(source, each.old, '');
  const end = lineEnd(source, contentEnd(source, each.old));
  return { start, end, text: comment === '' ? '' : comment.trimStart() + source.eol, reason: reasonOf(each) };
}

/** A comment on the line where an entry ends, with the blanks before it. */
function commentBehind(source: Source, entry: Entry): string {
  const at = contentEnd(source, entry);
  const rest = source.text.slice(at, lineEnd(source, at)).trimEnd();
  return rest.trimStart().startsWith('#') ? rest : '';
}

const keyRange = ({ keyNode }: Entry): { start: number; end: number } => {
  const [start = 0, end = 0] = keyNode.range ?? [];
  return { start, end };
};

function asBlock(source: Source, each: RenamedEntry): Edit {
  const { row, old } = each;
  const indent = before(source, old) + stepOf(source);
  return { ...keyRange(old), text: `${row.block}:${source.eol}${indent}${row.key}`, reason: reasonOf(each) };
}

function asMember(source: Source, each: RenamedEntry): Edit {
  return { ...keyRange(each.old), text: stepOf(source) + each.row.key, reason: reasonOf(each) };
}

/** Nothing but blank lines and comments lies between the two. */
function follows(source: Source, one: Entry, other: Entry): boolean {
  const between = source.text.slice(ownLines(source, one).end, lineStart(source, keyRange(other).start));
  return between.split('\n').every((line) => line.trim() === '' || line.trimStart().startsWith('#'));
}

function movedBehind(source: Source, last: Entry, moved: Added): Edit {
  const at = ownLines(source, last).end;
  const indent = before(source, last) + stepOf(source);
  return linesAt(source, at, indent, { add: moved, reason: 'old keys move to their block' });
}
