import { describe, expect, test } from 'vitest';
import { computeTextBytes } from '../../../src/audit/core/decode.ts';
import { gatherSite } from '../../../src/audit/core/gather.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { DEFAULT_LIMITS } from '../../../src/net/fetch-budget.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';
import { auditRoom, createHeldBytes, OLDEST_BYTES, SITE_BYTES } from '../../../src/net/held-bytes.ts';
import { CLOCK_MS } from '../../support/audit/audit.ts';
import { SITE } from '../../support/audit/site-fetch.ts';

const PAGE_CHARS = 4 * 1024 * 1024;
const LINKS = Array.from({ length: 8 }, (_, index) => `<a href="/page-${index}">page</a>`).join('');

const buildPage = (mark: string): string => `<html><body>${LINKS}<p>${mark}${'word '.repeat(PAGE_CHARS / 5)}</p>`;

/** Reads a site of large pages, and says what was counted for it and what came of its requests. */
async function read(mark: string) {
  const page = buildPage(mark);
  const room = auditRoom('purchase', SITE_BYTES, createHeldBytes());
  room.take();
  let counted = 0;
  const fetch = createGuardedFetch({
    fetch: async (url) =>
      /\/(?:page-\d)?$/.test(url)
        ? new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } })
        : new Response('', { status: 404 }),
    policy: allowPublicOnly(),
    clock: () => CLOCK_MS,
    hold: (bytes) => {
      counted += bytes;
      return room.hold(bytes);
    },
  });
  const { exchanges } = await gatherSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS, only: ['page', 'sample'] });
  const pages = exchanges.filter(({ role }) => role === 'page' || role.startsWith('sample:'));
  const whole = pages.filter(({ answer }) => answer.ok).length;
  const reasons = new Set(pages.flatMap(({ answer }) => (answer.ok ? [] : [answer.reason])));
  return { counted, whole, reasons: [...reasons], isStarved: room.isStarved() };
}

describe('B4: what texts take in memory', () => {
  test.each([
    ['', 0],
    ['Zürich ÿ', 8],
    ['Zürich — ÿ', 20],
    ['\u0100', 2],
    ['😀', 4],
  ])('%j takes %i bytes', (text, bytes) => expect(computeTextBytes(text)).toBe(bytes));

  test('one character outside of Latin-1 counts its page twice, and the audit ends within what the oldest may hold', async () => {
    const [narrow, wide] = [await read('é'), await read('—')];
    expect([narrow.whole, narrow.isStarved]).toEqual([6, false]);
    expect(wide.whole).toBeGreaterThan(0);
    expect(wide.whole).toBeLessThan(narrow.whole);
    expect([wide.reasons, wide.isStarved]).toEqual([['budget_exhausted'], false]);
    expect(wide.counted).toBeGreaterThan(2 * wide.whole * PAGE_CHARS);
    expect(wide.counted).toBeLessThanOrEqual(OLDEST_BYTES);
    expect(OLDEST_BYTES).toBe(DEFAULT_LIMITS.totalBytes);
  });
});
