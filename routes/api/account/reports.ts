import { computeReportExpiry, REPORT_DAYS, reportStore } from '../../../src/sales/reports/report-store.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import type { PurchaseReader } from '../../../src/payment/ledger/purchases.ts';
import { computeShardName } from '../../../src/payment/ledger/payment-key.ts';
import { reach, runOrUnavailable } from '../../../src/sales/ledger-client.ts';
import { getSeller } from '../../../src/sales/seller.ts';
import { type BoughtReport, NewestReports, renderReportsPage } from '../../../src/web/account/reports.tsx';
import { reportsWords } from '../../../src/web/account/reports-words.ts';
import { logLine } from '../../shared/telemetry.ts';
import { createCreditAccounts } from '../bindings/credit-account.ts';
import { getBooks } from '../bindings/ledger-books.ts';
import type { AccountSection, AccountVisit } from './visit.ts';

/** A report of the account before anything of it is read. */
export type ListedReport = Omit<BoughtReport, 'site' | 'readableUntilMs'>;

/** Where a list goes on. */
export type BoughtPlace = { atMs: number; reportId: string };

/** Whose reports are asked for: those of wallets, and of an account where there is one. */
export type ReportHolder = Pick<AccountVisit, 'c' | 'options'> & {
  session: { addresses?: readonly string[] | undefined; accountId?: string | undefined };
};

type PurchaseList = { address: string; open: () => PurchaseReader };

/** The lists in the shards of the account's wallets; none where nothing is sold. */
async function openPurchaseLists({ c, options, session }: ReportHolder): Promise<readonly PurchaseList[]> {
  const seller = await getSeller(c.get('settings'), options.local);
  if (seller === undefined) return [];
  return Promise.all(
    (session.addresses ?? []).map(async (address) => {
      const shard = await computeShardName(seller.placingSecret, address);
      return { address, open: () => c.env.PAYMENT_LEDGER.getByName(shard) };
    }),
  );
}

/**
 * Reports of the last 30 days, newest first: those that its wallets paid for, and those that the credits of the account
 * did. Undefined when the ledger cannot be asked (rule P31).
 */
export function listBought(
  visit: ReportHolder,
  { after, limit }: { after?: BoughtPlace | undefined; limit: number },
): Promise<readonly ListedReport[] | undefined> {
  return runOrUnavailable<readonly ListedReport[] | undefined>(async () => {
    const { accountId } = visit.session;
    const [signed, prepaid] = await Promise.all([
      listPaid(visit, { after, limit }),
      accountId === undefined ? [] : createCreditAccounts(visit.c.env, logLine).open(accountId).reports(),
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

const isOlder = (report: BoughtPlace, than: BoughtPlace): boolean =>
  report.atMs === than.atMs ? report.reportId < than.reportId : report.atMs < than.atMs;

const computeSinceMs = (): number => Date.now() - REPORT_DAYS * DAY_MS;

async function listPaid(
  visit: ReportHolder,
  { after, limit }: { after?: BoughtPlace | undefined; limit: number },
): Promise<readonly ListedReport[]> {
  const place = after && { settledAtMs: after.atMs, reportId: after.reportId };
  const found = await Promise.all(
    (await openPurchaseLists(visit)).map(({ address: payer, open }) =>
      reach(logLine, 'purchases', () => open().purchases({ payer, sinceMs: computeSinceMs(), after: place, limit })),
    ),
  );
  return found.flat().map(({ reportId, capability, amountMicroUsdc, method, settledAtMs }) => ({
    reportId,
    capability,
    amountMicroUsd: amountMicroUsdc,
    atMs: settledAtMs,
    by: 'wallet',
    method,
  }));
}

/** What can be said of a report without reading it. */
export async function describeBought({ c }: Pick<ReportHolder, 'c'>, report: ListedReport): Promise<BoughtReport> {
  const about = await reportStore(c.env.REPORTS, Date.now).describe(report.reportId);
  return {
    ...report,
    site: about?.site,
    readableUntilMs: about === undefined ? undefined : computeReportExpiry(about),
  };
}

/** Whether a report belongs to the account, so that what its buyer may do can be done here. */
export async function isOwnReport(visit: AccountVisit, reportId: string): Promise<boolean> {
  for (const { address, open } of await openPurchaseLists(visit)) {
    const isPaid = await reach(logLine, 'purchases', () => open().hasPurchase(address, reportId));
    if (isPaid) return true;
  }
  const prepaid = await createCreditAccounts(visit.c.env, logLine).open(visit.session.accountId).reports();
  return prepaid.some((report) => report.reportId === reportId);
}

/** Drops the lists of what the account's wallets bought, and what each paid in all as operators see it. */
export async function forgetBought(visit: AccountVisit): Promise<void> {
  for (const { address, open } of await openPurchaseLists(visit)) {
    await reach(logLine, 'purchases', () => open().forgetPurchases(address));
    await reach(logLine, 'customer_total', () => getBooks(visit.c.env).forgetCustomer(address));
  }
}

/** Reports on one page. */
export const PAGE_REPORTS = 20;
/** Reports in the file of everything. */
const MAX_EXPORTED = 1_000;
/** Reports on the overview. */
const NEWEST = 5;
/** `<milliseconds>.<report id>`. */
const PLACE = /^(\d{1,15})\.([0-9a-f]{32})$/;

/** What was bought, newest first. */
export const reportsSection: AccountSection = {
  path: '/account/reports',
  id: 'reports',
  title: (language) => reportsWords[language].title,
  kinds: ['payer'],
  card: async (visit) => {
    const { language } = visit;
    const found = await listBought(visit, { limit: NEWEST });
    const reports = found && (await describeAll(visit, found));
    return { more: reportsWords[language].more, body: NewestReports({ reports, language }) };
  },
  exported: (visit) => listBought(visit, { limit: MAX_EXPORTED }),
  show: async (visit, frame) => {
    const found = await listBought(visit, { after: readPlace(visit), limit: PAGE_REPORTS + 1 });
    const page = found?.slice(0, PAGE_REPORTS);
    return renderReportsPage({
      frame,
      reports: page && (await describeAll(visit, page)),
      older: found === undefined ? undefined : formatOlderPath(found),
    });
  },
};

const describeAll = (visit: AccountVisit, reports: readonly ListedReport[]) =>
  Promise.all(reports.map((report) => describeBought(visit, report)));

export function readPlace({ c }: Pick<ReportHolder, 'c'>): BoughtPlace | undefined {
  const [, atMs, reportId] = PLACE.exec(c.req.query('after') ?? '') ?? [];
  return atMs === undefined || reportId === undefined ? undefined : { atMs: Number(atMs), reportId };
}

/** Where the rest of a list is, of which one more was read than a page has. */
export function formatOlderPath(
  found: readonly ListedReport[],
  path: string = reportsSection.path,
): string | undefined {
  const last = found[PAGE_REPORTS - 1];
  if (last === undefined || found.length <= PAGE_REPORTS) return undefined;
  return `${path}?after=${last.atMs}.${last.reportId}`;
}
