import { describe, expect, test } from 'vitest';
import { findByline, findShownByline } from '../../../../src/audit/page/facts/byline.ts';
import type { NamedText } from '../../../../src/audit/page/facts/element-facts.ts';
import type { PageFacts } from '../../../../src/audit/page/facts/page-facts.ts';
import { findContentStart, parsePage } from '../../../../src/audit/page/facts/page.ts';
import { prose } from '../../../support/audit/pages.ts';

const read = (body: string, head = ''): PageFacts => {
  const html = `<!doctype html><html><head>${head}</head><body>${body}</body></html>`;
  return parsePage(html, { url: 'https://acme.example/blog/lamps', bodyBytes: html.length });
};
const inArticle = (before: string, after = ''): string =>
  `<article><h1>Lamps</h1>${before}${prose(200)}${after}</article>`;

describe('a byline', () => {
  test.each([
    'By Ada Byron',
    'BY ADA BYRON',
    'by Ada Byron',
    'By Ada Byron and Grace Hopper',
    'By Ada Byron, Grace Hopper & Joan Clarke',
    'Written by Ada Byron',
    'Written by: Ada Byron',
    'By Ada Byron | 3 March 2026',
    'By Ada Byron, staff writer',
    'Von Anna Müller und Jörg Weiß',
    'Par Émilie du Châtelet',
    'Por Ana de la Cruz',
    'Di Rita Levi',
    'Door Jan van Dijk',
    'Autor: Anna Nowak',
    'Автор: Анна Иванова',
    '作者：李文清',
    'بقلم سلمى حداد',
    'by 李文清',
  ])('is read in %j', (line) => {
    expect(findByline(read(inArticle(`<p>${line}</p>`)))).toBe(line);
  });

  test.each([
    ['11.12.2019 - Ada Byron', 'Ada Byron'],
    ['3 March 2026, 10:16 - Sport - PM Vereine, red', 'PM Vereine, red'],
    ['AFP', 'AFP'],
    ['dpa/AFP', 'dpa/AFP'],
    ['Autor: red', 'red'],
    ['Updated: 3 March 2026 18:36 / ab', 'ab'],
    ['Posted in Lamps by adabyron on 3 March 2026', 'adabyron'],
    ['Posted on 3 March 2026 by Admin', 'Admin'],
    ['Verfasst von: lampenfreunde | 31. Dezember 2025', 'lampenfreunde'],
    ['Veröffentlicht am 3.3.2026 von Ada Byron', 'Ada Byron'],
    ['Publié le 3 mars 2026 par Ada Byron, Paris', 'Ada Byron'],
  ])('is the end of the line %j', (line, name) => {
    expect(findByline(read(inArticle(`<p>${line}</p>`)))).toBe(name);
  });

  test.each([
    ['<p>by</p><p><a href="/u/7">ada7</a></p>', 'ada7'],
    ['<p>Lamps of the north by</p><p>Ada Byron,</p>', 'Ada Byron'],
    ['<p>Stories nearby</p><p>Ada Byron</p>', ''],
    ['<p>is sponsored by</p><p>%d lamps</p>', ''],
    ['<p>Shared by</p><p>and sponsored by</p>', ''],
  ])('may follow in the next line: %s', (before, name) => {
    expect(findByline(read(inArticle(before)))).toBe(name);
  });

  test.each([
    ['The lamps are red. ab', 'ab'],
    ['The lamps are red. (ab/dpa)', 'ab/dpa'],
    ['The lamps are red, blue etc', ''],
    ['They are red. Green. etc', ''],
    ['Lamps of 40 W', ''],
  ])('may be initials behind the last sentence: %s', (end, name) => {
    expect(findByline(read(inArticle('', `<p>${end}</p>`)))).toBe(name);
  });

  test('is a name with an e-mail address below it', () => {
    expect(findByline(read(inArticle('<p>ADA BYRON</p><p>ada.byron@acme.example</p>')))).toBe('ADA BYRON');
  });

  test('is the text of a link to a page about an author, near the headline', () => {
    expect(findByline(read(inArticle('<p><a href="/author/ada-byron-7/">Ada Byron</a> / 3 March</p>')))).toBe(
      'Ada Byron',
    );
    expect(
      findByline(read(inArticle('<p>Words of a text.</p>'.repeat(20), '<p><a href="/autor/ada">Ada Byron</a></p>'))),
    ).toBe('');
    expect(findByline(read(inArticle('<p><a href="/lamps/ada">Ada Byron</a></p>')))).toBe('');
    expect(findByline(read(inArticle('<p><a href="/people/">All our people</a></p>')))).toBe('');
  });

  test.each(['3 March 2026 - read more', 'Lamps - 3 March 2026', 'Ada Byron', 'red', 'AFP reports on lamps'])(
    'is not the line %j',
    (line) => {
      expect(findByline(read(inArticle(`<p>${line}</p>`)))).toBe('');
    },
  );

  test('is found below a menu that repeats the headline', () => {
    const menu = `<p>Lamps</p>${'<p>Another page of ours, with a long title about other things.</p>'.repeat(100)}`;
    expect(findByline(read(`${menu}${inArticle('<p>By Ada Byron</p>')}`))).toBe('By Ada Byron');
  });

  test('may be below the text', () => {
    expect(findByline(read(inArticle('', '<p>By Ada Byron</p>')))).toBe('By Ada Byron');
  });

  test.each([
    'By clicking you agree',
    'By the way, Ada Byron was here',
    'By 2026 all lamps are red',
    'Von hier bis dort',
    'Stand by Ada Byron',
    'Di Dienstag 14.30 - 16.00 Uhr',
    'Created by',
    'Reposted by many',
    `By Ada Byron ${'and then more '.repeat(12)}`,
  ])('is none in %j', (line) => {
    expect(findByline(read(inArticle(`<p>${line}</p>`)))).toBe('');
  });
});

