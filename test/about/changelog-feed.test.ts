import { readFileSync } from 'node:fs';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { buildChangelog, cutChangelog } from '../../scripts/web/changelog.js';
import { type Changelog, FEED_ENTRIES, formatChangesFeed } from '../../src/about/changelog-feed.ts';

const ATOM = 'http://www.w3.org/2005/Atom';

type Element = { name: string; attributes: Record<string, string>; text: string; children: Element[] };

/** The tree of a document, by a parser of XML that knows names of spaces. @throws Error when it is not well-formed */
function parseXml(xml: string): Element {
  const root: Element = { name: '', attributes: {}, text: '', children: [] };
  const path = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ uri, local, attributes }) => {
    const element: Element = {
      name: `${uri} ${local}`,
      attributes: Object.fromEntries(Object.values(attributes).map(({ name, value }) => [name, value])),
      text: '',
      children: [],
    };
    path.at(-1)?.children.push(element);
    path.push(element);
  });
  parser.on('text', (text) => {
    const element = path.at(-1);
    if (element) element.text += text;
  });
  parser.on('closetag', () => void path.pop());
  parser.write(xml).close();
  return root.children[0] ?? root;
}

const findAll = (element: Element, name: string): readonly Element[] =>
  element.children.filter((child) => child.name === `${ATOM} ${name}`);
const readTexts = (element: Element, name: string): readonly string[] => findAll(element, name).map(({ text }) => text);

const ONE = {
  release: '0.1.0',
  heading: 'A & <b>',
  id: 'a',
  changed: '2026-01-02',
  markdown: '- `x` ]]> & <i>\n- two',
};
const log: Changelog = { changed: '2026-02-03', sections: [ONE, { ...ONE, id: 'b', changed: '2026-02-03' }] };

test('has what RFC 4287 requires of a feed and of its entries', () => {
  const feed = parseXml(formatChangesFeed(log, 'https://a.example'));
  expect(feed.name).toBe(`${ATOM} feed`);
  for (const name of ['id', 'title', 'updated']) expect([name, findAll(feed, name).length]).toEqual([name, 1]);
  expect(findAll(feed, 'author').map((author) => readTexts(author, 'name').length)).toEqual([1]);
  expect(findAll(feed, 'link').map(({ attributes }) => [attributes['rel'], attributes['href']])).toEqual([
    ['self', 'https://a.example/feed.xml'],
    ['alternate', 'https://a.example/changelog'],
  ]);
  const entries = findAll(feed, 'entry');
  expect(entries).toHaveLength(2);
  for (const entry of entries)
    for (const name of ['id', 'title', 'updated', 'content'])
      expect([name, findAll(entry, name).length]).toEqual([name, 1]);
  expect(new Set(entries.flatMap((entry) => readTexts(entry, 'id'))).size).toBe(2);
});

test('carries the text as it is, and the newest first', () => {
  const [first, second] = findAll(parseXml(formatChangesFeed(log, 'https://a.example')), 'entry');
  expect([first, second].map((entry) => entry && readTexts(entry, 'updated'))).toEqual([
    ['2026-02-03T00:00:00Z'],
    ['2026-01-02T00:00:00Z'],
  ]);
  expect(second && [readTexts(second, 'title'), readTexts(second, 'content')]).toEqual([
    ['A & <b> (0.1.0)'],
    [ONE.markdown],
  ]);
});

test('is bounded, whatever the change log holds', () => {
  const sections = Array.from({ length: FEED_ENTRIES + 10 }, (_, at) => ({
    ...ONE,
    id: String(at),
    markdown: '&'.repeat(20_000),
  }));
  const feed = parseXml(formatChangesFeed({ ...log, sections }, 'https://a.example'));
  expect(findAll(feed, 'entry')).toHaveLength(FEED_ENTRIES);
  for (const [text = ''] of findAll(feed, 'entry').map((entry) => readTexts(entry, 'content')))
    expect(text.length).toBeLessThan(4_100);
});

test('our own change log becomes a feed with an entry for each section', () => {
  const text = readFileSync('CHANGELOG.md', 'utf8');
  const days = text.split('\n').map(() => '2026-11-29');
  const changelog = buildChangelog(text, days);
  const headings = [...text.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
  const found = changelog.sections.map(({ heading }) => heading);
  expect(headings.filter((heading) => !found.includes(heading ?? ''))).toEqual([]);
  expect(new Set(changelog.sections.map(({ id }) => id)).size).toBe(changelog.sections.length);
  const entries = findAll(parseXml(formatChangesFeed(changelog, 'https://a.example')), 'entry');
  expect(entries.length).toBe(Math.min(changelog.sections.length, FEED_ENTRIES));
});

test('sections have the day of their newest line, and belong to their release', () => {
  const text =
    '# Changelog\n\n## Unreleased\n\n### Breaking\n\n- a\n- b\n\n## 0.1.0\n\nFirst.\n\n### Breaking\n\n- c\n';
  const days = text.split('\n').map((line) => (line === '- b' ? '2026-05-05' : '2026-01-01'));
  expect(cutChangelog(text, days)).toEqual([
    { release: 'Unreleased', heading: 'Breaking', id: 'breaking', changed: '2026-05-05', markdown: '- a\n- b' },
    { release: '0.1.0', heading: '0.1.0', id: 'release-0-1-0', changed: '2026-01-01', markdown: 'First.' },
    { release: '0.1.0', heading: 'Breaking', id: '0-1-0-breaking', changed: '2026-01-01', markdown: '- c' },
  ]);
});
