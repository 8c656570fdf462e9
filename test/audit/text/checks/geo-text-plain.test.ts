import { describe, expect, test } from 'vitest';
import { computeFleschScore } from '../../../../src/audit/language/flesch.ts';
import {
  type ExpectedOutcome,
  judgePage,
  outcomeOf,
  pageOf,
  type PageOptions,
  prose,
} from '../../../support/audit/judge-page.ts';

type Row = ExpectedOutcome & { name: string; page: string; options?: PageOptions };

const main = (body: string, head = '', lang = 'en'): string => pageOf(`<main><h1>Lamps</h1>${body}</main>`, head, lang);
const times = (sentence: string, count: number): string => `<p>${`${sentence} `.repeat(count)}</p>`;
const PLAIN = 'The cat sat on the mat and it was warm in the sun.';
const MIDDLING = 'The committee decided that the village should have another and larger library.';
const HARD = 'Institutional considerations necessitate comprehensive organisational interoperability evaluations.';
const filled = prose(100);
const long = (lead: string): string => `<p>${lead}</p>${prose(700, 90)}`;
const SHORT_LEAD = `A lamp gives light ${'where it is dark '.repeat(5)}.`;
const LONG_LEAD = `A lamp gives light ${'where it is dark '.repeat(30)}.`;

const rows: Readonly<Record<string, readonly Row[]>> = {
  'geo.text.easy': [
    { name: 'short words and sentences', page: main(times(PLAIN, 12)), gives: 'pass' },
    { name: 'middling words', page: main(times(MIDDLING, 12)), gives: 'partial', value: 0.5 },
    {
      name: 'long words',
      page: main(times(`${HARD} The is of the.`, 20)),
      gives: 'fail',
      note: /Flesch reading ease -/,
    },
    {
      name: 'German, whatever the lang attribute says',
      page: main(times('Die Katze sitzt auf der Matte und es ist warm in der Sonne.', 12)),
      gives: 'not_applicable',
      note: /de/,
    },
    {
      name: 'a language that the words do not tell',
      page: main(filled, '', 'fi'),
      gives: 'not_applicable',
      note: /fi/,
    },
    { name: 'fewer than a hundred words', page: main(times(PLAIN, 3)), gives: 'not_applicable' },
    {
      name: 'a menu of many words without a sentence',
      page: main('<p>the and of to in is for</p>'.repeat(40)),
      gives: 'not_applicable',
    },
  ],
  'geo.text.no-placeholder': [
    { name: 'finished prose', page: main(filled), gives: 'pass' },
    {
      name: 'lorem ipsum',
      page: main(`${filled}<p>Lorem ipsum dolor sit amet, consectetur.</p>`),
      gives: 'fail',
      note: /filler/,
    },
    {
      name: 'a template variable',
      page: main(`${filled}<p>Hello {{ user.name }}!</p>`),
      gives: 'fail',
      note: /variable/,
    },
    { name: 'an object without its text', page: main(`${filled}<p>Price: [object Object]</p>`), gives: 'fail' },
    {
      name: 'an undefined price',
      page: main(`${filled}<p>Price: undefined</p><p>$NaN</p>`),
      gives: 'fail',
      note: /2 placeholders/,
    },
    { name: 'a slot in brackets', page: main(`${filled}<p>Welcome to [Your Company Name].</p>`), gives: 'fail' },
    { name: 'text of an editor', page: main(`${filled}<p>Click edit button to change this text.</p>`), gives: 'fail' },
    { name: 'a note of the author', page: main(`${filled}<p>TODO: write this.</p>`), gives: 'fail' },
    { name: 'a placeholder on a page with little text', page: main('<p>Hello {{name}}</p>'), gives: 'fail' },
    {
      name: 'undefined behaviour, null results and a todo list',
      page: main(`${filled}<p>This is undefined behaviour, a null result, and a TODO list.</p>`),
      gives: 'pass',
    },
    {
      name: 'a variable in code',
      page: main(`${filled}<p>Write <code>{{ name }}</code> or <code><span>$</span>{name}</code>.</p>`),
      gives: 'pass',
    },
    {
      name: 'a variable in a page of documentation',
      page: main(`${filled}<p>Write {{ name }}.</p>`),
      options: { path: '/docs/lamps' },
      gives: 'pass',
    },
    {
      name: 'lorem ipsum in a hidden element',
      page: main(`${filled}<p hidden>Lorem ipsum dolor sit amet</p>`),
      gives: 'pass',
    },
    {
      name: 'a page about lorem ipsum',
      page: pageOf(`<main><h1>What is lorem ipsum?</h1>${filled}<p>Lorem ipsum dolor sit amet</p></main>`),
      gives: 'pass',
    },
    { name: 'an empty page', page: main(''), gives: 'not_applicable' },
  ],
  'geo.text.summary': [
    {
      name: 'a heading "Key takeaways"',
      page: main(`${long(LONG_LEAD)}<h2>Key takeaways</h2><ul><li>One</li></ul>`),
      gives: 'pass',
    },
    {
      name: 'a German heading',
      page: main(`${long(LONG_LEAD)}<h2>Das Wichtigste in Kürze</h2>`, '', 'de'),
      gives: 'pass',
    },
    {
      name: 'a Japanese heading',
      page: main(`${long(LONG_LEAD)}<h2>この記事のポイント</h2>`, '', 'ja'),
      gives: 'pass',
    },
    {
      name: 'a paragraph that begins with TL;DR',
      page: main(`${long(LONG_LEAD)}<p>TL;DR: lamps give light when it is dark.</p>`),
      gives: 'pass',
    },
    { name: 'an id', page: main(`${long(LONG_LEAD)}<div id="key-takeaways">Light.</div>`), gives: 'pass' },
    {
      name: 'an aria-label',
      page: main(`${long(LONG_LEAD)}<section aria-label="Summary">Light.</section>`),
      gives: 'pass',
    },
    { name: 'a short lead', page: main(long(SHORT_LEAD)), gives: 'pass', note: /lead of/ },
    { name: 'a long first paragraph and nothing else', page: main(long(LONG_LEAD)), gives: 'fail' },
    {
      name: 'the summary of an order',
      page: main(`${long(LONG_LEAD)}<div id="order-summary">2 lamps</div>`),
      gives: 'fail',
    },
    {
      name: 'a heading that only holds the word',
      page: main(`${long(LONG_LEAD)}<h2>Briefly in shortage</h2>`),
      gives: 'fail',
    },
    { name: 'a short text', page: main(`<p>${LONG_LEAD}</p>`), gives: 'not_applicable' },
  ],
};

describe.each(Object.entries(rows))('%s', (id, cases) => {
  test.each(cases)('$name gives $gives', async ({ page, options, ...expected }) => {
    expect(await judgePage(id, page, options)).toMatchObject(outcomeOf(expected));
  });
});

test('reading ease is Flesch`s formula over words, sentences and syllables', () => {
  // 13 words of one syllable in one sentence: 206.835 - 1.015 * 13 - 84.6 * 1.
  expect(computeFleschScore({ text: PLAIN })).toMatchObject({ ease: 109, words: 13, sentences: 1 });
  // 6 words, 2 sentences, 9 syllables (hap-py, ba-by, smiled, ta-bles): 206.835 - 1.015 * 3 - 84.6 * 9 / 6.
  expect(computeFleschScore({ text: 'The happy baby smiled. Two tables.' })).toMatchObject({
    ease: 76.9,
    words: 6,
    sentences: 2,
  });
  expect(computeFleschScore({ text: '' })).toMatchObject({ words: 0, ease: 0 });
});
