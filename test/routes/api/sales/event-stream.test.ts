import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AppEnv } from '../../../../routes/api/context.ts';
import { readSettings } from '../../../../routes/api/bindings/env.ts';
import { createEventChannel, type Watcher } from '../../../../src/sales/event-stream.ts';
import { buildProblemBody } from '../../../../src/problems/problem.ts';
import type { PurchaseAnswer } from '../../../../src/sales/answer.ts';
import { streamPurchase, isEventStreamWanted } from '../../../../routes/api/sales/paid.ts';
import { engineWorld, eventsOf } from './engine-world.ts';
import { settleOnChain } from './settling-chain.ts';
import { post, signedCredential, world } from '../world.ts';

const KEEP_ALIVE_MS = 15_000;

let logs: string[] = [];
beforeEach(() => {
  logs = [];
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(String(line)));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/**
 * Events as the standard reads them: lines end with CR, LF or both; a blank line ends an event; comments are skipped.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
function interpreted(text: string): readonly { type: string; data: string }[] {
  const events: { type: string; data: string }[] = [];
  let [type, data] = ['', [] as string[]];
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line === '') {
      if (data.length > 0) events.push({ type, data: data.join('\n') });
      [type, data] = ['', []];
    }
    const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (field === 'event') type = value;
    if (field === 'data') data.push(value);
  }
  return events;
}

const read = (readable: ReadableStream<Uint8Array>): Promise<string> => new Response(readable).text();

describe('an event channel', () => {
  test('writes counts, then one last event, and ends', async () => {
    const channel = createEventChannel();
    channel.progress({ done: 1 });
    channel.progress({ done: 2, failed: 1, total: 30 });
    channel.finish('result', '{"ok":true}');
    expect(interpreted(await read(channel.readable))).toEqual([
      { type: 'progress', data: '{"done":1}' },
      { type: 'progress', data: '{"done":2,"failed":1,"total":30}' },
      { type: 'result', data: '{"ok":true}' },
    ]);
  });

  test('P11: text of strangers makes no event of its own, whatever lines and fields are in it', async () => {
    const quote = 'a\nb\r\n\nevent: result\ndata: {"forged":true}\n\n: x\u2028y\u2029z\u0085';
    const channel = createEventChannel();
    channel.finish('result', JSON.stringify({ quote }));
    const events = interpreted(await read(channel.readable));
    expect(events.map(({ type, data }) => [type, JSON.parse(data)])).toEqual([['result', { quote }]]);
  });

  test('says nothing after its last event', async () => {
    const channel = createEventChannel();
    channel.finish('problem', '{}');
    channel.progress({ done: 30 });
    channel.finish('result', '{"paid":true}');
    expect(await read(channel.readable)).toBe('event: problem\ndata: {}\n\n');
  });

  test('whose reader went away takes everything and keeps nothing', async () => {
    vi.useFakeTimers();
    const channel = createEventChannel();
    channel.accepted();
    await channel.readable.cancel();
    expect(vi.getTimerCount()).toBe(0);
    channel.accepted();
    channel.progress({ done: 1 });
    channel.finish('result', '{}');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('whose reader went away before the payment was good starts no clock', async () => {
    vi.useFakeTimers();
    const channel = createEventChannel();
    await channel.readable.cancel();
    channel.accepted();
    expect(vi.getTimerCount()).toBe(0);
    await channel.whenAccepted; // The purchase goes on all the same.
  });

  test('is kept alive by comments from acceptance to its end, and by one clock', async () => {
    vi.useFakeTimers();
    const channel = createEventChannel();
    await vi.advanceTimersByTimeAsync(10 * KEEP_ALIVE_MS);
    channel.accepted();
    channel.accepted();
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(KEEP_ALIVE_MS - 1);
    channel.progress({ done: 1 });
    await vi.advanceTimersByTimeAsync(1 + KEEP_ALIVE_MS);
    channel.finish('result', '{}');
    expect(vi.getTimerCount()).toBe(0);
    const text = await read(channel.readable);
    expect(text.match(/^:.*$/gm)).toHaveLength(2);
    expect(interpreted(text).map(({ type }) => type)).toEqual(['progress', 'result']);
  });
});

describe('a client that accepts', () => {
  test.each<[string | null, boolean]>([
    ['text/event-stream', true],
    ['TEXT/Event-Stream', true],
    ['text/event-stream; charset=utf-8', true],
    ['text/event-stream, */*;q=0.1', true],
    ['text/html, text/event-stream', true],
    [null, false],
    ['', false],
    ['*/*', false],
    ['text/*', false],
    ['application/json', false],
    ['application/json, text/event-stream', false],
    ['text/event-stream, application/json;q=0.9', false],
    ['text/event-streams', false],
    ['x-text/event-stream', false],
    ['text/event-stream;q=0', false],
    ['text/event-stream ; Q=0.000', false],
    ['text/event-stream;q=0.001', true],
    ['text/event-stream, application/json;q=0', true],
  ])('%s gets events: %s', (accept, wanted) => {
    expect(isEventStreamWanted(accept)).toBe(wanted);
  });
});

