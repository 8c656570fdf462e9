import type { Revenue } from '../../../src/console-api/operations.ts';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { TRUST_OBJECT } from '../../../src/payment/facilitator/trust.ts';
import { BOOKS_OBJECT, type BooksRead, type BooksReader } from '../../../src/payment/ledger/books.ts';
import type { LedgerReader, PaymentLine } from '../../../src/payment/ledger/list.ts';
import { askShards, type PaymentListItem, SHARDS } from '../../../src/payment/ledger/survey.ts';
import { computeFirstDay } from '../../../src/payment/ledger/totals.ts';
import { MICRO_USDC_PER_USD } from '../../../src/payment/terms/constants.ts';
import { logLine } from '../../shared/telemetry.ts';
import { openCardLedger } from './cards/card-ledger.ts';
import { readRegisters } from './console/console-counters.ts';
import { computeUsualRunUsd } from '../../../src/models/engine-rows.ts';
import { type Env, readSettings } from './env.ts';
import { readOr } from './queue-depths.ts';

/** Digits of a key's digest, as the logs have them. */
const ID_DIGITS = 12;

/** The one object that has the books of all shards. */
export const getBooks = (env: Env): BooksReader => env.OPERATIONS_REGISTER.getByName(BOOKS_OBJECT);

const getShard = (env: Env, name: string): LedgerReader => env.PAYMENT_LEDGER.getByName(name);

/**
 * The books since a day. Shards of which they have nothing yet, as after an update, are asked to report first, as many as
 * answer in the time that a page has; the next page goes on with the others.
 */
export async function completeBooks(env: Env, sinceDay: string): Promise<BooksRead & { unread: number }> {
  const books = getBooks(env);
  const found = await books.readBooks(sinceDay);
  if (found.missing.length === 0) return { ...found, unread: 0 };
  const known = await askShards(found.missing, async (name) => (await getShard(env, name).report()) !== 'failed');
  if (known.length > 0) await books.noteEmptyShards(known);
  const complete = await books.readBooks(sinceDay);
  return { ...complete, unread: complete.missing.length };
}

/** Money of the last days, and what is counted beside it. */
export async function readRevenue(env: Env, days: number): Promise<Revenue> {
  const firstDay = computeFirstDay(days, Date.now());
  const microUsdPerRun = Math.round(computeUsualRunUsd(readSettings(env)) * MICRO_USDC_PER_USD);
  const cardLedger = openCardLedger(env, logLine);
  const [books, counted, facilitator, cards] = await Promise.all([
    completeBooks(env, firstDay),
    readOr('registers', () => readRegisters(env).readDays(firstDay)),
    readOr('facilitator_trust', async () => ({
      distrustedAtMs: await env.PAYMENT_LEDGER.getByName(TRUST_OBJECT).distrustedAtMs(),
    })),
    readOr('cards', async () => ({ days: (await cardLedger?.days(firstDay)) ?? [] })),
  ]);
  const { lines, updatedAtMs, unread } = books;
  return {
    days,
    firstDay,
    lines,
    creditUses: counted.read ? { read: true, uses: counted.creditUses } : counted,
    unpaid: counted.read ? { read: true, counts: counted.unpaid } : counted,
    engine: counted.read ? { read: true, runs: counted.runs, microUsdPerRun } : counted,
    facilitator,
    cards,
    updatedAtMs,
    shards: SHARDS,
    unread,
  };
}

export async function toListItem({ key, ...line }: PaymentLine): Promise<PaymentListItem> {
  return { ...line, id: (await computeSha256Hex(key)).slice(0, ID_DIGITS) };
}
