import { type LedgerShard, LedgerUnavailable } from '../../src/payment/ledger-protocol.ts';

/** A shard as the purchase sees it: whatever goes wrong on the way to the object is LedgerUnavailable (rule P31). */
export function ledgerClient(stub: LedgerShard, log: (event: Record<string, unknown>) => void): LedgerShard {
  const reach = async <T>(method: string, call: () => Promise<T>): Promise<T> => {
    try {
      return await call();
    } catch (error) {
      log({ event: 'ledger_failed', method, error: String(error).slice(0, 200) });
      throw new LedgerUnavailable(method);
    }
  };
  return {
    claim: (request) => reach('claim', () => stub.claim(request)),
    peek: (request) => reach('peek', () => stub.peek(request)),
    renew: (key, attempt) => reach('renew', () => stub.renew(key, attempt)),
    discard: (key, attempt) => reach('discard', () => stub.discard(key, attempt)),
    release: (key, attempt, failed) => reach('release', () => stub.release(key, attempt, failed)),
    beginSettle: (key, attempt, reportId) => reach('beginSettle', () => stub.beginSettle(key, attempt, reportId)),
    settled: (key, attempt, transaction) => reach('settled', () => stub.settled(key, attempt, transaction)),
    sell: (key, attempt, reportId) => reach('sell', () => stub.sell(key, attempt, reportId)),
    refuse: (key, attempt, reason) => reach('refuse', () => stub.refuse(key, attempt, reason)),
    doubt: (key, attempt) => reach('doubt', () => stub.doubt(key, attempt)),
    spend: (hash, pruneAtMs) => reach('spend', () => stub.spend(hash, pruneAtMs)),
    soldAs: (key) => reach('soldAs', () => stub.soldAs(key)),
    resultState: (key) => reach('resultState', () => stub.resultState(key)),
  };
}
