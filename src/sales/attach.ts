import type { ClaimResult } from '../payment/ledger/protocol.ts';
import { MIN_VALID } from '../visibility/run/run.ts';
import { type PurchaseAnswer, refusePayment } from './answer.ts';
import type { PurchaseOrder } from './read-order.ts';
import type { PurchaseTools } from './tools.ts';

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
