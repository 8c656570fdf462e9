import type { Ai } from '@cloudflare/workers-types';
import { expect, test, vi } from 'vitest';
import { createWorkersAiChat, createWorkersAiEmbedder } from '../../../../src/models/adapters/workers-ai/engines.ts';
import { piecesOf, textOf } from '../../engine-tools.ts';

type Run = (model: string, inputs: Record<string, unknown>, options: { signal?: AbortSignal }) => Promise<unknown>;
const binding = (run: Run): Ai => ({ run }) as unknown as Ai;
const chat = (run: Run) => createWorkersAiChat({ binding: binding(run), model: '@cf/some/model', maxOutputTokens: 77 });

const streamOf = (...texts: string[]): ReadableStream<Uint8Array> =>
  new Blob(texts).stream().pipeThrough(new TransformStream<Uint8Array, Uint8Array>());
const native = (...texts: string[]) =>
  streamOf(
    ...texts.map((response) => `data: ${JSON.stringify({ response })}\n\n`),
    'data: {"response":"","usage":{"prompt_tokens":5,"completion_tokens":3}}\n\n',
    'data: [DONE]\n\n',
  );

test('the platform is asked for a stream of text, with the messages and the limit on tokens', async () => {
  const run = vi.fn<Run>(async () => native('A shard ', 'is a part.'));
  const pieces = await piecesOf(chat(run));
  expect(textOf(pieces)).toBe('A shard is a part.');
  expect(pieces.at(-1)).toEqual({ kind: 'end', finish: 'stop', usage: { inputTokens: 5, outputTokens: 3 } });
  expect(run.mock.calls).toMatchObject([['@cf/some/model', { stream: true, max_tokens: 77 }, {}]]);
  expect(run.mock.calls[0]?.[1]['messages']).toEqual([
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'What is a shard?' },
  ]);
});

test('the form of OpenAI is read as well, and an answer as a whole', async () => {
  const events = [
    { choices: [{ delta: { content: 'A part.' } }] },
    { choices: [{ delta: {}, finish_reason: 'length' }] },
  ];
  const openai = () => streamOf(...events.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n');
  expect(await piecesOf(chat(async () => openai()))).toEqual([
    { kind: 'text', text: 'A part.' },
    { kind: 'end', finish: 'length' },
  ]);
  expect(textOf(await piecesOf(chat(async () => ({ response: 'All of it.' }))))).toBe('All of it.');
});

test('text that comes as a number or a boolean is text, and a last event may have no delta', async () => {
  const json = (...given: unknown[]) =>
    streamOf(...given.map((event) => `data: ${JSON.stringify(event)}\n\n`), 'data: [DONE]\n\n');
  const own = json(
    { response: 'Page ' },
    { response: 1 },
    { response: ' is ' },
    { response: true },
    { response: null },
  );
  expect(textOf(await piecesOf(chat(async () => own)))).toBe('Page 1 is true');
  const openai = json(
    { choices: [{ delta: { content: 'Page ' } }] },
    { choices: [{ delta: { content: 1 } }] },
    { choices: [{ delta: null, finish_reason: 'stop' }] },
    { choices: null, usage: { prompt_tokens: 5, completion_tokens: 3 } },
  );
  const pieces = await piecesOf(chat(async () => openai));
  expect(textOf(pieces)).toBe('Page 1');
  expect(pieces.at(-1)).toMatchObject({ kind: 'end', finish: 'stop' });
  expect(textOf(await piecesOf(chat(async () => ({ response: 42 }))))).toBe('42');
});

test.each<[string, () => Promise<unknown>]>([
  ['an event without JSON', async () => streamOf('data: {oops\n\n')],
  ['an event that is null', async () => streamOf('data: null\n\n')],
  ['an event of another shape', async () => streamOf('data: {"choices":"none"}\n\n')],
  ['an endless event', async () => streamOf(`data: "${'x'.repeat(300_000)}`)],
  ['a whole answer of another shape', async () => ({ image: 'data' })],
  ['nothing', async () => undefined],
])('%s is no answer, and nothing of it is written to the console', async (_what, run) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  expect((await piecesOf(chat(run))).at(-1)).toMatchObject({ kind: 'failure', reason: 'invalid_response' });
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test('a stream that ends too early, and one that breaks, are failures that may pass', async () => {
  const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('secret')) });
  const cases = [streamOf('data: {"response":"A"}\n\n'), broken];
  for (const stream of cases)
    expect((await piecesOf(chat(async () => stream))).at(-1)).toMatchObject({
      kind: 'failure',
      reason: 'broke_off',
      retryable: true,
    });
});

test('a platform that is out of capacity is a failure that may pass', async () => {
  const pieces = await piecesOf(chat(() => Promise.reject(new Error('3040: Capacity temporarily exceeded'))));
  expect(pieces).toMatchObject([{ kind: 'failure', retryable: true }]);
});

test('a platform that hangs is left with the signal', async () => {
  const pieces = await piecesOf(
    chat(() => new Promise(() => {})),
    AbortSignal.timeout(100),
  );
  expect(pieces).toMatchObject([{ kind: 'failure', reason: 'timeout' }]);
});

test('vectors of the platform are those of the texts', async () => {
  const run = vi.fn<Run>(async () => ({ shape: [1, 2], data: [[0.5, 1]] }));
  const embedder = createWorkersAiEmbedder({ binding: binding(run), model: '@cf/some/embedder' });
  expect(await embedder.embed(['one'], AbortSignal.timeout(5_000))).toEqual({
    ok: true,
    vectors: [Float32Array.of(0.5, 1)],
  });
  expect(run.mock.calls).toMatchObject([['@cf/some/embedder', { text: ['one'] }, {}]]);
});

test.each<[unknown]>([[undefined], [{ data: 'none' }], [{ data: [['1']] }], [{ data: [] }]])(
  'where the platform answers %j there are none',
  async (said) => {
    const embedder = createWorkersAiEmbedder({ binding: binding(async () => said), model: 'm' });
    expect(await embedder.embed(['one'], AbortSignal.timeout(5_000))).toMatchObject({ ok: false, retryable: false });
  },
);
