import { expect, test } from 'vitest';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { buildPatchedPage } from '../../../src/fixes/core/patched-files.ts';
import type { Rewriter } from '../../../src/fixes/files/html-rewriter.ts';
import { PATCHED_SHA256, failedPage, oddPages, tooDeep } from '../../support/audit/patched-pages.ts';

const tools = { newRewriter: () => new HTMLRewriter() as unknown as Rewriter };

test.each(Object.entries(oddPages))(
  "the platform's rewriter patches the %s page to the same bytes as the polyfill",
  async (name, page) => {
    const patched = await buildPatchedPage(failedPage(page), tools);
    if (!patched.ok) throw new Error(patched.why);
    expect(await computeSha256Hex(patched.html)).toBe(PATCHED_SHA256[name]);
  },
);

test('a page with more open elements than it follows is an answer, not an exception', async () => {
  expect(await buildPatchedPage(failedPage(tooDeep), tools)).toMatchObject({
    ok: false,
    why: expect.stringContaining('nested deeper'),
  });
});
