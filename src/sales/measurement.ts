import type { AnswerEngine } from '../models/port.ts';
import { toHex, computeHmacSha256 } from '../lib/digest.ts';
import type { ApiWorkerSettings } from './settings.ts';
import type { Measurer, PurchaseTools } from './tools.ts';
import { loadPromptSet, buildPrompts } from '../visibility/run/prompts.ts';
import { type VisibilityRunObject, MIN_VALID } from '../visibility/run/run.ts';
import type { ClaimResult } from '../payment/ledger/protocol.ts';
import { type PurchaseAnswer, refusePayment } from './answer.ts';
import type { PurchaseOrder } from './read-order.ts';

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

/** What a measurement is made with. `capability`: the row that is sold, for the operator's list of runs. */
type MeasurerPorts = {
  /** Looks the object of the run up, each time: one that was reset has another stub. */
  open: () => VisibilityRunObject;
  settings: Pick<ApiWorkerSettings, 'VISIBILITY_RUN_S' | 'ANSWER_TIMEOUT_S'>;
  engine: AnswerEngine;
  capability: string;
};

/** @param object the name of the run's object, which leads to nothing by itself */
export function createMeasurer(object: string, { open: stub, settings, engine, capability }: MeasurerPorts): Measurer {
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

/** Longest wait for a run that another request of the same payment does, in milliseconds: run, settlement and a margin. */
const ATTACH_MS = 170_000;
/** Between two looks at the ledger while the run goes on: it may have lost its Worker. */
const CLAIM_EVERY_MS = 10_000;
/** Between two looks once the run ended: its settlement takes moments. */
const SETTLING_MS = 500;

type KeyedClaim = { key: string; claim: ClaimResult };
export type Attached = ({ kind: 'claim' } & KeyedClaim) | { kind: 'incomplete'; answer: PurchaseAnswer };

/**
 * Claims a payment; where its own payer finds it running and the work is a measurement, waits for that run's end
 * instead of refusing, and claims again: it then gets the stored answer, or the work of a Worker that died (rule P11).
 * A run exists only once the payment was verified, so no client waits, or opens a stream, for less.
 */
export async function claimOrAttach(
  tools: PurchaseTools,
  order: PurchaseOrder,
  claim: () => Promise<KeyedClaim>,
): Promise<Attached> {
  let made = await claim();
  if (!order.row.engineBacked) return { kind: 'claim', ...made };
  const endMs = tools.now() + ATTACH_MS;
  while (made.claim.outcome === 'in_progress' && made.claim.entitled && tools.now() < endMs) {
    const standing = await followRun(tools, order, made.key);
    if (standing === 'none') break;
    if (standing === 'incomplete') return { kind: 'incomplete', answer: refusePayment('measurement_incomplete') };
    made = await claim();
  }
  return { kind: 'claim', ...made };
}

/** Follows the run of a payment until it ends or it is time to look at the ledger again. */
async function followRun(
  tools: PurchaseTools,
  order: PurchaseOrder,
  key: string,
): Promise<'none' | 'running' | 'ended' | 'incomplete'> {
  const measurer = await tools.measurerOf(key, order.fingerprint, order.row.name);
  const claimAtMs = tools.now() + CLAIM_EVERY_MS;
  let seen = -1;
  while (tools.now() < claimAtMs) {
    const progress = await measurer?.follow(seen);
    if (!progress) return 'none';
    tools.watcher?.accepted();
    const { done, total, failed } = progress;
    if (done > seen) tools.watcher?.progress({ done, total, failed });
    seen = done;
    if (!progress.ended) continue;
    if (progress.answered < MIN_VALID) return 'incomplete';
    await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
    return 'ended';
  }
  return 'running';
}
