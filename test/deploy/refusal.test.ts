import { expect, test } from 'vitest';
import { isPassingFailure, refuseByWrangler } from '../../src/deploy/refusal.ts';

const BASE = 'https://api.cloudflare.com/client/v4';
const SIZES = 'Uploaded 429 of 503 assets\nTotal Upload: 504.10 KiB / gzip: 500.21 KiB\n';

test.each([
  ['a lost connection', '✘ [ERROR] fetch failed', 'platform_unreachable', true],
  ['an answer that is no JSON', '✘ [ERROR] malformed\nGET /accounts -> 503 Service Unavailable', 'platform_busy', true],
  ['too many calls', '✘ [ERROR] GET /accounts -> 429 Too Many Requests', 'platform_busy', true],
  ['an internal error', '✘ [ERROR] A request failed.\n  Service unavailable [code: 10013]', 'platform_busy', true],
  ['a refusal', `${SIZES}✘ [ERROR] Not allowed [code: 7003]`, 'platform_refused', false],
  [
    'a refusal without a code, beside sizes and counts',
    `${SIZES}✘ [ERROR] It cannot be done`,
    'platform_refused',
    false,
  ],
  ['a refusal that is known', `${SIZES}✘ [ERROR] queues [code: 10023]`, 'queues_unavailable', false],
])('%s of wrangler', (_what, output, reason, isPassing) => {
  expect([refuseByWrangler(output, 'upload it', BASE).reason, isPassingFailure(output)]).toEqual([reason, isPassing]);
});

test('a refusal that is not known asks for no second run, and names where to look and what to report', () => {
  const { next } = refuseByWrangler('✘ [ERROR] Not allowed [code: 10999]', 'upload it', BASE);
  expect(next).toContain('https://developers.cloudflare.com/');
  expect(next).toMatch(/report/);
  expect(next).not.toMatch(/again: it goes on/);
});
