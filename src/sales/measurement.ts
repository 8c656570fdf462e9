import type { PanelEngine } from '../models/panel.ts';
import { toHex, computeHmacSha256 } from '../lib/digest.ts';
import type { ApiWorkerSettings } from './settings.ts';
import type { Measurer, PurchaseTools } from './tools.ts';
import { describeRunEngine } from '../visibility/run/measure.ts';
import {
  type CollectedRun,
  type RunProgress,
  type RunRequest,
  sumProgress,
  type VisibilityRunObject,
  computeMinValid,
} from '../visibility/run/run.ts';
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
  /** Looks the object of a run up, each time: one that was reset has another stub. */
  open: (object: string) => VisibilityRunObject;
  settings: Pick<ApiWorkerSettings, 'VISIBILITY_RUN_S' | 'ANSWER_TIMEOUT_S'>;
  /** Those that this order asks. */
  engines: readonly PanelEngine[];
  /** All that are configured, in their order: it decides which queue an engine has. The same as `engines` when absent. */
  configured?: readonly Pick<PanelEngine, 'name'>[];
  capability: string;
};

/** Queues for prompts that a deployment has. */
const LANES = 4;

/**
 * The queue of each engine: its place among those configured, whichever of them an order asks, so that an engine that hangs
 * holds no other up. From the fifth engine on two share a queue, and never within one order.
 */
function assignLanes(engines: readonly PanelEngine[], configured: readonly Pick<PanelEngine, 'name'>[]): number[] {
  const taken = new Set<number>();
  return engines.map((engine) => {
    const own = Math.max(
      0,
      configured.findIndex(({ name }) => name === engine.name),
    );
    const tries = Array.from({ length: LANES }, (_, step) => (own + step) % LANES);
    const lane = tries.find((one) => !taken.has(one)) ?? own % LANES;
    taken.add(lane);
    return lane;
  });
}

/**
 * Each engine has a run, a queue and a deadline of its own, so that one that is down or slow holds no other up.
 * @param object the name of the run's object, which leads to nothing by itself
 */
export function createMeasurer(object: string, ports: MeasurerPorts): Measurer {
  const { open, settings, engines, configured = engines, capability } = ports;
  const lanes = assignLanes(engines, configured);
  const places = engines.map((engine, at) => {
    const name = engines.length === 1 ? object : `${object}/${engine.name}`;
    return { engine, name, lane: lanes[at] ?? 0, stub: () => open(name) };
  });
  return {
    follow: createFollower(places.map(({ stub }) => stub)),
    measure: (asked, onProgress) => {
      const steps = new Map<string, RunProgress>();
      return Promise.all(
        places.map(({ engine, name, lane, stub }) => {
          const request = {
            ...asked,
            engine: describeRunEngine(engine),
            capability,
            usdPerRun: engine.usdPerRun,
            ...(lane === 0 ? {} : { lane }),
            runMs: settings.VISIBILITY_RUN_S * 1000,
            callMs: settings.ANSWER_TIMEOUT_S * 1000,
          };
          return collectRun(stub, name, request, (step) => {
            steps.set(name, step);
            const { done, failed, refused } = sumProgress([...steps.values()]);
            const total = asked.prompts.length * places.length;
            onProgress({ done, total, failed: failed + refused, label: 'prompts' });
          });
        }),
      );
    },
  };
}

type Stub = () => VisibilityRunObject;

async function collectRun(
  stub: Stub,
  object: string,
  request: RunRequest,
  onStep: (progress: RunProgress) => void,
): Promise<CollectedRun> {
  const runId = await retryAfterReset(() => stub().start(object, request));
  let seen = -1;
  for (let asked = 0; asked < MAX_QUESTIONS; asked += 1) {
    const from = seen;
    const progress = await retryAfterReset(() => stub().next(runId, from));
    if (!progress) throw new Error('a run vanished while it was waited for');
    if (progress.done > seen) onStep(progress);
    seen = progress.done;
    if (progress.ended) return collectRunAnswers(stub, runId);
  }
  throw new Error('a run outlived its deadline');
}

/** One run that is followed: how far it was when it was last heard of, and the question that waits for its next change. */
type Followed = { stub: Stub; last?: RunProgress; waiting?: Promise<Heard> };
type Heard = { run: Followed; progress: RunProgress | undefined } | { run: Followed; error: unknown };

/**
 * Follows the runs of a purchase. Each has one question open at a time, which later calls go on waiting for: a run that is
 * slower than the others is not asked again whenever they change.
 */
function createFollower(stubs: readonly Stub[]): Measurer['follow'] {
  const runs = stubs.map((stub): Followed => ({ stub }));
  return async (seen) => {
    const first = runs.some(({ last }) => last === undefined)
      ? await Promise.all(runs.map((run) => askOnce(run, -1)))
      : [];
    if (!first.every(saveHeard)) return undefined;
    const { done, ended } = sumProgress(listLast(runs));
    if (ended || done > seen) return listLast(runs);
    const open = runs.filter(({ last }) => last?.ended !== true);
    const heard = await Promise.race(open.map((run) => (run.waiting ??= askOnce(run, run.last?.done ?? -1))));
    delete heard.run.waiting;
    return saveHeard(heard) ? listLast(runs) : undefined;
  };
}

const askOnce = (run: Followed, seen: number): Promise<Heard> =>
  retryAfterReset(() => run.stub().next(null, seen)).then(
    (progress) => ({ run, progress }),
    (error: unknown) => ({ run, error }), // It is thrown by who waits for it, if anyone still does.
  );

/** Saves what was heard. False: the run is not there (yet). */
function saveHeard(heard: Heard): boolean {
  if ('error' in heard) throw heard.error;
  if (heard.progress === undefined) return false;
  heard.run.last = heard.progress;
  return true;
}

const listLast = (runs: readonly Followed[]): readonly RunProgress[] => runs.flatMap(({ last }) => last ?? []);

async function collectRunAnswers(stub: Stub, runId: string): Promise<CollectedRun> {
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

/** Longest wait for a run that another request of the same payment does, in milliseconds: the longest work, settlement and a margin. */
const ATTACH_MS = 200_000;
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
  const measurer = await tools.measurerOf(key, order);
  const claimAtMs = tools.now() + CLAIM_EVERY_MS;
  let seen = -1;
  while (tools.now() < claimAtMs) {
    const steps = await measurer?.follow(seen);
    if (!steps) return 'none';
    tools.watcher?.accepted();
    const { done, total, failed, refused, ended } = sumProgress(steps);
    if (done > seen) tools.watcher?.progress({ done, total, failed: failed + refused });
    seen = done;
    if (!ended) continue;
    const missing = steps.filter(({ answered, total: asked }) => answered < computeMinValid(asked)).length;
    if (missing > 0 && order.row.isSoldWithout?.(order.input, missing) !== true) return 'incomplete';
    await new Promise((resolve) => setTimeout(resolve, SETTLING_MS));
    return 'ended';
  }
  return 'running';
}
