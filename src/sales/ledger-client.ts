import { type LedgerShard, LedgerUnavailable } from '../payment/ledger/protocol.ts';

/**
 * Calls an object that money depends on. Any failure on the way to it is logged and becomes LedgerUnavailable
 * (rule P31).
 */
export async function reach<T>(
  log: (event: Record<string, unknown>) => void,
  method: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    log({ event: 'ledger_failed', method, error: String(error).slice(0, 200) });
    throw new LedgerUnavailable(method, { cause: error });
  }
}

/** Rule P31: what money depends on and cannot be reached now is 503 or not known, never an open door. */
export async function runOrUnavailable<T>(task: () => Promise<T>, unavailable: T): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof LedgerUnavailable) return unavailable;
    throw error;
  }
}

/** A shard as the purchase sees it: whatever goes wrong on the way to the object is LedgerUnavailable (rule P31). */
export function createLedgerClient(stub: LedgerShard, log: (event: Record<string, unknown>) => void): LedgerShard {
  const callStub = <T>(method: string, call: () => Promise<T>): Promise<T> => reach(log, method, call);
  return {
    claim: (request) => callStub('claim', () => stub.claim(request)),
    peek: (request) => callStub('peek', () => stub.peek(request)),
    renew: (key, attempt) => callStub('renew', () => stub.renew(key, attempt)),
    discard: (key, attempt, refused) => callStub('discard', () => stub.discard(key, attempt, refused)),
    release: (key, attempt, failed, untouched) =>
      callStub('release', () => stub.release(key, attempt, failed, untouched)),
    beginSettle: (key, attempt, reportId) => callStub('beginSettle', () => stub.beginSettle(key, attempt, reportId)),
    settled: (key, attempt, transaction) => callStub('settled', () => stub.settled(key, attempt, transaction)),
    sell: (key, attempt, reportId) => callStub('sell', () => stub.sell(key, attempt, reportId)),
    refuse: (key, attempt, reason) => callStub('refuse', () => stub.refuse(key, attempt, reason)),
    doubt: (key, attempt, named) => callStub('doubt', () => stub.doubt(key, attempt, named)),
    spend: (hash, pruneAtMs, payer) => callStub('spend', () => stub.spend(hash, pruneAtMs, payer)),
    soldAs: (key) => callStub('soldAs', () => stub.soldAs(key)),
    resultState: (key) => callStub('resultState', () => stub.resultState(key)),
  };
}
