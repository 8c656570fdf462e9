import { formatPlainLine } from '../../lib/safe-text.ts';
import { getErrorName } from '../../lib/errors.ts';
import * as z from 'zod';
import { computeSha256Hex } from '../../lib/digest.ts';
import type { EngineAnswer, AnswerEngine, AnswerFailure } from '../../models/port.ts';
import { promptLanguages } from '../prompts/prompt-set.ts';
import type { RefusalKind } from '../refusals/refusal-kinds.ts';
import type { AnswerContext } from '../refusals/refusals.ts';
import { promptIntents } from './intents.ts';
import type { RunAnswer, PromptMessage, VisibilityRunObject } from './run.ts';

/** Times that a prompt is asked at most: once, and again after what may pass. */
export const MAX_ATTEMPTS = 3;
/** Bytes of the URLs of an answer's sources that are kept: beyond, the rest are dropped. */
export const MAX_CITATION_BYTES = 4 * 1024;
/** Characters of a served model's name that are kept. */
const MAX_MODEL_CHARS = 200;
/** Characters of an engine's name in a panel. */
const MAX_ENGINE_NAME_CHARS = 40;
/** A call of the engine with less time left than this would not end in time. */
const MIN_CALL_MS = 1000;

/** Prompts that a run may have. */
export const MAX_PROMPTS = 100;

/** Why a text is no answer; undefined where it is one. */
export type ClassifyAnswer = (
  text: string,
  about: AnswerContext,
) => RefusalKind | undefined | Promise<RefusalKind | undefined>;

const messageSchema = z.object({
  object: z.string().min(1).max(128),
  runId: z.string().regex(/^[0-9a-f]{32}$/),
  prompt: z.object({
    index: z
      .int()
      .min(0)
      .max(MAX_PROMPTS - 1),
    id: z.string().max(40),
    intent: z.enum(promptIntents),
    text: z.string().max(1000),
  }),
  deadlineMs: z.number(),
  callMs: z.number().positive(),
  engine: z.string().max(MAX_ENGINE_NAME_CHARS).optional(),
  niche: z.string().max(1000).optional(),
  language: z.enum(promptLanguages).optional(),
});

export type ConsumeTools = {
  /** The engine of that name, without one the first; undefined when there is none any more. */
  engineOf: (name: string | undefined) => AnswerEngine | undefined;
  classify: ClassifyAnswer;
  /** The object of a run by its name. */
  runOf: (object: string) => Pick<VisibilityRunObject, 'record' | 'begin' | 'putBack'>;
  now: () => number;
  /** 0 to 1: spreads the retries of many prompts. */
  random: () => number;
  log: (event: Record<string, unknown>) => void;
};

/** What to do with the message: it is done with, or comes again after so many seconds. */
export type Disposal = { done: true } | { done: false; delayS: number };

const DONE: Disposal = { done: true };

/** Reads a message of the queue; undefined for anything that is not one of ours. */
export function parseMessage(body: unknown): PromptMessage | undefined {
  return messageSchema.safeParse(body).data;
}

/**
 * Has one prompt answered and reports to its run. Failures that may pass (408, 409, 429, 5xx, timeouts, an empty answer
 * that was cut off) come again while there is time; everything else is recorded at once. `attempts` counts from 1. A
 * prompt with which two consumers died is not asked again.
 * @throws when the run's object cannot be reached: the queue delivers the message again.
 */
export async function consumePrompt(body: unknown, attempts: number, tools: ConsumeTools): Promise<Disposal> {
  const message = parseMessage(body);
  if (!message) {
    tools.log({ event: 'prompt_unreadable' });
    return DONE;
  }
  const { runId, prompt, deadlineMs, callMs } = message;
  const run = tools.runOf(message.object);
  if (tools.now() >= deadlineMs) return DONE;
  const begun = await run.begin(runId, prompt.index);
  if (begun === 'gave_up') tools.log({ event: 'prompt_given_up', prompt: prompt.id });
  if (begun !== 'ask') return DONE;
  const limitMs = Math.max(MIN_CALL_MS, Math.min(callMs, deadlineMs - tools.now()));
  const outcome = await ask(tools, message, limitMs);
  if (!outcome.ok && outcome.retryable && attempts < MAX_ATTEMPTS) {
    // No sooner than the engine asks for; a wait that the run has no time for is none.
    const delayS = Math.max(Math.round(2 ** attempts + tools.random()), outcome.retryAfterS ?? 0);
    if (tools.now() + delayS * 1000 + MIN_CALL_MS < deadlineMs) {
      await run.putBack(runId, prompt.index);
      return { done: false, delayS };
    }
  }
  await run.record(runId, await buildRunAnswer(message, outcome, tools.classify));
  return DONE;
}

