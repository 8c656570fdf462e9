import { toHex, computeHmacSha256 } from '../../../src/lib/digest.ts';
import type { AnswerEngine } from '../../../src/models/port.ts';
import type { ApiWorkerSettings } from '../../../src/sales/settings.ts';
import type { Measurer } from '../../../src/sales/tools.ts';
import { loadPromptSet, buildPrompts } from '../../../src/visibility/run/prompts.ts';
import type { VisibilityRunObject } from '../../../src/visibility/run/run.ts';
import type { Env } from './env.ts';

/** Questions for progress of one run: each waits for a change, or 10 s. */
const MAX_QUESTIONS = 400;
/** Times that an object which was lost in the middle is asked again, and how long to wait before, in milliseconds. */
const MAX_LOST = 5;
const LOST_WAIT_MS = 300;

/**
 * Name of the object of a run: an HMAC of the payment and of what it buys, so that who knows both still cannot compute
 * it (rule P11).
 */
export async function runObjectName(secret: string, paymentKey: string, fingerprint: string): Promise<string> {
  return toHex(await computeHmacSha256(secret, `visibility-run\n${paymentKey}\n${fingerprint}`));
}

/** @param capability the row that is sold, for the operator's list of runs */
export function createMeasurer(
  env: Env,
  settings: ApiWorkerSettings,
  engine: AnswerEngine,
  object: string,
  capability: string,
): Measurer {
  const stub = () => env.VISIBILITY_RUN.getByName(object) as unknown as VisibilityRunObject; // The class implements it.
  return {
    follow: (seen) => stub().next(null, seen),
    measure: async (niche, onProgress) => {
      const request = {
        niche,
        promptSet: await loadPromptSet(),
        prompts: buildPrompts(niche),
        engine: { kind: engine.kind, model: engine.model },
        capability,
        runMs: settings.VISIBILITY_RUN_S * 1000,
        callMs: settings.ANSWER_TIMEOUT_S * 1000,
      };
      const runId = await retryAfterReset(() => stub().start(object, request));
      let seen = -1;
      for (let asked = 0; asked < MAX_QUESTIONS; asked += 1) {
        const from = seen;
        const progress = await retryAfterReset(() => stub().next(runId, from));
        if (!progress) throw new Error('a run vanished while it was waited for');
        if (progress.done > seen)
          onProgress({ done: progress.done, total: progress.total, failed: progress.failed, label: 'prompts' });
        seen = progress.done;
        if (progress.ended) return collectRunAnswers(stub, runId);
      }
      throw new Error('a run outlived its deadline');
    },
  };
}

async function collectRunAnswers(stub: () => VisibilityRunObject, runId: string) {
  const run = await retryAfterReset(() => stub().collected(runId));
  if (!run) throw new Error('a run ended and has no answers');
  return run;
}

/** An object that is moved or restarted loses its callers, not its state: they ask again. */
async function retryAfterReset<T>(call: () => Promise<T>): Promise<T> {
  for (let lost = 0; lost < MAX_LOST; lost += 1) {
    try {
      return await call();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, LOST_WAIT_MS * (lost + 1)));
    }
  }
  return call();
}
