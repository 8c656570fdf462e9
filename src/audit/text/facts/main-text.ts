import { oncePer } from '../../core/once-per.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { countWords } from '../../language/words.ts';

/** Main text beyond this is not weighed: it is longer than most novels. */
export const MAX_MAIN_CHARS = 500_000;
const MAX_MAIN_LINES = 20_000;

/** Words that a line must have to count for the main text rather than against it. */
const LINE_WORDS = 10;
/** How far above the densest run its headline may stand. */
const HEADLINE_REACH_LINES = 8;

/**
 * The text that a main-content extractor keeps: that of `main` or `article`, else the densest run of lines.
 * `text` has one line per block. `hasHeadline` tells whether the page's h1 is in it.
 */
export type MainText = { text: string; words: number; from: 'landmark' | 'densest_run'; hasHeadline: boolean };

/** Extracts the main text of a page, once per page; linear in its text. */
export const mainTextOf = oncePer((page: Pick<PageFacts, 'text' | 'contentText' | 'headings'>): MainText => {
  const headline = page.headings.find((heading) => heading.level === 1 && heading.text !== '')?.text;
  const landmark = linesOf(page.contentText).join('\n');
  const words = countWords(landmark);
  if (words > 0) {
    return { text: landmark, words, from: 'landmark', hasHeadline: holds(landmark, headline) };
  }
  const text = densestRun(linesOf(page.text), headline).join('\n');
  return { text, words: countWords(text), from: 'densest_run', hasHeadline: holds(text, headline) };
});

const linesOf = (text: string): readonly string[] => text.slice(0, MAX_MAIN_CHARS).split('\n', MAX_MAIN_LINES);

const holds = (text: string, headline: string | undefined): boolean =>
  headline !== undefined && text.replaceAll('\n', ' ').includes(headline);

/**
 * The contiguous lines whose sum of (words - `LINE_WORDS`) is greatest: short lines are menus, long ones are prose
 * (the maximum subsequence idea of article extraction). Takes the headline in when it stands a little above.
 */
function densestRun(lines: readonly string[], headline: string | undefined): readonly string[] {
  let best = { from: 0, to: 0, sum: 0 };
  let from = 0;
  let sum = 0;
  lines.forEach((line, index) => {
    if (sum <= 0) [from, sum] = [index, 0];
    sum += countWords(line) - LINE_WORDS;
    if (sum > best.sum) best = { from, to: index + 1, sum };
  });
  const above = lines.slice(Math.max(0, best.from - HEADLINE_REACH_LINES), best.from);
  const at = headline === undefined || best.to === 0 ? -1 : above.lastIndexOf(headline);
  return lines.slice(at < 0 ? best.from : best.from - above.length + at, best.to);
}
