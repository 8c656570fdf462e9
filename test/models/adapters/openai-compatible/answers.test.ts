import { afterEach, describe, expect, test } from 'vitest';
import {
  type AnswerEngine,
  type FailureReason,
  MAX_ANSWER_BYTES,
  type AnswerPrompt,
} from '../../../../src/models/port.ts';
import { type OpenAiTextApi, createOpenAiEngine } from '../../../../src/models/adapters/openai-compatible/engines.ts';
import { type ChatReply, type ChatServer, SERVER_SECRET, startChatServer } from '../../../support/stack/chat-server.ts';

const prompt: AnswerPrompt = { index: 0, id: 'discovery-1', intent: 'discovery', text: 'Best tea? 家電 "quoted"' };
const KEY = 'sk-of-the-operator';

const servers: ChatServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function engineAt(
  reply: ChatReply,
  changes: Partial<OpenAiTextApi> = {},
): Promise<{ engine: AnswerEngine; server: ChatServer }> {
  const server = await startChatServer({ reply: () => reply });
  servers.push(server);
  const api = { url: server.url, model: 'asked-model', key: KEY, fetch, maxOutputTokens: 1500, ...changes };
  return { engine: createOpenAiEngine(api), server };
}

const signal = (): AbortSignal => AbortSignal.timeout(10_000);
const say = (text: string, more: object = {}): ChatReply => ({ kind: 'say', text, ...more });

describe('a prompt', () => {
  test('is the only message: no system text, no history; with the token limit and the key', async () => {
    const { engine, server } = await engineAt(say('Acme.'));
    await engine.answer(prompt, signal());
    expect(server.requests).toEqual([
      {
        path: '/v1/chat/completions',
        authorization: `Bearer ${KEY}`,
        body: {
          model: 'asked-model',
          max_tokens: 1500,
          messages: [{ role: 'user', content: 'Best tea? 家電 "quoted"' }],
        },
      },
    ]);
  });

  test('goes without authorization where there is no key', async () => {
    const { engine, server } = await engineAt(say('Acme.'), { key: undefined });
    await engine.answer(prompt, signal());
    expect(server.requests[0]?.authorization).toBeUndefined();
  });

  test('is sent to the same place when the full address is configured', async () => {
    const { engine, server } = await engineAt(say('Acme.'));
    const full = createOpenAiEngine({
      url: `${server.url}/chat/completions`,
      model: 'm',
      key: undefined,
      fetch,
      maxOutputTokens: 1200,
    });
    await engine.answer(prompt, signal());
    await full.answer(prompt, signal());
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/chat/completions']);
  });

  test('that fails is not sent again: the queue decides about that', async () => {
    const { engine, server } = await engineAt({ kind: 'status', status: 500 });
    await engine.answer(prompt, signal());
    expect(server.requests).toHaveLength(1);
  });
});

