import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/lib/json.ts';
import type { PlacedEntry } from '../../../../src/management/log-store/routing.ts';
import {
  MAX_SESSION_MS,
  type TailSession,
  openTailSession,
} from '../../../../src/management/log-store/tail/session.ts';
import { placedEntry } from '../placed-entry.ts';

type Timer = { atMs: number; work: () => void };

let nowMs: number;
let timers: Set<Timer>;
let ends: number;

beforeEach(() => {
  [nowMs, ends] = [1_800_000_000_000, 0];
  timers = new Set();
});
afterEach(() => {
  timers.clear();
});

const after = (ms: number, work: () => void) => {
  const timer = { atMs: nowMs + ms, work };
  timers.add(timer);
  return () => void timers.delete(timer);
};

/** Lets a time go by; what was to be done in it is done. */
function pass(ms: number): void {
  const untilMs = nowMs + ms;
  for (;;) {
    const [next] = [...timers].filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs);
    if (next === undefined) break;
    timers.delete(next);
    nowMs = next.atMs;
    next.work();
  }
  nowMs = untilMs;
}

const open = (bufferMs = 2_000, wants: (placed: PlacedEntry) => boolean = () => true): TailSession =>
  openTailSession({ bufferMs, wants }, { now: () => nowMs, after }, () => (ends += 1));

const decoder = new TextDecoder();
const readOf = (session: TailSession) => {
  const reader = session.stream.getReader();
  const read = async (): Promise<string> => decoder.decode((await reader.read()).value);
  return { reader, read };
};
const whole = async (session: TailSession): Promise<JsonObject[]> =>
  JSON.parse(await new Response(session.stream).text()) as JsonObject[];
const texts = (element: unknown): unknown[] =>
  ((element as { entries: { textPayload: string }[] }).entries ?? []).map(({ textPayload }) => textPayload);
const some = (count: number, text: string): PlacedEntry[] =>
  Array.from({ length: count }, (_, at) => placedEntry(at % 60, { insertId: `i${at}`, text }));

test('the array is open at once; each element comes when its entries waited as long as asked', async () => {
  const session = open();
  const { read } = readOf(session);
  expect(await read()).toBe('[');
  session.take([placedEntry(1)]);
  const second = read();
  pass(1_999);
  session.take([placedEntry(2)]);
  pass(1);
  expect(texts(JSON.parse(await second))).toEqual(['line 1', 'line 2']);
  session.take([placedEntry(3)]);
  pass(2_000);
  expect(await read()).toMatch(/^,\n\{"entries":\[\{.*"textPayload":"line 3"\}\]\}$/);
});

test('an element has its entries in order of timestamp, and of insertId where that is the same', async () => {
  const session = open();
  session.take([placedEntry(3), placedEntry(1, { insertId: 'b', text: '1b' })]);
  session.take([placedEntry(1, { insertId: 'a', text: '1a' }), placedEntry(2)]);
  pass(MAX_SESSION_MS);
  const [element] = await whole(session);
  expect(texts(element)).toEqual(['1a', '1b', 'line 2', 'line 3']);
});

test('an entry that several sinks placed is told once', async () => {
  const session = open();
  session.take([placedEntry(1), placedEntry(1, { sink: 'projects/p/sinks/other' })]);
  pass(MAX_SESSION_MS);
  expect((await whole(session)).flatMap(texts)).toEqual(['line 1']);
});

test('an entry that is not wanted is not told, and wakes nobody', async () => {
  const session = open(2_000, ({ insertId }) => insertId === 'i2');
  const before = timers.size;
  session.take([placedEntry(1)]);
  expect(timers.size).toBe(before);
  session.take([placedEntry(2)]);
  pass(MAX_SESSION_MS);
  expect((await whole(session)).flatMap(texts)).toEqual(['line 2']);
});

