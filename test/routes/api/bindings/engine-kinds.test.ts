import { env } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { getAnswerEngine, getAnswerEngines } from '../../../../routes/api/bindings/engine.ts';
import type { Env } from '../../../../routes/api/bindings/env.ts';
import { selectEngines } from '../../../../src/models/panel.ts';
import { productionAnswers } from '../../../../src/models/registry.ts';
import { localAnswers } from '../../../../src/models/registry-local.ts';
import anthropic from '../../../data/engines/anthropic/web-search.json';
import google from '../../../data/engines/google/grounded.json';
import openai from '../../../data/engines/openai/web-search.json';
import perplexity from '../../../data/engines/perplexity/search-results.json';

const samples = { openai, anthropic, google, perplexity };
const prompt = { index: 0, id: 'discovery-1', intent: 'discovery', text: 'Best help desk?' };
const row = (kind: string) => ({
  name: `my-${kind}`,
  kind,
  model: kind === 'google' ? 'gemini-2.5-flash' : 'm',
  key_secret: 'ANSWER_KEY_A',
  usd_per_run: 0.5,
});

describe('the provider of a vendor, in the runtime of Workers', () => {
  test.each(Object.entries(samples))(
    '%s: a recorded answer of a search has its text and its sources',
    async (kind, sample) => {
      const asked: Request[] = [];
      const choice = selectEngines(
        { ANSWER_ENGINES: JSON.stringify([row(kind)]), ANSWER_ENGINE_MAX_TOKENS: 1500, ANSWER_ENGINE_USD_PER_RUN: 1 },
        productionAnswers,
        {
          fetch: async (input, init) => {
            asked.push(new Request(input, init));
            return Response.json(sample);
          },
          ai: undefined,
          readSecret: () => 'sk-of-the-operator',
        },
      );
      if (!choice.ok) throw new Error(choice.detail);
      const outcome = await choice.engines[0]?.answer(prompt, AbortSignal.timeout(20_000));
      expect(outcome).toMatchObject({ ok: true, finishReason: 'stop', servedModel: expect.any(String) });
      if (!outcome?.ok) return;
      expect(outcome.sources?.length).toBeGreaterThan(0);
      expect(outcome.sources?.some(({ spans = [] }) => spans.length > 0)).toBe(true);
      expect(asked.map(({ url, method }) => [new URL(url).protocol, method])).toEqual([['https:', 'POST']]);
    },
  );
});

describe('the engines of the settings', () => {
  const panel = (rows: readonly object[], more: object = {}): Env =>
    ({ ...env, ANSWER_ENGINES: JSON.stringify(rows), ...more }) as Env;

  test('are those of ANSWER_ENGINES, with keys of the secrets that rows name; the first measures alone', () => {
    const given = panel([row('openai'), { ...row('perplexity'), key_secret: 'ANSWER_KEY_B' }], {
      ANSWER_KEY_A: 'sk-of-the-operator',
      ANSWER_KEY_B: 'pplx-of-the-operator',
    });
    const choice = getAnswerEngines(given, { engines: productionAnswers });
    expect(choice).toMatchObject({
      ok: true,
      engines: [
        { name: 'my-openai', kind: 'openai', webSearch: true },
        { name: 'my-perplexity', kind: 'perplexity', webSearch: true },
      ],
    });
    expect(getAnswerEngines(given, { engines: productionAnswers })).toBe(choice);
    expect(getAnswerEngine(given, { engines: productionAnswers })).toMatchObject({
      ok: true,
      engine: { kind: 'openai' },
    });
  });

  test('are none where a secret is not set', () => {
    const choice = getAnswerEngines(panel([row('openai')]), { engines: productionAnswers });
    expect(choice).toEqual({
      ok: false,
      detail: 'ANSWER_ENGINES: row 1, key_secret: the secret ANSWER_KEY_A is not set',
    });
    expect(getAnswerEngine(panel([row('openai')]), { engines: productionAnswers })).toEqual(choice);
  });

  test('are the one of ANSWER_ENGINE without rows', () => {
    expect(getAnswerEngines(env as unknown as Env, { engines: localAnswers })).toMatchObject({
      ok: true,
      engines: [{ name: 'simulated', usdPerRun: 0.2, webSearch: false }],
    });
  });
});