describe('a marked author', () => {
  test.each([
    ['a class', '<span class="author">Ada Byron</span>'],
    ['one of several classes', '<div class="post-meta entry-author large">Ada Byron</div>'],
    ['a class with its lead', '<p class="byline">By Ada Byron</p>'],
    ['an id', '<span id="autor">Ada Byron</span>'],
    ['an id with more in it', '<div id="author_header">Ada Byron</div>'],
    ['a card', '<span class="vcard">Ada Byron</span>'],
    ['itemprop', '<span itemprop="author">Ada Byron</span>'],
    ['itemprop in an attribute', '<span itemprop="author" content="Ada Byron"></span>'],
    ['rel', '<a rel="author nofollow" href="/ada">Ada Byron</a>'],
  ])('is read by %s', (_name, markup) => {
    expect(findShownByline(read(inArticle(markup)))).toBe('Ada Byron');
  });

  test.each([
    ['a comment', `${inArticle('')}<div class="comments"><p class="comment-author author">Troll</p></div>`],
    ['the footer of the page', `${inArticle('')}<footer><span class="author">Web Design Ltd</span></footer>`],
    ['a menu', `<nav><a rel="author" href="/ada">Our authors</a></nav>${inArticle('')}`],
    ['hidden text', inArticle('<span class="author" hidden>Ada Byron</span>')],
    ['the picture of an author', inArticle('<span class="author-avatar">AB</span>')],
    ['a box with a biography', inArticle('<div class="author-bio">Writes about lamps.</div>')],
    ['an address', inArticle('<span class="author">https://acme.example/ada</span>')],
    ['a date in the line of the author', inArticle('<span class="byline">3 March 2026</span>')],
    ['a sentence', inArticle(`<span class="author">${'Many words of a text. '.repeat(5)}</span>`)],
  ])('is not %s', (_name, body) => {
    expect(findByline(read(body))).toBe('');
  });
});

test.each(['author', 'article:author', 'dc.creator', 'citation_author', 'parsely-author'])(
  'the meta element %s names the author before what is shown',
  (name) => {
    const page = read(inArticle('<p>By Grace Hopper</p>'), `<meta name="${name}" content="Ada Byron">`);
    expect(findByline(page)).toBe('Ada Byron');
    expect(findShownByline(page)).toBe('By Grace Hopper');
  },
);

test('a meta element with an address names nobody', () => {
  const page = read(inArticle(''), '<meta property="article:author" content="https://social.example/acme">');
  expect(findByline(page)).toBe('');
});

describe('elements named after an author or a date', () => {
  const named = (markup: string): readonly NamedText[] => read(inArticle(markup)).named;

  test.each([
    ['<span itemprop="author">Ada</span>', { what: 'author', by: 'itemprop', text: 'Ada', machine: '' }],
    [
      '<meta itemprop="datePublished" content="2026-10-01">',
      { what: 'date', by: 'itemprop', text: '', machine: '2026-10-01' },
    ],
    [
      '<abbr class="Published" title="2026-10-01">today</abbr>',
      { what: 'date', by: 'class', text: 'today', machine: '2026-10-01', classes: ['published'] },
    ],
    ['<a rel="author">Ada</a>', { what: 'author', by: 'rel', text: 'Ada' }],
    ['<span class="post-date">1 May</span>', { what: 'date', by: 'class', text: '1 May', classes: ['post-date'] }],
  ])('%s', (markup, expected) => {
    expect(named(markup)).toEqual([expect.objectContaining(expected)]);
  });

  test.each(['<p class="authority">x</p>', '<p class="updates">x</p>', '<a rel="authority">x</a>', '<p>author</p>'])(
    '%s is none of them',
    (markup) => {
      expect(named(markup)).toEqual([]);
    },
  );

  test('those in comments are aside, those beside the text are not', () => {
    const body = `${inArticle('<span class="author">Ada</span>')}<div class="comments"><b class="author">Troll</b></div>`;
    expect(read(body).named.map(({ text, aside }) => [text, aside])).toEqual([
      ['Ada', false],
      ['Troll', true],
    ]);
  });
});

describe('the main content begins', () => {
  const sentence = 'The lamps of the north are red, as every child of the town can tell you by heart.';
  const text = `Red lamps\nBlue lamps\nRed lamps\n3 March\nA picture\n${sentence}`;

  test.each([
    ['at its first lines', text, `Red lamps\n3 March\nA picture\n${sentence}`, 21],
    ['at its first line before its first sentences', text, `Red lamps\n3 March\n${sentence}`, 21],
    ['at its first sentences, if its first line is elsewhere', text, `Green\n3 March\n${sentence}`, 49],
    ['at its first line, if it has no sentences', text, 'Red lamps\n3 March\nEnd', 0],
    ['at 0, if none of it is there', text, 'Green', 0],
    ['at 0, if it is empty', text, '', 0],
  ])('%s', (_name, all, contentText, at) => {
    expect(findContentStart({ text: all, contentText })).toBe(at);
  });
});

test('who took the picture wrote no text', () => {
  expect(findShownByline(read(inArticle('<p class="author">Photo by Ada Byron</p>')))).toBe('');
});
