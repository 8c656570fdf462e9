import { DurableObject } from 'cloudflare:workers';
import { openSecretAges, type SecretAge, type SecretsSeen } from '../src/authorization/operators/secret-ages.ts';
import { type CreditUse, openCreditUses } from '../src/payment/credits/credit-usage.ts';
import { type GivenBack, openGivenBack } from '../src/payment/credits/given-back.ts';
import type {
  BookedPage,
  BookedQuery,
  BooksRead,
  BooksReader,
  CustomerTotal,
  CustomerTotalsQuery,
  LedgerBooks,
  LedgerReport,
  OpenPayments,
  PayerTotal,
} from '../src/payment/ledger/books.ts';
import { openBooks } from '../src/payment/ledger/books-rows.ts';
import type { DeliveryTime } from '../src/payment/ledger/delivery-times.ts';
import { openUnpaid, type UnpaidCount } from '../src/payment/ledger/unpaid.ts';
import { TOTALS_DAYS, formatDay, computeFirstDay } from '../src/payment/ledger/totals.ts';
import {
  DEAD_LETTER_DAYS,
  type RunDay,
  type RunRecord,
  type RunRegister,
  openRunRegister,
} from '../src/visibility/run/run-register.ts';

/** What one register holds of the days asked about. */
export type RegisterDays = {
  creditUses: CreditUse[];
  givenBack: CreditUse[];
  unpaid: UnpaidCount[];
  runs: RunDay[];
  deadLetters: { day: string; count: number }[];
};

/**
 * Records for the operator that no other object keeps: runs as they began and ended, calls paid from credits, what was given back, prices
 * that were asked, prompts that could not be delivered, and in objects of their own the books of the ledger and the age of
 * secrets. Writers do not wait for it: a lost record is missing here only.
 */
export class OperationsRegister extends DurableObject<unknown> implements RunRegister, LedgerBooks, BooksReader {
  readonly #runs = openRunRegister(this.ctx.storage.sql);
  readonly #uses = openCreditUses(this.ctx.storage.sql);
  readonly #givenBack = openGivenBack(this.ctx.storage.sql);
  readonly #unpaid = openUnpaid(this.ctx.storage.sql);
  /** Each of these is opened in the object of its name only. */
  #opened: ReturnType<typeof openBooks> | undefined;
  #secretAges: ReturnType<typeof openSecretAges> | undefined;

  async run(record: RunRecord): Promise<void> {
    this.#runs.put(record);
  }

  async creditCall(capability: string, microUsdc: number): Promise<void> {
    const nowMs = Date.now();
    this.#uses.add({ day: formatDay(nowMs), capability, count: 1, microUsdc }, computeFirstDay(TOTALS_DAYS, nowMs));
  }

  async gaveBack(given: GivenBack): Promise<void> {
    this.#givenBack.add(given, computeFirstDay(TOTALS_DAYS, Date.now()));
  }

  /** Prices that were asked for without a payment, by capability. */
  async countUnpaid(counts: readonly { capability: string; count: number }[]): Promise<void> {
    const nowMs = Date.now();
    this.#unpaid.add(formatDay(nowMs), counts, computeFirstDay(TOTALS_DAYS, nowMs));
  }

  async deadLetters(count: number): Promise<void> {
    const nowMs = Date.now();
    this.#runs.addDeadLetters(formatDay(nowMs), count, computeFirstDay(DEAD_LETTER_DAYS, nowMs));
  }

  async listRuns(limit: number): Promise<RunRecord[]> {
    return this.#runs.runs(limit);
  }

  async listDeadLetters(sinceDay: string): Promise<{ day: string; count: number }[]> {
    return this.#runs.deadLetters(sinceDay);
  }

  /** Everything that is counted by day, with one call. */
  async readDays(sinceDay: string): Promise<RegisterDays> {
    return {
      creditUses: this.#uses.since(sinceDay),
      givenBack: this.#givenBack.since(sinceDay),
      unpaid: this.#unpaid.since(sinceDay),
      runs: this.#runs.days(sinceDay),
      deadLetters: this.#runs.deadLetters(sinceDay),
    };
  }

  async takeReport(report: LedgerReport): Promise<void> {
    this.ctx.storage.transactionSync(() => this.#books.take(report, Date.now()));
  }

  async readBooks(sinceDay: string): Promise<BooksRead> {
    return this.#books.read(sinceDay);
  }

  async readDeliveryTimes(sinceDay: string): Promise<DeliveryTime[]> {
    return this.#books.deliveryTimes(sinceDay);
  }

  async readPayers(days: readonly string[], limit: number): Promise<PayerTotal[]> {
    return this.#books.payers(days, limit);
  }

  async readCustomerTotals(query: CustomerTotalsQuery): Promise<CustomerTotal[]> {
    return this.#books.customers(query);
  }

  async forgetCustomer(payer: string): Promise<void> {
    this.#books.forgetCustomer(payer);
  }

  async readOpenPayments(): Promise<OpenPayments[]> {
    return this.#books.openPayments();
  }

  async readPayments(query: BookedQuery): Promise<BookedPage> {
    return this.#books.payments(query);
  }

  async noteSecrets(seen: readonly SecretsSeen[]): Promise<SecretAge[]> {
    const ages = (this.#secretAges ??= openSecretAges(this.ctx.storage.sql));
    const nowMs = Date.now();
    return this.ctx.storage.transactionSync(() => seen.flatMap((each) => ages.note(each, nowMs)));
  }

  async noteEmptyShards(shards: readonly string[]): Promise<void> {
    this.#books.noteEmpty(shards, Date.now());
  }

  get #books(): ReturnType<typeof openBooks> {
    return (this.#opened ??= openBooks(this.ctx.storage.sql));
  }
}
