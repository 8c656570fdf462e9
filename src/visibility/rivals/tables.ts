import type { Corpus } from './corpus.ts';
import { looksLikeName } from './names.ts';
import { optionHeaders } from './words-data.ts';
import { type Block, CELL_SEPARATOR } from '../structure/structure.ts';

/**
 * What a row of a table means: a header that compares names, or the column in which its option stands. `table` is the
 * index of the header's block.
 */
export type RowRole = { compares: boolean; column: number; table: number };

/** The meaning of each block that is a row, by its index. */
export function rowRoles(blocks: readonly Block[], corpus: Corpus): ReadonlyMap<number, RowRole> {
  const roles = new Map<number, RowRole>();
  let role: RowRole | undefined;
  for (const [index, block] of blocks.entries()) {
    // Only the header of a table has a text in its first cell and no head.
    const isHeader = block.head === undefined && !block.text.startsWith(CELL_SEPARATOR.trim());
    if (block.kind !== 'row') role = undefined;
    else if (role === undefined || isHeader) {
      role = { ...roleOf(block.text.split(CELL_SEPARATOR), corpus), table: index };
      roles.set(index, { compares: role.column < 0, column: -1, table: index });
    } else roles.set(index, { compares: false, column: role.column, table: role.table });
  }
  return roles;
}

/** Reads the header of a table: `column` is -1 when the options stand side by side in the header itself. */
function roleOf(header: readonly string[], corpus: Corpus): Pick<RowRole, 'compares' | 'column'> {
  const isOption = (cell: string): boolean =>
    cell
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .some((word) => optionHeaders.has(word));
  const [, ...rest] = header;
  const named = rest.filter((cell) => looksLikeName(cell, corpus)).length;
  const column = header.findIndex(isOption);
  if (column === -1 && named >= 2 && named * 2 >= rest.length) return { compares: true, column: -1 };
  return { compares: false, column: Math.max(0, column) };
}

/** The heads of a block: names joined in one text are not parted yet. */
export function headsOf({ kind, head, text }: Block, role: RowRole | undefined): readonly string[] {
  if (kind !== 'row') return head === undefined ? [] : [head];
  if (role === undefined || role.column < 0) return [];
  if (role.column === 0) return head === undefined ? [] : [head];
  return [text.split(CELL_SEPARATOR)[role.column] ?? ''];
}

/** The cells that name what a table compares, if the block is the header of one. */
export const comparedIn = ({ text }: Block, role: RowRole | undefined): readonly string[] =>
  role?.compares === true ? text.split(CELL_SEPARATOR).slice(1) : [];
