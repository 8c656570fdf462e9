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

/** A shard as the purchase sees it: whatever goes wrong on the way to the object is LedgerUnavailable (rule P31). */
export function createLedgerClient(stub: LedgerShard, log: (event: Record<string, unknown>) => void): LedgerShard {
  const told = <T>(method: string, call: () => Promise<T>): Promise<T> => reach(log, method, call);
  return {
    claim: (request) => told('claim', () => stub.claim(request)),
    peek: (request) => told('peek', () => stub.peek(request)),
    renew: (key, attempt) => told('renew', () => stub.renew(key, attempt)),
    discard: (key, attempt, refused) => told('discard', () => stub.discard(key, attempt, refused)),
    release: (key, attempt, failed, untouched) => told('release', () => stub.release(key, attempt, failed, untouched)),
    beginSettle: (key, attempt, reportId) => told('beginSettle', () => stub.beginSettle(key, attempt, reportId)),
    settled: (key, attempt, transaction) => told('settled', () => stub.settled(key, attempt, transaction)),
    sell: (key, attempt, reportId) => told('sell', () => stub.sell(key, attempt, reportId)),
    refuse: (key, attempt, reason) => told('refuse', () => stub.refuse(key, attempt, reason)),
    doubt: (key, attempt) => told('doubt', () => stub.doubt(key, attempt)),
    spend: (hash, pruneAtMs, payer) => told('spend', () => stub.spend(hash, pruneAtMs, payer)),
    soldAs: (key) => told('soldAs', () => stub.soldAs(key)),
    resultState: (key) => told('resultState', () => stub.resultState(key)),
  };
}
