import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOpenAiChat, createOpenAiEmbedder } from '../../../../src/models/adapters/openai-compatible/engines.ts';
import { type ChatReply, type ChatServer, SERVER_SECRET, startChatServer } from '../../../support/stack/chat-server.ts';
import { ASKED, piecesOf, textOf } from '../../engine-tools.ts';

let server: ChatServer;
let reply: ChatReply;
beforeEach(async () => {
  server = await startChatServer({ reply: () => reply });
});
afterEach(() => server.stop());

const api = (url = server.url) => ({
  url,
  model: 'asked-model',
  key: 'sk-of-ours',
  fetch: (input: string | URL | Request, init?: RequestInit) => fetch(input, init),
});
const event = (delta: object | null, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const chat = (url?: string) => createOpenAiChat({ ...api(url), maxOutputTokens: 77 });

describe('a chat by an API that speaks OpenAI chat completions', () => {
  test('asks for a stream with all messages in their roles, and hands its pieces on as they come', async () => {
    reply = {
      kind: 'stream',
      pieces: ['A shard ', 'is a ', 'part.'],
      usage: { prompt_tokens: 11, completion_tokens: 22, total_tokens: 33 },
    };
    expect(await piecesOf(chat())).toEqual([
      { kind: 'text', text: 'A shard ' },
      { kind: 'text', text: 'is a ' },
      { kind: 'text', text: 'part.' },
      { kind: 'end', finish: 'stop', usage: { inputTokens: 11, outputTokens: 22 } },
    ]);
    const [request] = server.requests;
    expect(request).toMatchObject({ path: '/v1/chat/completions', authorization: 'Bearer sk-of-ours' });
    expect(request?.body).toMatchObject({ model: 'asked-model', stream: true, max_tokens: 77, messages: ASKED });
  });

  test('takes text that comes as a number or a boolean, and a last event without a delta', async () => {
    const said = ['Page ', 1, ' is ', true].map((content) => event({ content }));
    reply = { kind: 'stream', lines: [...said, event(null, 'stop'), 'data: [DONE]\n\n'] };
    const pieces = await piecesOf(chat());
    expect(textOf(pieces)).toBe('Page 1 is true');
    expect(pieces.at(-1)).toMatchObject({ kind: 'end', finish: 'stop' });
  });

  test('is told where the answer was cut off', async () => {
    reply = { kind: 'stream', pieces: ['A shard'], finish: 'length' };
    expect((await piecesOf(chat())).at(-1)).toEqual({ kind: 'end', finish: 'length' });
  });

  test('leaves thoughts out, however they are cut into pieces', async () => {
    reply = { kind: 'stream', pieces: ['<th', 'ink>Hm, a sh', 'ard.</thi', 'nk>\n\nA shard ', 'is a part.'] };
    expect(textOf(await piecesOf(chat()))).toBe('A shard is a part.');
  });

  test('ends at 32 KiB, and stops the engine', async () => {
    reply = { kind: 'stream', pieces: Array.from({ length: 50 }, () => 'ä'.repeat(1_000)), breaks: 'hang' };
    const pieces = await piecesOf(chat());
    expect(new TextEncoder().encode(textOf(pieces))).toHaveLength(32 * 1024);
    expect(pieces.at(-1)).toEqual({ kind: 'end', finish: 'length' });
    await expect.poll(() => server.unfinished()).toBe(1);
  });

  test.each<[string, ChatReply, string, boolean]>([
    ['429', { kind: 'status', status: 429 }, 'rate_limited', true],
    ['500', { kind: 'status', status: 500 }, 'unavailable', true],
    ['401', { kind: 'status', status: 401 }, 'unauthorized', false],
    ['400', { kind: 'status', status: 400 }, 'refused', false],
    [
      'a redirect',
      { kind: 'status', status: 307, headers: { location: 'http://127.0.0.1:1/v1/chat/completions' } },
      'invalid_response',
      false,
    ],
    ['no events', { kind: 'raw', body: 'it works!' }, 'invalid_response', false],
    ['an event without JSON', { kind: 'stream', lines: ['data: {not json\n\n'] }, 'invalid_response', false],
    ['an event of another shape', { kind: 'stream', lines: ['data: {"choices":7}\n\n'] }, 'invalid_response', false],
    [
      'an error inside the stream',
      { kind: 'stream', lines: [`data: {"error":{"message":"${SERVER_SECRET}","type":"x"}}\n\n`] },
      'unavailable',
      true,
    ],
    ['no text at all', { kind: 'stream', pieces: [] }, 'empty_answer', false],
    ['nothing but thoughts', { kind: 'stream', pieces: ['<think>hm'], finish: 'length' }, 'empty_answer', true],
    ['a filtered answer', { kind: 'stream', pieces: ['A'], finish: 'content_filter' }, 'filtered', false],
    ['a stream that breaks off', { kind: 'stream', pieces: ['A'], breaks: 'reset' }, 'broke_off', true],
    ['a stream that ends too early', { kind: 'stream', lines: [event({ content: 'A' })] }, 'broke_off', true],
    [
      'a stream that ends inside an event',
      { kind: 'stream', lines: [event({ content: 'A' }), 'data: {"choices":[{"de'] },
      'broke_off',
      true,
    ],
    ['a connection that is cut', { kind: 'reset' }, 'unavailable', true],
  ])('%s is a failure in our words', async (_what, said, reason, retryable) => {
    reply = said;
    const pieces = await piecesOf(chat());
    expect(pieces.at(-1)).toMatchObject({ kind: 'failure', reason, retryable });
    expect(JSON.stringify(pieces)).not.toContain(SERVER_SECRET);
    expect(server.requests).toHaveLength(1);
  });

  test('a redirect is not followed', async () => {
    reply = { kind: 'status', status: 307, headers: { location: `${server.url}/chat/completions?again` } };
    await piecesOf(chat());
    expect(server.requests).toHaveLength(1);
  });

  test('nobody there is a failure that may pass', async () => {
    const { url } = server;
    await server.stop();
    expect(await piecesOf(chat(url))).toMatchObject([{ kind: 'failure', reason: 'unavailable', retryable: true }]);
    server = await startChatServer();
  });

  test.each<[string, ChatReply]>([
    ['that never answers', { kind: 'hang' }],
    ['that stops in the middle', { kind: 'stream', pieces: ['A'], breaks: 'hang' }],
  ])('an engine %s is stopped with the signal', async (_what, said) => {
    reply = said;
    const pieces = await piecesOf(chat(), AbortSignal.timeout(300));
    expect(pieces.at(-1)).toMatchObject({ kind: 'failure', reason: 'timeout' });
    await expect.poll(() => server.unfinished()).toBe(1);
  });

  test('whoever stops listening stops the engine', async () => {
    reply = { kind: 'stream', pieces: ['A', 'B'], breaks: 'hang' };
    for await (const piece of chat().reply(ASKED, AbortSignal.timeout(20_000))) {
      expect(piece).toEqual({ kind: 'text', text: 'A' });
      break;
    }
    await expect.poll(() => server.unfinished()).toBe(1);
  });

  test.each(['', '/', '/chat/completions'])('the address may end in "%s", and its query goes along', async (end) => {
    reply = { kind: 'stream', pieces: ['A'] };
    await piecesOf(chat(`${server.url}${end}?api-version=7`));
    expect(server.requests[0]?.path).toBe('/v1/chat/completions?api-version=7');
  });
});

describe('vectors by an API that speaks OpenAI embeddings', () => {
  const embed = (texts: readonly string[], signal = AbortSignal.timeout(20_000)) =>
    createOpenAiEmbedder(api()).embed(texts, signal);
  const data = (...vectors: unknown[]) => ({
    kind: 'vectors' as const,
    data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  });

  test('are those of the texts, in their order', async () => {
    reply = data([1, 0.5], [0, -1]);
    expect(await embed(['one', 'two'])).toEqual({
      ok: true,
      vectors: [Float32Array.of(1, 0.5), Float32Array.of(0, -1)],
    });
    const [request] = server.requests;
    expect(request?.path).toBe('/v1/embeddings');
    expect(request?.body).toMatchObject({ model: 'asked-model', input: ['one', 'two'] });
  });

  test('a long text is cut, and one with half a character is mended', async () => {
    reply = data([1]);
    await embed([`${'a'.repeat(7_999)}\u{1F600}`]);
    expect(server.requests[0]?.body).toMatchObject({ input: [`${'a'.repeat(7_999)}\uFFFD`] });
  });

  test('of nothing nothing is asked', async () => {
    expect(await embed([])).toEqual({ ok: true, vectors: [] });
    expect(server.requests).toEqual([]);
  });

  test('more than 64 texts are a bug of the caller', async () => {
    await expect(embed(Array.from({ length: 65 }, () => 'a'))).rejects.toThrow(RangeError);
  });

  test.each<[string, ChatReply]>([
    ['too few', data([1, 2])],
    ['too many', data([1], [2], [3])],
    ['of two lengths', data([1, 2], [1])],
    ['of no numbers', data([], [])],
    ['with a word in them', data([1], ['2'])],
    ['with a number that is none', data([1], [null])],
    ['too large for a float', data([1], [1e300])],
    ['of 4,097 numbers', data(...[0, 0].map(() => Array.from({ length: 4_097 }, () => 1)))],
    ['missing', { kind: 'vectors', data: 'none' }],
    ['no JSON', { kind: 'raw', body: 'it works!' }],
    ['a redirect', { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['too large an answer', { kind: 'raw', body: `{"data":"${'x'.repeat(8 * 1024 * 1024)}"}` }],
  ])('%s are none, and asking again does not help', async (_what, said) => {
    reply = said;
    expect(await embed(['one', 'two'])).toMatchObject({ ok: false, retryable: false });
  });

  test.each<[number, boolean]>([
    [429, true],
    [503, true],
    [401, false],
  ])('status %d is a failure in our words', async (status, retryable) => {
    reply = { kind: 'status', status };
    expect(await embed(['one'])).toEqual({ ok: false, detail: `status ${status}`, retryable });
  });

  test('an API that never answers is left with the signal', async () => {
    reply = { kind: 'hang' };
    expect(await embed(['one'], AbortSignal.timeout(200))).toMatchObject({ ok: false, retryable: true });
  });
});
