import { computeReportExpiry, REPORT_DAYS, reportStore } from '../../../src/sales/report-store.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import type { PurchaseReader } from '../../../src/payment/ledger/purchases.ts';
import { computeShardName } from '../../../src/payment/ledger/payment-key.ts';
import { reach, runOrUnavailable } from '../../../src/sales/ledger-client.ts';
import { getSeller } from '../../../src/sales/seller.ts';
import type { BoughtReport } from '../../../src/web/account/reports.tsx';
import { logLine } from '../../shared/telemetry.ts';
import { createCreditAccounts } from '../bindings/credit-account.ts';
import type { AccountVisit } from './visit.ts';

/** A report of the account before anything of it is read. */
export type ListedReport = Omit<BoughtReport, 'site' | 'readableUntilMs'>;

/** Where a list goes on. */
export type ListPlace = { atMs: number; reportId: string };

/** The list in the shard of the address; undefined where nothing is sold, or no address is signed in. */
async function openPurchaseList({ c, options, session }: AccountVisit) {
  const seller = await getSeller(c.get('settings'), options.local);
  const { address } = session;
  if (seller === undefined || address === undefined) return undefined;
  const shard = await computeShardName(seller.placingSecret, address);
  const open = () => c.env.PAYMENT_LEDGER.getByName(shard) as unknown as PurchaseReader; // The class implements it.
  return { address, open };
}

/**
 * Reports of the last 30 days, newest first: those that the address paid for, and those that the credits of the account
 * did. Undefined when the ledger cannot be asked (rule P31).
 */
export function listBought(
  visit: AccountVisit,
  { after, limit }: { after?: ListPlace | undefined; limit: number },
): Promise<readonly ListedReport[] | undefined> {
  return runOrUnavailable<readonly ListedReport[] | undefined>(async () => {
    const [signed, prepaid] = await Promise.all([
      listPaid(visit, { after, limit }),
      createCreditAccounts(visit.c.env, logLine).open(visit.session.accountId).reports(),
    ]);
    const sinceMs = computeSinceMs();
    const credits = prepaid
      .map(({ reportId, capability, amountMicroUsdc, atMs }) => ({
        reportId,
        capability,
        amountMicroUsd: amountMicroUsdc,
        atMs,
        by: 'credits' as const,
      }))
      .filter((report) => report.atMs >= sinceMs && (after === undefined || isOlder(report, after)));
    return [...signed, ...credits].toSorted((left, right) => (isOlder(left, right) ? 1 : -1)).slice(0, limit);
  }, undefined);
}

const isOlder = (report: ListPlace, than: ListPlace): boolean =>
  report.atMs === than.atMs ? report.reportId < than.reportId : report.atMs < than.atMs;

const computeSinceMs = (): number => Date.now() - REPORT_DAYS * DAY_MS;

async function listPaid(
  visit: AccountVisit,
  { after, limit }: { after?: ListPlace | undefined; limit: number },
): Promise<readonly ListedReport[]> {
  const opened = await openPurchaseList(visit);
  if (opened === undefined) return [];
  const { address: payer, open } = opened;
  const place = after && { settledAtMs: after.atMs, reportId: after.reportId };
  const found = await reach(logLine, 'purchases', () =>
    open().purchases({ payer, sinceMs: computeSinceMs(), after: place, limit }),
  );
  return found.map(({ reportId, capability, amountMicroUsdc, settledAtMs }) => ({
    reportId,
    capability,
    amountMicroUsd: amountMicroUsdc,
    atMs: settledAtMs,
    by: 'wallet',
  }));
}

/** What can be said of a report without reading it. */
export async function describeBought({ c }: AccountVisit, report: ListedReport): Promise<BoughtReport> {
  const about = await reportStore(c.env.REPORTS, Date.now).describe(report.reportId);
  return {
    ...report,
    site: about?.site,
    readableUntilMs: about === undefined ? undefined : computeReportExpiry(about),
  };
}

/** Whether a report belongs to the account, so that what its buyer may do can be done here. */
export async function isOwnReport(visit: AccountVisit, reportId: string): Promise<boolean> {
  const opened = await openPurchaseList(visit);
  if (opened !== undefined) {
    const isPaid = await reach(logLine, 'purchases', () => opened.open().hasPurchase(opened.address, reportId));
    if (isPaid) return true;
  }
  const prepaid = await createCreditAccounts(visit.c.env, logLine).open(visit.session.accountId).reports();
  return prepaid.some((report) => report.reportId === reportId);
}

/** Drops the list of what the address bought. */
export async function forgetBought(visit: AccountVisit): Promise<void> {
  const opened = await openPurchaseList(visit);
  if (opened !== undefined) await reach(logLine, 'purchases', () => opened.open().forgetPurchases(opened.address));
}
