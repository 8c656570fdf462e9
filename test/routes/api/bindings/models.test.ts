import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { getAnswerEngines, getClassifier } from '../../../../routes/api/bindings/engine.ts';
import type { Env } from '../../../../routes/api/bindings/env.ts';
import { remoteAnswers } from '../../../../src/visibility/remote/remote-engines.ts';

/** Bindings of a deployment with an engine of a vendor, whose network answers 599 here. */
const deployed = {
  ...env,
  ANSWER_ENGINE: 'openai',
  ANSWER_ENGINE_MODEL: 'a-model',
  ANSWER_ENGINE_KEY: 'a-key',
} as unknown as Env;

const prompt = { index: 0, id: 'p1', intent: 'best', text: 'Which shop is best?' };

test('the api Worker asks its engines by the binding MODELS, and hears what they said', async () => {
  const choice = getAnswerEngines(deployed, { engines: remoteAnswers });
  const [engine] = choice.ok ? choice.engines : [];
  const outcome = await engine?.answer(prompt, AbortSignal.timeout(20_000));
  expect(engine).toMatchObject({ kind: 'openai', model: 'a-model' });
  // The engine was reached: its own refusal comes back, not that of the binding.
  expect(outcome).toMatchObject({ ok: false, retryable: true });
  expect(outcome).not.toMatchObject({ detail: expect.stringContaining('Worker of models') });
});

test('texts are classified by the same binding', async () => {
  const classify = getClassifier(deployed, {});
  const about = { prompt: prompt.text, niche: 'shops', language: 'en' } as const;
  expect(await classify('I cannot help with that request.', about)).toBe('refusal');
  expect(await classify('Ada’s shop is the best known one, and Bob’s is near.', about)).toBeUndefined();
});

test('without the binding nothing is answered, and a prompt says why', async () => {
  const { MODELS: _models, ...unbound } = deployed;
  const choice = getAnswerEngines(unbound, { engines: remoteAnswers });
  const [engine] = choice.ok ? choice.engines : [];
  expect(await engine?.answer(prompt, AbortSignal.timeout(20_000))).toMatchObject({
    ok: false,
    detail: 'the binding MODELS is not declared in this deployment',
  });
});