describe('an answer', () => {
  test('has the text, the served model, how it ended, and usage; no sources means not measured', async () => {
    const { engine } = await engineAt(say('**Acme** it is.'));
    expect(await engine.answer(prompt, signal())).toEqual({
      ok: true,
      text: '**Acme** it is.',
      servedModel: 'served-model-1',
      finishReason: 'stop',
      citations: undefined,
      usage: { inputTokens: 11, outputTokens: 22 },
    });
  });

  test.each([
    ['citations', say('x', { citations: ['https://a.example/1', 'https://b.example/'] })],
    ['search results', say('x', { sources: ['https://a.example/1', 'https://b.example/'] })],
  ])('has the sources that come as %s', async (_what, reply) => {
    const { engine } = await engineAt(reply);
    expect(await engine.answer(prompt, signal())).toMatchObject({
      citations: ['https://a.example/1', 'https://b.example/'],
    });
  });

  test('with an empty list of sources has none, which is measured', async () => {
    const { engine } = await engineAt(say('x', { citations: [] }));
    expect(await engine.answer(prompt, signal())).toMatchObject({ citations: [] });
  });

  test.each([
    ['length', 'length'],
    ['stop', 'stop'],
    ['tool_calls', 'other'],
  ])('that ended by %s is %s', async (finish, finishReason) => {
    const { engine } = await engineAt(say('x', { finish }));
    expect(await engine.answer(prompt, signal())).toMatchObject({ ok: true, finishReason });
  });

  test('is cut at 32 kB between two characters, and says so', async () => {
    const { engine } = await engineAt(say(`x${'ä'.repeat(MAX_ANSWER_BYTES)}`));
    const answer = await engine.answer(prompt, signal());
    if (!answer.ok) throw new Error(answer.detail);
    expect(answer.finishReason).toBe('length');
    expect(new TextEncoder().encode(answer.text).byteLength).toBe(MAX_ANSWER_BYTES - 1);
    expect(answer.text).toMatch(/^xä+$/);
  });

  test('is without the thoughts of an open model', async () => {
    const { engine } = await engineAt(say('<think>\nAcme? Rival?\n</think>\n\n**Acme**.'));
    expect(await engine.answer(prompt, signal())).toMatchObject({ text: '**Acme**.' });
    const { engine: endless } = await engineAt(say('<think>\nAcme? Rival?', { finish: 'length' }));
    expect(await endless.answer(prompt, signal())).toMatchObject({ ok: false, reason: 'empty_answer' });
  });
});

describe('a failure is data', () => {
  test.each<[string, ChatReply, FailureReason, boolean]>([
    ['400', { kind: 'status', status: 400 }, 'refused', false],
    ['401', { kind: 'status', status: 401 }, 'unauthorized', false],
    ['403', { kind: 'status', status: 403 }, 'unauthorized', false],
    ['404', { kind: 'status', status: 404 }, 'refused', false],
    ['408', { kind: 'status', status: 408 }, 'timeout', true],
    ['409', { kind: 'status', status: 409 }, 'conflict', true],
    ['429', { kind: 'status', status: 429 }, 'rate_limited', true],
    ['500', { kind: 'status', status: 500 }, 'unavailable', true],
    ['503', { kind: 'status', status: 503 }, 'unavailable', true],
    [
      'a redirect',
      { kind: 'status', status: 307, headers: { location: 'http://127.0.0.1:9/' } },
      'invalid_response',
      false,
    ],
    ['no JSON', { kind: 'raw', body: '{nope' }, 'invalid_response', false],
    ['another form', { kind: 'raw', body: '{"a":1}' }, 'invalid_response', false],
    ['more than 1 MiB', { kind: 'raw', body: ' '.repeat(1024 * 1024 + 1) }, 'invalid_response', false],
    ['no text', say(''), 'empty_answer', false],
    ['a filtered answer', say('x', { finish: 'content_filter' }), 'filtered', false],
  ])('%s', async (_what, reply, reason, retryable) => {
    const { engine } = await engineAt(reply);
    const outcome = await engine.answer(prompt, signal());
    expect(outcome).toMatchObject({ ok: false, reason, retryable });
    expect(JSON.stringify(outcome)).not.toMatch(new RegExp(`${SERVER_SECRET}|${KEY}|127\\.0\\.0\\.1`));
  });

  test('a hang ends with the signal', async () => {
    const { engine } = await engineAt({ kind: 'hang' });
    expect(await engine.answer(prompt, AbortSignal.timeout(50))).toMatchObject({ reason: 'timeout', retryable: true });
  });

  test('a server that is gone', async () => {
    const { engine, server } = await engineAt(say('x'));
    await server.stop();
    expect(await engine.answer(prompt, signal())).toMatchObject({ reason: 'unavailable', retryable: true });
  });

  test('but a bug of ours is thrown', async () => {
    const broken = (): never => {
      throw new RangeError('a bug');
    };
    const { engine } = await engineAt(say('x'), { fetch: broken });
    await expect(engine.answer(prompt, signal())).rejects.toThrow('a bug');
  });
});
