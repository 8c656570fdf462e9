import { expect, test } from 'vitest';
import { PAGE_LIMITS } from '../../../src/audit/page/facts/page-facts.ts';
import { MAX_TAGS } from '../../../src/audit/reach/facts/html-page.ts';
import { convertHtmlToMarkdown } from '../../../src/search/ingest/html-text.ts';

const countOf = (text: string, letter: string): number => text.split(letter).length - 1;

test('B4: of a crawled page no more tags are read than of an audited one', () => {
  const { text } = convertHtmlToMarkdown(`<main>${'<b>x</b>'.repeat(MAX_TAGS / 2 + 1_000)}</main>`);
  expect(countOf(text, 'x')).toBe(MAX_TAGS / 2);
});

test('B4: elements beyond those of an audited page are part of the one around them', () => {
  const { text } = convertHtmlToMarkdown(`<main>${'<p>x'.repeat(PAGE_LIMITS.elements + 1_000)}</main>`);
  expect(countOf(text, '\n\nx')).toBeLessThan(PAGE_LIMITS.elements);
  expect(countOf(text, 'x')).toBe(PAGE_LIMITS.elements + 1_000);
});

test('B4: attributes beyond those of an audited element are not kept', () => {
  const many = Array.from({ length: PAGE_LIMITS.attributes }, (_, index) => `a${index}=1`).join(' ');
  expect(convertHtmlToMarkdown(`<p hidden ${many}>gone</p><p>there</p>`).text).toBe('there\n');
  expect(convertHtmlToMarkdown(`<p ${many} hidden>kept</p>`).text).toBe('kept\n');
});

test('B4: a text that the parser hands out in a million parts is one text to the writer', () => {
  const { text } = convertHtmlToMarkdown(`<p>${'< '.repeat(1_000_000)}end</p>`);
  expect(text.endsWith('end\n')).toBe(true);
});
