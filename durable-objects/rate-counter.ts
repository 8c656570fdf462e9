import { DurableObject } from 'cloudflare:workers';
import {
  type LimitUses,
  type RateOrder,
  type RateCountResult,
  createRateWindows,
} from '../src/rate-limits/rate-counts.ts';

/** Counts events of some of the callers, where an operator's quota preference sets the limit. It keeps nothing on disk. */
export class RateCounter extends DurableObject<unknown> {
  readonly #windows = createRateWindows();

  async take(order: RateOrder): Promise<RateCountResult> {
    return this.#windows.take(order, Date.now());
  }

  async uses(): Promise<LimitUses> {
    return this.#windows.uses(Date.now());
  }
}
