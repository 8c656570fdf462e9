import { loadOnce } from '../../lib/concurrency.ts';
import type { PanelEngine } from '../../models/panel.ts';
import type { AnswerEngine } from '../../models/port.ts';
import {
  type AskedPrompts,
  type CollectedRun,
  isRefusedRun,
  isTextWanted,
  type RunAnswer,
  type RunEngine,
  type RunHead,
  type PromptStart,
  collect,
  mergeAnswers,
  buildMessages,
  openRun,
  computeRunProgress,
  type RunProgress,
} from './run.ts';
import { type ClassifyAnswer, consumePrompt, MAX_ATTEMPTS } from './consume.ts';

// Word lists of many languages: only who measures reads them.
const loadRefusals = /* @__PURE__ */ loadOnce(() => import('../refusals/refusals.ts'));
const classify: ClassifyAnswer = async (text, about) => (await loadRefusals()).classifyAnswer(text, about);

/** Prompts that are asked at the same time: as many as one batch of the queue. */
const LANES = 6;

export type MeasureTools = {
  engine: AnswerEngine;
  /** 32 hex digits of randomness: the id of the run, and the seed of its bootstrap. */
  runId: string;
  runMs: number;
  callMs: number;
  now: () => number;
  /** 0 to 1. */
  random: () => number;
  sleep: (ms: number) => Promise<unknown>;
  log: (event: Record<string, unknown>) => void;
  onProgress: (progress: RunProgress) => void;
};

/** What of an engine a run says. */
export const describeRunEngine = ({
  kind,
  model,
  name,
  webSearch,
  country,
}: AnswerEngine & Partial<Pick<PanelEngine, 'name' | 'webSearch' | 'country'>>): RunEngine => ({
  kind,
  model,
  ...(name === undefined ? {} : { name }),
  ...(webSearch === undefined ? {} : { webSearch }),
  ...(country === undefined ? {} : { country }),
});

/**
 * Has the prompts of a measurement answered in this process, by the rules of the queue's consumer: the same limits,
 * the same retries, the same run.
 */
export async function measureHere(asked: AskedPrompts, tools: MeasureTools): Promise<CollectedRun> {
  const { engine, runMs, callMs, now } = tools;
  const request = { ...asked, engine: describeRunEngine(engine), runMs, callMs };
  let head: RunHead = openRun(request, tools.runId, now());
  const kept = new Map<number, RunAnswer>();
  const run = {
    begin: async (_runId: string, index: number): Promise<PromptStart> =>
      head.isStopped || !isTextWanted(kept.get(index)) ? 'unwanted' : 'ask',
    putBack: async () => undefined,
    record: async (_runId: string, next: RunAnswer) => {
      if (now() >= head.deadlineMs || head.isStopped) return false;
      const written = mergeAnswers(kept.get(next.index), next);
      if (written) kept.set(written.index, written);
      if (isRefusedRun(kept.values())) head = { ...head, isStopped: true };
      const { length: total } = asked.prompts;
      tools.onProgress(computeRunProgress([...kept.values()], total, kept.size === total || head.isStopped === true));
      return written !== undefined;
    },
  };
  const queue = [...buildMessages('here', head, request)];
  const lane = async (): Promise<void> => {
    for (let message = queue.shift(); message; message = queue.shift()) {
      for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
        const disposal = await consumePrompt(message, attempts, {
          ...tools,
          engineOf: () => engine,
          classify,
          runOf: () => run,
        });
        if (disposal.done) break;
        await tools.sleep(disposal.delayS * 1000);
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return collect(head, [...kept.values()], Math.min(now(), head.deadlineMs));
}
