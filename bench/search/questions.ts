import { QUESTIONS } from './questions-data.ts';

/** A question about a page, and words of the passage of that page which answers it. */
export type Question = { page: string; question: string; answer: string };

export const questions: readonly Question[] = Object.entries(QUESTIONS).flatMap(([page, rows]) =>
  rows.map(([question, answer]) => ({ page, question, answer })),
);

/** Letters and digits in small ones, everything else a space: marks, line ends and forms of quotes do not count. */
export const plain = (text: string): string =>
  text
    .replace(LINK_TARGET, ']')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** `[text](address)` of Markdown: the address is no text. */
const LINK_TARGET = /\]\([^()\s]*\)/g;

/** Whether a passage of that page answers the question. */
export const answers = ({ page, answer }: Question, passage: { page: string; text: string }): boolean =>
  passage.page === page && plain(passage.text).includes(plain(answer));
