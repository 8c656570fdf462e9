import { MAX_MAIN_CHARS, type MainText } from './main-text.ts';
import { oncePer } from '../../core/once-per.ts';
import { sentences } from '../../language/words.ts';

/** A line of the main text and its sentences. */
export type SentenceLine = { line: string; sentences: readonly string[] };

/** The sentences of the main text, line by line, cut once for all checks that read them. */
export const sentenceLinesOf = oncePer((main: Pick<MainText, 'text'>): readonly SentenceLine[] =>
  main.text
    .slice(0, MAX_MAIN_CHARS)
    .split('\n')
    .map((line) => ({ line, sentences: sentences(line) })),
);
