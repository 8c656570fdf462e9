import { DurableObject } from 'cloudflare:workers';
import { type CreditUse, openCreditUses } from '../src/payment/credits/credit-usage.ts';
import { TOTALS_DAYS, formatDay, computeFirstDay } from '../src/payment/ledger/totals.ts';
import {
  DEAD_LETTER_DAYS,
  type RunRecord,
  type RunRegister,
  openRunRegister,
} from '../src/visibility/run/run-register.ts';

/**
 * Records for the operator that no other object keeps: runs as they began and ended, calls paid from credits, and
 * prompts that could not be delivered. Writers do not wait for it: a lost record is missing here only.
 */
export class OperationsRegister extends DurableObject<unknown> implements RunRegister {
  readonly #runs = openRunRegister(this.ctx.storage.sql);
  readonly #uses = openCreditUses(this.ctx.storage.sql);

  async run(record: RunRecord): Promise<void> {
    this.#runs.put(record);
  }

  async creditCall(capability: string, microUsdc: number): Promise<void> {
    const nowMs = Date.now();
    this.#uses.add({ day: formatDay(nowMs), capability, count: 1, microUsdc }, computeFirstDay(TOTALS_DAYS, nowMs));
  }

  async deadLetters(count: number): Promise<void> {
    const nowMs = Date.now();
    this.#runs.addDeadLetters(formatDay(nowMs), count, computeFirstDay(DEAD_LETTER_DAYS, nowMs));
  }

  async listRuns(limit: number): Promise<RunRecord[]> {
    return this.#runs.runs(limit);
  }

  async listCreditUses(sinceDay: string): Promise<CreditUse[]> {
    return this.#uses.since(sinceDay);
  }

  async listDeadLetters(sinceDay: string): Promise<{ day: string; count: number }[]> {
    return this.#runs.deadLetters(sinceDay);
  }
}
