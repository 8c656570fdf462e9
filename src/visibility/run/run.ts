import type { EngineKind, FailureReason, FinishReason } from '../../models/port.ts';
import type { RefusalKind } from '../refusals/refusal-kinds.ts';
import { type Prompt, PROMPT_COUNT } from './prompts.ts';

/** The answer to a prompt as a run keeps it. `sha256` is over the UTF-8 bytes of `text` as kept. */
export type RunAnswer =
  | {
      index: number;
      status: 'answered';
      text: string;
      sha256: string;
      servedModel: string | undefined;
      finishReason: FinishReason;
      citations: readonly string[] | undefined;
    }
  | {
      index: number;
      status: 'refused';
      /** Why the text is no answer. */
      refusal: RefusalKind;
      text: string;
      sha256: string;
      servedModel: string | undefined;
      finishReason: FinishReason;
    }
  | { index: number; status: 'failed'; reason: FailureReason };

/** Everything a measurement is made from: one entry per prompt of the set, in the order of the set. */
export type CollectedRun = {
  /** 32 hex digits of randomness. */
  runId: string;
  /** Which prompts: see `loadPromptSet`. */
  promptSet: { id: string; sha256: string };
  engine: { kind: EngineKind; model: string };
  niche: string;
  startedAtMs: number;
  endedAtMs: number;
  answers: readonly RunAnswer[];
};

/** How long a finished run can still be attached to, in milliseconds. Its answers are kept elsewhere from then on. */
export const RUN_KEPT_MS = 24 * 3_600_000;

/** Valid answers that a measurement needs; and from which on it counts as whole. */
export const MIN_VALID = 24;
export const FULL_VALID = 27;

/** What a run is started with. Times are milliseconds. */
export type RunRequest = {
  niche: string;
  promptSet: { id: string; sha256: string };
  prompts: readonly Prompt[];
  engine: { kind: EngineKind; model: string };
  /** The row that asks for it, for the operator to know. */
  capability?: string;
  /** Longest time of the whole run, and of one call of the engine. */
  runMs: number;
  callMs: number;
};

/** A run without its answers. `endedAtMs` is null while it goes on. */
export type RunHead = Omit<RunRequest, 'prompts' | 'runMs' | 'callMs'> & {
  runId: string;
  /** Name of the run's object, where the object knows it. */
  object?: string;
  startedAtMs: number;
  deadlineMs: number;
  endedAtMs: number | null;
  /** All its prompts are in the queue. */
  sent: boolean;
};

/** How far a run is: counts only (rule P11). `done` = answered + failed. */
export type RunProgress = { done: number; answered: number; failed: number; total: number; ended: boolean };

/** One prompt on its way through the queue. */
export type PromptMessage = {
  /** Name of the run's object. */
  object: string;
  runId: string;
  prompt: Prompt;
  deadlineMs: number;
  callMs: number;
};

/** What the Worker, the queue's consumer and its tests know of a run's object. Methods are RPC: nothing is shared. */
export interface VisibilityRunObject {
  /**
   * Starts the run, or attaches to the one that was started before with the same object name. Idempotent; only a run
   * that ended without enough answers is replaced by a new one. Returns its id.
   */
  start(object: string, request: RunRequest): Promise<string>;
  /** Keeps the outcome of one prompt. False when it was not wanted: another run, over, or answered already. */
  record(runId: string, kept: RunAnswer): Promise<boolean>;
  /**
   * Notes that the engine is about to be asked, before its answer is read, so that a consumer that dies with an answer is
   * noticed: what neither `record` nor `putBack` followed was a death. `unwanted`: no answer to this prompt would count.
   * `gave_up`: two consumers died with it; the prompt has failed.
   */
  begin(runId: string, index: number): Promise<PromptStart>;
  /** The prompt will be asked again by the consumer's own word: its last beginning was no death. */
  putBack(runId: string, index: number): Promise<void>;
  /** Consumers that died with this prompt. */
  deaths(runId: string, index: number): Promise<number>;
  /**
   * Waits until more than `seen` prompts are done or the run ended, at most 10 s. Undefined: there is no such run.
   * `null` represents the run that is there now; undefined as well when too many follow it already.
   */
  next(runId: string | null, seen: number): Promise<RunProgress | undefined>;
  /** Everything collected, once the run ended. */
  collected(runId: string): Promise<CollectedRun | undefined>;
}

/** Consumers that may die with one prompt; then it has failed. No answer of an engine stops the service a third time. */
export const MAX_PROMPT_DEATHS = 2;

/** What to do with a prompt. */
export type PromptStart = 'ask' | 'unwanted' | 'gave_up';

/** A run whose start is now. `runId`: 32 hex digits of randomness. */
export function openRun(request: RunRequest, runId: string, nowMs: number): RunHead {
  const { prompts: _prompts, runMs, callMs: _callMs, ...rest } = request;
  return { ...rest, runId, startedAtMs: nowMs, deadlineMs: nowMs + runMs, endedAtMs: null, sent: false };
}

/** The messages that have a run's prompts answered. */
export const buildMessages = (object: string, head: RunHead, request: RunRequest): readonly PromptMessage[] =>
  request.prompts.map((prompt) => ({
    object,
    runId: head.runId,
    prompt,
    deadlineMs: head.deadlineMs,
    callMs: request.callMs,
  }));

/**
 * What to keep for a prompt when `next` arrives and `kept` is there already: the first answer stays, an answer replaces
 * a failure, a doubled message changes nothing. Undefined: keep what is there.
 */
export function mergeAnswers(kept: RunAnswer | undefined, next: RunAnswer): RunAnswer | undefined {
  if (kept === undefined) return next;
  return kept.status === 'failed' && next.status === 'answered' ? next : undefined;
}

/** The run as it is: prompts that no one has answered failed at the deadline. */
export function collect(head: RunHead, answers: readonly RunAnswer[], endedAtMs: number): CollectedRun {
  const byIndex = new Map(answers.map((one) => [one.index, one]));
  return {
    runId: head.runId,
    promptSet: head.promptSet,
    engine: head.engine,
    niche: head.niche,
    startedAtMs: head.startedAtMs,
    endedAtMs,
    answers: Array.from(
      { length: PROMPT_COUNT },
      (_, index): RunAnswer => byIndex.get(index) ?? { index, status: 'failed', reason: 'deadline' },
    ),
  };
}

/** How far a run is with these answers. */
export function computeRunProgress(answers: readonly Pick<RunAnswer, 'status'>[], ended: boolean): RunProgress {
  const answered = answers.filter(({ status }) => status === 'answered').length;
  return { done: answers.length, answered, failed: answers.length - answered, total: PROMPT_COUNT, ended };
}

/** Whether a measurement can be made of these answers: with fewer than 24 it cannot, with fewer than 27 it says so. */
export function classifyRun(answers: readonly Pick<RunAnswer, 'status'>[]): 'complete' | 'degraded' | 'incomplete' {
  const valid = answers.filter(({ status }) => status === 'answered').length;
  if (valid < MIN_VALID) return 'incomplete';
  return valid < FULL_VALID ? 'degraded' : 'complete';
}
