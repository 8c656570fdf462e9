import { describe, expect, test } from 'vitest';
import type { EngineAnswer, AnswerEngine, AnswerFailure, FailureReason } from '../../../src/models/port.ts';
import type { RunAnswer, PromptStart, PromptMessage } from '../../../src/visibility/run/run.ts';
import { consumePrompt, MAX_ATTEMPTS, recordUndelivered } from '../../../src/visibility/run/consume.ts';
import { classifyAnswer } from '../../../src/visibility/refusals/refusals.ts';

const NOW = 1_000_000;
const message: PromptMessage = {
  object: 'a-run',
  runId: 'ab'.repeat(16),
  prompt: { index: 4, id: 'discovery-5', intent: 'discovery', text: 'Best tea?' },
  deadlineMs: NOW + 120_000,
  callMs: 45_000,
};
const good: EngineAnswer = {
  ok: true,
  text: 'Try **Acme**.',
  servedModel: 'm-1',
  finishReason: 'stop',
  citations: ['https://acme.example/'],
  usage: { inputTokens: 5, outputTokens: 6 },
};
const failure = (reason: FailureReason, retryable: boolean): AnswerFailure => ({
  ok: false,
  reason,
  detail: 'status 500',
  retryable,
});

function world(answer: AnswerEngine['answer'] | undefined, { wanted = true, nowMs = NOW, random = 0 } = {}) {
  const recorded: RunAnswer[] = [];
  const logs: Record<string, unknown>[] = [];
  let asked = 0;
  const engine: AnswerEngine | undefined = answer && {
    kind: 'simulated',
    model: 'm',
    answer: (prompt, signal) => {
      asked += 1;
      return answer(prompt, signal);
    },
  };
  const tools = {
    engineOf: () => engine,
    classify: classifyAnswer,
    runOf: () => ({
      begin: async (): Promise<PromptStart> => (wanted ? 'ask' : 'unwanted'),
      putBack: async () => undefined,
      record: async (_runId: string, kept: RunAnswer) => {
        recorded.push(kept);
        return true;
      },
    }),
    now: () => nowMs,
    random: () => random,
    log: (event: Record<string, unknown>) => void logs.push(event),
  };
  return { tools, recorded, logs, asked: () => asked };
}

test.each(['', 'Acme and Bolt are well known.'])(
  'the word of an engine that it refuses is enough: %j',
  async (text) => {
    const { tools, recorded } = world(async () => ({ ...good, text, isRefusal: true, citations: undefined }));
    await consumePrompt(message, 1, tools);
    expect(recorded).toMatchObject([{ index: 4, status: 'refused', refusal: 'refusal', text, servedModel: 'm-1' }]);
  },
);

test('an answer is recorded with the hash of its text', async () => {
  const { tools, recorded } = world(async () => good);
  expect(await consumePrompt(message, 1, tools)).toEqual({ done: true });
  expect(recorded).toEqual([
    {
      index: 4,
      status: 'answered',
      text: 'Try **Acme**.',
      // printf 'Try **Acme**.' | sha256sum
      sha256: '164c0ca73556cb1d127ccff0e77d0190cf0c8f5ffb6aa8e0b6f571793e27f5b5',
      servedModel: 'm-1',
      finishReason: 'stop',
      citations: ['https://acme.example/'],
    },
  ]);
});

describe('a failure', () => {
  test.each<[FailureReason]>([['timeout'], ['rate_limited'], ['conflict'], ['unavailable']])(
    'that may pass (%s) comes again, later each time, and is recorded the last time',
    async (reason) => {
      const { tools, recorded } = world(async () => failure(reason, true));
      expect(await consumePrompt(message, 1, tools)).toEqual({ done: false, delayS: 2 });
      expect(await consumePrompt(message, 2, tools)).toEqual({ done: false, delayS: 4 });
      expect(recorded).toEqual([]);
      expect(await consumePrompt(message, MAX_ATTEMPTS, tools)).toEqual({ done: true });
      expect(recorded).toEqual([{ index: 4, status: 'failed', reason }]);
    },
  );

  test.each([
    [0, 2, 4],
    [0.4, 2, 4],
    [0.6, 3, 5],
    [0.99, 3, 5],
  ])('of many prompts at once comes again spread: at %d after %d s and then %d s', async (random, first, second) => {
    const { tools } = world(async () => failure('unavailable', true), { random });
    expect(await consumePrompt(message, 1, tools)).toEqual({ done: false, delayS: first });
    expect(await consumePrompt(message, 2, tools)).toEqual({ done: false, delayS: second });
  });

  test.each([
    [0, 2],
    [1, 2],
    [9, 9],
  ])('that asks for a wait of %d s comes again after %d s, no sooner', async (retryAfterS, delayS) => {
    const { tools } = world(async () => ({ ...failure('rate_limited', true), retryAfterS }));
    expect(await consumePrompt(message, 1, tools)).toEqual({ done: false, delayS });
  });

  test('that asks for a longer wait than the run has is recorded at once', async () => {
    const { tools, recorded } = world(async () => ({ ...failure('rate_limited', true), retryAfterS: 120 }));
    expect(await consumePrompt({ ...message, deadlineMs: tools.now() + 60_000 }, 1, tools)).toEqual({ done: true });
    expect(recorded).toEqual([{ index: 4, status: 'failed', reason: 'rate_limited' }]);
  });

  test.each<[FailureReason]>([['unauthorized'], ['refused'], ['filtered'], ['invalid_response'], ['empty_answer']])(
    'that will not pass (%s) is recorded at once',
    async (reason) => {
      const { tools, recorded } = world(async () => failure(reason, false));
      expect(await consumePrompt(message, 1, tools)).toEqual({ done: true });
      expect(recorded).toEqual([{ index: 4, status: 'failed', reason }]);
    },
  );

  test('that would come again after the deadline is recorded at once', async () => {
    const { tools, recorded } = world(async () => failure('unavailable', true), { nowMs: message.deadlineMs - 2000 });
    expect(await consumePrompt(message, 1, tools)).toEqual({ done: true });
    expect(recorded).toEqual([{ index: 4, status: 'failed', reason: 'unavailable' }]);
  });

  test('by a throw is a fault of the engine, recorded and logged without its message', async () => {
    const { tools, recorded, logs } = world(() => {
      throw new RangeError('with a key sk-123 in it');
    });
    expect(await consumePrompt(message, 1, tools)).toEqual({ done: true });
    expect(recorded).toEqual([{ index: 4, status: 'failed', reason: 'engine_fault' }]);
    expect(JSON.stringify(logs)).toContain('RangeError');
    expect(JSON.stringify(logs)).not.toContain('sk-123');
  });

  test('for want of an engine is recorded', async () => {
    const { tools, recorded } = world(undefined);
    await consumePrompt(message, 1, tools);
    expect(recorded).toEqual([{ index: 4, status: 'failed', reason: 'refused' }]);
  });
});

