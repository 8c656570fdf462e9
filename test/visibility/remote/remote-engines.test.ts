import { describe, expect, test } from 'vitest';
import { selectEngines } from '../../../src/models/panel.ts';
import type { AnswerEngine, AnswerFailure, EngineAnswer } from '../../../src/models/port.ts';
import { type AnswerMakers, answerMakers, productionAnswers } from '../../../src/models/registry.ts';
import { classifyAnswer } from '../../../src/visibility/refusals/refusals.ts';
import { answerModelCall } from '../../../src/visibility/remote/answer-call.ts';
import { classifyRemotely, remoteAnswers } from '../../../src/visibility/remote/remote-engines.ts';

const prompt = { index: 3, id: 'p4', intent: 'best', text: 'Which shop is best?' };
const settings = {
  ANSWER_ENGINES: undefined,
  ANSWER_ENGINE: 'openai-compatible',
  ANSWER_ENGINE_URL: 'https://engine.example/v1',
  ANSWER_ENGINE_MODEL: 'a-model',
  ANSWER_ENGINE_KEY: 'a-key',
  ANSWER_ENGINE_MAX_TOKENS: 1500,
  ANSWER_ENGINE_USD_PER_RUN: 0.2,
};
const never = new AbortController().signal;

/** The Worker of models with these engines, over the same bytes as a binding. */
const serve =
  (make: AnswerMakers, fetched: typeof fetch = () => Promise.reject(new TypeError('no network'))) =>
  (body: string, signal: AbortSignal): Promise<Response> =>
    answerModelCall(new Request('https://models.internal/', { method: 'POST', body, signal }), make, {
      fetch: fetched,
      ai: undefined,
    });

const completion = {
  model: 'a-model-2026',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Ada’s shop.' }, finish_reason: 'stop' }],
  citations: ['https://ada.example/'],
  usage: { prompt_tokens: 12, completion_tokens: 5 },
};

function selectOne(registry: typeof productionAnswers | typeof remoteAnswers, tools: object): AnswerEngine {
  const choice = selectEngines(settings, registry, {
    fetch: () => Promise.reject(new TypeError('the api Worker asks no engine')),
    ai: undefined,
    readSecret: () => undefined,
    ...tools,
  });
  const [engine] = choice.ok ? choice.engines : [];
  if (engine === undefined) throw new Error('no engine');
  return engine;
}

test('an answer through the Worker of models is the one that the engine gives, with its key and its model', async () => {
  const asked: Request[] = [];
  const engineFetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    asked.push(new Request(input, init));
    return Response.json(completion);
  };
  const here = await selectOne(productionAnswers, { fetch: engineFetch }).answer(prompt, never);
  const there = await selectOne(remoteAnswers, { askModels: serve(answerMakers, engineFetch) }).answer(prompt, never);
  expect(here).toMatchObject({ ok: true, text: 'Ada’s shop.', servedModel: 'a-model-2026' });
  expect(there).toEqual(here);
  expect(Object.keys(there).toSorted()).toEqual(Object.keys(here).toSorted());
  const [first, second] = await Promise.all(asked.map((one) => one.clone().text()));
  expect(second).toBe(first);
  expect(asked.map(({ url, headers }) => [url, headers.get('authorization')])).toEqual(
    Array.from({ length: 2 }, () => ['https://engine.example/v1/chat/completions', 'Bearer a-key']),
  );
});

const said: readonly (EngineAnswer | AnswerFailure)[] = [
  {
    ok: true,
    isRefusal: true,
    text: '',
    servedModel: undefined,
    finishReason: 'other',
    citations: undefined,
    usage: { inputTokens: undefined, outputTokens: 3 },
  },
  {
    ok: true,
    text: 'By [1]',
    servedModel: 'm',
    finishReason: 'length',
    citations: ['https://a.example/', 'https://b.example/'],
    sources: [{ url: 'https://a.example/', title: 'A', spans: [[0, 2]] }, { url: 'https://b.example/' }],
    usage: { inputTokens: 1, outputTokens: 2 },
  },
  { ok: false, reason: 'rate_limited', detail: 'slow down', retryable: true, retryAfterS: 7 },
  { ok: false, reason: 'unauthorized', detail: 'the key is wrong', retryable: false },
];

