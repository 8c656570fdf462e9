import { describe, expect, test } from 'vitest';
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
const words = (count: number, start = 'Lamp'): string =>
  `${[start, ...Array.from({ length: count - 1 }, (_, index) => `lamp${index}`)].join(' ')}.`;
const paragraphs = (...sizes: readonly number[]): string => sizes.map((size) => `<p>${words(size)}</p>`).join('');
const section = (title: string, size: number): string => `<h2>${title}</h2><p>${words(size)}</p>`;
const opening = (...starts: readonly string[]): string =>
  starts.map((start, index) => `<h2>Part ${index}</h2><p>${start} ${words(20, 'and')}</p>`).join('');
const bulk = `<style>${'.a{color:red}'.repeat(1000)}</style>`;

const rows: Readonly<Record<string, readonly Row[]>> = {
  'geo.text.ratio': [
    { name: 'prose with little markup', page: main(prose(400)), gives: 'pass' },
    { name: 'a page of which a twentieth is text', page: main(prose(150), bulk), gives: 'partial', value: 0.5 },
    {
      name: 'text drowned in inline styles',
      page: main(prose(70), bulk.repeat(3)),
      gives: 'fail',
      note: /of the HTML/,
    },
    { name: 'next to no text', page: main('<p>Hello.</p>', bulk), gives: 'not_applicable' },
  ],
  'geo.text.paragraph-size': [
    { name: 'five paragraphs of passage size', page: main(paragraphs(40, 60, 30, 80, 50)), gives: 'pass' },
    { name: 'one paragraph of 200 words', page: main(paragraphs(40, 60, 200)), gives: 'partial', note: /1 over 150/ },
    { name: 'two paragraphs of 200 words', page: main(paragraphs(40, 40, 40, 200, 200)), gives: 'partial' },
    { name: 'three paragraphs of 200 words', page: main(paragraphs(40, 40, 40, 40, 200, 200, 200)), gives: 'fail' },
    { name: 'short lines only', page: main(paragraphs(8, 8, 8, 8)), gives: 'partial', note: /median 8 words/ },
    { name: 'two long ones among short lines', page: main(paragraphs(8, 8, 8, 8, 200, 200)), gives: 'fail' },
    {
      name: 'a long paragraph in the footer',
      page: pageOf(`<main>${paragraphs(40, 40, 40)}</main><footer>${paragraphs(300)}</footer>`),
      gives: 'pass',
    },
    {
      name: 'a hidden long paragraph',
      page: main(`${paragraphs(40, 40, 40)}<p hidden>${words(300)}</p>`),
      gives: 'pass',
    },
    { name: 'two paragraphs', page: main(paragraphs(300, 300)), gives: 'not_applicable' },
    { name: 'labels of a few words', page: main(paragraphs(3, 3, 3, 3)), gives: 'not_applicable' },
  ],
  'geo.text.section-size': [
    {
      name: 'three sections of 100 words',
      page: main(section('A', 100) + section('B', 100) + section('C', 100)),
      gives: 'pass',
    },
    {
      name: 'one of three in range',
      page: main(section('A', 100) + section('B', 20) + section('C', 20)),
      gives: 'partial',
      note: /1 of 3/,
    },
    {
      name: 'none of four in range',
      page: main(section('A', 20) + section('B', 20) + section('C', 400) + section('D', 20)),
      gives: 'fail',
      note: /0 of 4/,
    },
    {
      name: 'short answers below questions',
      page: main(section('What is a lamp?', 40) + section('How long does it burn?', 40) + section('Who made it?', 40)),
      gives: 'pass',
    },
    {
      name: 'endless answers below questions',
      page: main(section('What is a lamp?', 500) + section('Who made it?', 500) + section('Where is it?', 500)),
      gives: 'fail',
    },
    {
      name: 'a last section that ends where the content ends',
      page: pageOf(
        `<main>${section('A', 100) + section('B', 100) + section('C', 100)}</main><footer>${'<p>Imprint and more links</p>'.repeat(200)}</footer>`,
      ),
      gives: 'pass',
      note: /3 of 3/,
    },
    { name: 'two sections', page: main(section('A', 100) + section('B', 100)), gives: 'not_applicable' },
    {
      name: 'headings in the menu only',
      page: pageOf(`<nav>${section('A', 9) + section('B', 9) + section('C', 9)}</nav><main>${prose(100)}</main>`),
      gives: 'not_applicable',
    },
    {
      name: 'a list of teasers',
      page: main(section('A', 20) + section('B', 20) + section('C', 20)),
      options: { path: '/category/lamps' },
      gives: 'not_applicable',
    },
  ],
  'geo.text.self-contained': [
    { name: 'sections that name their subject', page: main(opening('The lamp', 'A bulb', 'This lamp')), gives: 'pass' },
    {
      name: 'one of four that says "it"',
      page: main(opening('The lamp', 'A bulb', 'Oil', 'It burns')),
      gives: 'partial',
    },
    {
      name: 'two of three that say "this is" and "they"',
      page: main(opening('This is', 'They burn', 'The lamp')),
      gives: 'fail',
      note: /2 of 3/,
    },
    {
      name: 'a German "es gibt"',
      page: main(opening('Es gibt', 'Die Lampe ist', 'Das Licht der'), '', 'de'),
      gives: 'pass',
    },
    {
      name: 'German "dies" and "das ist"',
      page: main(opening('Dies zeigt der', 'Das ist die', 'Die Lampe und der'), '', 'de'),
      gives: 'fail',
    },
    {
      name: 'French "cela" and "il y a"',
      page: main(opening('Cela est', 'Il y a', 'La lampe est', 'Le verre de la lampe'), '', 'fr'),
      gives: 'partial',
    },
    {
      name: 'Japanese これは',
      page: main(
        `<h2>一</h2><p>${'これは明かりです。'.repeat(9)}</p><h2>二</h2><p>${'ランプは明るいです。'.repeat(9)}</p><h2>三</h2><p>${'油は燃えます。'.repeat(9)}</p>`,
        '',
        'ja',
      ),
      gives: 'fail',
    },
    {
      name: 'a language we have no list of',
      page: main(opening('Lampa je', 'Svetlo je', 'Olej je'), '', 'sk'),
      gives: 'not_applicable',
      note: /sk/,
    },
    { name: 'two sections', page: main(opening('It', 'It')), gives: 'not_applicable' },
  ],
  'geo.text.lists': [
    {
      name: 'a list of three',
      page: main(`${prose(320)}<ul><li>One</li><li>Two</li><li>Three</li></ul>`),
      gives: 'pass',
    },
    {
      name: 'a numbered list',
      page: main(`${prose(320)}<ol><li>One</li><li>Two</li><li>Three</li></ol>`),
      gives: 'pass',
    },
    { name: 'a list of two', page: main(`${prose(320)}<ul><li>One</li><li>Two</li></ul>`), gives: 'fail' },
    { name: 'three empty items', page: main(`${prose(320)}<ul><li></li><li> </li><li></li></ul>`), gives: 'fail' },
    {
      name: 'a list in the menu',
      page: pageOf(`<nav><ul><li>One</li><li>Two</li><li>Three</li></ul></nav><main>${prose(320)}</main>`),
      gives: 'fail',
    },
    {
      name: 'a hidden list',
      page: main(`${prose(320)}<ul hidden><li>One</li><li>Two</li><li>Three</li></ul>`),
      gives: 'fail',
    },
    {
      name: 'a menu on a page without landmarks',
      page: pageOf(`<ul><li>Home</li><li>Shop</li><li>Help</li></ul>${prose(320)}`),
      gives: 'fail',
    },
    { name: 'a short text', page: main('<ul><li>One</li><li>Two</li><li>Three</li></ul>'), gives: 'not_applicable' },
  ],
};

describe.each(Object.entries(rows))('%s', (id, cases) => {
  test.each(cases)('$name gives $gives', async ({ page, options, ...expected }) => {
    expect(await judgePage(id, page, options)).toMatchObject(outcomeOf(expected));
  });
});
