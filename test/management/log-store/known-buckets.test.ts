import { describe, expect, test } from 'vitest';
import type { EntryOrder } from '../../../src/management/log-store/order.ts';
import { DAY_MS, DEFAULT, entryWorld, facts, NOW_MS, REQUIRED, texts, toBucket } from './entry-world.ts';

type World = Pick<ReturnType<typeof entryWorld>, 'sql'>;
const rowsIn = ({ sql }: World): number => Number(sql.exec('SELECT count(*) AS n FROM entry').toArray()[0]?.['n']);
const MINE = 'projects/p/locations/global/buckets/mine';
const resource = { type: 'global' };
const buckets = (...told: Extract<EntryOrder, { do: 'buckets' }>['buckets']) =>
  ({ do: 'buckets', buckets: told }) as const;

describe('what is kept how long', () => {
  const reading = { nowMs: NOW_MS, sources: [], salt: '', buckets: [facts(DEFAULT, 365)] };
  test.each<EntryOrder>([
    { do: 'list', ...reading },
    { do: 'logs', containers: [], ...reading },
    { do: 'buckets', buckets: reading.buckets },
  ])('an order says it, whatever it is about: %j', (order) => {
    const world = entryWorld();
    world.wrote({});
    world.run('x', order, { body: {} });
    world.later(31 * DAY_MS);
    expect(world.purgeAll()).toBe(0);
    expect([rowsIn(world), rowsIn(world.reopened())]).toEqual([1, 1]);
    world.later(335 * DAY_MS);
    world.purgeAll();
    expect(rowsIn(world)).toBe(0);
  });

  test('an order of a tail or a copy says it too, and whether that is new', () => {
    const { state } = entryWorld();
    const copy = { do: 'copy', filter: '', bucket: 'b', operation: 'o', ...reading } as const;
    expect([state.learn(copy), state.learn(copy), state.learn({ do: 'tail', ...reading })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('while the retention is changed, it is the longer one', () => {
    const world = entryWorld();
    world.wrote({});
    world.run('x', buckets({ ...facts(DEFAULT, 30), keptDays: 365 }));
    world.later(31 * DAY_MS);
    expect(world.purgeAll()).toBe(0);
    world.run('x', buckets(facts(DEFAULT, 30)));
    expect(world.purgeAll()).toBe(1);
  });

  test('of two orders the one that was made later is believed, also where it comes first', () => {
    const world = entryWorld();
    world.wrote({});
    world.run('x', { ...buckets(facts(DEFAULT, 365)), madeMs: NOW_MS + 2 });
    world.run('x', { ...buckets(facts(DEFAULT, 1)), madeMs: NOW_MS + 1 });
    world.run('x', { ...buckets({ ...facts(DEFAULT), isGone: true }), madeMs: NOW_MS + 1 });
    world.later(2 * DAY_MS);
    expect(world.purgeAll()).toBe(0);
    world.run('x', { ...buckets(facts(DEFAULT, 1)), madeMs: NOW_MS + 2 });
    expect(world.purgeAll()).toBe(1);
  });

  test.each(['doubtBuckets', 'reset'] as const)('after %s nothing is deleted before an order says so', (kind) => {
    const world = entryWorld();
    world.write({ logName: 'projects/p/logs/app', resource, entries: [{}] }, { isOwn: true });
    world.run('x', buckets({ ...facts(DEFAULT), goneInMs: DAY_MS }));
    world.run('x', { do: kind });
    world.later(400 * DAY_MS);
    expect([world.purgeAll(), rowsIn(world)]).toEqual([0, 1]);
    world.run('x', buckets(facts(DEFAULT)));
    expect([world.purgeAll(), rowsIn(world)]).toEqual([1, 0]);
  });

  test('what is doubted is not passed on, and an order that was made before says nothing of it', () => {
    const world = entryWorld();
    const known = () => world.state.buckets().find(([{ name }]) => name === DEFAULT)?.[0].retentionDays;
    world.write({ logName: 'projects/p/logs/app', resource, entries: [{}] }, { isOwn: true });
    world.run('x', buckets(facts(DEFAULT, 3_650)));
    expect([known(), world.state.nextDoubtMs()]).toEqual([3_650, undefined]);
    world.run('x', { do: 'doubtBuckets' });
    expect([known(), world.state.nextDoubtMs()]).toEqual([undefined, NOW_MS + DAY_MS]);
    world.later(DAY_MS);
    expect(world.state.nextDoubtMs()).toBe(NOW_MS + 2 * DAY_MS);
    world.run('x', { ...buckets(facts(DEFAULT, 1)), madeMs: NOW_MS - 1 });
    expect(known()).toBeUndefined();
    world.run('x', { ...buckets(facts(DEFAULT, 3_650)), madeMs: NOW_MS });
    expect([known(), world.state.nextDoubtMs()]).toEqual([3_650, undefined]);
  });

  test('a bucket that gets the retention of another loses what is older, though that was passed by before', () => {
    const world = entryWorld();
    const routes = { 'projects/p': [toBucket(DEFAULT), toBucket(REQUIRED, '', 'projects/p/sinks/_Required')] };
    world.write({ logName: 'projects/p/logs/app', resource, entries: [{}] }, { routes });
    world.later(31 * DAY_MS);
    world.purgeAll();
    expect(rowsIn(world)).toBe(1);
    world.run('x', buckets(facts(REQUIRED, 30)));
    world.purgeAll();
    expect(rowsIn(world)).toBe(0);
  });
});

describe('what came is deleted in its turn', () => {
  test('also what came while the clock was ahead', () => {
    const world = entryWorld();
    world.later(2 * 3_600_000);
    world.wrote({ textPayload: 'ahead' });
    world.later(-2 * 3_600_000);
    world.wrote({ textPayload: 'in time' });
    world.later(30 * DAY_MS + 3_600_000);
    world.state.purge(); // As another bucket's turn makes it.
    expect(rowsIn(world)).toBe(2);
    world.later(2 * 3_600_000);
    world.purgeAll();
    expect(rowsIn(world)).toBe(0);
  });

  test('also what comes once all before it was deleted', () => {
    const world = entryWorld();
    world.wrote({}, {}, {});
    world.later(31 * DAY_MS);
    world.purgeAll();
    expect(rowsIn(world)).toBe(0);
    world.wrote({});
    world.later(31 * DAY_MS);
    world.purgeAll();
    expect(rowsIn(world)).toBe(0);
  });
});

describe('a bucket', () => {
  const written = (generation: string) => {
    const world = entryWorld();
    const routes = { 'projects/p': [toBucket(MINE)] };
    const write = (textPayload: string, of: string) =>
      world.write(
        { logName: 'projects/p/logs/app', resource, entries: [{ textPayload }] },
        { routes, buckets: [{ ...facts(MINE), generation: of }] },
      );
    write('old', generation);
    const shown = (of: string) =>
      texts(world.entries({}, { sources: [{ bucket: MINE }], buckets: [{ ...facts(MINE), generation: of }] }));
    return { ...world, write, shown };
  };

  test('has no entries of one that had its name before, though nobody said that it is gone', () => {
    const world = written('a');
    expect(world.shown('a')).toEqual(['old']);
    world.write('new', 'b');
    expect(world.shown('b')).toEqual(['new']);
    world.purgeAll();
    expect(rowsIn(world)).toBe(1);
    const read = written('a');
    expect(read.shown('b')).toEqual([]);
  });

  test('that is deleted loses its entries when it is gone, by real time, and nobody has to call', () => {
    const world = written('a');
    const deleted = { ...facts(MINE), generation: 'a', goneInMs: 7 * DAY_MS };
    world.run('x', buckets(deleted));
    expect(world.state.nextPurgeMs()).toBe(NOW_MS + 7 * DAY_MS);
    world.later(7 * DAY_MS - 1);
    world.purgeAll();
    expect(world.shown('a')).toEqual(['old']);
    world.run('x', buckets(deleted));
    world.run('x', { ...buckets({ ...deleted, goneInMs: 1 }) });
    world.later(1);
    const again = world.reopened();
    again.later(7 * DAY_MS);
    again.purgeAll();
    expect(rowsIn(again)).toBe(0);
  });

  test('that is had back keeps them', () => {
    const world = written('a');
    world.run('x', buckets({ ...facts(MINE), generation: 'a', goneInMs: 7 * DAY_MS }));
    world.run('x', buckets({ ...facts(MINE), generation: 'a' }));
    world.later(8 * DAY_MS);
    expect([world.purgeAll(), rowsIn(world)]).toEqual([0, 1]);
  });

  test('of which nothing new is said costs a list no write', () => {
    const world = written('a');
    world.shown('a');
    world.statements.length = 0;
    world.shown('a');
    expect(world.statements.filter((text) => !text.trimStart().startsWith('SELECT'))).toEqual([]);
  });
});
