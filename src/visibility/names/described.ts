import type { AnswerBlock, AnswerStructure } from '../structure/structure.ts';
import { findPart, isOwnChoice } from './advice.ts';
import { hasRole, isBlaming, isPraising, readAdviceWords } from './advice-words.ts';
import { foldBlocks, type FoldedText } from './folded-text.ts';
import { headingOfOthers } from './words/recommending-data.ts';
import { isAskingSentence } from './recommending.ts';
import type { Span } from './sentences.ts';

/**
 * Whether a name in running text is one of the choices: answers to buyers offer what they describe. The answer must judge
 * something at all, and the name must not be beside the point: what another is held against, works with or was once.
 */
export function isDescribedAsChoice(
  answer: AnswerStructure,
  block: AnswerBlock,
  text: FoldedText,
  sentence: Span,
  start: number,
  end: number,
): boolean {
  if (block.kind === 'row')
    return (
      (isColumnOfTable(block, text, start, end) && readWhetherItJudges(answer)) ||
      isOptionCell(answer, block, text, start)
    );
  if (isBehindLabel(answer, block, text, start)) return true;
  if (block.kind !== 'paragraph' && !isSentenceItem(block)) return false;
  if (block.kind === 'paragraph' && isWithList(answer)) return false;
  const part = findPart(text, sentence, start, end);
  const before = readAdviceWords(text.lower.slice(part.from, start));
  if (isBeside(before)) return false;
  if (isAskingSentence(text, sentence) && sentence.to - end < MAX_ASKED_CHARS)
    return isAnsweredWithPraise(text.lower.slice(sentence.to, sentence.to + MAX_ASKED_CHARS));
  if (isTakenBack(text.lower.slice(part.from, part.to))) return false;
  if (isPassedOver(text, sentence, start)) return false;
  if (isBlaming(text.lower.slice(end, Math.min(sentence.to, end + MAX_ASKED_CHARS)))) return false;
  return readWhetherItJudges(answer);
}

/** What was, what is only a condition ("if you use Acme, ..."), and praise or avoiding with a negation. */
function isTakenBack(part: string): boolean {
  const words = readAdviceWords(part);
  if (words.some((word) => hasRole(word, 'formerly')) || /(?<!\p{L})used to(?!\p{L})/u.test(part)) return true;
  if (CONDITION.has(words[0] ?? '')) return true;
  return words.some(
    (word, index) =>
      (hasRole(word, 'negator') || LAST.has(word)) &&
      words.slice(index + 1, index + 1 + NEGATED_WORDS).some((one) => TURNED.some((role) => hasRole(one, role))),
  );
}

/** Words behind a negation that it turns round, and what they are. */
const NEGATED_WORDS = 3;
const TURNED = ['praising', 'avoiding', 'advising'] as const;
const LAST: ReadonlySet<string> = new Set(
  'last letzte letzter letztes dernier derniere ultimo ultima laatste'.split(' '),
);

const CONDITION: ReadonlySet<string> = new Set('if when wenn falls si quand cuando se quando als'.split(' '));

/** A question mark farther behind the name asks something else: pages that lost their lines have no other marks. */
const MAX_ASKED_CHARS = 200;

/** "Acme has the better lenses, Beta the better frames; I'd take the second." */
function isPassedOver({ lower }: FoldedText, sentence: Span, start: number): boolean {
  if (start - sentence.from > (sentence.to - sentence.from) / 2) return false;
  return lower
    .slice(start, sentence.to + MAX_ASKED_CHARS)
    .split(/[,;:.!]/u)
    .some((part) => {
      const words = readAdviceWords(part);
      return words.some((word) => hasRole(word, 'second')) && isOwnChoice(words, true);
    });
}

