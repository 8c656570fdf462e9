import { beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, entriesOf, entryWorld, NOW_MS, texts } from './entry-world.ts';
import { budgetFor } from '../../support/runner/budget.ts';

const world = entryWorld();
const COUNT = budgetFor(40_000, 200_000);
const BATCH = 1_000;
const LOGS = 20;
const SEVERITIES = ['DEFAULT', 'DEBUG', 'INFO', 'INFO', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'];
/** Ten entries a second, the last one now. */
const timeOf = (n: number): string => new Date(NOW_MS - (COUNT - 1 - n) * 100).toISOString();

beforeAll(() => {
  for (let from = 0; from < COUNT; from += BATCH)
    world.wrote(
      ...Array.from({ length: BATCH }, (_, offset) => {
        const n = from + offset;
        return {
          logName: `projects/p/logs/log-${n % LOGS}`,
          severity: SEVERITIES[(n + Math.floor(n / LOGS)) % SEVERITIES.length] ?? '',
          timestamp: timeOf(n),
          insertId: `i${n}`,
          textPayload: n === COUNT / 2 ? 'needle' : `entry ${n}`,
        };
      }),
    );
}, 120_000);

describe('K9: of many entries, a page reads at most ten rows for each that it shows', () => {
  test.each([
    ['logName="projects/p/logs/log-3"', 50],
    ['logName="projects/p/logs/log-3" AND severity>=ERROR', 50],
    ['severity=CRITICAL', 50],
    ['severity>=WARNING', 50],
    ['logName=("projects/p/logs/log-3" OR "projects/p/logs/log-4")', 7],
    [`timestamp>="${timeOf(COUNT * 0.75)}" AND timestamp<"${timeOf(COUNT * 0.75 + 20)}"`, 50],
    [`log_id("log-5") severity>=WARNING timestamp>="${timeOf(COUNT - 1_000)}"`, 50],
    ['', 50],
  ])('%s', (filter, pageSize) => {
    for (const orderBy of ['timestamp asc', 'timestamp desc']) {
      world.rows.read = 0;
      const first = world.list({ filter, orderBy, pageSize });
      const shown = entriesOf(first).length;
      expect(shown).toBeGreaterThan(0);
      expect(world.rows.read).toBeLessThanOrEqual(shown * 10);
      const { nextPageToken } = bodyOf(first);
      if (nextPageToken === undefined) continue;
      world.rows.read = 0;
      const second = entriesOf(world.list({ filter, orderBy, pageSize, pageToken: nextPageToken }));
      expect(second.length).toBeGreaterThan(0);
      expect(world.rows.read).toBeLessThanOrEqual(Math.max(second.length, pageSize) * 10);
    }
  });

  test('rows are found by the index of a stream or a trace, and never sorted', () => {
    const reads = new Set(world.statements.filter((text) => text.includes('insert_id, json FROM entry')));
    expect(reads.size).toBeGreaterThanOrEqual(3);
    for (const text of reads) {
      const plan = world.sql.exec(`EXPLAIN QUERY PLAN ${text}`, 1, '', '', '', 1).toArray();
      const [{ detail } = {}, ...more] = plan;
      expect(more).toEqual([]);
      expect(detail).toMatch(/^SEARCH entry USING INDEX entry_place \(stream=\? AND .*\(ts,insert_id\)[<>]\(\?,\?\)/);
    }
  });
});

test('K9: a page looks at 2,000 entries, whatever its filter: it may be empty, and the next goes on', () => {
  let pageToken: unknown;
  let pages = 0;
  const found: unknown[] = [];
  do {
    world.rows.read = 0;
    const answer = world.list({ filter: 'textPayload="needle"', ...(typeof pageToken === 'string' && { pageToken }) });
    pages += 1;
    found.push(...texts(entriesOf(answer)));
    expect(world.rows.read).toBeLessThan(50_000);
    ({ nextPageToken: pageToken } = bodyOf(answer));
  } while (pageToken !== undefined && pages < 200);
  expect(pages).toBe(COUNT / 2_000);
  expect(found).toEqual(['needle']);
});
