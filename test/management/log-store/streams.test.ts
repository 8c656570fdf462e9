import { describe, expect, test } from 'vitest';
import { MAX_STREAMS, type Streams, createStreams } from '../../../src/management/log-store/streams.ts';
import { createEntryTables } from '../../../src/management/log-store/store.ts';
import { memorySqlite } from '../../support/management/sqlite.ts';
import { entryWorld, refusalOf } from './entry-world.ts';

const key = (n: number, bucket = 'b') => ({ bucket, log: `projects/p/logs/l${n}`, severity: 0, isOwn: false });
const shown = (streams: Streams) =>
  ['b', 'c'].map((bucket) =>
    [...streams.inBucket(bucket)].map((each) => ({ ...each })).toSorted((a, b) => a.id - b.id),
  );

describe('K9: logs in memory', () => {
  test('a tenant has twenty thousand', () => {
    const { sql } = memorySqlite();
    createEntryTables(sql);
    const streams = createStreams(sql);
    for (let n = 0; n < 20_000; n += 1) streams.take(key(n), '1');
    expect(MAX_STREAMS).toBe(20_000);
    expect(() => streams.take(key(20_000), '1')).toThrow('A tenant has at most 20000 logs');
    expect(streams.take(key(7), '1').id).toBe(8);
  });

  test('are as they were after a transaction that was rolled back', () => {
    const { sql, transaction } = memorySqlite();
    createEntryTables(sql);
    const streams = createStreams(sql);
    const known = [0, 1, 2, 3].map((n) => streams.take(key(n, n < 3 ? 'b' : 'c'), '5'));
    streams.save();
    streams.stand();
    const before = shown(streams);
    const failed = (): void =>
      transaction(() => {
        streams.take(key(0), '3');
        streams.take(key(0), '9');
        streams.take(key(8), '5');
        streams.take(key(9, 'c'), '5');
        streams.save();
        streams.take(key(9, 'c'), '7');
        streams.drop(streams.inBucket('c'));
        streams.forget(known[1]?.id ?? 0);
        streams.take(key(1), '4');
        throw new Error('rolled back');
      });
    expect(failed).toThrow('rolled back');
    streams.undo();
    expect(shown(streams)).toEqual(before);
    expect(shown(createStreams(sql))).toEqual(before);
    expect(streams.take(key(20), '1').id).toBe(5);
    streams.save();
    expect(shown(createStreams(sql))).toEqual(shown(streams));
  });

  test('are not read again when a call is refused', () => {
    const world = entryWorld();
    world.wrote({ insertId: 'a' });
    world.statements.length = 0;
    const buckets = [{ name: 'projects/p/locations/global/buckets/_Default', retentionDays: 30 }];
    const logName = 'projects/p/logs/none';
    expect(refusalOf(world.run('logging.projects.logs.delete', { do: 'deleteLog', logName, buckets }))).toMatch(
      /^404 /,
    );
    expect(refusalOf(world.write({ entries: [{ logName: 'bad' }] }))).toMatch(/^400 /);
    world.takes(2_000_000_000);
    expect(refusalOf(world.write({ logName, resource: { type: 'global' }, entries: [{}] }))).toMatch(/^429 /);
    expect(world.statements.filter((text) => text.includes('FROM stream'))).toEqual([]);
    world.takes(0);
    expect(world.entries().map(({ insertId }) => insertId)).toEqual(['a']);
  });
});
