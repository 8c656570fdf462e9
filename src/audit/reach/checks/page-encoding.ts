import { type CheckOutcome, defineCheck, type FactsOf, formatCount, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import { countBrokenCharacters, findDeclaredCharset } from '../facts/charset.ts';
import { isGuessCompatible, isLanguageTag } from '../../language/language.ts';
import { getMainText } from '../../text/facts/sample-text.ts';
import { getTextLanguage } from '../../page/facts/language.ts';

/** Checks of whether the text of the page can be read as what it is: its language and its characters. */
export const pageEncodingChecks = [
  defineCheck({
    id: 'aeo.meta.lang',
    title: 'html lang is there and right',
    failureTitle: 'Set the correct lang on the html element',
    weight: 1,
    grade: 'A',
    why: 'With this attribute a reader knows the language without guessing, which avoids answers in the wrong one. It is compared with the text where there are 200 words; languages that look alike are not distinguished.',
    source: 'WCAG 2.2, success criterion 3.1.1; HTML, section 3.2.6.2; BCP 47 (RFC 5646)',
    fix: 'Write the language of the content into <html lang="...">, for instance lang="en".',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeLang,
  }),
  defineCheck({
    id: 'aeo.meta.charset',
    title: 'UTF-8 is declared, and the text is whole',
    failureTitle: 'Declare UTF-8 and repair broken characters',
    weight: 1,
    grade: 'A',
    why: 'A page whose charset must be guessed is quoted with broken quotation marks and accents.',
    source: 'HTML, section 13.2.3.2 (encoding sniffing algorithm) and section 4.2.5.4 (charset declaration)',
    fix: 'Send Content-Type: text/html; charset=utf-8, or put <meta charset="utf-8"> first in the head, and repair text that was converted twice.',
    each: 'share',
    needs: ['start', 'page'],
    judge: judgeCharset,
  }),
];

/** Words from which the language of a text can be detected. */
const MIN_WORDS = 200;

function judgeLang({ start: { exchange }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const evidence = buildEvidence(exchange, { selector: 'html[lang]', excerpt: page.lang });
  if (page.lang === '') return verdict.fail('The html element has no lang.', evidence);
  if (!isLanguageTag(page.lang)) return verdict.fail('The lang of the html element is no language tag.', evidence);
  const guess = getMainText(page).words >= MIN_WORDS ? getTextLanguage(page) : 'und';
  if (guess === 'und') return verdict.pass('The html element has a well-formed lang.', evidence);
  if (isGuessCompatible(page.lang, guess)) return verdict.pass('The lang of the html element fits the text.', evidence);
  return verdict.partial(
    0.5,
    `The lang is well formed, but the text reads like another language (${guess}).`,
    evidence,
  );
}

/** So few broken characters may be meant: a page about charsets has some. */
const FEW_BROKEN = 4;

function judgeCharset({ start: { exchange, answer }, page }: FactsOf<'start' | 'page'>): CheckOutcome {
  const declared = findDeclaredCharset(answer);
  if (!declared)
    return verdict.fail(
      'No charset is declared, neither in Content-Type nor in the first 1,024 bytes.',
      buildEvidence(exchange, { header: 'content-type' }),
    );
  const evidence = buildEvidence(exchange, {
    ...(declared.from === 'header' ? { header: 'content-type' } : { selector: 'meta[charset]' }),
    excerpt: `${declared.name} by ${declared.from}`,
  });
  const text = answer.truncated ? page.text.replace(/\uFFFD$/, '') : page.text;
  const broken = countBrokenCharacters(text);
  if (broken.count > 0) {
    const note = `${formatCount(broken.count, 'broken character')} in the visible text.`;
    const both = [evidence, buildEvidence(exchange, { excerpt: broken.excerpt })];
    return broken.count > FEW_BROKEN ? verdict.fail(note, both) : verdict.partial(0.5, note, both);
  }
  if (/^utf-?8$/.test(declared.name)) return verdict.pass('UTF-8 is declared, and the text is whole.', evidence);
  return verdict.partial(0.5, 'Another charset than UTF-8 is declared; the text is whole.', evidence);
}
