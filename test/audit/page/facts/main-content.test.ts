import { describe, expect, test } from 'vitest';
import { parsePage } from '../../../../src/audit/page/facts/page.ts';
import { getMainText } from '../../../../src/audit/text/facts/sample-text.ts';

const sentence = 'The lamp in the hall was lit at six, and the keeper, an old man, carried the oil up by hand.';

const paragraphs = (count: number, mark = ''): string =>
  Array.from({ length: count }, (_, index) => `<p>${mark} ${index}. ${sentence}</p>`).join('');

const read = (body: string): ReturnType<typeof parsePage> =>
  parsePage(`<!doctype html><html lang="en"><body>${body}</body></html>`, {
    url: 'https://acme.example/lamps',
    bodyBytes: body.length,
  });

const mainOf = (body: string): string => getMainText(read(body)).text;

const teaser = (index: number): string =>
  `<article><h3><a href="/other-${index}">Another lamp, number ${index}</a></h3><p>A few words about it.</p></article>`;
const teasers = Array.from({ length: 6 }, (_, index) => teaser(index)).join('');

describe('the main content is', () => {
  test('the text of the page and not the article elements of its teasers', () => {
    const main = mainOf(
      `<div class="page"><div><h1>Lamps</h1>${paragraphs(6, 'Own')}</div></div><div>${teasers}</div>`,
    );
    expect(main.match(/Own/g)).toHaveLength(6);
    expect(main).not.toContain('Another lamp');
  });

  test('the article without the comments below it, however long they are', () => {
    const comments = Array.from({ length: 30 }, () => `<li><p>Commented. ${sentence}</p></li>`).join('');
    const main = mainOf(
      `<article><h1>Lamps</h1>${paragraphs(3, 'Own')}<div id="comments" class="post-comments"><ol>${comments}</ol></div></article>`,
    );
    expect(main.match(/Own/g)).toHaveLength(3);
    expect(main).not.toContain('Commented');
  });

  test('all sections of equal rank, where nothing marks them', () => {
    const sections = [1, 2, 3, 4].map(
      (index) => `<div><div><h2>Part ${index}</h2>${paragraphs(3, `Own${index}`)}</div></div>`,
    );
    const main = mainOf(`<div><div>${sections.join('')}</div></div>`);
    for (const index of [1, 2, 3, 4]) expect(main).toContain(`Own${index} 2.`);
  });

  test('free of share lines, related links, captions, forms and menus', () => {
    const related =
      '<ul><li><a href="/a">A long headline of another page</a></li><li><a href="/b">And one more</a></li></ul>';
    const main = mainOf(
      `<nav><a href="/">Home</a></nav><main><h1>Lamps</h1>${paragraphs(4, 'Own')}<figure><img alt=""><figcaption>Photo: A. Keeper</figcaption></figure>
      <div class="sharing">Share this</div><p><a href="/c">Read more: Why lamps flicker</a></p>${related}<form><p>Subscribe to our letters</p><input type="email"></form></main><footer><p>${sentence}</p></footer>`,
    );
    expect(main.match(/Own/g)).toHaveLength(4);
    for (const other of ['Home', 'Photo', 'Share', 'Read more', 'headline', 'Subscribe'])
      expect(main).not.toContain(other);
    expect(main).not.toContain(`\n${sentence}`);
  });

  test('with its list of sources on other sites', () => {
    const sources =
      '<h2>Sources</h2><ul><li><a href="https://museum.example.org/1">Museum of Lamps, catalogue</a></li></ul>';
    expect(mainOf(`<main><h1>Lamps</h1>${paragraphs(4)}${sources}</main>`)).toContain('Museum of Lamps');
  });

  test('found where a class calls the whole page a side matter', () => {
    expect(mainOf(`<div class="sidebar-layout">${paragraphs(6, 'Own')}</div>`).match(/Own/g)).toHaveLength(6);
  });

  test('what a noscript shows to readers without scripts, but not a notice in one', () => {
    expect(mainOf(`<noscript><article>${paragraphs(4, 'Own')}</article></noscript><div id="app"></div>`)).toContain(
      'Own 3.',
    );
    expect(read('<noscript>Please enable JavaScript to go on.</noscript>').text).toBe('');
  });

  test('text of scripts without spaces too', () => {
    const page =
      '<div><a href="/">首页</a></div><div><p>博物馆的灯在六点点亮，看守人把油提上楼。</p><p>每盏灯烧三个小时，然后熄灭。</p></div>';
    expect(mainOf(page)).toContain('然后熄灭');
  });

  test('the marked element, else the body, on a page of a few words', () => {
    expect(mainOf('<div>Menu</div><main><p>Closed.</p></main>')).toBe('Closed.');
    expect(mainOf('<p>Closed.</p>')).toBe('Closed.');
    expect(mainOf('')).toBe('');
  });
});

test('what is noted of a page knows whether it is in the main content', () => {
  const page = read(
    `<nav><a href="/">Home</a></nav><article><h1>Lamps</h1>${paragraphs(3)}<p>See <a href="/x">the catalogue</a> of 1901.</p></article>`,
  );
  expect(page.contentFrom).toBe('landmark');
  expect(page.anchors.map(({ text, inContent }) => [text, inContent])).toEqual([
    ['Home', false],
    ['the catalogue', true],
  ]);
  expect(page.headings.map(({ inContent }) => inContent)).toEqual([true]);
});

describe('the headline outside of the element that holds the content', () => {
  const outsideOf = (html: string): string | undefined =>
    read(`<title>Lamps of the old harbour | Museum</title>${html}`).headlineOutside?.text;
  const headline = '<h1>Lamps of the old harbour</h1>';

  test.each([
    ['above an article', `<header>${headline}</header><article>${paragraphs(4)}</article>`],
    ['above a main element by its role', `${headline}<div role="main">${paragraphs(4)}</div>`],
    ['with subheads inside', `${headline}<main>${paragraphs(2)}<h2>Oil</h2>${paragraphs(4)}</main>`],
    ['with the words of the site inside', `${headline}<main><h2>Museum</h2>${paragraphs(4)}</main>`],
  ])('%s', (_, html) => {
    expect(outsideOf(html)).toBe('Lamps of the old harbour');
  });

  test.each([
    ['inside the article', `<article>${headline}${paragraphs(4)}</article>`],
    ['inside main, above the article', `<main>${headline}<article>${paragraphs(4)}</article></main>`],
    [
      'inside as a heading of another level',
      `<h1>Museum</h1><main><h3>Lamps of the old harbour</h3>${paragraphs(4)}</main>`,
    ],
    ['an h1 that is the way to the start page', `<h1><a href="/">Museum</a></h1><main>${paragraphs(4)}</main>`],
    ['no element that marks the content', `${headline}<div>${paragraphs(4)}</div>`],
    ['a hidden h1', `<h1 hidden>Lamps of the old harbour</h1><main>${paragraphs(4)}</main>`],
  ])('none: %s', (_, html) => {
    expect(outsideOf(html)).toBeUndefined();
  });
});
