import { describe, expect, test } from 'vitest';
import { findTopicWord, isQuestionHeading } from '../../../../src/audit/language/topic-words.ts';
import { html, SITE, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { onePage, words } from '../../../support/audit/pages.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';

describe('aeo.answer.question-headings', () => {
  const id = 'aeo.answer.question-headings';
  const headings = (...texts: string[]): SiteMap =>
    onePage(texts.map((text) => `<h2>${text}</h2>${words(5)}`).join(''));
  const plain = (count: number): string[] => Array.from({ length: count }, (_, index) => `Topic ${index}`);
  testCheck(id, [
    ['two questions pass', headings('Is oak hard?', 'What is a rack?', ...plain(20)), 'pass', /2 of 22/],
    ['one of five passes', headings('Is oak hard?', ...plain(4)), 'pass', /1 of 5/],
    ['one of six is partial', headings('Is oak hard?', ...plain(5)), 'partial', /1 of 6/],
    ['an opening question word counts', headings('How the rack is built', 'Why we use oak'), 'pass', /2 of 2/],
    ['none fails', headings(...plain(4)), 'fail', /0 of 4/],
    ['one heading is not applicable', headings('Is oak hard?'), 'not_applicable', /1 heading /],
    ['h1 and h4 do not count', onePage('<h1>What?</h1><h4>Why?</h4><h4>Who?</h4>'), 'not_applicable', /0 headings/],
    ['hidden headings do not count', onePage('<h2 hidden>Why?</h2><h2>A</h2><h2>B</h2>'), 'fail', /0 of 2/],
  ]);

  test('a contact page is not expected to ask', async () => {
    const page = html('<html lang="en"><body><h2>Phone</h2><h2>Address</h2></body></html>');
    expect((await judgeCheck(id, { '/contact': page }, { at: `${SITE}/contact` })).status).toBe('not_applicable');
  });

  test.each([
    ['en', 'How it works'],
    ['de', 'Wie funktioniert das'],
    ['fr', 'Pourquoi choisir le chêne'],
    ['es', 'Por qué elegir roble'],
    ['it', 'Perché scegliere la quercia'],
    ['pt', 'O que é um suporte'],
    ['nl', 'Waarom eikenhout'],
    ['ru', 'Почему дуб'],
    ['zh', '如何安装'],
    ['ja', 'なぜオークなのか'],
    ['ko', '어떻게 설치하나요'],
    ['ar', 'كيف يعمل'],
    ['de', 'Ist Eiche hart?'],
    ['ja', '料金はいくらですか'],
  ])('%s: "%s" asks', (language, heading) => {
    expect(isQuestionHeading(heading, language)).toBe(true);
  });

  test.each([
    ['en', 'Whatever you need'],
    ['en', 'Howard and sons'],
    ['en', 'Our prices'],
    ['de', 'Wiederverwendung'],
    ['es', 'Como en casa'],
    ['zh', '价格'],
    ['ja', '会社概要'],
    ['en', ''],
  ])('%s: "%s" does not', (language, heading) => {
    expect(isQuestionHeading(heading, language)).toBe(false);
  });
});

describe('aeo.answer.lead-first', () => {
  const id = 'aeo.answer.lead-first';
  const lead =
    '<p>Oak racks keep the tools of a workshop in order, and each rack is cut from a single board of local oak.</p>';
  const page = (main: string, title = 'Oak racks'): SiteMap =>
    onePage(`<main><h1>${title}</h1>${main}</main>`, `<title>${title}</title>`);
  testCheck(id, [
    ['a lead on the topic passes', page(lead + words(100)), 'pass', /comes early/],
    [
      'a date and a byline before it are passed over',
      page(`<p>2 October 2026</p><p>By Ada Smith</p>${lead}${words(100)}`),
      'pass',
      /comes early/,
    ],
    [
      'a cookie notice is no lead',
      page(
        `<p>We use cookies to make this site work, and to count who comes here, and you may say no to them at any time.</p>${lead}${words(300)}`,
      ),
      'pass',
      /comes early/,
    ],
    [
      'a long line of dates is no lead',
      page(
        `<p>Last updated on the second of October 2026 by the editors of this site after they had read all of it twice.</p>${lead}${words(300)}`,
      ),
      'pass',
      /comes early/,
    ],
    ['another topic is partial', page(words(100), 'Zinc buckets'), 'partial', /does not take up/],
    [
      'a late lead is partial',
      page(`<ul>${'<li>one two three four five six</li>'.repeat(30)}</ul>${lead}`),
      'partial',
      /comes late/,
    ],
    [
      'short paragraphs fail',
      page('<p>Six words stand in this one.</p>'.repeat(20)),
      'fail',
      /no paragraph of 15 words/,
    ],
    [
      'paragraphs in the footer fail',
      onePage(`<main><h1>Oak racks</h1>${'<span>word </span>'.repeat(60)}</main><footer>${lead}</footer>`),
      'fail',
      /no paragraph/,
    ],
    ['a page of few words is not applicable', page('<p>Soon.</p>'), 'not_applicable', /too few/],
    [
      'Chinese is compared by pairs of characters',
      onePage(
        `<main><h1>橡木工具架</h1><p>${'橡木工具架可以把车间里的工具放整齐，每个架子都用一块本地橡木制成。'.repeat(4)}</p></main>`,
        '<title>橡木工具架</title>',
        'zh',
      ),
      'pass',
      /comes early/,
    ],
  ]);
});

describe('aeo.answer.steps', () => {
  const id = 'aeo.answer.steps';
  const ol = (count: number): string => `<ol>${'<li>Do it</li>'.repeat(count)}</ol>`;
  const page = (body: string, h1 = 'How to hang a rack'): SiteMap => onePage(`<h1>${h1}</h1>${words(20)}${body}`);
  testCheck(id, [
    ['a numbered list of three passes', page(ol(3)), 'pass', /3 steps/],
    [
      'the promise may stand in the title',
      onePage(words(20) + ol(3), '<title>Installation guide</title>'),
      'pass',
      /3 steps/,
    ],
    [
      'numbered headings are partial',
      page('<h2>1. Drill</h2><h2>2. Screw</h2><h2>3. Hang</h2>'),
      'partial',
      /3 numbered/,
    ],
    [
      '"Step 1" headings are partial',
      page('<h3>Step 1: drill</h3><h3>Step 2: screw</h3><h3>Step 3: hang</h3>'),
      'partial',
      /3 numbered/,
    ],
    ['a list of two fails', page(ol(2)), 'fail', /no numbered list/],
    ['bullets fail', page('<ul><li>a</li><li>b</li><li>c</li></ul>'), 'fail', /no numbered list/],
    ['a numbered list in the footer fails', page(`<footer>${ol(3)}</footer>`), 'fail', /no numbered list/],
    ['no promise is not applicable', page(ol(3), 'Oak racks'), 'not_applicable', /promise/],
    ['German promises', onePage(`<h1>Anleitung zum Aufhängen</h1>${ol(3)}`, '', 'de'), 'pass', /3 steps/],
    ['Japanese promises', onePage(`<h1>棚の使い方</h1>${ol(3)}`, '', 'ja'), 'pass', /3 steps/],
  ]);
});

describe('aeo.answer.comparison-table', () => {
  const id = 'aeo.answer.comparison-table';
  const table = (th: string): string => `<table><tr>${th}${th}</tr><tr><td>a</td><td>b</td></tr></table>`;
  const page = (body: string, h1 = 'Oak vs pine'): SiteMap => onePage(`<h1>${h1}</h1>${body}`);
  testCheck(id, [
    ['header cells with scope pass', page(table('<th scope="col">x</th>')), 'pass', /scope/],
    ['header cells without scope are partial', page(table('<th>x</th>')), 'partial', /no scope/],
    ['a table without header cells is partial', page(table('<td>x</td>')), 'partial', /without header/],
    [
      'one row is no table',
      page('<table><tr><th scope="col">a</th><th scope="col">b</th></tr></table>'),
      'fail',
      /no table/,
    ],
    ['boxes fail', page('<div class="grid"><div>Oak</div><div>Pine</div></div>'), 'fail', /no table/],
    ['pricing promises as well', page('', 'Pricing and plans'), 'fail', /no table/],
    ['no promise is not applicable', page(table('<td>x</td>'), 'Oak racks'), 'not_applicable', /promise/],
    [
      'a word that only begins alike promises nothing',
      page('', 'Comparatively old racks'),
      'not_applicable',
      /promise/,
    ],
  ]);

  test.each([
    ['de', 'Eiche im Vergleich', 'vergleich'],
    ['fr', 'Comparatif des bois', 'comparatif'],
    ['zh', '橡木与松木对比', '对比'],
    ['ru', 'Сравнение', 'сравнение'],
    ['ja', 'Oak vs pine', 'vs'],
  ])('%s: "%s" compares', (language, title, word) => {
    expect(findTopicWord(title, language, 'compares')).toBe(word);
  });
});
