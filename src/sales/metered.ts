import { METER_WINDOW_MS } from '../payment/ledger/engine-meter.ts';
import { type LedgerShard, LedgerUnavailable } from '../payment/ledger/protocol.ts';
import { refusal } from './answer.ts';
import type { PurchaseAnswer } from './purchase-answer.ts';
import type { PurchaseTools } from './tools.ts';

type Held = { ledger: Pick<LedgerShard, 'release'>; key: string; attempt: number };
type Metering = Pick<PurchaseTools, 'meter' | 'log'>;

/** What the meter counts runs by: few of one id may be unpaid within its hour. `spent` is the answer to more. */
export type Metered = { id: string; spent: PurchaseAnswer };

/** A payment pays for one run. */
export const meteredPayment = (key: string): Metered => ({
  id: key,
  spent: refusal('too_many_failures', undefined, METER_WINDOW_MS / 1000),
});

/** Why no engine money is spent on what is held now (rule P5); its claim is free again then. */
export async function refuseByMeter(
  { meter }: Metering,
  { ledger, key, attempt }: Held,
  { id, spent }: Metered,
): Promise<PurchaseAnswer | undefined> {
  try {
    const verdict = await meter.reserve(id);
    if (verdict === 'admitted') return undefined;
    await ledger.release(key, attempt, false, true);
    return verdict === 'full' ? refusal('transfers_only') : spent;
  } catch (error) {
    if (error instanceof LedgerUnavailable) await ledger.release(key, attempt, false, true);
    throw error;
  }
}

/** What the meter does not hear of counts for its hour longer: that costs nobody an answer. */
export async function paidMeter({ meter, log }: Metering, id: string): Promise<void> {
  try {
    await meter.paid(id);
  } catch (error) {
    if (!(error instanceof LedgerUnavailable)) throw error;
    log({ event: 'meter_unavailable' });
  }
}
