import type { AnswerSource, EngineKind, FailureReason, FinishReason } from '../../models/port.ts';
import type { PromptLanguage, PromptSetId } from '../prompts/prompt-set.ts';
import type { RefusalKind } from '../refusals/refusal-kinds.ts';
import { type Prompt, PROMPT_COUNT } from './prompts.ts';

/** What a text came with. `sha256` is over the UTF-8 bytes of `text` as it is stored. */
type ReceivedText = {
  index: number;
  text: string;
  sha256: string;
  servedModel: string | undefined;
  finishReason: FinishReason;
};

/**
 * What became of a prompt. `refused`: the engine wrote something that is no answer, which is decided once, when it is
 * recorded, so that a stored run reads the same for ever.
 */
export type RunAnswer =
  | (ReceivedText & {
      status: 'answered';
      /** URLs; undefined when the engine gives none to anyone. */
      citations: readonly string[] | undefined;
      /** The same with what else the engine says of them; absent in runs of before, and where nothing is said. */
      sources?: readonly AnswerSource[];
    })
  | (ReceivedText & { status: 'refused'; refusal: RefusalKind })
  | { index: number; status: 'failed'; reason: FailureReason };

/** The engine of a run. `name` is its row in the panel; runs of before have none. */
export type RunEngine = { kind: EngineKind; model: string; name?: string; webSearch?: boolean; country?: string };

/** Everything a measurement is made from: one entry per prompt of the set, in the order of the set. */
export type CollectedRun = {
  /** 32 hex digits of randomness. */
  runId: string;
  /** Which prompts: see `loadPromptSet`. */
  promptSet: PromptSetId;
  engine: RunEngine;
  niche: string;
  startedAtMs: number;
  endedAtMs: number;
  answers: readonly RunAnswer[];
};

/** How long a finished run can still be attached to, in milliseconds. Its answers are kept elsewhere from then on. */
export const RUN_KEPT_MS = 24 * 3_600_000;

const MIN_VALID_SHARE = 0.8;
const FULL_VALID_SHARE = 0.9;

/** Real answers that a measurement of so many prompts needs: 24 of 30. */
export const computeMinValid = (total: number): number => Math.ceil(total * MIN_VALID_SHARE);
/** Real answers from which on it counts as whole: 27 of 30. */
export const computeFullValid = (total: number): number => Math.ceil(total * FULL_VALID_SHARE);

/** The same for the prompt sets of 30. */
export const MIN_VALID = computeMinValid(PROMPT_COUNT);
export const FULL_VALID = computeFullValid(PROMPT_COUNT);

/** Outcomes that are read to see whether an engine refuses, and refusals among them that end its run. */
const EARLY_OUTCOMES = 8;
const MAX_EARLY_REFUSALS = 6;

/**
 * Whether a run ends early: 6 of its first 8 outcomes are refusals. Asked with every outcome, so a run with more of them has
 * passed. @param outcomes all that there are by now
 */
export function isRefusedRun(outcomes: Iterable<Pick<RunAnswer, 'status'>>): boolean {
  const first = [...outcomes];
  return (
    first.length <= EARLY_OUTCOMES && first.filter(({ status }) => status === 'refused').length >= MAX_EARLY_REFUSALS
  );
}

/** What is asked: which prompts about which market. `language` is that of the prompts, where it is known. */
export type AskedPrompts = {
  niche: string;
  promptSet: PromptSetId;
  prompts: readonly Prompt[];
  language?: PromptLanguage;
};

/** What a run is started with. Times are milliseconds. */
export type RunRequest = AskedPrompts & {
  engine: RunEngine;
  /** The row that asks for it, and what 30 answers of its engine cost in USD, for the operator to know. */
  capability?: string;
  usdPerRun?: number;
  /** Which of the queues its prompts go through, from 0; runs of before, which do not say it, had the only one. */
  lane?: number;
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
  /** Prompts of the run; runs of before, which do not say it, have 30. */
  total?: number;
  /** It ended early, because the engine refuses. */
  isStopped?: boolean;
};

/** Prompts of a run. */
export const getPromptTotal = ({ total }: Pick<RunHead, 'total'>): number => total ?? PROMPT_COUNT;

