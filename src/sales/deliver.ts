import type { ProgressStep, WorkOutcome } from '../capabilities/capability.ts';
import { readPublishing } from '../capabilities/published/publishing.ts';
import { getSiteKey } from '../capabilities/published/site-key.ts';
import { type LedgerShard, LedgerUnavailable, type Sale } from '../payment/ledger/protocol.ts';
import { type PurchaseAnswer, refusePayment } from './answer.ts';
import { refuseShutOut } from './credited-payer.ts';
import { type Metered, type PurchaseTools, refuseByMeter } from './tools.ts';
import type { OrderInput } from './read-order.ts';
import { generateReportId, packRecording, type ReportMetadata } from './reports/report-store.ts';
import { addStatement } from '../statements/result-statement.ts';

/** How often a running Worker renews its lease of 30 s, in milliseconds. */
const RENEW_EVERY_MS = 10_000;

/**
 * Runs `work` while renewing the lease of this attempt. Whether the attempt still owns the payment afterwards is
 * decided by the compare-and-set that follows (`beginSettle`, `sell`), not here: a late renewal is no verdict.
 */
async function withLease<T>(
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

type DoneWork = Extract<WorkOutcome, { ok: true }>;

/** What pays for the work: its key, and where that is kept. `payer` is an address, where there is one. */
type Paying = { key: string; shard: string; payer?: string };

/** Who holds what pays while the work is done. */
type WorkHolder = Paying & { ledger: Pick<LedgerShard, 'renew' | 'release'>; attempt: number };

/** A payment that this attempt owns. */
export type Owned = Paying & { ledger: LedgerShard; attempt: number };

export type StoreResult = { ok: true; reportId: string; json: string } | { ok: false; answer: PurchaseAnswer };

/**
 * Does the work of an owned, verified payment and stores its result, unreadable until the sale is settled. Memory for it
 * is taken here, after the payment is known to be good, and engine money after that.
 * When there is no result, the payment is released and nothing is charged.
 * @param metered by what engine money is counted that is not paid for yet; undefined where there is none
 * @throws what the work throws (a bug of ours: 500), after the release.
 */
export async function runAndStoreWork(
  tools: PurchaseTools,
  order: OrderInput,
  owned: WorkHolder,
  metered?: Metered,
): Promise<StoreResult> {
  const { key, shard, ledger, attempt } = owned;
  if (!tools.room.take()) return releaseBusy(owned, true);
  const unpaid = metered && (await refuseByMeter(tools, order, owned, metered));
  if (unpaid) return { ok: false, answer: unpaid };
  tools.watcher?.accepted();
  if (tools.signal?.aborted) {
    await ledger.release(key, attempt, false);
    return { ok: false, answer: refusePayment('cancelled') };
  }
  const work = async () => withLease(ledger, key, attempt, tools.log, () => runWork(tools, order, owned));
  const outcome = await work().catch(async (error: unknown) => {
    await ledger.release(key, attempt, false);
    throw error;
  });
  if (tools.signal?.aborted) {
    await ledger.release(key, attempt, true); // The work was done for nothing: that counts like a failure (rule P27).
    return { ok: false, answer: refusePayment('cancelled') };
  }
  // What was not read for want of memory must not be judged.
  if (tools.room.isStarved()) return releaseBusy(owned, false);
  if (!outcome.ok) {
    await ledger.release(key, attempt, outcome.reason !== 'target_busy');
    return { ok: false, answer: refuseWork(outcome) };
  }
  const reportId = generateReportId();
  try {
    const json = await storeSignedResult(tools, order, outcome, { reportId, paymentKey: key, shard });
    return (await refuseStored(tools, order, owned, reportId)) ?? { ok: true, reportId, json };
  } catch (error) {
    if (error instanceof LedgerUnavailable) throw error;
    tools.log({ event: 'store_failed', error: String(error) });
    await ledger.release(key, attempt, false);
    return { ok: false, answer: refusePayment('store_unavailable') };
  }
}

/** The last look before money moves: a wallet that was removed while it paid buys nothing, and its payment is free again. */
async function refuseStored(
  tools: PurchaseTools,
  { row }: OrderInput,
  { ledger, key, attempt, payer }: WorkHolder,
  reportId: string,
): Promise<StoreResult | undefined> {
  const drop = () => Promise.all([ledger.release(key, attempt, false), dropResult(tools, reportId)]);
  const answer = await refuseShutOut(tools, row, payer).catch(async (error: unknown) => {
    await drop();
    throw error;
  });
  if (answer === undefined) return undefined;
  await drop();
  return { ok: false, answer };
}

/** Stores a result with its statement, and what it was made from. @returns its text */
async function storeSignedResult(
  tools: PurchaseTools,
  order: OrderInput,
  outcome: DoneWork,
  { reportId, ...where }: Pick<ReportMetadata, 'paymentKey' | 'shard'> & { reportId: string },
): Promise<string> {
  const { signing } = tools.seller;
  const recording = outcome.recording ?? outcome.measurement;
  const packed = recording && (await packRecording(recording, { isHashed: signing !== undefined }));
  const facts = {
    reportId,
    capability: order.row.name,
    snapshotSha256: packed?.sha256,
    issuedAtMs: tools.now(),
  };
  const json = await addStatement(buildResultJson(order, reportId, outcome), facts, signing);
  await tools.reports.put(reportId, json, buildReportMetadata(order, outcome, where), packed);
  return json;
}

/** No memory is no failure of the payer: the same payment can be presented again. */
async function releaseBusy({ ledger, key, attempt }: WorkHolder, untouched: boolean): Promise<StoreResult> {
  await ledger.release(key, attempt, false, untouched);
  return { ok: false, answer: refusePayment('service_busy') };
}

/** The stored result of a finished sale; when it was lost, the work is done again, free (rule P3). */
export async function readOrRedoResult(
  tools: PurchaseTools,
  order: OrderInput,
  sale: Pick<Sale, 'key' | 'reportId'> & { payer?: string },
  shard: string,
): Promise<{ ok: true; json: string } | { ok: false; answer: PurchaseAnswer }> {
  try {
    const kept = await tools.reports.get(sale.reportId);
    if (kept) return { ok: true, json: kept.json };
    if (!tools.room.take()) return { ok: false, answer: refusePayment('service_busy') };
    const outcome = await runWork(tools, order, { ...sale, shard });
    if (tools.room.isStarved()) return { ok: false, answer: refusePayment('service_busy') };
    if (!outcome.ok) return { ok: false, answer: refusePayment('result_unavailable', outcome.detail) };
    const where = { reportId: sale.reportId, paymentKey: sale.key, shard };
    return { ok: true, json: await storeSignedResult(tools, order, outcome, where) };
  } catch (error) {
    tools.log({ event: 'store_failed', error: String(error) });
    return { ok: false, answer: refusePayment('result_unavailable') };
  }
}

/** A report is published as the site that was read: by http, where https could not connect to a bare host. */
function buildReportMetadata(
  { row, input }: OrderInput,
  { recording }: DoneWork,
  where: Pick<ReportMetadata, 'paymentKey' | 'shard'>,
): ReportMetadata {
  const [start] = recording?.snapshots ?? [];
  const url = start?.insteadOf === undefined ? input['url'] : start.url;
  const site = typeof url === 'string' ? getSiteKey(url) : undefined;
  const about = { ...where, capability: row.name, publishing: readPublishing(row.name, { ...input, url }) };
  return site === undefined ? about : { ...about, site };
}

/** Deletes a result that will not be delivered; an object that remains is unreadable and expires by itself. */
export async function dropResult(tools: PurchaseTools, reportId: string): Promise<void> {
  try {
    await tools.reports.delete(reportId);
  } catch (error) {
    tools.log({ event: 'store_failed', error: String(error) });
  }
}

async function runWork(tools: PurchaseTools, order: OrderInput, { key, shard, payer }: Paying): Promise<WorkOutcome> {
  const measurer = order.row.engineBacked ? await tools.measurerOf(key, order) : undefined;
  const pledge = { paymentKey: key, shard, capability: order.row.name };
  const { watcher } = tools;
  const workTools = {
    ...tools.work,
    clockMs: tools.now(),
    ...(order.bareTargets === undefined ? {} : { bareTargets: order.bareTargets }),
    ...(measurer ? { measure: measurer.measure } : {}),
    // Accounts of payers are of EVM addresses: no one signs in with another.
    ...(payer?.startsWith('0x') === true
      ? { topUp: (amountMicroUsdc: number) => tools.topUp(payer, { ...pledge, amountMicroUsdc }) }
      : {}),
    // Counts only: labels name what of the site is read (rule P11).
    ...(watcher ? { onProgress: ({ label: _label, ...counts }: ProgressStep) => watcher.progress(counts) } : {}),
  };
  return tools.timed('work', () => order.row.run(order.input, workTools));
}

const refuseWork = (outcome: WorkOutcome & { ok: false }): PurchaseAnswer =>
  refusePayment(outcome.reason, outcome.detail, outcome.reason === 'target_busy' ? outcome.retryAfterS : undefined);

/** The envelope without `payment`, which is the buyer's own and is added to the buyer's answer only (rule P28). */
function buildResultJson(order: OrderInput, reportId: string, outcome: DoneWork): string {
  const url = order.input['url'];
  return JSON.stringify({
    capability: order.row.name,
    ...(typeof url === 'string' ? { url } : {}),
    report_id: reportId,
    ...outcome.result,
    warnings: outcome.warnings,
  });
}