/** "Have you seen Acme? It is quick.": the answer goes on about it, and finds no fault. */
const isAnsweredWithPraise = (next: string): boolean => {
  const [answer = ''] = next.split(/[.!?。]/u);
  return (
    /^ ?(?:it|it's|they|they're|sie|er|es|das|die|c'est|elle|ils?|elles|es|son|tiene|e|sono|costa|ela|ele|tem|het|ze|hij)(?!\p{L})/u.test(
      next,
    ) && isPraising(answer)
  );
};

/** A name that is all of a column's title: the table compares it. */
const isColumnOfTable = ({ head }: AnswerBlock, { exact }: FoldedText, start: number, end: number): boolean =>
  head === undefined &&
  /(?:^| \| ?)$/u.test(exact.slice(Math.max(0, start - 3), start)) &&
  /^(?: \||$)/u.test(exact.slice(end, end + 2));

/** "- **Small budget:** Acme, ...": an item of the first level whose label the name answers. */
function isBehindLabel(
  { blocks }: AnswerStructure,
  block: AnswerBlock,
  { exact, lower }: FoldedText,
  start: number,
): boolean {
  const { kind, head, parent } = block;
  if (kind !== 'item' || head === undefined || (parent !== undefined && blocks[parent]?.kind === 'item')) return false;
  const label = /^[^:：]{2,80}[:：] ?/u.exec(exact.slice(0, MAX_LABEL_CHARS))?.[0];
  if (label === undefined || label.length > start || label.length < head.length) return false;
  const between = lower.slice(label.length, start);
  return headingOfOthers.test(label.toLowerCase())
    ? false
    : readAdviceWords(between).every((word) => ARTICLES.has(word));
}

const MAX_LABEL_CHARS = 84;

/** An item without a name at its front, or with a plain phrase there: "**On a small budget** - Acme or Beta". */
const isSentenceItem = ({ kind, head }: AnswerBlock): boolean =>
  kind === 'item' && (head === undefined || /(?:^|[\s'])\p{Ll}{4,}/u.test(head));

/** Rows before and behind, among which the same group is looked for. */
const MAX_ROWS = 8;

/** "Budget | Acme One | 129": the first column groups or counts the rows, and the name begins the second. */
function isOptionCell({ blocks }: AnswerStructure, block: AnswerBlock, { exact }: FoldedText, start: number): boolean {
  const { head } = block;
  if (head === undefined || !/^[^|]{0,60} \| [^\p{L}\p{N}|]{0,4}$/u.test(exact.slice(0, start))) return false;
  if (/^[^\p{L}]{1,6}$/u.test(head)) return true;
  const at = blocks.indexOf(block);
  return blocks
    .slice(Math.max(0, at - MAX_ROWS), at + MAX_ROWS)
    .some((other) => other !== block && other.kind === 'row' && other.head === head);
}

/** The last word before the name, an article aside. */
function isBeside(before: readonly string[]): boolean {
  const last = before.at(-1) ?? '';
  const word = ARTICLES.has(last) ? (before.at(-2) ?? '') : last;
  if (hasRole(word, 'beside')) return true;
  return COMPANY.has(word) && before.length > 2;
}

const ARTICLES: ReadonlySet<string> = new Set(
  'the a an der die das dem den ein eine einem einer le la les un une el los las una il lo i gli o os as um uma de het een'.split(
    ' ',
  ),
);

/** Behind a verb these name what something works with or goes to. */
const COMPANY: ReadonlySet<string> = new Set('with to into from by mit avec con com met'.split(' '));

const judging = new WeakMap<AnswerStructure, boolean>();

/** An answer with a list or a table has its choices there: the text beside it describes, compares and explains. */
const isWithList = ({ blocks }: AnswerStructure): boolean =>
  blocks.some(({ kind }) => kind === 'item' || kind === 'row');

function readWhetherItJudges(answer: AnswerStructure): boolean {
  const known = judging.get(answer);
  if (known !== undefined) return known;
  const made = foldBlocks(answer).some(({ lower }) => isPraising(lower));
  judging.set(answer, made);
  return made;
}
