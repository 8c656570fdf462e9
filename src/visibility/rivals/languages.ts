import type { Candidate } from './candidates.ts';
import { cjkNames } from './cjk.ts';
import type { Corpus } from './corpus.ts';
import { germanNames } from './german.ts';
import type { AnswerStructure } from '../structure/structure.ts';

/** Names in running text of languages whose capitals do not show them: German, Chinese, Japanese. */
export function namesInRunningText(answers: readonly AnswerStructure[], corpus: Corpus): readonly Candidate[] {
  const texts = answers.map(({ blocks }) => blocks.map(({ text }) => text));
  return [...germanNames(texts, corpus), ...cjkNames(texts)];
}

/** Whether most answers are running text of such a language: without lists, tables, headings or bold names. */
export function isUnderRead(answers: readonly AnswerStructure[], corpus: Corpus): boolean {
  const under = answers.filter((answer) => isRunning(answer) && (corpus.isGerman || isCjk(answer)));
  return under.length * 2 > answers.length;
}

const isRunning = ({ blocks }: AnswerStructure): boolean =>
  blocks.every(({ kind, bold }) => (kind === 'paragraph' || kind === 'quote') && bold.length === 0);

const CJK_LETTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Characters looked at: the first lines show the language. */
const MAX_LOOKED_AT = 300;

function isCjk({ blocks }: AnswerStructure): boolean {
  const text = blocks
    .map((block) => block.text)
    .join(' ')
    .slice(0, MAX_LOOKED_AT);
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.filter((letter) => CJK_LETTER.test(letter)).length * 2 > letters.length;
}
