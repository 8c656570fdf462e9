import type { Corpus } from './corpus.ts';
import { judgeName, splitNames } from './names.ts';
import { headsOf, type RowRole } from './tables.ts';
import type { Block } from '../structure/structure.ts';

/** What the heads around a head are: nearly all names, hardly any, or both. */
export type Company = 'names' | 'features' | 'mixed';

/** Fewer heads say nothing about each other. */
const MIN_HEADS = 3;
const NAMES_SHARE = 0.5;
const FEATURES_SHARE = 0.35;

/**
 * For each block with a head the company it stands in: the items of its list, the rows of its table, the headings of its
 * level, the bold entries under its heading.
 */
export function companyOf(
  blocks: readonly Block[],
  roles: ReadonlyMap<number, RowRole>,
  corpus: Corpus,
): ReadonlyMap<number, Company> {
  const groups = new Map<string, { members: number[]; names: number }>();
  let list = 0;
  for (const [index, block] of blocks.entries()) {
    // What stands between two items and belongs to neither parts two lists.
    if (block.kind !== 'item' && (block.parent === undefined || blocks[block.parent]?.kind !== 'item')) list = index;
    const heads = headsOf(block, roles.get(index)).flatMap(splitNames);
    if (heads.length === 0) continue;
    const key = `${block.kind} ${block.depth} ${roles.get(index)?.table ?? block.parent ?? ''} ${block.kind === 'item' ? list : ''}`;
    const group = groups.get(key) ?? { members: [], names: 0 };
    groups.set(key, group);
    group.members.push(index);
    if (heads.some((head) => judgeName(head, corpus) === 'name')) group.names += 1;
  }
  return new Map(
    [...groups.values()].flatMap((group) => group.members.map((index) => [index, kindOf(group)] as const)),
  );
}

function kindOf({ members, names }: { members: readonly number[]; names: number }): Company {
  if (members.length < MIN_HEADS) return 'mixed';
  const share = names / members.length;
  if (share >= NAMES_SHARE) return 'names';
  return share <= FEATURES_SHARE ? 'features' : 'mixed';
}
