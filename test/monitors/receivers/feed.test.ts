import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { buildAtomFeed } from '../../../src/monitors/receivers/feed.ts';
import { attacks } from '../../support/audit/hostile-text.ts';
import { makeAlert, makeMonitor, NOW_MS } from './made.ts';

const BASE = 'https://sightline.example';
const SELF = `${BASE}/monitors/mon_a0123456789abcdef0123456/feed/${'f'.repeat(32)}`;
const ATOM = 'http://www.w3.org/2005/Atom';

type Element = { name: string; uri: string; attributes: Record<string, string>; children: Element[]; text: string };

/** The root of an XML document. @throws Error where it is not well-formed */
function parseXml(xml: string): Element {
  const root: Element = { name: '', uri: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    const own = Object.fromEntries(Object.entries(attributes).map(([name, { value }]) => [name, value]));
    const element: Element = { name: local, uri, attributes: own, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const last = open.at(-1);
    if (last) last.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  const [found] = root.children;
  if (found === undefined) throw new Error('no root');
  return found;
}

const all = ({ children }: Element, name: string): Element[] => children.filter((child) => child.name === name);
const one = (element: Element, name: string): Element => {
  const [found, ...more] = all(element, name);
  if (found === undefined || more.length > 0) throw new Error(`${1 + more.length} ${name}`);
  return found;
};
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const isIri = (text: string): boolean => /^[a-z][a-z0-9+.-]*:\S+$/.test(text);

/** The rules of RFC 4287, sections 4.1.1 and 4.1.2, for what we write. */
function judgeFeed(feed: Element): void {
  const flat = (element: Element): Element[] => [element, ...element.children.flatMap(flat)];
  expect(flat(feed).every(({ uri }) => uri === ATOM)).toBe(true);
  expect(feed.name).toBe('feed');
  const entries = all(feed, 'entry');
  for (const element of [feed, ...entries]) {
    expect(isIri(one(element, 'id').text)).toBe(true);
    expect(one(element, 'title').text).not.toBe('');
    expect(one(element, 'updated').text).toMatch(DATE);
    const links = all(element, 'link').map(({ attributes }) => attributes);
    expect(links.every(({ href = '' }) => isIri(href))).toBe(true);
    const kinds = links.map(({ rel, type, hreflang = '' }) => `${rel} ${type} ${hreflang}`);
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(kinds.filter((kind) => kind.startsWith('alternate'))).toHaveLength(1);
  }
  expect(one(one(feed, 'author'), 'name').text).toBe('Sightline');
  expect(new Set(entries.map((entry) => one(entry, 'id').text)).size).toBe(entries.length);
  for (const entry of entries)
    expect(one(entry, 'content')).toMatchObject({ attributes: { type: 'text' }, children: [] });
  const order = ['id', 'title', 'updated', 'author', 'link', 'entry'];
  expect(feed.children.every(({ name }) => order.includes(name))).toBe(true);
}

describe('the Atom feed of a monitor', () => {
  test('keeps to RFC 4287', () => {
    const later = makeAlert(2, { atMs: NOW_MS + 60_000, kind: 'gate_fired' });
    const feed = parseXml(
      buildAtomFeed({ monitor: makeMonitor(), alerts: [later, makeAlert(1)] }, { baseUrl: BASE, selfUrl: SELF }),
    );
    judgeFeed(feed);
    expect(one(feed, 'updated').text).toBe('2026-11-25T10:01:00.000Z');
    expect(one(feed, 'id').text).toBe('urn:sightline:monitor:mon_a0123456789abcdef0123456');
    expect(all(feed, 'link').find(({ attributes }) => attributes['rel'] === 'self')?.attributes['href']).toBe(SELF);
    const [first, second] = all(feed, 'entry');
    expect(first && one(first, 'id').text).toBe(`urn:sightline:alert:${later.id}`);
    expect(second && one(second, 'content').text).toContain('AI crawlers may read the site: pass → fail');
  });

  test('without an alert it is a feed too, and the same one each time', () => {
    const build = () => buildAtomFeed({ monitor: makeMonitor(), alerts: [] }, { baseUrl: BASE, selfUrl: SELF });
    judgeFeed(parseXml(build()));
    expect(build()).toBe(build());
  });

  test.each([...attacks, ']]><x/>', '\uD800 \uFFFE \u0000 \u000B', '&nbsp; &lt; <!ENTITY x "y">'])(
    'X: %j stays text',
    (attack) => {
      const alert = makeAlert(1, {
        title: attack,
        changes: [
          {
            id: 'a.b',
            title: attack,
            before: null,
            after: { text: attack, evidence: [{ url: attack, excerpt: attack }] },
          },
        ],
      });
      const feed = parseXml(
        buildAtomFeed(
          { monitor: makeMonitor({ name: `Shop ${attack}` }), alerts: [{ ...alert, title: `T ${attack}` }] },
          { baseUrl: BASE, selfUrl: SELF },
        ),
      );
      judgeFeed(feed);
    },
  );
});
