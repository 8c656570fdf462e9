import type { AnswerEngine, AnswerFailure, FailureReason } from '../../models/port.ts';
import { answerWithin } from './consume.ts';
import type { Prompt } from './prompts.ts';

/** Times that an engine is asked before it counts as out of reach. */
const MAX_TRIES = 2;
const PAUSE_MS = 1000;

/** Failures that the other prompts would meet as well. The rest may be the prompt's own, or pass while a run goes on. */
const everyPromptFails: ReadonlySet<FailureReason> = new Set([
  'unavailable',
  'unauthorized',
  'refused',
  'invalid_response',
]);

export type Preflight = { ok: true; engine: AnswerEngine } | { ok: false; failure: AnswerFailure };

/**
 * Asks the first of the prompts before a run begins: an engine that cannot answer is found after one
 * question, not after 30 with their retries. The answer is not lost: the returned engine gives it to the run.
 */
export async function askFirstPrompt(
  engine: AnswerEngine,
  prompts: readonly Prompt[],
  { callMs, sleep }: { callMs: number; sleep: (ms: number) => Promise<unknown> },
): Promise<Preflight> {
  const [first] = prompts;
  if (first === undefined) return { ok: true, engine };
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const outcome = await answerWithin(engine, first, callMs);
    if (outcome.ok) {
      let isFresh = true;
      const answer: AnswerEngine['answer'] = async (prompt, signal) => {
        if (!isFresh || prompt.index !== first.index) return engine.answer(prompt, signal);
        isFresh = false;
        return outcome;
      };
      return { ok: true, engine: { ...engine, answer } };
    }
    if (!everyPromptFails.has(outcome.reason)) return { ok: true, engine };
    if (!outcome.retryable || tries === MAX_TRIES) return { ok: false, failure: outcome };
    await sleep(PAUSE_MS);
  }
  return { ok: true, engine };
}
