import { describe, expect, test } from 'vitest';
import { MAX_ENTRY_BYTES_KEPT, OWN_BYTES_KEPT } from '../../../src/management/log-store/store.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { DEFAULT, entryWorld, NOW_MS, refusalOf, REQUIRED, texts, toBucket } from './entry-world.ts';

const FULL = MAX_ENTRY_BYTES_KEPT + OWN_BYTES_KEPT;
const resource = { type: 'global' };
const APP = 'projects/p/logs/app';
const at = (seconds: number): string => new Date(NOW_MS - 3_600_000 + seconds * 1_000).toISOString();

/** A tenant, and how the service writes to it. */
function world() {
  const made = entryWorld();
  const own = (...entries: readonly JsonObject[]) =>
    made.write({ logName: APP, resource, entries: [...entries] }, { isOwn: true });
  const shown = (): readonly unknown[] => texts(made.entries({ pageSize: 1_000 }));
  return { ...made, own, shown };
}

describe('when a tenant is full, of what the service wrote itself', () => {
  test('what is below NOTICE makes room, the rest stays while there is any of it', () => {
    const { own, shown, takes } = world();
    const severities = ['NOTICE', 'ERROR', 'DEFAULT', 'DEBUG', 'INFO', 'WARNING'];
    own(...severities.map((severity, index) => ({ severity, textPayload: severity, timestamp: at(index) })));
    takes(FULL);
    own({ textPayload: 'next', severity: 'INFO' });
    expect(shown()).toEqual(['NOTICE', 'ERROR', 'WARNING', 'next']);
    own({ textPayload: 'last', severity: 'NOTICE' });
    expect(shown()).toEqual(['NOTICE', 'ERROR', 'WARNING', 'last']);
  });

  test('where there is nothing below NOTICE, the oldest above it makes room', () => {
    const { own, shown, takes } = world();
    own({ textPayload: 'audit', severity: 'NOTICE' });
    takes(FULL);
    own({ textPayload: 'next', severity: 'ERROR' });
    expect(shown()).toEqual(['next']);
  });

  test('the oldest go first, of all logs and buckets together, and no more at once than a step', () => {
    const { own, write, takes, sql } = world();
    const routes = { 'projects/p': [toBucket(REQUIRED)] };
    // Four streams: a step of 2,000 takes 500 of each at most, and none that is newer than the 500th of any.
    for (const [index, log] of ['a', 'b', 'c'].entries()) {
      const entries = Array.from({ length: 600 }, (_, n) => ({
        textPayload: `${log}${n}`,
        timestamp: at(index * 300 + n),
      }));
      write({ logName: `projects/p/logs/${log}`, resource, entries }, { isOwn: true });
    }
    write(
      { logName: APP, resource, entries: [{ textPayload: 'required', timestamp: at(100) }] },
      { isOwn: true, routes },
    );
    takes(FULL);
    own({ severity: 'NOTICE', textPayload: 'next', timestamp: at(2_000) });
    const left = sql
      .exec("SELECT json ->> '$.textPayload' AS text FROM entry")
      .toArray()
      .map((row) => String(row['text']));
    const countOf = (log: string): number => left.filter((text) => text.startsWith(log)).length;
    expect([countOf('a'), countOf('b'), countOf('c'), left.length]).toEqual([100, 400, 600, 1_101]);
    expect(left).not.toContain('required');
  });

  test('is found behind any number of entries that others wrote, of which none goes', () => {
    const { own, wrote, shown, takes, sql } = world();
    for (let calls = 0; calls < 3; calls += 1) wrote(...Array.from({ length: 1_000 }, () => ({})));
    own({ textPayload: 'old', logName: 'projects/p/logs/own' });
    takes(FULL);
    expect(own({ textPayload: 'new', logName: 'projects/p/logs/own' })).toEqual({ ok: true, status: 200, body: {} });
    expect(sql.exec('SELECT count(*) AS n FROM entry').toArray()).toEqual([{ n: 3_001 }]);
    expect(shown()).not.toContain('old');
  });

  test('nothing is found where there is nothing', () => {
    const { own, takes } = world();
    takes(FULL);
    expect(refusalOf(own({}))).toContain('429 RESOURCE_EXHAUSTED');
  });
});

describe("K2: the tenant's clock", () => {
  test.each([
    ['years behind', Date.UTC(2020, 0, 1)],
    ['years ahead', Date.UTC(2036, 0, 1)],
  ])('that is %s hides what the service writes itself, and loses none of it', (_where, nowMs) => {
    const { write, entries } = entryWorld();
    const sent = [{ textPayload: 'own', timestamp: new Date(NOW_MS).toISOString() }];
    write({ logName: APP, resource, entries: sent }, { isOwn: true, nowMs });
    write({ logName: APP, resource, entries: [{ ...sent[0], textPayload: 'theirs' }] }, { nowMs });
    expect(texts(entries({}, { nowMs }))).toEqual([]);
    expect(texts(entries())).toEqual(['own']);
    expect(texts(entries({}, { sources: [{ bucket: DEFAULT }] }))).toEqual(['own']);
  });
});
