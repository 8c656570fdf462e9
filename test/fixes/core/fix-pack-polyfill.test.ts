import { expect, test } from 'vitest';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { buildPatchedPage } from '../../../src/fixes/core/patched-files.ts';
import { tools } from '../../support/audit/fixes.ts';
import { PATCHED_SHA256, failedPage, oddPages, tooDeep } from '../../support/audit/patched-pages.ts';

test.each(Object.entries(oddPages))(
  'the polyfill patches the %s page to the bytes that are written down',
  async (name, page) => {
    const patched = await buildPatchedPage(failedPage(page), tools);
    if (!patched.ok) throw new Error(patched.why);
    expect(patched.applied.length).toBeGreaterThan(30);
    expect(await computeSha256Hex(patched.html)).toBe(PATCHED_SHA256[name]);
  },
);

test('a page that the platform cannot rewrite is not rewritten by the polyfill either', async () => {
  expect(await buildPatchedPage(failedPage(tooDeep), tools)).toMatchObject({
    ok: false,
    why: expect.stringContaining('nested deeper'),
  });
});
