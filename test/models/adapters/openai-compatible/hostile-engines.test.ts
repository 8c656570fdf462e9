import { afterEach, describe, expect, test } from 'vitest';
import { type FailureReason, MAX_ANSWER_BYTES, MAX_CITATIONS, type AnswerPrompt } from '../../../../src/models/port.ts';
import { type OpenAiTextApi, createOpenAiEngine } from '../../../../src/models/adapters/openai-compatible/engines.ts';
import { type ChatReply, type ChatServer, startChatServer } from '../../../support/stack/chat-server.ts';

const prompt: AnswerPrompt = { index: 0, id: 'discovery-1', intent: 'discovery', text: 'Best tea?' };
const signal = (): AbortSignal => AbortSignal.timeout(10_000);
const say = (text: string | null, more: object = {}): ChatReply => ({ kind: 'say', text, ...more });

const servers: ChatServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function serverWith(reply: ChatReply): Promise<ChatServer> {
  const server = await startChatServer({ reply: () => reply });
  servers.push(server);
  return server;
}

async function outcomeOf(reply: ChatReply, given: AbortSignal = signal()) {
  const { url } = await serverWith(reply);
  return engineOf({ url }).answer(prompt, given);
}

const engineOf = (changes: Partial<OpenAiTextApi>) =>
  createOpenAiEngine({
    url: 'http://unused.invalid/v1',
    model: 'asked',
    key: undefined,
    fetch,
    maxOutputTokens: 1500,
    ...changes,
  });

describe('a connection', () => {
  test.each<[string, ChatReply]>([
    ['before the answer', { kind: 'reset' }],
    ['in the middle of the answer', { kind: 'reset_midway' }],
  ])('that breaks off %s may work later', async (_when, reply) => {
    expect(await outcomeOf(reply)).toMatchObject({ ok: false, reason: 'unavailable', retryable: true });
  });

  test.each([
    ['as undici says it', new TypeError('fetch failed')],
    ['as workerd says it', new Error('Network connection lost.')],
    ['as workerd says it of itself', new Error('internal error; reference = abc')],
  ])('that is lost may work later, %s', async (_how, error) => {
    const engine = engineOf({ fetch: () => Promise.reject(error) });
    expect(await engine.answer(prompt, signal())).toMatchObject({ ok: false, reason: 'unavailable', retryable: true });
  });

  test('that stops in the middle of the answer ends with the signal', async () => {
    expect(await outcomeOf({ kind: 'hang_midway' }, AbortSignal.timeout(50))).toMatchObject({ reason: 'timeout' });
  });

  test('that ignores the signal does not keep the prompt', async () => {
    const engine = engineOf({ fetch: () => new Promise(() => {}) });
    expect(await engine.answer(prompt, AbortSignal.timeout(20))).toMatchObject({ reason: 'timeout', retryable: true });
  });

  test('is not opened when the time is over already', async () => {
    const server = await serverWith(say('Acme.'));
    expect(await engineOf({ url: server.url }).answer(prompt, AbortSignal.abort())).toMatchObject({
      reason: 'timeout',
    });
    expect(server.requests).toEqual([]);
  });

  test('is cut at the server when the signal aborts', async () => {
    const server = await serverWith({ kind: 'hang' });
    await engineOf({ url: server.url }).answer(prompt, AbortSignal.timeout(50));
    await expect.poll(server.unfinished).toBe(1);
  });
});

test.each([
  ['/v1', ''],
  ['/v1//', ''],
  ['/v1/chat/completions/', ''],
  ['/v1?api-version=7', '?api-version=7'],
])('a base address that ends in %s asks for the chat completions', async (end, query) => {
  const server = await serverWith(say('Acme.'));
  const url = server.url.replace(/\/v1$/u, end);
  expect(await engineOf({ url }).answer(prompt, signal())).toMatchObject({ ok: true });
  expect(server.requests.map(({ path }) => path)).toEqual([`/v1/chat/completions${query}`]);
});

