import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { DAY_MS, formatIsoDay, HOUR_MS, MINUTE_MS } from '../../../src/lib/time.ts';
import type { CountedRow, CountsBatch } from '../../../src/traffic/edge/counts-body.ts';
import {
  COUNTS_KEPT_DAYS,
  MAX_PAGES_OF_CRAWLER,
  MAX_PAGES_OF_DAY,
  openCountsBook,
} from '../../../src/traffic/edge/counts-book.ts';
import { buildCrawlerReport } from '../../../src/traffic/edge/crawler-report.ts';
import { sumBatch } from '../../../src/traffic/edge/summed-batch.ts';
import { openSql } from '../../support/management/sqlite.ts';

const NOW = Math.floor(1_800_000_000_000 / DAY_MS) * DAY_MS + 12 * HOUR_MS;
const DAY = Math.floor(NOW / DAY_MS);

const row = (more: Partial<CountedRow> = {}): CountedRow => ({
  agent: 'GPTBot',
  verification: 'claimed',
  isRead: true,
  status: 200,
  path: '/a',
  kind: 'page',
  n: 1,
  bytes: 10,
  ...more,
});

function world() {
  const at = { nowMs: NOW, batches: 0 };
  const book = openCountsBook(openSql(new DatabaseSync(':memory:')), () => at.nowMs);
  const send = (rows: readonly CountedRow[], more: Partial<CountsBatch> & { account?: string } = {}) => {
    at.batches += 1;
    const { account = 'me', ...batch } = more;
    return book.accept(
      account,
      sumBatch({ batchId: `batch-${at.batches}`, minuteMs: at.nowMs, dropped: 0, ...batch, rows }),
    );
  };
  const report = (account = 'me', fromDay = DAY, toDay = DAY) =>
    buildCrawlerReport('example.com', { fromDay, toDay }, book.read(account, fromDay, toDay));
  return { at, book, send, report };
}

test('a batch counts once, however often it comes', () => {
  const { send, report } = world();
  expect(send([row({ n: 3 })], { batchId: 'same-batch' })).toBe('counted');
  expect(send([row({ n: 3 })], { batchId: 'same-batch' })).toBe('repeat');
  expect(send([row({ n: 3 })], { batchId: 'same-batch', account: 'other' })).toBe('counted');
  expect(report().agents[0]?.requests).toBe(3);
  expect(report().received.batches).toBe(1);
});

test('requests are added up by agent, verification and status', () => {
  const { at, send, report } = world();
  send([row({ n: 2 }), row({ status: 404, path: '/gone' }), row({ verification: 'verified', n: 5 })]);
  at.nowMs += 5 * MINUTE_MS;
  send(
    [
      row({ status: 403, path: '/secret' }),
      row({ path: '/robots.txt', kind: 'robots' }),
      row({ path: '/llms.txt', kind: 'llms' }),
      row({ path: '/a.md', kind: 'markdown' }),
      row({ isRead: false, status: 503 }),
    ],
    { dropped: 7 },
  );
  const { agents, classes, received } = report();
  const claimed = agents.find(({ verification }) => verification === 'claimed');
  expect(claimed).toMatchObject({
    agent: 'GPTBot',
    owner: 'OpenAI',
    class: 'training',
    requests: 8,
    bytes: 70,
    statuses: { '2xx': 5, '4xx': 2, '5xx': 1 },
    refused: 2,
    writes: 1,
    robots_txt: 1,
    llms_txt: 1,
    markdown: 1,
    pages: 3,
    first_seen: new Date(NOW).toISOString(),
    last_seen: new Date(NOW + 5 * MINUTE_MS).toISOString(),
  });
  expect(claimed?.top_pages).toEqual([
    { path: '/a', requests: 7, errors: 0 },
    { path: '/gone', requests: 1, errors: 1 },
    { path: '/secret', requests: 1, errors: 1 },
  ]);
  expect(classes).toMatchObject([{ class: 'training', requests: 13, pages: 3 }]);
  expect(received.not_counted).toBe(7);
});

test('pages beyond the limits are counted together', () => {
  const { send, report } = world();
  const pages = (agent: string, from: number, count: number) =>
    Array.from({ length: count }, (_, index) => row({ agent, path: `/p${from + index}` }));
  send(pages('GPTBot', 0, MAX_PAGES_OF_CRAWLER));
  send([...pages('GPTBot', 5_000, 30), row({ path: '/p1', n: 9 })]);
  const [gptbot] = report().agents;
  expect(gptbot).toMatchObject({ pages: MAX_PAGES_OF_CRAWLER, pages_beyond: 30, requests: MAX_PAGES_OF_CRAWLER + 39 });
  expect(gptbot?.top_pages[0]).toEqual({ path: '/p1', requests: 10, errors: 0 });
  for (const agent of ['ClaudeBot', 'CCBot', 'Bytespider', 'Googlebot', 'Bingbot'])
    send(pages(agent, 0, MAX_PAGES_OF_CRAWLER));
  const counted = report().agents.reduce((sum, { pages: own }) => sum + own, 0);
  expect(counted).toBe(MAX_PAGES_OF_DAY);
});

test('cells of fewer than five people are left out, and pages that only people read are named', () => {
  const { send, report } = world();
  const person = (more: Partial<CountedRow>) => row({ agent: 'person', ...more });
  send([
    person({ path: '/few', n: 4 }),
    person({ path: '/many', n: 5, referral: 'ChatGPT' }),
    person({ path: '/a', n: 9, referral: 'Claude' }),
    person({ path: '/gone', n: 4, status: 404 }),
    row({ path: '/a' }),
  ]);
  send([person({ path: '/few', n: 1, referral: 'Perplexity' })], { minuteMs: NOW - DAY_MS });
  const { people, unread_by_agents: unread, referrals, classes, days } = report();
  expect(people.top_pages.map(({ path }) => path)).toEqual(['/a', '/many']);
  expect(unread).toEqual({ count: 1, pages: [{ path: '/many', requests: 5, errors: 0 }] });
  expect(referrals).toEqual([
    { assistant: 'Claude', requests: 9 },
    { assistant: 'ChatGPT', requests: 5 },
  ]);
  expect(classes.find((one) => one.class === 'person')).toMatchObject({ requests: 18, statuses: { '4xx': 0 } });
  expect(days).toEqual([{ day: formatIsoDay(NOW), requests: { person: 22, training: 1 } }]);
  const both = report('me', DAY - 1, DAY);
  expect(both.people.top_pages.map(({ path }) => path)).toContain('/few');
  expect(both.referrals.map(({ assistant }) => assistant)).not.toContain('Perplexity');
  expect(both.days[0]).toEqual({ day: formatIsoDay(NOW - DAY_MS), requests: {} });
});

test('accounts are apart, a token is replaced, and forgetting leaves nothing of one', () => {
  const { book, send, report } = world();
  book.setToken('me', 'hash-1');
  book.setToken('other', 'hash-2');
  book.setToken('me', 'hash-3');
  expect([book.findAccount('hash-1'), book.findAccount('hash-3')]).toEqual([undefined, 'me']);
  send([row({ n: 2 })]);
  send([row({ n: 4 })], { account: 'other' });
  book.forget('me');
  expect(book.findAccount('hash-3')).toBeUndefined();
  expect([report('me').agents.length, report('other').agents[0]?.requests]).toEqual([0, 4]);
});

test('counts end after 400 days', () => {
  const { at, send, report } = world();
  send([row({ n: 2 })]);
  at.nowMs += (COUNTS_KEPT_DAYS + 1) * DAY_MS;
  send([row()]);
  expect(report().agents).toEqual([]);
});
