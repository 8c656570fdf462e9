import { describe, expect, test } from 'vitest';
import type { CertificateFacts } from '../../../src/deploy/checks/check.ts';
import {
  checkCertificates,
  checkClocks,
  checkHeaders,
  computeClockSkew,
  judgeCertificate,
  judgeClock,
} from '../../../src/deploy/checks/transport.ts';
import { API, CONTROL, fakePorts, json, NOW, shortly } from './answers.ts';

const name = { id: 'x', title: 'X' };
const DAY = 86_400_000;

describe('certificates', () => {
  const good: CertificateFacts = { validFromMs: NOW - DAY, validToMs: NOW + 60 * DAY, matchesHost: true, issuer: 'CA' };
  test.each([
    ['pass', {}],
    ['warn', { validToMs: NOW + 13 * DAY }],
    ['fail', { validToMs: NOW }],
    ['fail', { validFromMs: NOW + 1 }],
    ['fail', { matchesHost: false }],
    ['fail', { untrusted: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
  ] as const)('%s for %j', (status, changes) => {
    expect(judgeCertificate(name, { ...good, ...changes }, NOW).status).toBe(status);
  });

  test('one that cannot be read is unknown, and none is needed on this machine', async () => {
    const ports = fakePorts({}, { readCertificate: () => Promise.reject(new Error('ECONNREFUSED')) });
    const addresses = { api: API, control: 'http://127.0.0.1:8789' };
    expect(shortly(await checkCertificates({ addresses }, ports))).toEqual([
      'unknown certificate.api',
      'pass certificate.control',
    ]);
  });
});

describe('clocks', () => {
  /** A clock that is so far ahead, read by a request of so long. */
  const seen = (aheadMs: number, tripMs: number) =>
    computeClockSkew(new Date(NOW + tripMs / 2 + aheadMs).toUTCString(), NOW, NOW + tripMs);

  test('what is measured has the true difference in it, whatever the request took', () => {
    for (const aheadMs of [-3_600_000, -61_000, -900, 0, 900, 61_000, 3_600_000])
      for (const tripMs of [0, 40, 5_000]) {
        const skew = seen(aheadMs, tripMs);
        expect(skew?.fromMs).toBeLessThanOrEqual(aheadMs);
        expect(skew?.toMs).toBeGreaterThanOrEqual(aheadMs);
      }
  });

  test.each([
    [0, 0, 'pass'],
    [4_000, 100, 'pass'],
    [7_000, 100, 'warn'],
    [-9_000, 100, 'warn'],
    [62_000, 100, 'fail'],
    [-64_000, 100, 'fail'],
    // A slow request may have waited before or after it was answered: no difference is shown.
    [20_000, 60_000, 'pass'],
  ] as const)('%i ms ahead, read in %i ms: %s', (aheadMs, tripMs, status) => {
    const skew = seen(aheadMs, tripMs);
    expect(skew && judgeClock(name, skew).status).toBe(status);
  });

  test('an answer without a Date, or with text that is none, is unknown', async () => {
    expect(computeClockSkew(null, NOW, NOW)).toBeUndefined();
    expect(computeClockSkew('yesterday', NOW, NOW)).toBeUndefined();
    const results = await checkClocks({ addresses: { api: API } }, fakePorts({ 'GET /health': json({}) }));
    expect(shortly(results)).toEqual(['unknown clock.api']);
  });
});

describe('security headers', () => {
  const headers = {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'strict-transport-security': 'max-age=31536000',
  };
  const check = (own: Record<string, string>) =>
    checkHeaders(
      { addresses: { api: API, control: CONTROL } },
      fakePorts({
        'GET /signin': json({}, 200, own),
        [`GET ${CONTROL}/.well-known/oauth-protected-resource`]: json({}, 200, { 'x-content-type-options': 'nosniff' }),
      }),
    );

  test('all of them pass', async () => {
    expect(shortly(await check(headers))).toEqual(['pass headers.api', 'pass headers.control']);
  });

  test.each(Object.keys(headers))('a page without %s fails, and is named', async (missing) => {
    const { [missing as keyof typeof headers]: _, ...rest } = headers;
    const [result] = await check(rest);
    expect(result?.status).toBe('fail');
    expect(result?.detail).toContain(missing);
  });
});
