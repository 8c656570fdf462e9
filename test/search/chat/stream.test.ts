import { afterEach, describe, expect, test, vi } from 'vitest';
import { createChatFrames, type Frames, legacyFrames, collectAnswer } from '../../../src/search/chat/frames.ts';
import { createChatStream } from '../../../src/search/chat/stream.ts';
import { streamReply } from '../../../src/models/core/reply.ts';
import type { ChatEngine, ChatPiece } from '../../../src/models/port.ts';
import { naughty } from '../../support/audit/hostile-text.ts';

const NAME = { id: 'chatcmpl-1', created: 1_790_000_000, model: 'm' };
const text = (of: string): ChatPiece => ({ kind: 'text', text: of });
const END: ChatPiece = { kind: 'end', finish: 'stop' };
const FAILED: ChatPiece = { kind: 'failure', reason: 'rate_limited', detail: 'status 429', retryable: true };
const NEVER = new Promise<never>(() => {});

/** An engine that says what it is given, waiting where a promise stands; `asked` tells how often, `stopped` whether it was. */
function engineOf(...given: (ChatPiece | Promise<unknown>)[]) {
  const seen = { asked: 0, stopped: false };
  const engine: ChatEngine = {
    kind: 'simulated',
    model: 'm',
    reply: (_messages, signal) => {
      seen.asked += 1;
      signal.addEventListener('abort', () => (seen.stopped = true));
      return streamReply(said(), signal);
    },
  };
  async function* said(): AsyncGenerator<ChatPiece> {
    for (const one of given) {
      if (one instanceof Promise) await one;
      else yield one;
    }
  }
  return { engine, seen };
}

const streamOf = (
  engine: ChatEngine,
  {
    frames = createChatFrames(NAME, [{ id: 'c1' }]),
    onBug = () => {},
    limitMs = 5_000,
  }: { frames?: Frames; onBug?: (error: unknown) => void; limitMs?: number } = {},
) => createChatStream({ engine, messages: [], frames, onBug, limitMs });
const textIn = (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text();
const piece = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const CHUNKS = 'event: chunks\ndata: [{"id":"c1"}]\n\n';

describe('a chat as events', () => {
  afterEach(() => vi.useRealTimers());

  test('has what was found first, then the answer in pieces, its end, and [DONE]', async () => {
    expect(await textIn(streamOf(engineOf(text('A '), text('part.'), END).engine))).toBe(
      [
        CHUNKS,
        piece({ content: 'A ' }, null),
        piece({ content: 'part.' }, null),
        piece({}, 'stop'),
        'data: [DONE]\n\n',
      ].join(''),
    );
  });

  test('of the older interface is the answer only', async () => {
    expect(await textIn(streamOf(engineOf(text('A '), text('part.'), END).engine, { frames: legacyFrames }))).toBe(
      'data: {"response":"A "}\n\ndata: {"response":"part."}\n\ndata: [DONE]\n\n',
    );
  });

  test('begins before the engine is asked', async () => {
    const { engine, seen } = engineOf(NEVER);
    const reader = streamOf(engine).getReader();
    expect(seen.asked).toBe(0);
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(CHUNKS);
    await reader.cancel();
  });

  test('that fails later ends with one error in our words, and without [DONE]', async () => {
    expect(await textIn(streamOf(engineOf(text('A '), FAILED).engine))).toBe(
      [
        CHUNKS,
        piece({ content: 'A ' }, null),
        'event: error\ndata: {"error":{"code":"engine_rate_limited","message":"The answer engine did not answer: status 429"}}\n\n',
      ].join(''),
    );
  });

  test('that takes too long ends with an error, and the engine is stopped', async () => {
    const { engine, seen } = engineOf(text('A '), NEVER);
    expect(await textIn(streamOf(engine, { limitMs: 50 }))).toMatch(
      /event: error\ndata: \{"error":\{"code":"engine_timeout",.*\}\}\n\n$/,
    );
    expect(seen.stopped).toBe(true);
  });

  test.each([
    ['nobody reads on', 0],
    ['its reader has gone quiet', 1],
  ])('that takes too long ends while %s', async (_when, reads) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    const { engine, seen } = engineOf(text('A '), text('part.'), text(' More.'), NEVER);
    const reader = streamOf(engine).getReader();
    await reader.read();
    for (let read = 0; read < reads; read += 1) await reader.read();
    await vi.waitFor(() => expect(seen.asked).toBe(1));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(seen.stopped).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
    let last = '';
    for (let part = await reader.read(); !part.done; part = await reader.read())
      last = new TextDecoder().decode(part.value);
    expect(last).toBe(
      'event: error\ndata: {"error":{"code":"engine_timeout","message":"The answer engine did not answer: the answer took too long"}}\n\n',
    );
  });

  test('says before its end what it used, where that is asked for and known', async () => {
    const usage = { inputTokens: 3, outputTokens: 2 };
    const frames = createChatFrames(NAME, [], { showsUsage: true });
    const told = await textIn(streamOf(engineOf(text('A'), { kind: 'end', finish: 'stop', usage }).engine, { frames }));
    const { choices, ...last } = JSON.parse(told.split('\n\n').at(-3)?.slice('data: '.length) ?? '') as Record<
      string,
      unknown
    >;
    expect([choices, last['usage']]).toEqual([[], { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }]);
    expect(told).toMatch(/data: \[DONE\]\n\n$/);
    expect(await textIn(streamOf(engineOf(text('A'), END).engine, { frames }))).not.toContain('usage');
  });

  test.each<[string, (ChatPiece | Promise<unknown>)[], boolean]>([
    ['before any text', [FAILED], false],
    ['after some', [text('A '), FAILED], true],
  ])('tells of a failure %s', async (_when, given, hadText) => {
    const onFailure = vi.fn<(failure: ChatPiece, hadText: boolean) => Promise<void>>(async () => {});
    const { engine } = engineOf(...given);
    await textIn(createChatStream({ engine, messages: [], frames: legacyFrames, onBug: () => {}, onFailure }));
    expect(onFailure.mock.calls).toEqual([[FAILED, hadText]]);
  });

  test('that a bug of ours ends says so without saying what, and tells the log', async () => {
    const bugs: unknown[] = [];
    const bug = Promise.reject(new RangeError('secret'));
    const said = await textIn(streamOf(engineOf(text('A '), bug).engine, { onBug: (error) => bugs.push(error) }));
    expect(said).toMatch(
      /event: error\ndata: \{"error":\{"code":"internal_error","message":"Internal server error"\}\}\n\n$/,
    );
    expect(said).not.toContain('secret');
    expect(bugs).toEqual([new RangeError('secret')]);
  });

  test.each<[string, (ChatPiece | Promise<unknown>)[]]>([
    ['before its first word', [NEVER]],
    ['in the middle', [text('A '), NEVER]],
  ])('whose reader goes away %s stops the engine', async (_when, given) => {
    const { engine, seen } = engineOf(...given);
    const reader = streamOf(engine).getReader();
    for (let read = 0; read < given.length; read += 1) await reader.read();
    await expect.poll(() => seen.asked).toBe(1);
    await reader.cancel();
    expect(seen.stopped).toBe(true);
  });

  test('X4: whatever the chunks and the answer hold, an event has one line of data and a name of ours', async () => {
    const frames = createChatFrames(NAME, [...naughty]);
    const stream = streamOf(engineOf(...naughty.map((one) => text(`${one.slice(0, 200)} `)), END).engine, { frames });
    const events = (await textIn(stream)).split('\n\n').slice(0, -1);
    const lines = events.flatMap((event) => event.split('\n'));
    expect(lines.filter((line) => !line.startsWith('data: '))).toEqual(['event: chunks']);
    expect(events.at(-1)).toBe('data: [DONE]');
    for (const line of lines.slice(1, -1)) JSON.parse(line.slice('data: '.length));
  });
});