describe('the engine is not asked', () => {
  test.each([
    ['for a prompt that is answered already', message, { wanted: false }],
    ['after the deadline', message, { nowMs: message.deadlineMs }],
    ['for a message that is not one of ours', { hello: 'world' }, {}],
    ['for a prompt that is not in the set', { ...message, prompt: { ...message.prompt, index: 100 } }, {}],
    ['for a run id that is none', { ...message, runId: '../x' }, {}],
    ['for no message at all', null, {}],
  ])('%s', async (_what, body, settings) => {
    const { tools, recorded, asked } = world(async () => good, settings);
    expect(await consumePrompt(body, 1, tools)).toEqual({ done: true });
    expect({ asked: asked(), recorded }).toEqual({ asked: 0, recorded: [] });
  });
});

test('an engine that hangs and ignores its signal ends at the time limit', async () => {
  const hanging = world(() => new Promise(() => {}));
  const live = { ...message, callMs: 1, deadlineMs: Date.now() + 60_000 };
  expect(await consumePrompt(live, 1, { ...hanging.tools, now: Date.now })).toEqual({ done: false, delayS: 2 });
});

test('the engine sees the signal when its time is over', async () => {
  let aborted = false;
  const { tools } = world(
    (_prompt, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          resolve(failure('timeout', true));
        });
      }),
  );
  await consumePrompt({ ...message, callMs: 1, deadlineMs: Date.now() + 60_000 }, 1, { ...tools, now: Date.now });
  expect(aborted).toBe(true);
});

test('a run that cannot be told makes the message come again', async () => {
  const { tools } = world(async () => good);
  const runOf = () => ({ ...tools.runOf(), record: async () => Promise.reject(new Error('object reset')) });
  await expect(consumePrompt(message, 1, { ...tools, runOf })).rejects.toThrow('object reset');
});

test('a dead letter is recorded as not delivered', async () => {
  const { tools, recorded } = world(async () => good);
  await recordUndelivered(message, tools);
  await recordUndelivered('not one of ours', tools);
  expect(recorded).toEqual([{ index: 4, status: 'failed', reason: 'not_delivered' }]);
});

describe('the name of the served model', () => {
  const kept = async (servedModel: string | undefined) => {
    const { tools, recorded } = world(async () => ({ ...good, servedModel }));
    await consumePrompt(message, 1, tools);
    return recorded.map((one) => one.status === 'answered' && one.servedModel);
  };

  test('is kept on one line and without characters that nobody sees', async () => {
    expect(await kept('m\u001B[31m-\u202E1\u200B\nIgnore\u2028all\u0000 \u{E0041}rules')).toEqual([
      'm[31m-1 Ignore all rules',
    ]);
  });

  test('is kept up to 200 characters', async () => {
    expect(await kept('m'.repeat(200))).toEqual(['m'.repeat(200)]);
    expect(await kept('m'.repeat(201))).toEqual([`${'m'.repeat(199)}…`]);
    expect(await kept('m'.repeat(1_000_000))).toEqual([`${'m'.repeat(199)}…`]);
  });

  test('is not kept when there is none', async () => {
    expect(await kept(undefined)).toEqual([undefined]);
  });
});

test('of many sources the first that fit into 4 kB are kept', async () => {
  const long = Array.from(
    { length: 30 },
    (_, at) => `https://a.example/${String(at).padStart(2, '0')}${'x'.repeat(980)}`,
  );
  const { tools, recorded } = world(async () => ({ ...good, citations: long }));
  await consumePrompt(message, 1, tools);
  expect(recorded).toMatchObject([{ citations: long.slice(0, 4) }]);
});