/** How far a run is: counts only (rule P11). `done` = answered + refused + failed. */
export type RunProgress = {
  done: number;
  answered: number;
  refused: number;
  failed: number;
  total: number;
  ended: boolean;
};

/** One prompt on its way through the queue. */
export type PromptMessage = {
  /** Name of the run's object. */
  object: string;
  runId: string;
  prompt: Prompt;
  deadlineMs: number;
  callMs: number;
  /** Name of the engine in the panel; undefined: the first. */
  engine?: string | undefined;
  /** What the answer is judged by: about what, and in which language. */
  niche?: string | undefined;
  language?: PromptLanguage | undefined;
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
  const { prompts, runMs, callMs: _callMs, ...rest } = request;
  const total = prompts.length;
  return { ...rest, runId, startedAtMs: nowMs, deadlineMs: nowMs + runMs, endedAtMs: null, sent: false, total };
}

/** The messages that have a run's prompts answered. */
export const buildMessages = (object: string, head: RunHead, request: RunRequest): readonly PromptMessage[] =>
  request.prompts.map((prompt) => ({
    object,
    runId: head.runId,
    prompt,
    deadlineMs: head.deadlineMs,
    callMs: request.callMs,
    ...(request.engine.name === undefined ? {} : { engine: request.engine.name }),
    niche: request.niche,
    ...(request.language === undefined ? {} : { language: request.language }),
  }));

/** Whether a text would count for a prompt with this outcome: the first text stays, be it an answer or a refusal. */
export const isTextWanted = (kept: Pick<RunAnswer, 'status'> | undefined): boolean =>
  kept === undefined || kept.status === 'failed';

/**
 * What to keep for a prompt when `next` arrives and `kept` is there already: a text replaces a failure, a doubled message
 * changes nothing. Undefined: keep what is there.
 */
export const mergeAnswers = (kept: RunAnswer | undefined, next: RunAnswer): RunAnswer | undefined =>
  kept === undefined || (next.status !== 'failed' && isTextWanted(kept)) ? next : undefined;

/** The run as it is: prompts without an outcome failed at the deadline, or when the run was stopped. */
export function collect(head: RunHead, answers: readonly RunAnswer[], endedAtMs: number): CollectedRun {
  const byIndex = new Map(answers.map((one) => [one.index, one]));
  const reason = head.isStopped === true ? 'stopped' : 'deadline';
  return {
    runId: head.runId,
    promptSet: head.promptSet,
    engine: head.engine,
    niche: head.niche,
    startedAtMs: head.startedAtMs,
    endedAtMs,
    answers: Array.from(
      { length: getPromptTotal(head) },
      (_, index): RunAnswer => byIndex.get(index) ?? { index, status: 'failed', reason },
    ),
  };
}

/** How far a run of `total` prompts is with these outcomes. */
export function computeRunProgress(
  outcomes: readonly Pick<RunAnswer, 'status'>[],
  total: number,
  ended: boolean,
): RunProgress {
  const count = (wanted: RunAnswer['status']): number => outcomes.filter(({ status }) => status === wanted).length;
  const [answered, refused] = [count('answered'), count('refused')];
  return { done: outcomes.length, answered, refused, failed: outcomes.length - answered - refused, total, ended };
}

/** How far several runs are together; ended once all of them are. */
export const sumProgress = (steps: readonly RunProgress[]): RunProgress =>
  steps.reduce(
    (sum, { done, answered, refused, failed, total, ended }) => ({
      done: sum.done + done,
      answered: sum.answered + answered,
      refused: sum.refused + refused,
      failed: sum.failed + failed,
      total: sum.total + total,
      ended: sum.ended && ended,
    }),
    { done: 0, answered: 0, refused: 0, failed: 0, total: 0, ended: true },
  );

/**
 * Whether a measurement can be made of these outcomes: with fewer real answers than 24 of 30 it cannot, with fewer than
 * 27 it says so. @param total prompts of the run, where not all of them have an outcome
 */
export function classifyRun(
  outcomes: readonly Pick<RunAnswer, 'status'>[],
  total: number = outcomes.length,
): 'complete' | 'degraded' | 'incomplete' {
  const valid = outcomes.filter(({ status }) => status === 'answered').length;
  if (valid < computeMinValid(total)) return 'incomplete';
  return valid < computeFullValid(total) ? 'degraded' : 'complete';
}
