import { describe, expect, test } from 'vitest';
import { PURGE_STEP } from '../../../src/management/log-store/purge.ts';
import {
  bodyOf,
  DAY_MS,
  DEFAULT,
  entriesOf,
  entryWorld,
  facts,
  NOW_MS,
  REQUIRED,
  refusalOf,
  textIn,
  texts,
  toBucket,
} from './entry-world.ts';

const resource = { type: 'global' };
const APP = 'projects/p/logs/app';
const rowsIn = ({ sql }: ReturnType<typeof entryWorld>, table: 'entry' | 'stream' | 'dropped'): number =>
  Number(sql.exec(`SELECT count(*) AS n FROM ${table}`).toArray()[0]?.['n']);

describe('logs.list', () => {
  const world = entryWorld();
  world.wrote(
    { logName: 'projects/p/logs/b' },
    { logName: 'projects/p/logs/a', severity: 'ERROR' },
    { logName: 'projects/p/logs/a' },
    { logName: 'projects/p/logs/old', timestamp: new Date(NOW_MS - 29 * DAY_MS).toISOString() },
  );
  const entries = [{ logName: 'projects/q/logs/other' }];
  world.write({ resource, entries }, { routes: { 'projects/q': [toBucket(DEFAULT)] } });

  test('has the names of logs that have entries, each once, in order', () => {
    expect(bodyOf(world.logs())).toEqual({
      logNames: ['projects/p/logs/a', 'projects/p/logs/b', 'projects/p/logs/old'],
    });
  });

  test('of the containers that are asked for, and of all in a bucket where none is', () => {
    expect(bodyOf(world.logs({ containers: ['projects/q'] }))).toEqual({ logNames: ['projects/q/logs/other'] });
    expect(bodyOf(world.logs({ containers: [] }))['logNames']).toHaveLength(4);
    expect(bodyOf(world.logs({ sources: [{ bucket: REQUIRED }] }))).toEqual({});
  });

  test('without those whose entries are all past the retention', () => {
    expect(bodyOf(world.logs({ nowMs: NOW_MS + 2 * DAY_MS }))['logNames']).not.toContain('projects/p/logs/old');
  });

  test('of a view, those of which it shows an entry', () => {
    const shown = (filter: string) => bodyOf(world.logs({ sources: [{ bucket: DEFAULT, filter }] }))['logNames'];
    expect(shown('LOG_ID("b")')).toEqual(['projects/p/logs/b']);
    expect(shown('NOT LOG_ID("b") AND NOT LOG_ID("old")')).toEqual(['projects/p/logs/a']);
    expect(shown('resource.type="other"')).toBeUndefined();
  });

  test('in pages; a token of another query is refused', () => {
    const first = bodyOf(world.logs({}, { pageSize: 2 }));
    expect(first['logNames']).toEqual(['projects/p/logs/a', 'projects/p/logs/b']);
    const pageToken = textIn(first, 'nextPageToken');
    expect(bodyOf(world.logs({}, { pageSize: 2, pageToken }))).toEqual({ logNames: ['projects/p/logs/old'] });
    expect(refusalOf(world.logs({}, { resourceNames: ['projects/q'], pageToken }))).toContain('pageToken');
    expect(bodyOf(world.logs({}, { pageSize: -1 }))['logNames']).toHaveLength(3);
  });
});

describe('logs.delete', () => {
  const remove = (world: ReturnType<typeof entryWorld>, logName: string) =>
    world.run('logging.projects.logs.delete', { do: 'deleteLog', logName, buckets: [facts(DEFAULT), facts(REQUIRED)] });

  test('deletes all entries of the log in the _Default bucket, and of no other log', () => {
    const world = entryWorld();
    world.wrote(
      { textPayload: 'gone' },
      { severity: 'ERROR' },
      { logName: 'projects/p/logs/a%2Fb', textPayload: 'stays' },
    );
    expect(remove(world, APP)).toBeNull();
    expect(texts(world.entries())).toEqual(['stays']);
    expect(remove(world, 'projects/p/logs/a/b')).toBeNull();
    expect(bodyOf(world.logs())).toEqual({});
    expect(world.purgeAll()).toBe(3);
    expect(rowsIn(world, 'entry')).toBe(0);
  });

  test('the log is there again with the next entry', () => {
    const world = entryWorld();
    const entry = { insertId: 'same', timestamp: '2026-11-21T11:00:00Z' };
    world.wrote({ ...entry, textPayload: 'first' });
    remove(world, APP);
    world.wrote({ ...entry, textPayload: 'second' });
    world.purgeAll();
    expect(texts(world.entries())).toEqual(['second']);
  });

  test('what another bucket has of it stays', () => {
    const world = entryWorld();
    const routes = { 'projects/p': [toBucket(REQUIRED)] };
    world.write({ logName: APP, resource, entries: [{ textPayload: 'audit' }] }, { routes });
    expect(remove(world, APP)).toBeNull();
    expect(texts(world.entries())).toEqual(['audit']);
  });

  test('a log without entries is not there', () => {
    expect(refusalOf(remove(entryWorld(), APP))).toContain('404 NOT_FOUND');
  });
});

