import type { AnswerBlock, AnswerStructure } from '../structure/structure.ts';
import { foldText } from './folded-text.ts';
import { headingAboutFaults, headingAgainst, headingOfOthers } from './words/recommending-data.ts';
import { isWarningTitle } from './warning-titles.ts';

/** What the headings, list items and introductions above a block say of what is below them. */
export type BlockContext = 'against' | 'others' | 'open';

/** Longest text that is read as a label of what follows. */
const MAX_LABEL_CHARS = 200;
const MAX_ANCESTORS = 8;

/** For each block of an answer, the headings and items above it. One pass, kept as long as the answer. */
export function readBlockContexts(answer: AnswerStructure): readonly BlockContext[] {
  const known = kept.get(answer);
  if (known !== undefined) return known;
  const made = makeStandings(answer.blocks);
  kept.set(answer, made);
  return made;
}

const kept = new WeakMap<AnswerStructure, readonly BlockContext[]>();

function makeStandings(blocks: readonly AnswerBlock[]): readonly BlockContext[] {
  const labels: (BlockContext | undefined)[] = [];
  const standings: BlockContext[] = [];
  let introduction: BlockContext = 'open';
  const labelAt = (index: number): BlockContext => (labels[index] ??= readLabel(blocks[index]?.text ?? ''));
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'heading' || (block.kind === 'paragraph' && !isUnderItem(blocks, block)))
      introduction = readIntroduction(block);
    const above = listAncestors(blocks, index).map(labelAt);
    const listed = block.kind === 'item' || block.kind === 'row' ? introduction : 'open';
    standings.push(mergeContexts(above, listed));
  }
  return standings;
}

/** Advice against a list holds for everything below it; that it lists others, only for what is right under it. */
function mergeContexts(above: readonly BlockContext[], listed: BlockContext): BlockContext {
  if (listed === 'against' || above.includes('against')) return 'against';
  return listed === 'others' || above[0] === 'others' ? 'others' : 'open';
}

/** A paragraph that ends in a colon introduces the list or table behind it. */
const readIntroduction = ({ kind, text }: AnswerBlock): BlockContext =>
  kind === 'paragraph' && /[:：]\s?$/u.test(text) ? readLabel(getLastSentence(text)) : 'open';

const getLastSentence = (text: string): string =>
  text
    .slice(-MAX_LABEL_CHARS)
    .split(/[.!?。] ?/u)
    .at(-1) ?? '';

const isUnderItem = (blocks: readonly AnswerBlock[], { parent }: AnswerBlock): boolean =>
  parent !== undefined && blocks[parent]?.kind === 'item';

function listAncestors(blocks: readonly AnswerBlock[], index: number): readonly number[] {
  const found: number[] = [];
  let parent = blocks[index]?.parent;
  while (parent !== undefined && found.length < MAX_ANCESTORS) {
    found.push(parent);
    parent = blocks[parent]?.parent;
  }
  return found;
}

function readLabel(text: string): BlockContext {
  if (text.length > MAX_LABEL_CHARS) return 'open';
  const { lower } = foldText(text);
  if (headingAgainst.test(lower) && !headingAboutFaults.test(lower)) return 'against';
  if (isWarningTitle(lower)) return 'against';
  return headingOfOthers.test(lower) && !/(?<!\p{L})pros(?!\p{L})/u.test(lower) ? 'others' : 'open';
}
