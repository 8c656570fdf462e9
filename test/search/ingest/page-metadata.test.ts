import { expect, test } from 'vitest';
import type { MetadataField, Scalar } from '../../../src/search/order.ts';
import { readStoredMetas, buildPageMetadata } from '../../../src/search/ingest/page-metadata.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const metadata = (head: string, fields: readonly MetadataField[]) =>
  buildPageMetadata(readStoredMetas('text/html', bytes(`<!doctype html><head>${head}</head><body><p>x`)), fields);

type Case = [head: string, type: MetadataField['type'], value: Scalar | undefined];

test.each<Case>([
  ['<meta name=f content="a b">', 'text', 'a b'],
  ['<meta NAME=F content=" a ">', 'text', 'a'],
  ['<meta property=f content=a>', 'text', 'a'],
  ['<meta itemprop=f content=a>', 'text', undefined],
  ['<meta http-equiv=f content=a>', 'text', undefined],
  ['<meta name=f>', 'text', undefined],
  ['<meta name=f content="">', 'text', undefined],
  ['<meta name=f content=a><meta name=f content=b>', 'text', 'a'],
  [`<meta name=f content="${'x'.repeat(600)}">`, 'text', 'x'.repeat(500)],
  ['<meta name=f content=2.5>', 'number', 2.5],
  ['<meta name=f content=-3.14>', 'number', -3.14],
  ['<meta name=f content=two>', 'number', undefined],
  ['<meta name=f content=0x10>', 'number', undefined],
  ['<meta name=f content=Infinity>', 'number', undefined],
  ['<meta name=f content=two><meta name=f content=2>', 'number', 2],
  ['<meta name=f content=YES>', 'boolean', true],
  ['<meta name=f content=0>', 'boolean', false],
  ['<meta name=f content=on>', 'boolean', undefined],
  ['<meta name=f content=2026-01-15T00:00:00Z>', 'datetime', '2026-01-15T00:00:00.000Z'],
  ['<meta name=f content=1971-05-01>', 'datetime', '1971-05-01T00:00:00.000Z'],
  ['<meta name=f content=9999-12-31T23:00:00-02:00>', 'datetime', undefined],
  ['<meta name=f content=0000-01-01T01:00:00+02:00>', 'datetime', undefined],
  ['<meta name=f content=yesterday>', 'datetime', undefined],
])('%s as %s is %s', (head, type, value) => {
  expect(metadata(head, [{ name: 'f', type }])).toEqual(value === undefined ? {} : { f: value });
});

test('title, description and image are also those of Open Graph, after the plain ones', () => {
  const fields = ['title', 'description', 'image', 'author'].map((name) => ({ name, type: 'text' as const }));
  const graph = ['title', 'description', 'image', 'author']
    .map((name) => `<meta property="og:${name}" content="og ${name}">`)
    .join('');
  expect(metadata(`<title>Page</title>${graph}<meta name=description content=plain>`, fields)).toEqual({
    title: 'og title',
    description: 'plain',
    image: 'og image',
  });
  expect(metadata('<title>Page</title>', fields)).toEqual({});
});

test('metas of the body count only in a page without a head', () => {
  const field = [{ name: 'f', type: 'text' as const }];
  const of = (html: string) => buildPageMetadata(readStoredMetas('text/html', bytes(html)), field);
  expect(of('<head><meta charset=utf-8></head><body><meta name=f content=a>')).toEqual({});
  expect(of('<!doctype html><title>t</title><meta name=f content=a><p>x')).toEqual({ f: 'a' });
});

test('a kept page is read in its charset, and what is no page has no metas', () => {
  const latin = Uint8Array.from([...bytes('<head><meta name=f content="'), 0xe9, ...bytes('">')]);
  const field = [{ name: 'f', type: 'text' as const }];
  expect(buildPageMetadata(readStoredMetas('text/html; charset=iso-8859-1', latin), field)).toEqual({ f: 'é' });
  expect(readStoredMetas('text/plain', bytes('<meta name=f content=a>'))).toEqual([]);
});
