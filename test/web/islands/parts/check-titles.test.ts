import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import type { Preview } from '../../../../src/audit/core/preview.ts';
import { fetchCheckTitles, translatePreview } from '../../../../src/web/islands/parts/check-titles.ts';
import { checkTitles } from '../../../../src/web/language/check-titles.ts';

/** What a page in German loads besides its scripts. */
const MAX_GZIP_BYTES = 16_384;

const built = readFileSync(new URL('../../../../public/web/checks-de.json', import.meta.url), 'utf8');
const answerWith = (body: string, status = 200): void => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { status })));
};

afterEach(() => {
  vi.unstubAllGlobals();
});

test('the built table has the titles of all checks, and is small', async () => {
  expect(gzipSync(built).length).toBeLessThanOrEqual(MAX_GZIP_BYTES);
  answerWith(built);
  expect(await fetchCheckTitles('de')).toEqual(checkTitles.de);
});

test('a page in English asks for nothing', async () => {
  vi.stubGlobal('fetch', () => expect.fail('a request'));
  expect(await fetchCheckTitles('en')).toEqual({});
});

test.each([
  ['an error', 'gone', 404],
  ['no JSON', '<html>', 200],
  ['another form', '{"a":"b"}', 200],
  ['too much', JSON.stringify({ a: ['b', 'c'.repeat(140_000)] }), 200],
])('%s in its place leaves the titles of the checks', async (_name, body, status) => {
  answerWith(body, status);
  expect(await fetchCheckTitles('de')).toEqual({});
});

test('a preview is named by its results, and its first steps by what to do', () => {
  const id = 'aeo.meta.viewport';
  const [holds, task] = checkTitles.de[id] ?? [];
  const preview = {
    checks: [
      { id, open: true, status: 'fail', title: 'Add' },
      { id, open: true, status: 'pass', title: 'Is set' },
      { id, open: false, title: 'Is set' },
      { id: 'a-check-of-old', open: false, title: 'As it was' },
    ],
    first_steps: [{ check_id: id, title: 'Add' }],
  } as unknown as Preview;
  const shown = translatePreview(preview, checkTitles.de);
  expect(shown.checks.map(({ title }) => title)).toEqual([task, holds, holds, 'As it was']);
  expect(shown.first_steps.map(({ title }) => title)).toEqual([task]);
  expect(translatePreview(preview, {})).toEqual(preview);
});
