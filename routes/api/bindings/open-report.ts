import { type LedgerShard, LedgerUnavailable } from '../../../src/payment/ledger/protocol.ts';
import { logLine } from '../../shared/log.ts';
import { readCreditReportState } from './credit-account.ts';
import type { Env } from './env.ts';
import { createLedgerClient } from '../../../src/sales/ledger-client.ts';
import { CREDIT_SHARD, computeReportExpiry, type ReportRecord, reportStore } from '../../../src/sales/report-store.ts';

/** A ledger row outlives its report's opening by at least a day; an object older than this without a row was settled or is orphaned and harmless. */
const ROW_LIFETIME_MS = 24 * 3_600_000;

export type OpenReport =
  | { kind: 'open'; report: ReportRecord }
  | { kind: 'expired' }
  | { kind: 'missing' }
  | { kind: 'unavailable' };

/**
 * The stored report of an id once its payment is settled; `expired` when its time is over and the bucket has it still;
 * `unavailable` when the ledger cannot be asked (rule P31).
 */
export async function openReport(env: Env, id: string): Promise<OpenReport> {
  const report = await reportStore(env.REPORTS, Date.now).find(id);
  if (!report) return { kind: 'missing' };
  const state = await readSettlementState(env, id, report);
  if (state === 'unavailable') return { kind: 'unavailable' };
  const isOpen = state === 'settled' || (state === 'absent' && Date.now() - report.storedAtMs > ROW_LIFETIME_MS);
  if (!isOpen) return { kind: 'missing' };
  return Date.now() > computeReportExpiry(report) ? { kind: 'expired' } : { kind: 'open', report };
}

async function readSettlementState(env: Env, id: string, { shard, paymentKey }: ReportRecord) {
  try {
    if (shard === CREDIT_SHARD) return await readCreditReportState(env, id, paymentKey);
    const stub = env.PAYMENT_LEDGER.getByName(shard) as unknown as LedgerShard; // The class implements it.
    return await createLedgerClient(stub, logLine).resultState(paymentKey);
  } catch (error) {
    if (error instanceof LedgerUnavailable) return 'unavailable';
    throw error;
  }
}
