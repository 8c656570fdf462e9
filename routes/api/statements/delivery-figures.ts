import {
  computeDeliveryStart,
  type DeliveryFigure,
  DELIVERY_WEEKS,
  summariseDelivery,
} from '../../../src/payment/ledger/delivery.ts';
import { readRegisters } from '../bindings/console-counters.ts';
import type { Env } from '../bindings/env.ts';
import { completeBooks, getBooks } from '../bindings/ledger-books.ts';

/** So long an isolate shows the figures that it has read, in milliseconds: anyone may ask, and reading asks many objects. */
export const FIGURES_AGE_MS = 300_000;

export type DeliveryFigures = { rows: readonly DeliveryFigure[]; since: string; weeks: number; readAtMs: number };

/** Read figures, never pending ones: a request must not wait for another request's promise. */
const known = new WeakMap<object, DeliveryFigures>();

/** The figures of the ledger and of credits. @throws what an object throws: a part of the counts would look like all of them */
export async function readDeliveryFigures(env: Env, nowMs: number): Promise<DeliveryFigures> {
  const before = known.get(env.OPERATIONS_REGISTER);
  if (before !== undefined && nowMs - before.readAtMs < FIGURES_AGE_MS) return before;
  const since = computeDeliveryStart(nowMs);
  const [books, { creditUses }, times] = await Promise.all([
    completeBooks(env, since),
    readRegisters(env).readDays(since),
    getBooks(env).readDeliveryTimes(since),
  ]);
  if (books.unread > 0) throw new Error(`${books.unread} shards have not reported yet`);
  const rows = summariseDelivery({ lines: books.lines, creditUses, times });
  const read = { rows, since, weeks: DELIVERY_WEEKS, readAtMs: nowMs };
  known.set(env.OPERATIONS_REGISTER, read);
  return read;
}
