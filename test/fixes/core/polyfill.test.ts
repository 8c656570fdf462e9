import { expect, test } from 'vitest';
import { sha256Hex } from '../../../src/lib/digest.ts';
import { patchedPage } from '../../../src/fixes/core/fix-pack.ts';
import { tools } from '../../support/audit/fixes.ts';
import { PATCHED_SHA256, failedPage, oddPages, tooDeep } from '../../support/audit/patched-pages.ts';

test.each(Object.entries(oddPages))(
  'the polyfill patches the %s page to the bytes that are written down',
  async (name, page) => {
    const patched = await patchedPage(failedPage(page), tools);
    if (!patched.ok) throw new Error(patched.why);
    expect(patched.applied.length).toBeGreaterThan(30);
    expect(await sha256Hex(patched.html)).toBe(PATCHED_SHA256[name]);
  },
);

test('a page that the platform cannot rewrite is not rewritten by the polyfill either', async () => {
  expect(await patchedPage(failedPage(tooDeep), tools)).toMatchObject({
    ok: false,
    why: expect.stringContaining('nested deeper'),
  });
});
