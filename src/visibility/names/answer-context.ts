import { foldText } from './folded-text.ts';
import { headingAboutFaults, headingAgainst, headingOfOthers } from './recommending-data.ts';
import type { AnswerStructure, Block } from '../structure/structure.ts';

/** What the headings, list items and introductions above a block say of what stands there. */
export type Standing = 'against' | 'others' | 'open';

/** Longest text that is read as a label of what follows. */
const MAX_LABEL_CHARS = 200;
const MAX_ANCESTORS = 8;

/** For each block of an answer, what it stands under. One pass, kept as long as the answer. */
export function standingsOf(answer: AnswerStructure): readonly Standing[] {
  const known = kept.get(answer);
  if (known !== undefined) return known;
  const made = makeStandings(answer.blocks);
  kept.set(answer, made);
  return made;
}

const kept = new WeakMap<AnswerStructure, readonly Standing[]>();

function makeStandings(blocks: readonly Block[]): readonly Standing[] {
  const labels: (Standing | undefined)[] = [];
  const standings: Standing[] = [];
  let introduction: Standing = 'open';
  const labelAt = (index: number): Standing => (labels[index] ??= labelOf(blocks[index]?.text ?? ''));
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'heading' || (block.kind === 'paragraph' && !isUnderItem(blocks, block)))
      introduction = introductionOf(block);
    const above = ancestorsOf(blocks, index).map(labelAt);
    const listed = block.kind === 'item' || block.kind === 'row' ? introduction : 'open';
    standings.push(standingUnder(above, listed));
  }
  return standings;
}

/** Advice against a list holds for everything below it; that it lists others, only for what stands right under it. */
function standingUnder(above: readonly Standing[], listed: Standing): Standing {
  if (listed === 'against' || above.includes('against')) return 'against';
  return listed === 'others' || above[0] === 'others' ? 'others' : 'open';
}

/** A paragraph that ends in a colon introduces the list or table behind it. */
const introductionOf = ({ kind, text }: Block): Standing =>
  kind === 'paragraph' && /[:：]\s?$/u.test(text) ? labelOf(lastSentence(text)) : 'open';

const lastSentence = (text: string): string =>
  text
    .slice(-MAX_LABEL_CHARS)
    .split(/[.!?。] ?/u)
    .at(-1) ?? '';

const isUnderItem = (blocks: readonly Block[], { parent }: Block): boolean =>
  parent !== undefined && blocks[parent]?.kind === 'item';

function ancestorsOf(blocks: readonly Block[], index: number): readonly number[] {
  const found: number[] = [];
  let parent = blocks[index]?.parent;
  while (parent !== undefined && found.length < MAX_ANCESTORS) {
    found.push(parent);
    parent = blocks[parent]?.parent;
  }
  return found;
}

function labelOf(text: string): Standing {
  if (text.length > MAX_LABEL_CHARS) return 'open';
  const { lower } = foldText(text);
  if (headingAgainst.test(lower) && !headingAboutFaults.test(lower)) return 'against';
  return headingOfOthers.test(lower) && !/(?<!\p{L})pros(?!\p{L})/u.test(lower) ? 'others' : 'open';
}
