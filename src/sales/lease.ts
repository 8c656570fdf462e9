import type { LedgerShard } from '../payment/ledger/protocol.ts';

/** How often a running Worker renews its lease of 30 s, in milliseconds. */
export const RENEW_EVERY_MS = 10_000;

/**
 * Runs `work` while renewing the lease of this attempt. Whether the attempt still owns the payment afterwards is
 * decided by the compare-and-set that follows (`beginSettle`, `sell`), not here: a late renewal is no verdict.
 */
export async function withLease<T>(
  ledger: Pick<LedgerShard, 'renew'>,
  key: string,
  attempt: number,
  log: (event: Record<string, unknown>) => void,
  work: () => Promise<T>,
): Promise<T> {
  const renewal = setInterval(() => {
    void renew();
  }, RENEW_EVERY_MS);
  const renew = async (): Promise<void> => {
    try {
      if (!(await ledger.renew(key, attempt))) clearInterval(renewal);
    } catch (error) {
      log({ event: 'lease_renewal_failed', error: String(error) });
    }
  };
  try {
    return await work();
  } finally {
    clearInterval(renewal);
  }
}
