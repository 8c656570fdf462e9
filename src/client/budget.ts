import type { Awaitable } from './answer.ts';
import { SightlineError } from './errors.ts';

/** What may be spent, in USD. A day is one of UTC. */
export type SpendingBudget = { perCall: number; perDay: number };

/** What is allowed until you say otherwise. */
export const DEFAULT_BUDGET: SpendingBudget = { perCall: 1, perDay: 20 };

/**
 * Remembers what was signed for. `reserve` adds to the sum of a day unless that would pass the limit, in one step: where
 * several processes share a wallet, they share this. Amounts are micro-USD.
 */
export type SpendingStore = {
  reserve: (day: string, microUsd: number, limitMicroUsd: number) => Awaitable<boolean>;
  /** Takes a reservation back: nothing was signed. */
  release: (day: string, microUsd: number) => Awaitable<void>;
};

export function createMemorySpending(): SpendingStore {
  let today = '';
  let sum = 0;
  return {
    reserve: (day, microUsd, limit) => {
      if (day !== today) [today, sum] = [day, 0];
      if (sum + microUsd > limit) return false;
      sum += microUsd;
      return true;
    },
    release: (day, microUsd) => {
      if (day === today) sum -= microUsd;
    },
  };
}

const MICRO_PER_USD = 1_000_000;

/** USD as micro-USD, rounded down: a limit is never passed by rounding. */
export const toMicroUsd = (usd: number): number => Math.floor(usd * MICRO_PER_USD + 1e-6);

export const formatDollars = (microUsd: number): string => `${microUsd / MICRO_PER_USD} USD`;

/** @throws SightlineError for a budget that is no amount of money. */
export function readBudget(given: Partial<SpendingBudget> = {}): SpendingBudget {
  const budget = { ...DEFAULT_BUDGET, ...given };
  for (const name of ['perCall', 'perDay'] as const)
    if (!(Number.isFinite(budget[name]) && budget[name] >= 0))
      throw new SightlineError({
        code: 'invalid_options',
        setting: `budget.${name}`,
        detail: `budget.${name} is ${String(budget[name])}, not an amount in USD such as 2.`,
      });
  return budget;
}

/** @throws SightlineError `budget_exceeded`, which names the setting: nothing was signed. */
export function refuseAbovePerCall(what: string, microUsd: number, { perCall }: SpendingBudget): void {
  if (microUsd > toMicroUsd(perCall))
    throw refuseAbove('budget.perCall', `${what} costs ${formatDollars(microUsd)}`, perCall);
}

/** Counts a price before it is signed for. @returns what takes it back */
export async function reserveSpending(
  what: string,
  microUsd: number,
  { perDay }: SpendingBudget,
  store: SpendingStore,
): Promise<() => Promise<void>> {
  const day = new Date().toISOString().slice(0, 10);
  if (!(await store.reserve(day, microUsd, toMicroUsd(perDay))))
    throw refuseAbove('budget.perDay', `with ${what} for ${formatDollars(microUsd)} more is spent today (UTC)`, perDay);
  return async () => store.release(day, microUsd);
}

const refuseAbove = (setting: string, what: string, limitUsd: number): SightlineError =>
  new SightlineError({
    code: 'budget_exceeded',
    setting,
    detail: `${what}, and ${setting} is ${limitUsd} USD.`,
    next: `Raise ${setting} to allow it. Nothing was signed.`,
  });
