import type { LedgerShard } from '../../src/payment/ledger-protocol.ts';

/** How often a running Worker renews its lease of 30 s, in milliseconds. */
export const RENEW_EVERY_MS = 10_000;

/**
 * Runs `work` while renewing the lease of this attempt. Whether the attempt still owns the payment afterwards is
 * decided by the compare-and-set that follows (`beginSettle`, `sell`), not here: a late renewal is no verdict.
 */
export async function withLease<T>(
  ledger: LedgerShard,
  key: string,
  attempt: number,
  log: (event: Record<string, unknown>) => void,
  work: () => Promise<T>,
): Promise<T> {
  const renewal = setInterval(() => {
    ledger.renew(key, attempt).then(
      (owned) => {
        if (!owned) clearInterval(renewal);
      },
      (error: unknown) => log({ event: 'lease_renewal_failed', error: String(error) }),
    );
  }, RENEW_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
  }
}
