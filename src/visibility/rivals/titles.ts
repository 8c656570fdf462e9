import type { AnswerBlock } from '../structure/structure.ts';
import { adviceAgainst, criteriaTitles, optionTitles } from './words-data.ts';

/** Something that is so for a block, by its index. */
export type AboutBlock = (index: number) => boolean;

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
export function isWarningTitle(block: AnswerBlock | undefined): boolean {
  const title = block?.text.slice(0, 200).toLowerCase() ?? '';
  return [...adviceAgainst].some((advice) => title.includes(advice));
}
