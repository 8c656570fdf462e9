import { LedgerUnavailable } from '../payment/ledger/protocol.ts';

/**
 * Calls an object that money depends on. Whatever goes wrong on the way to it is told to the log and is
 * LedgerUnavailable (rule P31).
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
