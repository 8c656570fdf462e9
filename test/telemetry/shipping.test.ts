import { expect, test } from 'vitest';
import { KEPT_PLACES, MAX_WAITING_RECORDS } from '../../src/telemetry/buffer.ts';
import { GAP_MS, SHIP_AT, STALE_MS, WAIT_MS } from '../../src/telemetry/shipping.ts';
import { MAX_BATCH_RECORDS, MAX_LINE_CHARS } from '../../src/telemetry/wire.ts';
import { isolate } from './world.ts';

const line = (text = '{}') => ({ atMs: 1, line: text });
const requestLine = { ...line(), http: { method: 'GET', route: '/', status: 200, latencyMs: 1 } };
const span = {
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  name: 'work',
  kind: 'INTERNAL',
  startMs: 1,
  endMs: 2,
  attributes: {},
} as const;

const fill = ({ buffer }: ReturnType<typeof isolate>, count: number): void => {
  for (let at = 0; at < count; at += 1) buffer.line(line());
};

test('what several requests say within a moment goes in one batch, sent by the first', async () => {
  const one = isolate();
  fill(one, 1);
  one.ship(one.carrier());
  fill(one, 2);
  one.ship(one.carrier());
  await one.pass(WAIT_MS - 1);
  expect(one.sent).toEqual([]);
  await one.pass(1);
  expect(one.sent.map(({ lines }) => lines.length)).toEqual([3]);
  expect(one.running).toHaveLength(1);
});

test('an invocation that others wait for sends at once, one batch, and none within the gap after another', async () => {
  const one = isolate();
  const awaited = () => ({ ...one.carrier(), isAwaited: true });
  fill(one, MAX_BATCH_RECORDS + 1);
  one.ship(awaited());
  await one.pass(0);
  expect(one.sent.map(({ lines }) => lines.length)).toEqual([MAX_BATCH_RECORDS]);
  await one.pass(GAP_MS - 1);
  one.ship(awaited());
  expect(one.running).toHaveLength(1);
  await one.pass(1);
  one.ship(awaited());
  await one.pass(0);
  expect(one.sent.map(({ lines }) => lines.length)).toEqual([MAX_BATCH_RECORDS, 1]);
});

test('it leaves the sending to a request that is at it, however much there is', async () => {
  const one = isolate();
  fill(one, 1);
  one.ship(one.carrier());
  fill(one, SHIP_AT);
  one.ship({ ...one.carrier(), isAwaited: true });
  await one.pass(0);
  expect(one.sent).toEqual([]);
  await one.pass(WAIT_MS);
  expect(one.sent.map(({ lines }) => lines.length)).toEqual([SHIP_AT + 1]);
});

test('with nothing to send nobody is kept waiting', () => {
  const one = isolate();
  one.ship(one.carrier());
  expect(one.running).toEqual([]);
});

test('many records are sent without waiting longer, by the request that brings them', async () => {
  const one = isolate();
  fill(one, 1);
  one.ship(one.carrier());
  fill(one, SHIP_AT);
  one.ship(one.carrier());
  await one.pass(0);
  expect(one.sent.map(({ lines }) => lines.length)).toEqual([SHIP_AT + 1]);
  await one.pass(WAIT_MS);
  expect(one.sent).toHaveLength(1); // The first finds nothing to do.
});

test('between two batches there is a gap, however much there is to say', async () => {
  const one = isolate();
  fill(one, SHIP_AT);
  one.ship(one.carrier());
  one.ship(one.carrier());
  await one.pass(0);
  fill(one, SHIP_AT);
  one.ship(one.carrier());
  one.ship(one.carrier());
  await one.pass(GAP_MS - 1);
  expect(one.sent).toHaveLength(1);
  one.ship(one.carrier());
  await one.pass(1);
  one.ship(one.carrier());
  await one.pass(0);
  expect(one.sent).toHaveLength(2);
});

test('who sends goes on while there is something left, and the rest waits for the next request', async () => {
  const one = isolate();
  fill(one, MAX_BATCH_RECORDS + 1);
  one.ship(one.carrier());
  await one.pass(WAIT_MS);
  await one.pass(WAIT_MS);
  expect(one.sent.map(({ lines }) => lines.length)).toEqual([MAX_BATCH_RECORDS, 1]);
});

test('a batch that cannot be sent is dropped, counted in the next, and never sent again', async () => {
  const one = isolate();
  fill(one, 2);
  one.buffer.span(span);
  one.ship(one.carrier(() => Promise.reject(new Error('down'))));
  await one.pass(WAIT_MS);
  expect(one.failures).toEqual([new Error('down')]);
  fill(one, 1);
  one.ship(one.carrier());
  await one.pass(WAIT_MS);
  expect(one.sent).toEqual([{ lines: [line()], spans: [], dropped: { lines: 2, spans: 1 } }]);
  await expect(Promise.all(one.running)).resolves.toBeDefined();
});