describe('a chat on which nothing comes', () => {
  afterEach(() => vi.useRealTimers());

  test('sends a comment every 15 s', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const reader = streamOf(engineOf(NEVER).engine).getReader();
    const next = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    expect(await next()).toBe(CHUNKS);
    const comment = next();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await comment).toBe(': still working\n\n');
    await reader.cancel();
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('comments do not pile up while nobody reads', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { engine, seen } = engineOf(text('A '), NEVER);
  const reader = streamOf(engine, { frames: legacyFrames }).getReader();
  await expect.poll(() => seen.asked).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('data: {"response":"A "}\n\n');
  const next = reader.read();
  let came = false;
  void next.then(() => (came = true));
  await vi.advanceTimersByTimeAsync(14_999);
  expect(came).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(new TextDecoder().decode((await next).value)).toBe(': still working\n\n');
  await reader.cancel();
  vi.useRealTimers();
});

describe('a chat as a whole', () => {
  const { signal } = new AbortController();

  test('has its text, how it ended, and what it used', async () => {
    const usage = { inputTokens: 3, outputTokens: 2 };
    const { engine } = engineOf(text('A '), text('part.'), { kind: 'end', finish: 'length', usage });
    expect(await collectAnswer(engine, [], signal)).toEqual({ ok: true, text: 'A part.', finish: 'length', usage });
  });

  test('is without thoughts whose beginning nobody saw', async () => {
    expect(await collectAnswer(engineOf(text('Hm.</think>A part.'), END).engine, [], signal)).toEqual({
      ok: true,
      text: 'A part.',
      finish: 'stop',
    });
    expect(await collectAnswer(engineOf(text('Hm.</think>'), END).engine, [], signal)).toMatchObject({
      ok: false,
      failure: { reason: 'empty_answer', retryable: false },
    });
  });

  test('that fails is a failure, and one that takes too long is one', async () => {
    expect(await collectAnswer(engineOf(text('A '), FAILED).engine, [], signal)).toEqual({
      ok: false,
      failure: FAILED,
      hadText: true,
    });
    expect(await collectAnswer(engineOf(FAILED).engine, [], signal)).toMatchObject({ hadText: false });
    const { engine, seen } = engineOf(text('A '), NEVER);
    expect(await collectAnswer(engine, [], signal, 30)).toMatchObject({ ok: false, failure: { reason: 'timeout' } });
    expect(seen.stopped).toBe(true);
  });

  test('is stopped when nobody waits for it any more', async () => {
    const left = new AbortController();
    const { engine, seen } = engineOf(text('A '), NEVER);
    const answer = collectAnswer(engine, [], left.signal);
    left.abort();
    expect(await answer).toMatchObject({ ok: false });
    expect(seen.stopped).toBe(true);
  });
});
