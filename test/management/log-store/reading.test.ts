import { describe, expect, test } from 'vitest';
import type { Sql } from '../../../src/lib/sqlite.ts';
import type { StreamRange } from '../../../src/management/log-store/stream-merge.ts';
import { MAX_CHARS_IN_HAND, MAX_CHUNK_CHARS, readLanes } from '../../../src/management/log-store/reading.ts';
import { createStreams } from '../../../src/management/log-store/streams.ts';
import { formatNanoTime } from '../../../src/management/log-store/times.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';
import { createEntryTables } from '../../../src/management/log-store/store.ts';

/** Streams of entries of so many characters, one of each stream in turn; what is taken from the database is counted. */
function kept(streamCount: number, entryCount: number, chars: number) {
  const { sql } = memorySqlite();
  createEntryTables(sql);
  const streams = createStreams(sql);
  const json = 'x'.repeat(chars);
  for (let n = 0; n < entryCount; n += 1) {
    const ts = formatNanoTime(n * 1_000);
    const log = `projects/p/logs/l${n % streamCount}`;
    const { id } = streams.take({ bucket: 'b', log, severity: 0, isOwn: false }, ts);
    sql.exec(
      'INSERT INTO entry (stream, ts, insert_id, received_ms, json) VALUES (?, ?, ?, 0, ?)',
      id,
      ts,
      `i${n}`,
      json,
    );
  }
  const taken = { rows: 0 };
  const counting: Sql = {
    exec: (query, ...bindings) => {
      const found = sql.exec(query, ...bindings);
      const rows = function* () {
        for (const row of found) {
          taken.rows += 1;
          yield row;
        }
      };
      return { toArray: () => [...rows()], [Symbol.iterator]: rows };
    },
  };
  const lanes = [...streams.all()].map((stream): StreamRange => ({ stream, from: '', until: '9' }));
  return { counting, lanes, taken };
}

describe('K9: what is in memory while lanes are read', () => {
  test('a statement reads half a million characters of entries, and not the rest of its rows', () => {
    const { counting, lanes, taken } = kept(1, 30, 100_000);
    const reading = readLanes(lanes, { isDescending: false, expected: 1_000, spent: { statements: 0 } }, counting);
    const ids = [0, 1, 2, 3, 4].map(() => reading.next().value?.place.insertId);
    expect(ids).toEqual(['i0', 'i1', 'i2', 'i3', 'i4']);
    expect(taken.rows).toBe(MAX_CHUNK_CHARS / 100_000);
    expect([...reading].length).toBe(25);
    expect(taken.rows).toBe(30);
  });

  test.each([false, true])(
    'all lanes have sixteen million in hand; what is more is read again (%s)',
    (isDescending) => {
      const [streams, rows, chars] = [20, 200, 250_000];
      const { counting, lanes, taken } = kept(streams, rows, chars);
      const spent = { statements: 0 };
      const ids: string[] = [];
      let inHand = 0;
      for (const { place } of readLanes(lanes, { isDescending, expected: 200, spent }, counting)) {
        ids.push(place.insertId);
        inHand = Math.max(inHand, taken.rows - ids.length);
      }
      const expected = Array.from({ length: rows }, (_, n) => `i${n}`);
      expect(ids).toEqual(isDescending ? expected.toReversed() : expected);
      // Two rows a statement: twenty lanes stay within, and nothing is read again.
      expect(taken.rows).toBe(rows);
      expect(inHand * chars).toBeLessThanOrEqual(MAX_CHARS_IN_HAND);

      const many = kept(60, 600, chars);
      const found = [...readLanes(many.lanes, { isDescending, expected: 600, spent }, many.counting)];
      expect(found.map(({ place }) => place.insertId)).toEqual(
        (isDescending ? (all: string[]) => all.toReversed() : (all: string[]) => all)(
          Array.from({ length: 600 }, (_, n) => `i${n}`),
        ),
      );
      // Sixty places, a row and some that are read again: without the limit each row was taken once.
      expect(many.taken.rows - 60).toBeGreaterThan(600);
      expect(many.taken.rows).toBeLessThan(3_000);
    },
  );
});
