import { expect, test } from 'vitest';
import {
  createQueuePort,
  MAX_CALL_BYTES,
  MAX_MESSAGE_BYTES,
  parseTelemetryMessage,
  serializeBatch,
} from '../../src/telemetry/messages.ts';
import { countUtf8Bytes } from '../../src/lib/utf8.ts';
import type { LineRecord, SpanRecord, TelemetryBatch } from '../../src/telemetry/wire.ts';

const ORIGIN = { id: '0123456789abcdef', sentAtMs: 1_790_000_000_000 } as const;
const SPAN: SpanRecord = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  name: 'GET /health',
  kind: 'SERVER',
  startMs: 1,
  endMs: 2,
  attributes: { 'http.response.status_code': 200, text: '"\u0001é€😀' },
};
/** The platform's own limits. */
const PLATFORM = { message: 128_000, call: 256_000 } as const;

const batch = (lines: readonly LineRecord[], spans: readonly SpanRecord[] = []): TelemetryBatch => ({
  service: 'api',
  instance: '0badcafe',
  lines,
  spans,
  dropped: { lines: 3, spans: 4 },
});
const line = (text: string, atMs = 1): LineRecord => ({ atMs, line: text });

test('a batch that fits is one message, and is read as it was', () => {
  const sent = batch([line('{"event":"cron"}')], [SPAN]);
  const [message, ...more] = serializeBatch(sent, ORIGIN);
  expect(more).toEqual([]);
  expect(parseTelemetryMessage(message?.text)).toEqual({ ...ORIGIN, id: `${ORIGIN.id}-0`, batch: sent });
});

test('an empty batch says what was left out', () => {
  const messages = serializeBatch(batch([]), ORIGIN);
  expect(messages.map(({ lost }) => lost)).toEqual([{ lines: 3, spans: 4 }]);
});

/** As much as a batch may hold: control characters and letters beyond ASCII take up to six bytes for one. */
const FULL = batch(
  Array.from({ length: 250 }, (_, at) => line('\u0001'.repeat(at % 2 === 0 ? 8_092 : 700) + '€'.repeat(100), at)),
  Array.from({ length: 250 }, (_, at) => ({ ...SPAN, startMs: at })),
);

test('the largest batch is messages within the size of one, each record once and whole, what was left out said once', () => {
  const messages = serializeBatch(FULL, ORIGIN);
  expect(messages.length).toBeGreaterThan(40);
  for (const { text, bytes } of messages) {
    expect(bytes).toBe(countUtf8Bytes(text));
    expect(bytes).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
  }
  expect(MAX_MESSAGE_BYTES).toBeLessThan(PLATFORM.message);
  const read = messages.map(({ text }) => parseTelemetryMessage(text));
  expect(read.flatMap((message) => message?.batch.lines ?? [])).toEqual(FULL.lines);
  expect(read.flatMap((message) => message?.batch.spans ?? [])).toEqual(FULL.spans);
  expect(new Set(read.map((message) => message?.id)).size).toBe(messages.length);
  expect(read.map((message) => message?.batch.dropped.lines)).toEqual(messages.map((_, at) => (at === 0 ? 3 : 0)));
});

const port = (sendBatch: (bodies: readonly string[]) => Promise<void>, isAudit?: true) =>
  createQueuePort(
    { sendBatch: async (messages) => sendBatch(Array.from(messages, ({ body }) => body)) },
    { now: () => ORIGIN.sentAtMs, randomHex: () => ORIGIN.id, ...(isAudit && { isAudit }) },
  );

test('no call hands more to the queue than it takes at once', async () => {
  const calls: number[] = [];
  const write = port(async (bodies) => void calls.push(bodies.reduce((sum, body) => sum + countUtf8Bytes(body), 0)));
  expect(await write.write(FULL)).toEqual({ lines: 0, spans: 0 });
  expect(calls.length).toBeGreaterThan(20);
  expect(Math.max(...calls)).toBeLessThanOrEqual(MAX_CALL_BYTES);
  expect(MAX_CALL_BYTES).toBeLessThan(PLATFORM.call);
});

test('a queue that takes nothing throws; one that takes a part leaves the rest uncounted for by none', async () => {
  await expect(port(() => Promise.reject(new Error('full'))).write(FULL)).rejects.toThrow('full');
  const taken: string[] = [];
  const write = port(async (bodies) => {
    if (taken.length > 4) throw new Error('full');
    taken.push(...bodies);
  });
  const kept = (sort: 'lines' | 'spans'): number =>
    taken.reduce((sum, body) => sum + (parseTelemetryMessage(body)?.batch[sort].length ?? 0), 0);
  const left = await write.write(FULL);
  expect(left).toEqual({ lines: 250 - kept('lines'), spans: 250 - kept('spans') });
  expect(kept('lines')).toBeGreaterThan(0);
});

test('an audit trail is marked as one', async () => {
  const bodies: string[] = [];
  await port(async (sent) => void bodies.push(...sent), true).write(batch([line('x')]));
  expect(bodies.map((body) => parseTelemetryMessage(body)?.isAudit)).toEqual([true]);
});

test.each<[string, unknown]>([
  ['no text', { id: 'a' }],
  ['no JSON', '{"id":'],
  ['another form', '{"hello":"world"}'],
  ['a batch of another form', JSON.stringify({ ...ORIGIN, batch: { ...batch([]), service: 'other' } })],
  ['a member too many', JSON.stringify({ ...ORIGIN, batch: batch([]), more: 1 })],
])('%s is no message', (_what, body) => {
  expect(parseTelemetryMessage(body)).toBeUndefined();
});