/** Whether a consumer died with this message, so that it must be handled apart from others. */
export async function hasEndedConsumer(
  body: unknown,
  runOf: (object: string) => Pick<VisibilityRunObject, 'deaths'>,
): Promise<boolean> {
  const message = parseMessage(body);
  return message !== undefined && (await runOf(message.object).deaths(message.runId, message.prompt.index)) > 0;
}

/** Records that a prompt could not be delivered: its consumer died with it until the queue gave it up. */
export async function recordUndelivered(body: unknown, tools: Pick<ConsumeTools, 'runOf' | 'log'>): Promise<void> {
  const message = parseMessage(body);
  if (!message) return tools.log({ event: 'prompt_unreadable' });
  const { object, runId, prompt } = message;
  tools.log({ event: 'prompt_undelivered', prompt: prompt.id });
  await tools.runOf(object).record(runId, { index: prompt.index, status: 'failed', reason: 'not_delivered' });
}

/** The outcome of a prompt as a run stores it; a text that is no answer is recognised here. */
export async function buildRunAnswer(
  { prompt, niche, language }: Pick<PromptMessage, 'prompt' | 'niche' | 'language'>,
  outcome: EngineAnswer | AnswerFailure,
  classify: ClassifyAnswer,
): Promise<RunAnswer> {
  const { index } = prompt;
  if (!outcome.ok) return { index, status: 'failed', reason: outcome.reason };
  const { text, finishReason } = outcome;
  const servedModel = outcome.servedModel && formatPlainLine(outcome.servedModel, MAX_MODEL_CHARS);
  const received = { index, text, sha256: await computeSha256Hex(text), servedModel, finishReason };
  // The engine's own word needs no reading of ours.
  if (outcome.isRefusal === true) return { ...received, status: 'refused', refusal: 'refusal' };
  const refusal = await classify(text, { prompt: prompt.text, niche: niche ?? '', language });
  if (refusal !== undefined) return { ...received, status: 'refused', refusal };
  const citations = outcome.citations && selectWithinBytes(outcome.citations);
  const sources = outcome.sources?.filter(({ url }) => citations?.includes(url));
  return { ...received, status: 'answered', citations, ...(sources === undefined ? {} : { sources }) };
}

/** The first URLs that fit together into what is kept of an answer's sources. */
function selectWithinBytes(urls: readonly string[]): readonly string[] {
  const encoder = new TextEncoder();
  let bytes = 0;
  const end = urls.findIndex((url) => (bytes += encoder.encode(url).byteLength) > MAX_CITATION_BYTES);
  return end === -1 ? urls : urls.slice(0, end);
}

async function ask(
  tools: ConsumeTools,
  { prompt, engine: name }: PromptMessage,
  limitMs: number,
): Promise<EngineAnswer | AnswerFailure> {
  const engine = tools.engineOf(name);
  if (!engine) return { ok: false, reason: 'refused', detail: 'no such answer engine is configured', retryable: false };
  const outcome = await answerWithin(engine, prompt, limitMs);
  if (!outcome.ok)
    tools.log({ event: 'prompt_failed', prompt: prompt.id, reason: outcome.reason, detail: outcome.detail });
  return outcome;
}

/** Asks the engine with a time limit that holds even when the engine ignores its signal; a throw is a failure too. */
export async function answerWithin(
  engine: AnswerEngine,
  prompt: PromptMessage['prompt'],
  limitMs: number,
): Promise<EngineAnswer | AnswerFailure> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<AnswerFailure>((resolve) => {
    timer = setTimeout(() => {
      controller.abort(new DOMException('the answer took too long', 'TimeoutError'));
      resolve({ ok: false, reason: 'timeout', detail: `no answer within ${limitMs} ms`, retryable: true });
    }, limitMs);
  });
  try {
    return await Promise.race([late, engine.answer(prompt, controller.signal)]);
  } catch (error) {
    const name = getErrorName(error);
    return { ok: false, reason: 'engine_fault', detail: `the engine threw ${name}`, retryable: false };
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}
