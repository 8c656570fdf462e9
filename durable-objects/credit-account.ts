import { DurableObject } from 'cloudflare:workers';
import type { AdjustOrder, AdjustResult } from '../src/payment/credits/adjustments.ts';
import type { CardApplied, CardBalance, CardHold, CardTarget } from '../src/payment/credits/card-credits.ts';
import type { CreditEntries } from '../src/payment/credits/entries.ts';
import type { CapturedCall, ReserveRequest, ReserveResult } from '../src/payment/credits/credits.ts';
import { type CreditBook, createCreditBook } from '../src/payment/credits/account.ts';
import type {
  CreditAccountObject,
  CreditLineQuery,
  CreditLines,
  CreditReport,
  CreditStanding,
  CreditView,
  Forfeited,
  PledgeRequest,
} from '../src/payment/credits/protocol.ts';
import type { CreditLine } from '../src/payment/credits/credit-line.ts';
import { openCreditRows } from '../src/payment/credits/rows.ts';
import type { LedgerShard } from '../src/payment/ledger/protocol.ts';

export type CreditEnv = { PAYMENT_LEDGER: DurableObjectNamespace };

/** After a failed run the alarm comes again in this time, in milliseconds. */
const ALARM_RETRY_MS = 60_000;

/**
 * One prepaid account, named by its account id. Each decision is one synchronous transaction over a pure function of
 * `src/payment`. Its alarm asks the ledger about open top-ups, whether or not their buyer comes back.
 */
export class CreditAccount extends DurableObject<CreditEnv> implements CreditAccountObject {
  readonly #book: CreditBook;

  constructor(ctx: DurableObjectState, env: CreditEnv) {
    super(ctx, env);
    this.#book = createCreditBook(openCreditRows(ctx.storage.sql), () => Date.now());
  }

  async pledge(request: PledgeRequest): Promise<boolean> {
    return this.#step((book) => book.pledge(request));
  }

  async view(): Promise<CreditView> {
    await this.#resolvePledges();
    return this.#book.view();
  }

  async reports(): Promise<readonly CreditReport[]> {
    return this.#book.reports();
  }

  async lines(query: CreditLineQuery): Promise<CreditLines> {
    return this.#book.lines(query);
  }

  async line(place: Pick<CreditLine, 'atMs' | 'id'>): Promise<CreditLine | undefined> {
    return this.#book.line(place);
  }

  applyCard(target: CardTarget): Promise<CardBalance> {
    return this.#step((book) => book.applyCard(target));
  }

  holdCard(hold: CardHold): Promise<CardApplied> {
    return this.#step((book) => book.holdCard(hold));
  }

  async forfeit(isAccepted: boolean): Promise<Forfeited> {
    await this.#resolvePledges();
    return this.#transact((book) => book.forfeit(isAccepted));
  }

  async reserve(request: ReserveRequest): Promise<ReserveResult> {
    const { result, isToppedUp } = await this.#step((book) => ({
      result: book.reserve(request),
      isToppedUp: book.openPledges().length > 0,
    }));
    if (result.outcome !== 'insufficient_credits' || !isToppedUp) return result;
    // What was bought a moment ago may be settled by now, and another call may be the one that credits it.
    await this.#resolvePledges();
    return this.#step((book) => book.reserve(request));
  }

  renew(id: string, attempt: number): Promise<boolean> {
    return this.#step((book) => book.renew(id, attempt));
  }

  capture(id: string, attempt: number, reportId: string): Promise<CapturedCall | false> {
    return this.#step((book) => book.capture(id, attempt, reportId));
  }

  release(id: string, attempt: number, failed: boolean): Promise<boolean> {
    return this.#step((book) => book.release(id, attempt, failed));
  }

  releaseClient(clientId: string): Promise<number> {
    return this.#step((book) => book.releaseClient(clientId));
  }

  async standing(id: string): Promise<CreditStanding> {
    return this.#book.standing(id);
  }

  adjust(order: AdjustOrder): Promise<AdjustResult> {
    return this.#step((book) => book.adjust(order));
  }

  async entries(beforeMs?: number): Promise<CreditEntries> {
    await this.#resolvePledges();
    return this.#book.entries(beforeMs);
  }

  override async alarm(): Promise<void> {
    try {
      await this.#resolvePledges();
      this.#book.prune();
      await this.#arm();
    } catch (error) {
      // A thrown alarm is retried a few times and then forgotten, top-ups and all; a set one is not.
      console.error(JSON.stringify({ event: 'credit_alarm_failed', reason: String(error).slice(0, 200) }));
      await this.ctx.storage.setAlarm(Date.now() + ALARM_RETRY_MS);
    }
  }

  /** Asks the ledger about each open top-up. What it cannot be asked about stays open. */
  async #resolvePledges(): Promise<void> {
    for (const pledge of this.#book.openPledges()) {
      try {
        const stub = this.env.PAYMENT_LEDGER.getByName(pledge.shard) as unknown as LedgerShard; // The class implements it.
        const sold = await stub.soldAs(pledge.paymentKey);
        const verdict = this.#transact((book) => book.resolve(pledge, sold));
        if (verdict === 'drop') console.log(JSON.stringify({ event: 'top_up_dropped', capability: pledge.capability }));
        if (verdict === 'lose')
          console.error(JSON.stringify({ event: 'top_up_lost', capability: pledge.capability, shard: pledge.shard }));
      } catch (error) {
        console.error(JSON.stringify({ event: 'top_up_unresolved', reason: String(error).slice(0, 200) }));
      }
    }
  }

  /** One step, and the alarm where it left something to do. */
  async #step<T>(step: (book: CreditBook) => T): Promise<T> {
    const result = this.#transact(step);
    await this.#arm();
    return result;
  }

  #transact<T>(step: (book: CreditBook) => T): T {
    return this.ctx.storage.transactionSync(() => step(this.#book));
  }

  async #arm(): Promise<void> {
    const dueMs = this.#book.nextDueAtMs();
    if (dueMs === undefined) return;
    const setMs = await this.ctx.storage.getAlarm();
    if (setMs === null || setMs > dueMs) await this.ctx.storage.setAlarm(dueMs);
  }
}
