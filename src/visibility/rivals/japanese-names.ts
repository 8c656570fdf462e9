import type { AnswerStructure } from '../structure/structure.ts';
import type { Candidate } from './candidates.ts';
import { KANA, listJapaneseNames } from './japanese.ts';

/** Names of Japanese running text. What only katakana or characters show is to be believed when another answer has it too. */
export const findJapaneseNames = (answers: readonly AnswerStructure[]): readonly Candidate[] =>
  answers.flatMap(({ blocks }, answer) =>
    blocks.flatMap(({ text }, block) =>
      KANA.test(text)
        ? listJapaneseNames(text).map((found) => ({
            ...found,
            answer,
            block,
            place: 'passing' as const,
            isWarning: false,
            under: undefined,
          }))
        : [],
    ),
  );