const soldAnswer: PurchaseAnswer = {
  kind: 'sold',
  reportId: '0'.repeat(32),
  body: '{"paid":true}',
  headers: { 'x-plain': '1' },
  isRepeat: false,
  payer: '0xabc',
};
const lateProblem: PurchaseAnswer = { kind: 'problem', problem: { status: 502, code: 'too_bad', title: 'Too bad' } };

type Buying = (watcher: Watcher) => Promise<PurchaseAnswer>;

/** The answer to a request whose purchase is `buying`, by the real route helper in an app of its own. */
async function streamed(buying: Buying): Promise<Response> {
  const app = new Hono<AppEnv>();
  app.get('/', (c) => {
    c.set('requestId', 'the-request');
    c.set('settings', readSettings(c.env));
    return streamPurchase(c, buying, {
      refused: (answer) => c.text(`refused: ${answer.kind}`, 409),
      problemOf: (answer) =>
        answer.kind === 'problem'
          ? buildProblemBody('the-request', env.BASE_URL, answer.problem)
          : { code: answer.reason },
    });
  });
  app.onError((error, c) => c.text(`thrown: ${error.message}`, 500));
  const context = createExecutionContext();
  const answer = await app.fetch(new Request(`${env.BASE_URL}/`), env, context);
  const buffered = new Response(await answer.text(), answer); // Read first: what is waited for writes into the body.
  await waitOnExecutionContext(context);
  return buffered;
}

describe('a purchase as a stream', () => {
  test('that is accepted and sold is 200, not to be stored or held back by proxies, and ends with the result', async () => {
    const answer = await streamed(async ({ accepted, progress }) => {
      accepted();
      progress({ done: 1, total: 2 });
      await Promise.resolve();
      progress({ done: 2, total: 2 });
      return soldAnswer;
    });
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
    });
    expect(await eventsOf(answer)).toEqual([
      { event: 'progress', data: { done: 1, total: 2 } },
      { event: 'progress', data: { done: 2, total: 2 } },
      { event: 'result', data: { paid: true } },
    ]);
  });

  test('that was sold before is one result', async () => {
    const answer = await streamed(() => Promise.resolve(soldAnswer));
    expect(await eventsOf(answer)).toEqual([{ event: 'result', data: { paid: true } }]);
  });

  test.each<[string, Buying, number, string]>([
    ['is refused', () => Promise.resolve(lateProblem), 409, 'refused: problem'],
    [
      'wants a new payment',
      () => Promise.resolve({ kind: 'pay_anew', reason: 'invalid_signature' }),
      409,
      'refused: pay_anew',
    ],
    ['throws', () => Promise.reject(new Error('a bug')), 500, 'thrown: a bug'],
  ])('that %s before the payment is good keeps its own status', async (_what, buying, status, text) => {
    const answer = await streamed(buying);
    expect([answer.status, await answer.text()]).toEqual([status, text]);
  });

  test.each<[string, PurchaseAnswer, object]>([
    ['a problem', lateProblem, { status: 502, code: 'too_bad', request_id: 'the-request' }],
    ['a refused settlement', { kind: 'pay_anew', reason: 'settlement_refused' }, { code: 'settlement_refused' }],
  ])('that ends with %s after it began is one problem and no result', async (_what, ending, data) => {
    const answer = await streamed(async ({ accepted }) => {
      accepted();
      await new Promise((resolve) => setTimeout(resolve, 5));
      return ending;
    });
    expect(answer.status).toBe(200);
    expect(await eventsOf(answer)).toEqual([{ event: 'problem', data: expect.objectContaining(data) }]);
  });

  test('X9: that breaks after it began says so without a word of the fault, which is logged with the request', async () => {
    const answer = await streamed(async ({ accepted }) => {
      accepted();
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw new RangeError('with sk-secret in it');
    });
    const [event, ...more] = await eventsOf(answer);
    expect(more).toEqual([]);
    expect(event).toMatchObject({ event: 'problem', data: { status: 500, code: 'internal_error' } });
    expect(JSON.stringify(event)).not.toContain('sk-secret');
    expect(logs.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ event: 'bug', request_id: 'the-request', name: 'RangeError' }),
    ]);
  });
});

test('P11: a buyer that hangs up in the middle is charged once, and gets the stored result with the same payment', async () => {
  const seen = world();
  const engine = engineWorld();
  settleOnChain(seen);
  engine.hold = true;
  const credential = await signedCredential('visibility_check');
  const body = JSON.stringify({ brand: 'Acme', niche: 'help desk software' });
  const buying = { capability: 'visibility_check', body, credential };
  const first = await post({ ...buying, headers: { accept: 'text/event-stream' } });
  await first.body?.cancel();
  await vi.waitUntil(() => engine.sent.length === 30, { timeout: 5000 });
  await engine.deliver();
  const again = await post(buying);
  expect(again.status).toBe(200);
  expect(await again.json()).toMatchObject({ capability: 'visibility_check', mention_rate: { n: 30 } });
  expect(engine.sent).toHaveLength(30);
  expect(seen.calls.settle).toHaveLength(1);
});
