import { expect, test } from 'vitest';
import { MAX_KNOWN } from '../../src/telemetry/recorder.ts';
import { createSampler, TRACES_A_SECOND } from '../../src/telemetry/request-span.ts';
import { isolate } from './world.ts';

const REQUEST = 'c'.repeat(32);
const CALLER = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER_SPAN = '00f067aa0ba902b7';

const arrived = (changes: Partial<{ requestId: string; traceparent: string | null; method: string }> = {}) => ({
  requestId: REQUEST,
  traceparent: null,
  method: 'POST',
  scheme: 'https',
  serverAddress: 'sightline.test',
  ...changes,
});

const ANSWERED = { status: 200, route: '/api/agent/{capability}' };

test('a request is one log entry and one span, in a trace that is named like the request', async () => {
  const one = isolate();
  const request = one.recording.arrived(arrived(), one.carrier());
  await one.pass(12);
  request.answered(ANSWERED);
  const { lines, spans } = one.buffer.take();
  expect(lines).toEqual([
    {
      atMs: 1_000_012,
      line: `{"event":"request","request_id":"${REQUEST}"}`,
      trace: { traceId: REQUEST, spanId: '01'.repeat(8), isSampled: true },
      http: { method: 'POST', route: '/api/agent/{capability}', status: 200, latencyMs: 12 },
    },
  ]);
  expect(spans).toEqual([
    {
      traceId: REQUEST,
      spanId: '01'.repeat(8),
      name: 'POST /api/agent/{capability}',
      kind: 'SERVER',
      startMs: 1_000_000,
      endMs: 1_000_012,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/agent/{capability}',
        'http.response.status_code': 200,
        'url.scheme': 'https',
        'server.address': 'sightline.test',
      },
    },
  ]);
});

test("the caller's trace goes on: our span is a child of its span", () => {
  const one = isolate();
  const traceparent = `00-${CALLER}-${CALLER_SPAN}-01`;
  one.recording.arrived(arrived({ traceparent }), one.carrier()).answered(ANSWERED);
  const [span] = one.buffer.take().spans;
  expect(span).toMatchObject({ traceId: CALLER, parentSpanId: CALLER_SPAN, isRemoteChild: true });
});

test('spans are not kept where the caller keeps none, and the log entry says so', () => {
  const one = isolate();
  const traceparent = `00-${CALLER}-${CALLER_SPAN}-00`;
  one.recording.arrived(arrived({ traceparent }), one.carrier()).answered(ANSWERED);
  const { lines, spans } = one.buffer.take();
  expect(lines.map(({ trace }) => trace?.isSampled)).toEqual([false]);
  expect(spans).toEqual([]);
});

test('a method that is none is not repeated', () => {
  const one = isolate();
  one.recording.arrived(arrived({ method: 'SECRETWORD' }), one.carrier()).answered({ status: 404, route: '' });
  const taken = one.buffer.take();
  expect(taken.spans[0]).toMatchObject({ name: 'HTTP', attributes: { 'http.request.method': '_OTHER' } });
  expect(JSON.stringify(taken)).not.toContain('SECRETWORD');
});

test('an answer of 500 and more is an error of the span; a refusal is none', () => {
  const one = isolate();
  for (const status of [402, 503]) one.recording.arrived(arrived(), one.carrier()).answered({ status, route: '/a' });
  const { spans } = one.buffer.take();
  expect(spans.map(({ isError, attributes }) => [isError, attributes['error.type']])).toEqual([
    [undefined, undefined],
    [true, '503'],
  ]);
});

test('a line that names a request is in its trace; another is in none', () => {
  const one = isolate();
  one.recording.arrived(arrived(), one.carrier());
  one.recording.line('{"event":"sold"}', REQUEST);
  one.recording.line('{"event":"cron"}', undefined);
  expect(one.buffer.take().lines).toEqual([
    { atMs: 1_000_000, line: '{"event":"sold"}', trace: { traceId: REQUEST, spanId: '01'.repeat(8), isSampled: true } },
    { atMs: 1_000_000, line: '{"event":"cron"}' },
  ]);
});

test('nothing is kept before there is somebody to send it', () => {
  const one = isolate();
  one.recording.line('{"event":"refused"}', REQUEST);
  expect(one.buffer.size()).toBe(0);
});

test('a step of a request is a child of its span, and fails as its work does', async () => {
  const one = isolate();
  one.recording.arrived(arrived(), one.carrier());
  await one.recording.timed(REQUEST, { name: 'verify', kind: 'CLIENT' }, () => one.pass(5));
  const failing = one.recording.timed(REQUEST, { name: 'work', kind: 'INTERNAL' }, () =>
    Promise.reject(new TypeError('what a stranger sent')),
  );
  await expect(failing).rejects.toThrow('what a stranger sent');
  const { spans } = one.buffer.take();
  expect(spans).toMatchObject([
    {
      name: 'verify',
      kind: 'CLIENT',
      parentSpanId: '01'.repeat(8),
      traceId: REQUEST,
      startMs: 1_000_000,
      endMs: 1_000_005,
    },
    { name: 'work', kind: 'INTERNAL', isError: true, attributes: { 'error.type': 'TypeError' } },
  ]);
  expect(JSON.stringify(spans)).not.toContain('stranger');
});

test('steps of an unknown request and of one without spans are done all the same', async () => {
  const one = isolate({ mayKeep: () => false });
  one.recording.arrived(arrived(), one.carrier());
  const steps = [REQUEST, 'd'.repeat(32)].map((id) =>
    one.recording.timed(id, { name: 'work', kind: 'INTERNAL' }, async () => 7),
  );
  expect(await Promise.all(steps)).toEqual([7, 7]);
  expect(one.buffer.take().spans).toEqual([]);
});

test('a batch of a queue is a span of its own trace', async () => {
  const one = isolate();
  const task = {
    name: 'process prompts',
    kind: 'CONSUMER',
    attributes: { 'messaging.batch.message_count': 6 },
  } as const;
  expect(await one.recording.task(task, one.carrier(), async () => 'done')).toBe('done');
  expect(one.buffer.take().spans).toMatchObject([{ ...task, traceId: '01'.repeat(8) + '02'.repeat(8) }]);
  expect(one.running).toHaveLength(1);
});

test('K9: requests are known by their ids up to a limit, the latest ones', () => {
  const one = isolate();
  for (let at = 0; at <= MAX_KNOWN; at += 1) {
    one.recording.arrived(arrived({ requestId: at.toString(16).padStart(32, '0') }), one.carrier());
  }
  one.recording.line('{}', '0'.repeat(32));
  one.recording.line('{}', MAX_KNOWN.toString(16).padStart(32, '0'));
  expect(one.buffer.take().lines.map(({ trace }) => trace !== undefined)).toEqual([false, true]);
});

test('spans of so many traces a second are kept, whatever callers ask for', () => {
  let nowMs = 0;
  const mayKeep = createSampler(() => nowMs);
  const kept = (): number => Array.from({ length: TRACES_A_SECOND + 5 }, mayKeep).filter(Boolean).length;
  expect(kept()).toBe(TRACES_A_SECOND);
  nowMs = 999;
  expect(mayKeep()).toBe(false);
  nowMs = 1_000;
  expect(kept()).toBe(TRACES_A_SECOND);
});
