import type { AnswerStructure } from '../structure/structure.ts';
import { isOwnChoice } from './advice.ts';
import { hasRole, readAdviceWords } from './advice-words.ts';
import { foldBlocks } from './folded-text.ts';
import { whyNotHeading } from './words/recommending-more-data.ts';

/** Words of a title; a longer line is a sentence. */
const MAX_TITLE_WORDS = 12;

/**
 * Whether a title or the line before a list warns of what is below it: a verb of avoiding that is not negated, "what I would
 * not take", or a title that ends in "not".
 */
export function isWarningTitle(lower: string): boolean {
  if (/[?？]\s*$/u.test(lower)) return false;
  const words = readAdviceWords(lower);
  if (words.length === 0 || words.length > MAX_TITLE_WORDS || words.some((word) => hasRole(word, 'faults')))
    return false;
  if (BETTER_AWAY.test(lower)) return true;
  const isNegated = words.some((word) => hasRole(word, 'negator'));
  if (words.some((word) => hasRole(word, 'warning'))) return !isNegated;
  if (!isNegated && isOwnChoice(words, true) && words.some((word) => hasRole(word, 'avoiding'))) return true;
  if (!isNegated || words.some((word) => hasRole(word, 'doubting'))) return false;
  return (
    hasRole(words.at(-1) ?? '', 'negator') ||
    words.some((word) => hasRole(word, 'advising')) ||
    isOwnChoice(words, true)
  );
}

/** "I stay away from these", in Dutch and German, and "better avoided" in Japanese. */
const BETTER_AWAY =
  /(?<!\p{L})lasse?n? (?:[\p{L}']{1,12} ){0,3}finger|(?<!\p{L})(?:blijf|bleib|bleibe|hande|finger) (?:[\p{L}']{1,12} ){0,5}weg(?!\p{L})|(?:避け|やめ)(?:た|る|て)|見送り|要注意|(?:選ば|頼ま|使わ|買わ|行か|契約し|利用し|勧め|勧められ|すすめし|すすめでき)(?:ない|たくない|ません)/u;

/** Characters before a colon that are its label, and words behind it among which the name may be. */
const MAX_LABEL_CHARS = 80;
const MAX_WORDS_BEHIND = 8;

/** Whether the name behind `before` is what a label warns of: "I do not recommend: the policy of Acme". */
export function isBehindWarning(before: string): boolean {
  const [, label = '', rest = ''] =
    /(?:^|[.!?。] ?)([^.!?。:：]{3,80})[:：]([^:：.!?。]*)$/u.exec(before.slice(-2 * MAX_LABEL_CHARS)) ?? [];
  return (
    label !== '' &&
    readAdviceWords(rest).length <= MAX_WORDS_BEHIND &&
    !isOwnChoice(readAdviceWords(label), true) &&
    isWarningTitle(label)
  );
}

/** A title that asks why one does not take it; "pourquoi pas" may be a proposal, unless the answer begins with "because". */
export function isWhyNotTitle(answer: AnswerStructure, index: number): boolean {
  if (answer.blocks[index]?.kind !== 'heading') return false;
  const texts = foldBlocks(answer);
  const lower = texts[index]?.lower ?? '';
  if (whyNotHeading.test(lower) || /^なぜ.{1,30}(?:ない|ません)/u.test(lower)) return true;
  return /^[^\p{L}]{0,10}pourquoi pas /u.test(lower) && texts[index + 1]?.lower.startsWith('parce ') === true;
}
