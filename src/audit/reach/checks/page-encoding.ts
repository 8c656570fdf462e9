import { type AnyCheck, type Outcome, defineCheck, fail, partial, pass } from '../../core/check.ts';
import { seen } from '../../core/evidence.ts';
import { brokenCharacters, declaredCharset } from '../facts/charset.ts';
import { fitsGuess, isLanguageTag } from '../../language/language-families.ts';
import { mainTextOf } from '../../text/facts/sample-text.ts';
import { textLanguageOf } from '../../page/facts/language.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import type { Answered } from '../facts/site-files.ts';
import { plural } from '../../core/wording.ts';

type Facts = { start: Answered; page: PageFacts };

/** Checks of whether the text of the page can be read as what it is: its language and its characters. */
export const pageEncodingChecks: readonly AnyCheck[] = [
  defineCheck({
    id: 'aeo.meta.lang',
    title: 'html lang is there and right',
    scores: ['aeo'],
    weight: 1,
    grade: 'A',
    why: 'By this attribute a reader learns the language without guessing, and answers in the wrong one are avoided. It is compared with the text where there are 200 words; languages that look alike are not told apart.',
    source: 'WCAG 2.2, success criterion 3.1.1; HTML, section 3.2.6.2; BCP 47 (RFC 5646)',
    fix: 'Write the language of the content into <html lang="...">, for instance lang="en".',
    needs: ['start', 'page'],
    judge: judgeLang,
  }),
  defineCheck({
    id: 'aeo.meta.charset',
    title: 'UTF-8 is declared, and the text is whole',
    scores: ['aeo'],
    weight: 1,
    grade: 'A',
    why: 'A page whose charset must be guessed is quoted with broken quotation marks and accents.',
    source: 'HTML, section 13.2.3.2 (encoding sniffing algorithm) and section 4.2.5.4 (charset declaration)',
    fix: 'Send Content-Type: text/html; charset=utf-8, or put <meta charset="utf-8"> first in the head, and repair text that was converted twice.',
    needs: ['start', 'page'],
    judge: judgeCharset,
  }),
];

/** Words from which the language of a text can be told. */
const MIN_WORDS = 200;

function judgeLang({ start: { exchange }, page }: Facts): Outcome {
  const evidence = seen(exchange, { selector: 'html[lang]', excerpt: page.lang });
  if (page.lang === '') return fail('The html element has no lang.', evidence);
  if (!isLanguageTag(page.lang)) return fail('The lang of the html element is no language tag.', evidence);
  const guess = mainTextOf(page).words >= MIN_WORDS ? textLanguageOf(page) : 'und';
  if (guess === 'und') return pass('The html element has a well-formed lang.', evidence);
  if (fitsGuess(page.lang, guess)) return pass('The lang of the html element fits the text.', evidence);
  return partial(0.5, `The lang is well formed, but the text reads like another language (${guess}).`, evidence);
}

/** So few broken characters may be meant: a page about charsets has some. */
const FEW_BROKEN = 4;

function judgeCharset({ start: { exchange, answer }, page }: Facts): Outcome {
  const declared = declaredCharset(answer);
  if (!declared)
    return fail(
      'No charset is declared, neither in Content-Type nor in the first 1,024 bytes.',
      seen(exchange, { header: 'content-type' }),
    );
  const evidence = seen(exchange, {
    ...(declared.from === 'header' ? { header: 'content-type' } : { selector: 'meta[charset]' }),
    excerpt: `${declared.name} by ${declared.from}`,
  });
  const text = answer.truncated ? page.text.replace(/\uFFFD$/, '') : page.text;
  const broken = brokenCharacters(text);
  if (broken.count > 0) {
    const note = `${plural(broken.count, 'broken character')} in the visible text.`;
    const both = [evidence, seen(exchange, { excerpt: broken.excerpt })];
    return broken.count > FEW_BROKEN ? fail(note, both) : partial(0.5, note, both);
  }
  if (/^utf-?8$/.test(declared.name)) return pass('UTF-8 is declared, and the text is whole.', evidence);
  return partial(0.5, 'Another charset than UTF-8 is declared; the text is whole.', evidence);
}
