import { describe, expect, test } from 'vitest';
import { MAX_ROWS } from '../../../src/management/log-store/retention.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';
import { entryWorld, facts, NOW_MS, toBucket } from './entry-world.ts';

/** Statements of one request (rule K9). */
const MAX_STATEMENTS = 5_000;
const ENTRIES = 1_000;
const SINKS = 20;
const LOG = { logName: 'projects/p/logs/app', resource: { type: 'global' } };

const entryOf = (id: number, textPayload: string): JsonObject => ({
  insertId: `i${id}`,
  timestamp: new Date(NOW_MS - id * 1_000).toISOString(),
  textPayload,
});

/** A world that tells every statement that its database is given, and what it keeps. */
function told() {
  const statements: string[] = [];
  const world = entryWorld(memorySqlite((query) => void statements.push(query)));
  const kept = () => world.sql.exec('SELECT stream, ts, insert_id, json FROM entry ORDER BY stream, ts, insert_id');
  return { ...world, seen: statements, kept: () => kept().toArray() };
}

describe('K9: a write of the most rows that sinks may make of a call', () => {
  const names = Array.from({ length: SINKS }, (_, n) => `projects/p/locations/global/buckets/b${n}`);
  const { write, seen, kept } = told();
  seen.length = 0;
  const entries = Array.from({ length: ENTRIES }, (_, n) => entryOf(n, `entry ${n}`));
  const answer = write(
    { ...LOG, entries },
    {
      routes: { 'projects/p': names.map((name, n) => toBucket(name, '', `projects/p/sinks/s${n}`)) },
      buckets: names.map((name) => facts(name)),
    },
  );

  test('is taken whole', () => {
    expect(MAX_ROWS).toBe(20_000);
    expect(answer).toEqual({ ok: true, status: 200, body: {} });
    expect(kept()).toHaveLength(20_000);
  });

  test('takes at most 5,000 statements', () => {
    const inserts = seen.filter((query) => query.startsWith('INSERT INTO entry '));
    // Less than one for each row, and more than none: else other statements are counted here than are run.
    expect(inserts.length).toBe(1_250);
    expect(seen.length).toBeLessThanOrEqual(MAX_STATEMENTS);
  });
});

describe('entries of one call are kept as those of a call each', () => {
  test.each([
    ['one statement of sixteen', Array.from({ length: 16 }, (_, n) => n)],
    ['one statement and rows alone', Array.from({ length: 21 }, (_, n) => n)],
    ['fewer than a statement has', [0, 1, 2]],
    ['one again in the same statement', [0, 1, 2, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]],
    [
      'one again in the next statement',
      [...Array.from({ length: 16 }, (_, n) => n), ...Array.from({ length: 16 }, () => 3)],
    ],
    ['one again in a row alone', [...Array.from({ length: 16 }, (_, n) => n), 3, 16]],
    ['the same all the time', Array.from({ length: 40 }, () => 7)],
  ])('%s', (_name, ids) => {
    // A text of its own tells which of the same id was kept: the first.
    const entries = ids.map((id, at) => entryOf(id, `entry ${id}, number ${at}`));
    const [together, alone] = [told(), told()];
    together.write({ ...LOG, entries });
    for (const entry of entries) alone.write({ ...LOG, entries: [entry] });
    expect(together.kept()).toHaveLength(new Set(ids).size);
    expect(together.kept()).toEqual(alone.kept());
    const shown = together.entries({ orderBy: 'timestamp desc' });
    expect(shown.map(({ textPayload }) => textPayload)).toEqual(
      [...new Set(ids)].toSorted((a, b) => a - b).map((id) => `entry ${id}, number ${ids.indexOf(id)}`),
    );
    expect(shown).toEqual(alone.entries({ orderBy: 'timestamp desc' }));
  });

  test('nor is one that an earlier call wrote written again', () => {
    const { wrote, kept } = told();
    wrote(...[4, 9].map((id) => entryOf(id, 'first')));
    wrote(...Array.from({ length: 32 }, (_, id) => entryOf(id, 'second')));
    expect(kept()).toHaveLength(32);
    expect(kept().filter(({ json }) => String(json).includes('first'))).toHaveLength(2);
  });
});