describe('buckets', () => {
  test('entries of a bucket that is gone are gone at once, and deleted by and by', () => {
    const world = entryWorld();
    for (let n = 0; n < 3; n += 1) world.wrote(...Array.from({ length: 1_000 }, () => ({})));
    expect(world.state.isEmpty(DEFAULT)).toBe(false);
    expect(world.run('x', { do: 'buckets', buckets: [{ ...facts(DEFAULT), isGone: true }] })).toBeNull();
    expect(world.state.isEmpty(DEFAULT)).toBe(true);
    expect(world.entries()).toEqual([]);
    world.state.purge();
    expect(rowsIn(world, 'entry')).toBe(3_000 - PURGE_STEP);
    expect(world.purgeAll()).toBe(1);
    expect([rowsIn(world, 'entry'), rowsIn(world, 'dropped'), rowsIn(world, 'stream')]).toEqual([0, 0, 0]);
    expect(world.state.nextPurgeMs()).toBeUndefined();
  });
});

describe('K2: retention goes by the real time of receipt', () => {
  test('an entry is deleted when its bucket has kept it long enough, not before', () => {
    const world = entryWorld();
    const routes = { 'projects/p': [toBucket(DEFAULT, 'severity<ERROR'), toBucket(REQUIRED, 'severity>=ERROR')] };
    const entries = [{ textPayload: 'short' }, { textPayload: 'long', severity: 'ERROR' }];
    world.write({ logName: APP, resource, entries }, { routes });
    expect(world.state.nextPurgeMs()).toBe(NOW_MS + 30 * DAY_MS + 3_600_000);
    world.later(30 * DAY_MS);
    expect(world.purgeAll()).toBe(0);
    world.later(3_600_000);
    expect(world.purgeAll()).toBe(1);
    expect([rowsIn(world, 'entry'), rowsIn(world, 'stream')]).toEqual([1, 1]);
    expect(world.state.nextPurgeMs()).toBe(NOW_MS + 400 * DAY_MS + 3_600_000);
    expect(world.state.isEmpty(DEFAULT)).toBe(true);
    world.later(400 * DAY_MS);
    world.purgeAll();
    expect(rowsIn(world, 'entry')).toBe(0);
  });

  test("the tenant's clock deletes nothing", () => {
    const world = entryWorld();
    world.wrote({ textPayload: 't' });
    world.write({ logName: APP, resource, entries: [{}] }, { nowMs: NOW_MS + 1_000 * DAY_MS });
    expect(world.purgeAll()).toBe(0);
    expect(texts(world.entries())).toEqual(['t']);
  });

  test('a bucket that keeps for fewer days loses what is older, and one for more keeps it', () => {
    const world = entryWorld();
    world.wrote({ textPayload: 't' });
    const keepFor = (days: number) => world.run('x', { do: 'buckets', buckets: [facts(DEFAULT, days)] });
    world.later(10 * DAY_MS);
    keepFor(400);
    world.later(25 * DAY_MS);
    expect(world.purgeAll()).toBe(0);
    keepFor(30);
    expect(world.purgeAll()).toBe(1);
    expect(rowsIn(world, 'entry')).toBe(0);
  });
});

describe('a reset', () => {
  test('K2: takes all but what the service wrote itself', () => {
    const world = entryWorld();
    let resets = 0;
    world.state.onReset(() => {
      resets += 1;
    });
    world.write({ logName: APP, resource, entries: [{ textPayload: 'own' }] }, { isOwn: true });
    world.wrote({ textPayload: 'theirs' });
    expect(world.run('', { do: 'reset' })).toBeNull();
    expect(texts(world.entries())).toEqual(['own']);
    expect(resets).toBe(1);
    world.purgeAll();
    expect(rowsIn(world, 'entry')).toBe(1);
  });
});

test('what is kept is still there when the object starts again', () => {
  const first = entryWorld();
  first.wrote({ textPayload: 'a' }, { textPayload: 'b', severity: 'ERROR' });
  const again = first.reopened();
  expect(texts(entriesOf(again.list()))).toEqual(['a', 'b']);
  again.later(1);
  again.wrote({ textPayload: 'c' });
  expect(texts(again.entries())).toEqual(['a', 'b', 'c']);
});
