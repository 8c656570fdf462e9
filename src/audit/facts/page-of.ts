import type { Answer } from '../snapshot.ts';
import { type PageFacts, parsePage } from './page.ts';

const read = new WeakMap<Answer, PageFacts>();

/** The page facts of an answer, parsed once per answer: gatherers and several artifacts look at the same page. */
export function pageOf(answer: Answer): PageFacts {
  const known = read.get(answer) ?? parsePage(answer.body, answer);
  read.set(answer, known);
  return known;
}
