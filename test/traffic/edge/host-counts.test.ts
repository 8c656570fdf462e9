import { expect, test } from 'vitest';
import type { CountsBatch } from '../../../src/traffic/edge/counts-body.ts';
import {
  formatDataPoints,
  generateCountsToken,
  isTokenOfHost,
  MAX_DATA_POINTS,
} from '../../../src/traffic/edge/host-counts.ts';
import { parseDayRange } from '../../../src/traffic/edge/crawler-report.ts';

test('a token is good for its host alone, under one of our secrets', async () => {
  const token = await generateCountsToken('example.com', 'secret');
  expect(token).toMatch(/^sht_[\w-]{48}$/);
  expect(await isTokenOfHost(token, 'example.com', ['newer', 'secret'])).toBe(true);
  expect(await isTokenOfHost(token, 'example.org', ['secret'])).toBe(false);
  expect(await isTokenOfHost(token, 'example.com', ['other'])).toBe(false);
  expect(
    await isTokenOfHost(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, 'example.com', ['secret']),
  ).toBe(false);
  expect(await isTokenOfHost('sht_', 'example.com', ['secret'])).toBe(false);
});

test('data points have no path of people, and the largest rows are written', () => {
  const row = { verification: 'claimed', isRead: true, status: 200, kind: 'page', bytes: 7 } as const;
  const batch: CountsBatch = {
    batchId: 'batch-0001',
    minuteMs: 1_800_000_000_000,
    dropped: 0,
    rows: [
      ...Array.from({ length: MAX_DATA_POINTS }, (_, index) => ({ ...row, agent: 'GPTBot', path: `/${index}`, n: 1 })),
      { ...row, agent: 'person', path: '/private', n: 9, referral: 'ChatGPT' },
    ],
  };
  const points = formatDataPoints('example.com', batch);
  expect(points).toHaveLength(MAX_DATA_POINTS);
  expect(points[0]).toEqual({
    indexes: ['example.com'],
    blobs: ['example.com', 'person', 'claimed', 'read', '', 'page', 'ChatGPT'],
    doubles: [9, 200, 7, 1_800_000_000],
  });
  expect(JSON.stringify(points)).not.toContain('/private');
});

test('a range is days of the calendar, at most 92', () => {
  const now = Date.parse('2026-11-28T15:00:00Z');
  const day = (text: string) => Date.parse(text) / 86_400_000;
  expect(parseDayRange({}, now)).toEqual({ ok: true, range: { fromDay: day('2026-11-01'), toDay: day('2026-11-28') } });
  expect(parseDayRange({ from: '2026-11-28', to: '2026-11-28' }, now).ok).toBe(true);
  for (const bad of [
    { from: '2026-02-30' },
    { from: '2026-11-02', to: '2026-11-01' },
    { from: '2026-01-01' },
    { to: 'x' },
  ])
    expect(parseDayRange(bad, now).ok).toBe(false);
});
