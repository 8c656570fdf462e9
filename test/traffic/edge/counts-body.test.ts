import { describe, expect, test } from 'vitest';
import { DAY_MS, formatIsoTimestamp, MINUTE_MS } from '../../../src/lib/time.ts';
import { MAX_COUNT_ROWS, parseCounts } from '../../../src/traffic/edge/counts-body.ts';
import { createRandomFromSeed } from '../../../src/lib/seeded-random.ts';

const NOW = 1_800_000_000_000;
const row = { agent: 'GPTBot', status: 200, path: '/a', n: 1 };
const body = (rows: readonly object[], more: object = {}) => ({
  batch_id: 'batch-0001',
  minute: formatIsoTimestamp(NOW - MINUTE_MS),
  rows,
  ...more,
});

const parse = (value: unknown) => {
  const parsed = parseCounts(value, NOW);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.batch;
};

test('agents of the roster keep their name, unknown ones are programs, and people have no verification', () => {
  const { rows, minuteMs } = parse(
    body([
      { ...row, agent: 'gptbot', verification: 'verified' },
      { ...row, agent: 'FutureBot', verification: 'verified' },
      { ...row, agent: 'person', verification: 'verified', referral: 'ChatGPT' },
      { ...row, agent: 'person', referral: 'NewAssistant' },
      { ...row, referral: 'ChatGPT' },
    ]),
  );
  expect(rows.map(({ agent, verification, referral }) => [agent, verification, referral])).toEqual([
    ['GPTBot', 'verified', undefined],
    ['automation', 'claimed', undefined],
    ['person', 'claimed', 'ChatGPT'],
    ['person', 'claimed', 'other'],
    ['GPTBot', 'claimed', undefined],
  ]);
  expect(minuteMs % MINUTE_MS).toBe(0);
});

test.each([
  ['/a/b?token=secret&email=jane@example.com', '/a/b'],
  ['/users/jane%40example.com/orders/123456', '/users/{email}/orders/{id}'],
  ['/order/550e8400-e29b-41d4-a716-446655440000#top', '/order/{id}'],
  ['https://example.com/x?y', '/x'],
  ['/2026/11/hello-world', '/2026/11/hello-world'],
  ['*', '/'],
  ['/a\u202Eb\u0000c', '/abc'],
])('a path is cleaned here too: %s', (path, clean) => {
  expect(parse(body([{ ...row, path }])).rows[0]?.path).toBe(clean);
});

test.each([
  ['an address', { ...row, address: '192.0.2.1' }],
  ['a User-Agent', { ...row, user_agent: 'Mozilla/5.0' }],
  ['no request', { ...row, n: 0 }],
  ['a status that is none', { ...row, status: 99 }],
  ['markup as agent', { ...row, agent: '<b>' }],
])('a row with %s is refused', (_name, bad) => {
  expect(parseCounts(body([bad]), NOW).ok).toBe(false);
});

test('too many rows, an old minute, a minute to come and other members are refused', () => {
  for (const bad of [
    body(Array.from({ length: MAX_COUNT_ROWS + 1 }, () => row)),
    body([row], { minute: formatIsoTimestamp(NOW - DAY_MS - 2 * MINUTE_MS) }),
    body([row], { minute: formatIsoTimestamp(NOW + 3 * MINUTE_MS) }),
    body([row], { batch_id: 'x' }),
    body([row], { addresses: [] }),
    'text',
    null,
  ])
    expect(parseCounts(bad, NOW).ok).toBe(false);
});

describe('whatever is sent', () => {
  const random = createRandomFromSeed('counts');
  const pick = (values: readonly unknown[]): unknown => values[Math.floor(random() * values.length)];
  const odd = [
    undefined,
    null,
    '',
    'x'.repeat(5_000),
    -1,
    1e308,
    Number.NaN,
    [],
    {},
    '\u0000',
    '__proto__',
    true,
    '/%%%',
    '/%ff',
  ];
  const draw = () => {
    const one: Record<string, unknown> = { ...row };
    for (let turn = 0; turn < Math.floor(random() * 3); turn += 1)
      one[String(pick(['agent', 'status', 'path', 'n', 'bytes', 'method', 'referral', 'verification', 'cookie']))] =
        pick(odd);
    const sent: Record<string, unknown> = body(random() < 0.9 ? [one, row] : (pick(odd) as never));
    if (random() < 0.3) sent[String(pick(['batch_id', 'minute', 'dropped', 'rows', 'extra']))] = pick(odd);
    return sent;
  };

  test('it is refused, or has clean paths and numbers that count', () => {
    let good = 0;
    for (let turn = 0; turn < 3_000; turn += 1) {
      const parsed = parseCounts(draw(), NOW);
      if (!parsed.ok) {
        expect(parsed.issues.length).toBeGreaterThan(0);
        continue;
      }
      good += 1;
      for (const { path, n, bytes, status } of parsed.batch.rows) {
        expect(path).toMatch(/^\/[^?#\p{Cc}]{0,199}$/u);
        expect([n, bytes, status].every((value) => Number.isSafeInteger(value) && value >= 0)).toBe(true);
      }
    }
    expect(good).toBeGreaterThan(100);
  });
});