test('a request that was ended in the middle does not stop the others for good', async () => {
  const one = isolate();
  fill(one, 1);
  one.ship(one.carrier(() => new Promise(() => undefined)));
  await one.pass(WAIT_MS);
  fill(one, 1);
  one.ship(one.carrier());
  await one.pass(WAIT_MS);
  expect(one.sent).toEqual([]);
  await one.pass(STALE_MS);
  one.ship(one.carrier());
  await one.pass(WAIT_MS);
  expect(one.sent).toHaveLength(1);
});

test('a batch whose invocation ends in mid-write is counted, once, however late it fails', async () => {
  const one = isolate();
  const late = Promise.withResolvers<void>();
  fill(one, 200);
  one.buffer.span(span);
  one.ship(one.carrier(() => late.promise));
  await one.pass(WAIT_MS);
  await one.pass(STALE_MS);
  fill(one, 1);
  one.ship(one.carrier());
  late.reject(new Error('too late'));
  await one.pass(WAIT_MS);
  fill(one, 1);
  one.ship(one.carrier());
  await one.pass(WAIT_MS);
  expect(one.sent.map(({ dropped }) => dropped)).toEqual([
    { lines: 200, spans: 1 },
    { lines: 0, spans: 0 },
  ]);
});

test('who was taken to be gone and comes back leaves the next to its work', async () => {
  const one = isolate();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  fill(one, 1);
  one.ship(one.carrier(() => first.promise));
  await one.pass(WAIT_MS);
  await one.pass(STALE_MS);
  fill(one, 1);
  one.ship(one.carrier(() => second.promise));
  await one.pass(WAIT_MS);
  first.resolve();
  await one.pass(0);
  fill(one, SHIP_AT);
  one.ship(one.carrier()); // The second is at it still.
  await one.pass(WAIT_MS);
  expect(one.running).toHaveLength(2);
  expect(one.sent).toEqual([]);
});

test.each<[string, unknown, object]>([
  ['some', { lines: 1, spans: 1 }, { lines: 1, spans: 1 }],
  ['all', 'all', { lines: 2, spans: 1 }],
  ['what is no number', { lines: -1, spans: '1' }, { lines: 0, spans: 0 }],
  ['nothing', undefined, { lines: 0, spans: 0 }],
])('records that were not kept are counted in the next batch: %s', async (_what, answer, dropped) => {
  const one = isolate();
  fill(one, 2);
  one.buffer.span(span);
  one.ship(one.carrier(async () => answer));
  await one.pass(WAIT_MS);
  fill(one, 1);
  one.ship(one.carrier());
  await one.pass(WAIT_MS);
  expect(one.sent.map((taken) => taken.dropped)).toEqual([dropped]);
  expect(one.failures).toEqual([]);
});

test('what a lost batch told of those before it is told again', async () => {
  const one = isolate();
  const down = one.carrier(() => Promise.reject(new Error('down')));
  for (const count of [2, 3]) {
    fill(one, count);
    one.buffer.span(span);
    one.ship(down);
    await one.pass(WAIT_MS);
  }
  fill(one, 1);
  one.ship(one.carrier());
  await one.pass(WAIT_MS);
  expect(one.sent.map(({ dropped }) => dropped)).toEqual([{ lines: 5, spans: 2 }]);
});

test('no round begins so late that its invocation could end in it', async () => {
  const one = isolate();
  const startMs = one.now();
  const begun: number[] = [];
  const slow = async (): Promise<void> => {
    begun.push(one.now() - startMs);
    fill(one, 1);
    await one.wait(5_000); // As long as a write may take.
  };
  fill(one, 1);
  one.ship(one.carrier(slow));
  for (let at = 0; at < 60; at += 1) await one.pass(1_000);
  expect(begun).toEqual([1_000, 7_000, 13_000, 19_000]);
});

test('a context that is over fails no request', () => {
  const one = isolate();
  fill(one, 1);
  const over = (): never => {
    throw new Error('this context is over');
  };
  expect(() => one.ship({ ...one.carrier(), waitUntil: over })).not.toThrow();
});

test('K9: the buffer has an end: what comes then is counted, and lines of requests leave room for what matters more', async () => {
  const one = isolate();
  for (let at = 0; at < MAX_WAITING_RECORDS; at += 1) one.buffer.line(requestLine);
  fill(one, KEPT_PLACES + 5);
  for (let at = 0; at < MAX_WAITING_RECORDS + 7; at += 1) one.buffer.span(span);
  expect(one.buffer.size()).toBe(2 * MAX_WAITING_RECORDS);
  expect(one.buffer.take().dropped).toEqual({ lines: KEPT_PLACES + 5, spans: 7 });
});

test.each([
  ['one line', 1, MAX_LINE_CHARS + 1],
  ['all lines together', 1, 0],
])('K9: characters of %s have a limit', (kind, dropped, chars) => {
  const one = isolate();
  if (kind === 'one line') one.buffer.line(line('x'.repeat(chars)));
  else for (let at = 0; at < 129; at += 1) one.buffer.line(line('x'.repeat(MAX_LINE_CHARS)));
  expect(one.buffer.take().dropped).toEqual({ lines: dropped, spans: 0 });
});