test('after an hour the array is closed, with all that waited', async () => {
  const session = open(60_000);
  pass(MAX_SESSION_MS - 1);
  session.take([placedEntry(1)]);
  expect(ends).toBe(0);
  pass(1);
  expect(ends).toBe(1);
  expect((await whole(session)).flatMap(texts)).toEqual(['line 1']);
  expect(timers.size).toBe(0);
});

test('with nothing written the answer is an empty array', async () => {
  const session = open();
  pass(MAX_SESSION_MS);
  expect(await whole(session)).toEqual([]);
});

test('white space comes every 15 seconds while nothing else does', async () => {
  const { read } = readOf(open());
  await read();
  const beat = read();
  pass(15_000);
  expect(await beat).toBe('\n');
});

test('a reader that goes away ends the session; what is written then is no error', async () => {
  const session = open();
  const { reader } = readOf(session);
  session.take([placedEntry(1)]);
  await reader.cancel();
  expect(ends).toBe(1);
  expect(timers.size).toBe(0);
  session.take([placedEntry(2)]);
  pass(MAX_SESSION_MS);
  expect(ends).toBe(1);
});

describe('what is left out is counted', () => {
  test('RATE_LIMIT: entries beyond 60,000 in a minute', async () => {
    const session = open(0);
    const { read } = readOf(session);
    await read();
    const heard: JsonObject[] = [];
    for (let second = 0; second < 61; second += 1) {
      const element = read();
      session.take(some(1_000, `${second}`));
      pass(0);
      heard.push(JSON.parse((await element).replace(/^,\n/, '')) as JsonObject);
    }
    expect(heard.slice(0, 60).every((each) => texts(each).length === 1_000)).toBe(true);
    expect(heard[60]).toEqual({ suppressionInfo: [{ reason: 'RATE_LIMIT', suppressedCount: 1_000 }] });
    pass(60_000);
    session.take([placedEntry(1)]);
    pass(0);
    let text = '';
    while (!text.includes('entries')) text += await read();
    expect(texts(JSON.parse(text.replace(/^[\n,]*/, '')))).toEqual(['line 1']);
  });

  test('NOT_CONSUMED: entries beyond 10,000 that nobody reads', async () => {
    const session = open(0);
    session.take([placedEntry(1, { text: 'x'.repeat(70_000) })]);
    pass(0);
    session.take(some(10_000, 'waits'));
    pass(0);
    session.take(some(7, 'left out'));
    pass(0);
    pass(MAX_SESSION_MS);
    const elements = await whole(session);
    expect(elements.flatMap(texts)).toHaveLength(10_001);
    expect(elements.flatMap((each) => each['suppressionInfo'] ?? [])).toEqual([
      { reason: 'NOT_CONSUMED', suppressedCount: 7 },
    ]);
  });

  test('NOT_CONSUMED: entries beyond 4 MiB that nobody reads', async () => {
    const session = open(0);
    for (let at = 0; at < 20; at += 1) session.take([placedEntry(at, { text: 'x'.repeat(256 * 1024) })]);
    pass(MAX_SESSION_MS);
    const elements = await whole(session);
    expect(elements.flatMap(texts)).toHaveLength(15);
    expect(elements[0]?.['suppressionInfo']).toEqual([{ reason: 'NOT_CONSUMED', suppressedCount: 5 }]);
  });
});

test('a reader that takes what waited gets the rest, in elements of at most 1,000 entries', async () => {
  const session = open(0);
  session.take([placedEntry(1, { text: 'x'.repeat(70_000) })]);
  pass(0);
  session.take(some(2_500, 'a'));
  pass(0);
  const { read } = readOf(session);
  const sizes: number[] = [];
  let text = '';
  while (sizes.reduce((sum, size) => sum + size, 0) < 2_501) {
    text += await read();
    sizes.splice(0, sizes.length, ...(JSON.parse(`${text}]`) as unknown[]).map((element) => texts(element).length));
  }
  expect(sizes).toEqual([1, 1_000, 1_000, 500]);
});
