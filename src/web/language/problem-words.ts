import type { ApiProblemCode } from '../../problems/codes.ts';
import { englishProblems } from './english-problems-data.ts';
import { germanPaymentProblems } from './german/payment-problems-data.ts';
import { germanProblems } from './german/problems-data.ts';
import type { PageLanguage, Translations } from './language.ts';
import type { ProblemRowWords } from './word-tables.ts';

/** Messages of every problem in the languages other than English, whose messages the table of problems has. */
export const problemWords: Translations<Readonly<Record<ApiProblemCode, ProblemRowWords>>> = {
  de: { ...germanProblems, ...germanPaymentProblems },
};

type ProblemSentences = { title: string; means: string; next: string };

/** What happened, what it means and what to do next, for people; undefined where the table of problems has the words. */
export function getProblemWords(code: string, language: PageLanguage): ProblemSentences | undefined {
  const table: Readonly<Record<string, ProblemRowWords>> = language === 'en' ? englishProblems : problemWords[language];
  const row = Object.hasOwn(table, code) ? table[code] : undefined;
  return row === undefined ? undefined : { title: row[0], means: row[1], next: row[2] };
}