/** Makers whose every engine says the same. */
const makersOf = (answer: AnswerEngine['answer']): AnswerMakers => {
  const make = ({ model }: { model: string }): AnswerEngine => ({ kind: 'openai', model, answer });
  return {
    'openai-compatible': make,
    openai: make,
    anthropic: make,
    google: make,
    perplexity: make,
    'workers-ai': make,
  };
};

describe('what an engine says', () => {
  test.each(said)('comes whole: %#', async (outcome) => {
    const askModels = serve(makersOf(async () => outcome));
    expect(await selectOne(remoteAnswers, { askModels }).answer(prompt, never)).toEqual(outcome);
  });

  const broken: readonly [string, (body: string, signal: AbortSignal) => Promise<Response>][] = [
    ['a stub in its place', async () => new Response('not deployed', { status: 503 })],
    ['no JSON', async () => new Response('<html>')],
    ['another shape', async () => Response.json({ ok: true })],
    ['a reply without end', async () => new Response('x'.repeat(2 * 1024 * 1024))],
    ['nothing at all', () => Promise.reject(new Error('network'))],
  ];
  test.each(broken)('is a failure that may pass where the Worker answers with %s', async (_what, askModels) => {
    expect(await selectOne(remoteAnswers, { askModels }).answer(prompt, never)).toMatchObject({
      ok: false,
      reason: 'unavailable',
      retryable: true,
    });
  });

  test('is that nothing is bound, where nothing is', async () => {
    expect(await selectOne(remoteAnswers, {}).answer(prompt, never)).toMatchObject({ ok: false, retryable: false });
  });

  test('is a timeout when the caller waits no longer, and the engine is called off', async () => {
    let calledOff = false;
    const controller = new AbortController();
    const hanging = makersOf(
      (_prompt, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            calledOff = true;
            reject(new Error('aborted'));
          });
          controller.abort();
        }),
    );
    const outcome = selectOne(remoteAnswers, { askModels: serve(hanging) }).answer(prompt, controller.signal);
    expect(await outcome).toMatchObject({ ok: false, reason: 'timeout' });
    await expect.poll(() => calledOff).toBe(true);
  });
});

describe('whether a text is an answer', () => {
  const about = { prompt: prompt.text, niche: 'shops', language: 'en' } as const;
  test.each(['I cannot help with that request.', 'Ada’s shop is the best known one, then Bob’s.'])(
    'is what the word lists say: %s',
    async (text) => {
      expect(await classifyRemotely(serve(answerMakers), text, about, never)).toBe(classifyAnswer(text, about));
    },
  );

  test('is asked again while the Worker fails, and then an error: a text that was not judged is no answer', async () => {
    let failures = 2;
    const flaky = (body: string, signal: AbortSignal): Promise<Response> =>
      failures-- > 0 ? Promise.reject(new Error('lost')) : serve(answerMakers)(body, signal);
    expect(await classifyRemotely(flaky, 'I cannot help with that request.', about, never)).toBe('refusal');
    await expect(classifyRemotely(() => Promise.reject(new Error('lost')), 'text', about, never)).rejects.toThrow(
      'lost',
    );
  });
});

test.each([
  ['no POST', new Request('https://models.internal/'), 405],
  ['no call', new Request('https://models.internal/', { method: 'POST', body: '{"ask":"everything"}' }), 400],
  ['no JSON', new Request('https://models.internal/', { method: 'POST', body: '{' }), 400],
  ['too much', new Request('https://models.internal/', { method: 'POST', body: 'x'.repeat(300_000) }), 413],
])('the Worker of models refuses %s', async (_what, request, status) => {
  expect((await answerModelCall(request, answerMakers, { fetch, ai: undefined })).status).toBe(status);
});

test('a model of the platform is not asked where none is bound', async () => {
  const engine = { kind: 'workers-ai', api: { model: 'm', maxOutputTokens: 1500 } };
  const body = JSON.stringify({ ask: 'answer', engine, prompt });
  expect((await serve(answerMakers)(body, never)).status).toBe(501);
});
