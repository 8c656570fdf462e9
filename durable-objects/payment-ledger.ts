import { DurableObject } from 'cloudflare:workers';
import { createArming } from '../src/payment/ledger/arming.ts';
import { type PaidOn, runLedgerAlarm } from '../src/payment/ledger/alarm.ts';
import { type ClaimDecision, decideClaim } from '../src/payment/ledger/claim.ts';
import { openTrust, TRUST_OBJECT, type TrustKeeper } from '../src/payment/facilitator/trust.ts';
import type { ClaimRequest, ClaimResult, LedgerShard, Sale, SoldAs } from '../src/payment/ledger/protocol.ts';
import type { LedgerReader } from '../src/payment/ledger/list.ts';
import {
  type PurchaseLine,
  type PurchaseQuery,
  type PurchaseReader,
  toPurchase,
} from '../src/payment/ledger/purchases.ts';
import {
  computeAlarmAtMs,
  computeNextAlarmAtMs,
  isSettled,
  roundUp,
  toSale,
  type LedgerRow,
} from '../src/payment/ledger/row.ts';
import { hasLedgerRows, openLedgerRows, type LedgerRows } from '../src/payment/ledger/rows.ts';
import { parseLedgerSettings, type LedgerSettings } from '../src/payment/ledger/settings.ts';
import {
  beginSettlement,
  discardClaim,
  markSettlementUnknown,
  isPayersDoing,
  refuseSettlement,
  releaseClaim,
  renewLease,
  sellTransfer,
  settleRow,
  classifySettlementReport,
} from '../src/payment/ledger/ledger.ts';
import { openNetworks } from '../src/payment/ledger/networks.ts';
import {
  openPlacing,
  PLACING_OBJECT,
  type PlacingMemory,
  requirePlacing,
  selectPlacingSecret,
} from '../src/payment/ledger/placing.ts';
import { computeShardName, formatTransaction, readKeyNetwork } from '../src/payment/ledger/payment-key.ts';
import { BOOKS_OBJECT, type LedgerBooks } from '../src/payment/ledger/books.ts';
import { createReporting } from '../src/payment/ledger/reporting.ts';
import { railLooks } from '../src/payment/rails/looks.ts';

export type LedgerEnv = {
  PAYMENT_LEDGER: DurableObjectNamespace<PaymentLedger>;
  REPORTS: R2Bucket;
  /** Has the books of all shards in one of its objects. */
  OPERATIONS_REGISTER?: DurableObjectNamespace;
  LEDGER_SECRET: string;
  LEDGER_SECRET_PREVIOUS?: string;
  LEDGER_PLACING_SECRET?: string;
  RPC_URL: string;
  PAY_TO: string;
  PAYMENT_NETWORK?: string;
  PAYMENT_NETWORKS?: string;
  TRANSFER_MAX_AGE_S?: string;
};

/** An alarm never comes again sooner than this, and after a failed run not before a minute. */
const ALARM_GAP_MS = 100;
const ALARM_RETRY_MS = 60_000;
/** For an RPC call from the alarm, where no request waits. */
const RPC_TIMEOUT_MS = 5_000;
/** One settlement in so many is spot-checked (rule P30). */
const SPOT_CHECK_ONE_IN = 16;

const logError = (line: object): void => console.error(JSON.stringify(line));

interface LedgerObject extends LedgerShard, LedgerReader, PurchaseReader, TrustKeeper {}

/**
 * One of the 256 shards of the payment ledger. Each decision is one synchronous transaction over a pure function of
 * `src/payment`: nothing else of the shard runs between what it reads and what it writes.
 */