describe('the model that answered', () => {
  test('is unknown when the engine does not name it, not the one that was asked', async () => {
    const outcome = await outcomeOf(say('x', { model: null }));
    expect(outcome).toMatchObject({ ok: true, text: 'x' });
    expect(outcome).toHaveProperty('servedModel', undefined);
  });
});

describe('an empty answer', () => {
  test.each([
    ['the model ended it itself', say('', { finish: 'stop' }), false],
    ['thoughts took all tokens', say('', { finish: 'length', message: { reasoning_content: 'hm' } }), true],
    ['thoughts in the text took all tokens', say('<think>hm', { finish: 'length' }), true],
    ['the model called a tool instead', say(null, { finish: 'tool_calls' }), true],
  ])('%s, so asking again may help: $2', async (_why, reply, retryable) => {
    expect(await outcomeOf(reply)).toMatchObject({ ok: false, reason: 'empty_answer', retryable });
  });

  test('with a refusal beside it is one by the word of the vendor', async () => {
    const reply = say(null, { message: { refusal: 'I cannot help with that.' } });
    expect(await outcomeOf(reply)).toMatchObject({ ok: true, isRefusal: true, text: 'I cannot help with that.' });
  });
});

describe('hostile answers', () => {
  test.each<[string, ChatReply, FailureReason]>([
    ['no choices', { kind: 'raw', body: '{"choices":[]}' }, 'invalid_response'],
    ['null', { kind: 'raw', body: 'null' }, 'invalid_response'],
    ['nothing', { kind: 'raw', body: '' }, 'invalid_response'],
    ['brackets without end', { kind: 'raw', body: '['.repeat(300_000) }, 'invalid_response'],
    ['counts that are words', say('x', { usage: { prompt_tokens: 'many' } }), 'invalid_response'],
  ])('%s is refused', async (_what, reply, reason) => {
    expect(await outcomeOf(reply)).toMatchObject({ ok: false, reason, retryable: false });
  });

  test('half a character becomes a whole one, so that the text and its hash agree', async () => {
    expect(await outcomeOf({ kind: 'raw', body: completionOf(String.raw`a\ud800b`) })).toMatchObject({ text: 'a�b' });
  });

  test('a text of exactly 32 kB is whole', async () => {
    expect(await outcomeOf(say('x'.repeat(MAX_ANSWER_BYTES)))).toMatchObject({ finishReason: 'stop' });
    expect(await outcomeOf(say('x'.repeat(MAX_ANSWER_BYTES + 1)))).toMatchObject({ finishReason: 'length' });
  });

  test('counts that are not given are unknown', async () => {
    expect(await outcomeOf(say('x', { usage: null }))).toMatchObject({
      usage: { inputTokens: undefined, outputTokens: undefined },
    });
  });
});

const completionOf = (escaped: string): string =>
  `{"choices":[{"message":{"role":"assistant","content":"${escaped}"},"finish_reason":"stop"}]}`;

describe('sources', () => {
  const many = Array.from({ length: 150 }, (_, at) => `https://a.example/${at}`);
  const odd = ['javascript:alert(1)', 'a.example', 7, null, { url: 8 }, `https://a.example/${'x'.repeat(2048)}`];

  test.each([
    ['only what a reader could open', { citations: [...odd, 'https://a.example/'] }, ['https://a.example/']],
    ['each once', { citations: ['https://a.example/', 'https://a.example/'] }, ['https://a.example/']],
    [
      'of both fields',
      { citations: ['https://a.example/'], sources: ['https://b.example/'] },
      ['https://a.example/', 'https://b.example/'],
    ],
    ['objects too', { citations: [{ url: 'https://a.example/' }] }, ['https://a.example/']],
    ['the first of many', { citations: many }, many.slice(0, MAX_CITATIONS)],
    ['none of a list that holds nothing', { citations: odd }, []],
    ['unknown where the field is no list', { citations: 'https://a.example/' }, undefined],
  ])('%s', async (_what, more, citations) => {
    expect(await outcomeOf(say('x', more))).toHaveProperty('citations', citations);
  });
});
