import type { AnswerBlock } from '../structure/structure.ts';
import { adviceAgainst, criteriaTitles, optionTitles } from './words-data.ts';

/** Something that is so for a block, by its index. */
type AboutBlock = (index: number) => boolean;

/** Whether a heading or lead-in announces what to look for, and no options. */
export function isCriteriaTitle(block: AnswerBlock | undefined): boolean {
  if (block === undefined || (block.kind !== 'heading' && !(block.kind === 'paragraph' && /[:：]$/u.test(block.text))))
    return false;
  const title = block.text.slice(-MAX_TITLE_CHARS).toLowerCase();
  if (title.split(/[^\p{L}]/u).some((word) => optionTitles.has(word)) || /^(?:where|who) to /u.test(title))
    return false;
  return [...criteriaTitles].some((criteria) => title.includes(criteria));
}

/** Characters of a title or lead-in that are read, from its end. */
const MAX_TITLE_CHARS = 120;

/** Whether what a block is under, or what that is under, advises against it. */
export function isUnderWarning(blocks: readonly AnswerBlock[], index: number, isWarning: AboutBlock): boolean {
  const parent = blocks[index]?.parent;
  if (parent === undefined) return false;
  const further = blocks[parent]?.parent;
  return isWarning(parent) || (further !== undefined && isWarning(further));
}

/** Whether a block advises against what is under it. */
export function isWarningAbove(block: AnswerBlock | undefined): boolean {
  const title = block?.text.slice(0, 200).toLowerCase() ?? '';
  return [...adviceAgainst].some((advice) => title.includes(advice));
}

/** A heading without a number, as the entries of a ranking have one: it is no name unless another answer knows it. */
export const isSectionTitle = ({ kind, text }: AnswerBlock): boolean => kind === 'heading' && !/^[#(]?\d/u.test(text);

/** The heading or item above, or the bold paragraph that announces a list: what the bullets may be details of. */
export function findHolder(blocks: readonly AnswerBlock[], index: number): number | undefined {
  const block = blocks[index];
  if (block === undefined || block.kind === 'heading' || block.kind === 'row') return undefined;
  const parent = block.parent === undefined ? undefined : blocks[block.parent];
  if (block.kind === 'item' && block.depth === 0) {
    const before = listStart(blocks, index) - 1;
    const lead = blocks[before];
    if (lead?.kind === 'paragraph' && lead.head !== undefined && lead.text.endsWith(':')) return before;
  }
  return parent?.head === undefined ? undefined : block.parent;
}

const MAX_LIST_BLOCKS = 30;

/** The first block of the list that a block belongs to, at most 30 blocks back. */
function listStart(blocks: readonly AnswerBlock[], index: number): number {
  let first = index;
  while (first > index - MAX_LIST_BLOCKS && blocks[first - 1]?.kind === 'item') first -= 1;
  return first;
}

/** "What matters:" and its bullets that explain what each one is. */
export function isCriterion(blocks: readonly AnswerBlock[], index: number, isCriteria: AboutBlock): boolean {
  const block = blocks[index];
  if (block?.kind !== 'item' || block.head === undefined || block.text.length <= block.head.length + 3) return false;
  return isCriteria(listStart(blocks, index) - 1) || (block.parent !== undefined && isCriteria(block.parent));
}