export class PaymentLedger extends DurableObject<LedgerEnv> implements LedgerObject {
  readonly #settings: LedgerSettings;
  #opened: LedgerRows | undefined;
  readonly #networks: ReadonlyMap<string, PaidOn>;
  /** This and the next are used in the object of their name only. */
  readonly #trust = openTrust(this.ctx.storage.kv, () => Date.now());
  readonly #placing = openPlacing(this.ctx.storage.kv);
  /** Keys that payments were found to be placed by. */
  readonly #placed: PlacingMemory = new Set();
  /** A claim was made since the last alarm. */
  #isBusy = false;
  readonly #arming = createArming((atMs) => this.ctx.storage.setAlarm(atMs));
  readonly #reporting = createReporting({
    outbox: () => this.#rows.outbox,
    send: async (report) => {
      const books = this.env.OPERATIONS_REGISTER?.getByName(BOOKS_OBJECT);
      const shard = this.ctx.id.name;
      if (books === undefined || shard === undefined) throw new Error('there are no books to report to');
      await (books as unknown as LedgerBooks).takeReport({ shard, ...report }); // The class implements it.
    },
    wait: (ms) => scheduler.wait(ms),
    onFailure: (error) => {
      logError({ event: 'books_unavailable', name: error instanceof Error ? error.name : 'thrown' });
      void this.#arming.arm(Date.now() + ALARM_RETRY_MS);
    },
  });

  constructor(ctx: DurableObjectState, env: LedgerEnv) {
    super(ctx, env);
    this.#settings = parseLedgerSettings(env);
    this.#networks = openNetworks(this.#settings, {
      timeoutMs: RPC_TIMEOUT_MS,
      fetch: (input, init) => fetch(input, init),
    });
    // A shard without tables has nothing to do, and being looked at makes it none.
    if (!hasLedgerRows(ctx.storage.sql)) return;
    void ctx.blockConcurrencyWhile(async () => {
      this.#arming.know(await ctx.storage.getAlarm());
      // A process that was killed may have left rows without an alarm: they must not wait for the next buyer.
      await this.#armNext(ALARM_GAP_MS);
      if (this.#rows.outbox.hasNews()) this.#noteNews();
    });
  }

  async claim(request: ClaimRequest): Promise<ClaimResult> {
    const isSettlement = await this.#isSettlement(request);
    const { result, write } = this.#decide(request, isSettlement);
    if (write === undefined) return result;
    this.#rows.write(write); // One statement, and nothing ran since what it rests on was read: no transaction is needed.
    this.#isBusy = true;
    await this.#arming.arm(computeAlarmAtMs(write));
    return result;
  }

  async peek(request: ClaimRequest): Promise<ClaimResult> {
    return this.#decide(request, await this.#isSettlement(request)).result;
  }

  #decide(request: ClaimRequest, isSettlement: boolean): ClaimDecision {
    const nowMs = Date.now();
    const context = this.#rows.claimContext(request, nowMs);
    const known = isSettlement ? { ...context, hashSpent: true } : context;
    return decideClaim(this.#rows.read(request.key), request, known, nowMs);
  }

  renew(key: string, attempt: number): Promise<boolean> {
    return this.#change(key, (row) => renewLease(row, attempt, Date.now()));
  }

  async discard(key: string, attempt: number, refused = false): Promise<boolean> {
    return this.#transact(() => {
      const row = this.#rows.read(key);
      const next = row && discardClaim(row, attempt);
      if (row === undefined || next === undefined) return false;
      if (next === 'delete') this.#rows.remove(row);
      else this.#rows.write(next);
      if (refused) this.#rows.addRefusal(row.payer, Date.now());
      return true;
    });
  }

  release(key: string, attempt: number, failed: boolean, untouched?: boolean): Promise<boolean> {
    return this.#change(key, (row) => {
      const next = releaseClaim(row, attempt, { failed, untouched: untouched === true, nowMs: Date.now() });
      if (next !== undefined && failed && isPayersDoing(row)) this.#rows.addFailure(row.payer, Date.now());
      return next;
    });
  }

  /** Also false when the payer's payment-identifier went to another payment meanwhile: one identifier, one charge. */
  beginSettle(key: string, attempt: number, reportId: string): Promise<boolean> {
    return this.#change(key, (row) => {
      const next = beginSettlement(row, attempt, reportId, Date.now());
      return next !== undefined && this.#rows.indexIdentifier(next) ? next : undefined;
    });
  }

  async settled(key: string, attempt: number, transaction: string): Promise<Sale | false> {
    const hash = formatTransaction(transaction);
    const row = this.#transact(() => {
      const now = classifySettlementReport(this.#rows.read(key), attempt, hash);
      if (now.standing !== 'open') return now.standing === 'closed' ? now.row : undefined;
      const next = settleRow(now.row, hash, Math.random() < 1 / SPOT_CHECK_ONE_IN, Date.now());
      this.#rows.advance(now.row, next);
      return next;
    });
    if (row === undefined) return false;
    await this.#arming.arm(computeAlarmAtMs(row));
    return toSale(row);
  }

  /**
   * Whether a signed payment of this payer was settled by this transaction. The shard of the hash asks, before it sells
   * what the payer moved in it: a facilitator publishes the hashes of settlements.
   */
  async hasSettled(hash: string, payer: string): Promise<boolean> {
    return hasLedgerRows(this.ctx.storage.sql) && this.#rows.hasSettled(hash.toLowerCase(), payer);
  }

  async sell(key: string, attempt: number, reportId: string): Promise<Sale | false> {
    const sold = await this.#change(key, (row) => sellTransfer(row, attempt, reportId, Date.now()));
    const row = sold ? this.#rows.read(key) : undefined;
    if (row === undefined || !isSettled(row)) return false;
    const purchase = toPurchase(row);
    // The buyer does not wait for the list: what the shard of the payer does not hear now the alarm says again.
    if (purchase !== undefined) this.ctx.waitUntil(this.#listInItsShard(purchase));
    return toSale(row);
  }

  refuse(key: string, attempt: number, reason: string): Promise<boolean> {
    return this.#change(key, (row) => {
      const next = refuseSettlement(row, attempt, reason);
      if (next !== undefined) this.#rows.addFailure(row.payer, Date.now()); // Work was done and not paid for (rule P27).
      return next;
    });
  }

  doubt(key: string, attempt: number, named?: string): Promise<boolean> {
    return this.#change(key, (row) => markSettlementUnknown(row, attempt, named));
  }

  async spend(transactionHash: string, pruneAtMs: number, payer?: string): Promise<void> {
    this.#rows.spend(transactionHash.toLowerCase(), pruneAtMs, payer);
    await this.#arming.arm(roundUp(pruneAtMs));
  }

  async soldAs(key: string): Promise<SoldAs> {
    const row = this.#rows.read(key);
    if (row === undefined) return { state: 'absent' };
    const { capability, amountMicroUsdc } = row;
    return isSettled(row) ? { state: 'settled', capability, amountMicroUsdc } : { state: 'unsettled' };
  }

  async resultState(key: string): Promise<'settled' | 'unsettled' | 'absent'> {
    const row = this.#rows.read(key);
    if (row === undefined) return 'absent';
    return isSettled(row) ? 'settled' : 'unsettled';
  }

  /** Reports to the books what they lack of this shard. A shard that was never used has nothing and stays so. */
  async report(): Promise<'reported' | 'empty' | 'failed'> {
    if (!hasLedgerRows(this.ctx.storage.sql)) return 'empty';
    // One that never had anything to report is known to be so.
    return (await this.#reporting.flush()) ? 'reported' : 'failed';
  }

  /** What a payer bought, for the payer alone: who asks has proven the address. */
  async purchases(query: PurchaseQuery): Promise<PurchaseLine[]> {
    return hasLedgerRows(this.ctx.storage.sql) ? this.#rows.purchases.list(query) : [];
  }

  async hasPurchase(payer: string, reportId: string): Promise<boolean> {
    return hasLedgerRows(this.ctx.storage.sql) && this.#rows.purchases.has(payer, reportId);
  }

  async forgetPurchases(payer: string): Promise<void> {
    if (hasLedgerRows(this.ctx.storage.sql)) this.#rows.purchases.forget(payer);
  }

  /** From the shard of a transfer's hash. */
  async listPurchase(purchase: PurchaseLine): Promise<void> {
    this.#rows.purchases.add(purchase);
    await this.#armNext(ALARM_GAP_MS);
  }

  async isPlacedBy(mark: string): Promise<boolean> {
    return this.#placing.isPlacedBy(mark);
  }

  async noteMismatch(key: string): Promise<void> {
    this.#trust.noteMismatch(key);
  }

  async noteGoodLook(): Promise<void> {
    this.#trust.noteGoodLook();
  }

  async isDistrusted(): Promise<boolean> {
    return this.#trust.isDistrusted();
  }

  /** For the operator; Unix milliseconds, null while the facilitator is believed. */
  async distrustedAtMs(): Promise<number | null> {
    return this.#trust.distrustedAtMs();
  }

  override async alarm(): Promise<void> {
    this.#arming.know(null);
    const wasBusy = this.#isBusy;
    this.#isBusy = false;
    if (this.#rows.outbox.hasNews()) this.#noteNews();
    let gapMs = ALARM_GAP_MS;
    try {
      await runLedgerAlarm({
        rows: this.#rows,
        transact: (step) => this.#transact(step),
        looks: railLooks,
        paidOn: (key) => this.#networks.get(readKeyNetwork(key)),
        spend: (hash, pruneAtMs, payer) => this.#spendInItsShard(hash, pruneAtMs, payer),
        noteMismatch: (key) => this.env.PAYMENT_LEDGER.getByName(TRUST_OBJECT).noteMismatch(key),
        listPurchase: (purchase) => this.#listInItsShard(purchase),
        deleteResult: (reportId) => this.env.REPORTS.delete(`reports/${reportId}.json`),
        nowMs: () => Date.now(),
        log: logError,
      });
    } catch (error) {
      // A thrown alarm is retried a few times and then forgotten, rows and all; a set one is not.
      gapMs = ALARM_RETRY_MS;
      logError({ event: 'ledger_alarm_failed', reason: String(error) });
    }
    await this.#armNext(gapMs, wasBusy);
  }

  /** Replaces a row by what `next` makes of it. False, and nothing done, when there is no row or `next` declines. */
  async #change(key: string, next: (row: LedgerRow) => LedgerRow | undefined): Promise<boolean> {
    const changed = this.#transact(() => {
      const row = this.#rows.read(key);
      const replaced = row && next(row);
      if (row !== undefined && replaced !== undefined) this.#rows.advance(row, replaced);
      return replaced;
    });
    if (changed === undefined) return false;
    await this.#arming.arm(computeAlarmAtMs(changed));
    return true;
  }

  /** The tables of the shard, made at their first use. */
  get #rows(): LedgerRows {
    return (this.#opened ??= openLedgerRows(this.ctx.storage.sql, this.#settings.TRANSFER_MAX_AGE_S, () =>
      this.#noteNews(),
    ));
  }

  /** Something changed that the books do not have yet. */
  #noteNews(): void {
    if (this.env.OPERATIONS_REGISTER !== undefined) this.ctx.waitUntil(this.#reporting.note());
  }

  #transact<T>(step: () => T): T {
    const rows = this.#rows; // Tables that were made inside would be gone with a step that fails.
    try {
      return this.ctx.storage.transactionSync(step);
    } catch (error) {
      rows.forget();
      throw error;
    }
  }

  /** Whether the transfer of a claim is the settlement of one of its payer's signed payments, which must not buy again. */
  async #isSettlement({ transfer, payer }: ClaimRequest): Promise<boolean> {
    if (transfer === undefined) return false;
    if (await this.hasSettled(transfer.hash, payer)) return true;
    const id = await this.#shardOf(payer);
    return !id.equals(this.ctx.id) && this.env.PAYMENT_LEDGER.get(id).hasSettled(transfer.hash, payer);
  }

  /** Marks what a payer moved in a transaction as spent, where the payer's own sale does not show it. */
  async #spendInItsShard(hash: string, pruneAtMs: number, payer: string): Promise<void> {
    const id = await this.#shardOf(hash);
    if (id.equals(this.ctx.id)) return this.spend(hash, pruneAtMs, payer);
    await this.env.PAYMENT_LEDGER.get(id).spend(hash, pruneAtMs, payer);
  }

  /** A list that lacks a line costs no money: nothing of the sale waits for it. */
  async #listInItsShard(purchase: PurchaseLine): Promise<void> {
    try {
      const id = await this.#shardOf(purchase.payer);
      if (id.equals(this.ctx.id)) this.#rows.purchases.add(purchase);
      else await this.env.PAYMENT_LEDGER.get(id).listPurchase(purchase);
    } catch (error) {
      logError({ event: 'purchase_unlisted', reason: String(error).slice(0, 200) });
    }
  }

  async #shardOf(text: string): Promise<DurableObjectId> {
    const secret = selectPlacingSecret(this.#settings);
    const { PAYMENT_LEDGER } = this.env;
    await requirePlacing(secret, () => PAYMENT_LEDGER.getByName(PLACING_OBJECT), this.#placed, logError);
    return PAYMENT_LEDGER.idFromName(await computeShardName(secret, text));
  }

  /** `isBusy`: claims come often enough that the next will need its alarm: it is set for them all. */
  async #armNext(gapMs: number, isBusy = false): Promise<void> {
    const nowMs = Date.now();
    const dueMs = this.#rows.nextDueAtMs(nowMs);
    if (dueMs !== undefined) await this.#arming.arm(computeNextAlarmAtMs(dueMs, nowMs, { gapMs, isBusy }));
  }
}
