import { describe, expect, test } from 'vitest';
import { bodyOf, DEFAULT, entriesOf, entryWorld, refusalOf, textIn, texts, toBucket, NOW_MS } from './entry-world.ts';

/** Letters without a pattern in them, the same every time. */
function letters(count: number, seed: number): string {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = Number((BigInt(state) * 48_271n) % 2_147_483_647n);
    return state > 1_073_741_823 ? 'a' : 'b';
  }).join('');
}

/** It has a state of its own for each ending of 21 letters: as dear as a pattern can be. */
const HOSTILE = 'textPayload =~ "(?:a|b)*a(?:a|b){20}[cd]"';
const at = (n: number): string => new Date(NOW_MS - 3_600_000 + n * 1_000).toISOString();
const LOG = 'projects/p/logs/app';
const resource = { type: 'global' };

describe('K9: a page of entries:list ends when its filter has worked enough', () => {
  const world = entryWorld();
  const COUNT = 60;
  const MATCHING = new Set([0, 17, 31, 59]);
  for (let n = 0; n < COUNT; n += 1) {
    const ending = MATCHING.has(n) ? `a${'b'.repeat(20)}c` : '';
    world.wrote({ textPayload: `${letters(4_000, n + 1)}${ending}`, timestamp: at(n), insertId: `i${n}` });
  }

  test.each([
    ['timestamp asc', ['i0', 'i17', 'i31', 'i59']],
    ['timestamp desc', ['i59', 'i31', 'i17', 'i0']],
  ])('and goes on with the next, by %s', (orderBy, expected) => {
    const found: unknown[] = [];
    let pages = 0;
    let pageToken = '';
    do {
      world.rows.read = 0;
      const answer = world.list({ filter: HOSTILE, orderBy, ...(pageToken !== '' && { pageToken }) });
      found.push(...entriesOf(answer).map(({ insertId }) => insertId));
      pageToken = textIn(bodyOf(answer), 'nextPageToken');
      pages += 1;
    } while (pageToken !== '' && pages < 100);
    expect(found).toEqual(expected);
    // Some two million units an entry: two or three make a page.
    expect(pages).toBeGreaterThanOrEqual(15);
    expect(pages).toBeLessThanOrEqual(60);
  });

  test('an ordinary pattern looks at all of them at once', () => {
    const answer = world.list({ filter: 'textPayload =~ "ab{20}c$"', pageSize: 1_000 });
    expect(entriesOf(answer).map(({ insertId }) => insertId)).toEqual(['i0', 'i17', 'i31', 'i59']);
    expect(bodyOf(answer)['nextPageToken']).toBeUndefined();
  });

  test('one entry that takes too much alone is not taken, and the list goes on behind it', () => {
    const large = entryWorld();
    const body = (n: number, text: string) => ({ textPayload: text, timestamp: at(n), insertId: `i${n}` });
    large.wrote(body(0, 'ac'), body(1, letters(65_000, 3)), body(2, `a${'b'.repeat(20)}c`));
    const found: unknown[] = [];
    const sizes: number[] = [];
    let pageToken = '';
    do {
      const answer = large.list({ filter: HOSTILE, ...(pageToken !== '' && { pageToken }) });
      sizes.push(entriesOf(answer).length);
      found.push(...entriesOf(answer).map(({ insertId }) => insertId));
      pageToken = textIn(bodyOf(answer), 'nextPageToken');
    } while (pageToken !== '' && sizes.length < 10);
    expect(found).toEqual(['i2']);
    expect(sizes).toEqual([0, 0, 1]);
  });
});

describe('K9: entries:write with sinks whose filters take too much work', () => {
  const sinks = Array.from({ length: 20 }, (_, n) =>
    toBucket(DEFAULT, HOSTILE.replace('{20}', `{${20 + n}}`), `projects/p/sinks/s${n}`),
  );
  const routes = { 'projects/p': [...sinks, toBucket(DEFAULT)] };
  const entries = (count: number, chars: number) =>
    Array.from({ length: count }, (_, n) => ({ textPayload: letters(chars, n + 1), insertId: `i${n}` }));

  test('is refused as a whole, and keeps nothing', () => {
    const world = entryWorld();
    const answer = world.write({ logName: LOG, resource, entries: entries(1_000, 300) }, { routes });
    expect(refusalOf(answer)).toBe(
      '400 INVALID_ARGUMENT: The filters of the sinks take too much work on these entries: write fewer in one call, or make the filters simpler',
    );
    expect(world.entries()).toEqual([]);
    expect(world.placed).toEqual([]);
    expect(world.sql.exec('SELECT * FROM entry').toArray()).toEqual([]);
  });

  test('is taken with fewer entries, and what comes after it as before', () => {
    const world = entryWorld();
    expect(world.write({ logName: LOG, resource, entries: entries(1_000, 300) }, { routes })).toMatchObject({
      ok: false,
    });
    expect(world.write({ logName: LOG, resource, entries: entries(3, 300) }, { routes })).toMatchObject({ ok: true });
    expect(world.entries()).toHaveLength(3);
    expect(bodyOf(world.logs())).toEqual({ logNames: [LOG] });
  });

  test('a thousand entries pass by two hundred sinks with ordinary filters', () => {
    const world = entryWorld();
    const ordinary = Array.from({ length: 200 }, (_, n) =>
      toBucket(DEFAULT, `severity>=ERROR AND jsonPayload.code="${n}"`, `projects/p/sinks/s${n}`),
    );
    const sent = Array.from({ length: 1_000 }, (_, n) => ({ severity: 'ERROR', jsonPayload: { code: String(n) } }));
    const answer = world.write({ logName: LOG, resource, entries: sent }, { routes: { 'projects/p': ordinary } });
    expect(answer).toMatchObject({ ok: true });
    expect(texts(world.entries({ pageSize: 1_000 }))).toHaveLength(200);
  });
});
