import { DurableObject } from 'cloudflare:workers';
import { computeEngineDayEndMs, type EngineDay, spendOfDay } from '../src/payment/ledger/engine-day.ts';
import {
  computeFreeAgainMs,
  computeUnpaidMicroUsd,
  METER_WINDOW_MS,
  type MeterState,
  type MeterVerdict,
  markRunPaid,
  reserveEngine,
} from '../src/payment/ledger/engine-meter.ts';

const STATE = 'state';
const DAY = 'day';

/** Counts engine money that no sale has paid for (rule P5): one object what is not paid yet, one what free runs spend in a day. */
export class EngineMeter extends DurableObject<unknown> {
  async reserve(id: string, microUsd: number, limitMicroUsd: number): Promise<MeterVerdict> {
    const { verdict, state } = reserveEngine(this.#read(), { id, microUsd }, limitMicroUsd, Date.now());
    await this.#write(state);
    return verdict;
  }

  /** Milliseconds until a run of this price is let in, if nothing is paid before. */
  async freeAgainMs(microUsd: number, limitMicroUsd: number): Promise<number> {
    return computeFreeAgainMs(this.#read(), microUsd, limitMicroUsd, Date.now());
  }

  /** What is spent or reserved within the hour and not paid for, for the operator. */
  async unpaidMicroUsd(): Promise<number> {
    return computeUnpaidMicroUsd(this.#read(), Date.now());
  }

  async paid(id: string): Promise<void> {
    await this.#write(markRunPaid(this.#read(), id, Date.now()));
  }

  /**
   * Takes what a free run spends on engines from the budget of its day, once a run: by an object that is asked for nothing else.
   * False: it is used up.
   */
  async spendOfDay(id: string, microUsd: number, limitMicroUsd: number): Promise<boolean> {
    const nowMs = Date.now();
    const { isTaken, state } = spendOfDay(
      this.ctx.storage.kv.get<EngineDay>(DAY),
      { id, microUsd },
      limitMicroUsd,
      nowMs,
    );
    this.ctx.storage.kv.put(DAY, state);
    await this.ctx.storage.setAlarm(computeEngineDayEndMs(nowMs));
    return isTaken;
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  #read(): MeterState {
    return this.ctx.storage.kv.get<MeterState>(STATE) ?? [];
  }

  /** An untouched meter deletes itself after its longest memory. */
  async #write(state: MeterState): Promise<void> {
    this.ctx.storage.kv.put(STATE, state);
    await this.ctx.storage.setAlarm(Date.now() + METER_WINDOW_MS);
  }
}
