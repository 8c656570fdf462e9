import type { ClaimResult } from '../../src/payment/ledger-protocol.ts';
import type { Order } from './read-order.ts';
import type { PurchaseTools } from './tools.ts';

/** Longest wait for a run that another request of the same payment does, in milliseconds: run, settlement and a margin. */
const ATTACH_MS = 170_000;
/** Between looks where there is nothing to wait for: before the run starts, and while it is settled. */
const LOOK_EVERY_MS = 500;

/**
 * Claims a payment; where its own payer finds it running and the work is a measurement, waits for that run's end
 * instead of refusing, and claims again: it then gets the stored answer, or the work of a Worker that died (rule P11).
 */
export async function claimOrAttach(
  tools: PurchaseTools,
  order: Order,
  claim: () => Promise<{ key: string; claim: ClaimResult }>,
): Promise<{ key: string; claim: ClaimResult }> {
  let made = await claim();
  if (!order.row.engineBacked) return made;
  const endMs = tools.now() + ATTACH_MS;
  let seen = -1;
  while (made.claim.outcome === 'in_progress' && made.claim.entitled && tools.now() < endMs) {
    tools.watcher?.accepted();
    const measurer = await tools.measurerOf(made.key, order.fingerprint);
    const progress = await measurer?.follow(seen);
    if (progress && progress.done > seen) {
      tools.watcher?.progress({ done: progress.done, total: progress.total, failed: progress.failed });
      seen = progress.done;
    }
    if (!progress || progress.ended) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    made = await claim();
  }
  return made;
}
