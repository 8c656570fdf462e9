import { computeSha256Hex } from '../../lib/digest.ts';
import type { PaymentLine, PaymentQuery, PaymentState } from './list.ts';

/** The ledger's shards, `00` to `ff`. */
export const SHARDS = 256;
/** Shards that are read at the same time. */
export const PARALLEL_SHARDS = 32;
/**
 * How long one may take, in milliseconds. Shorter than a tile of the console's overview waits: with a shard that hangs there
 * is still a figure of the others.
 */
export const SHARD_MS = 3_000;
/** Digits of a key's digest, as the logs have them. */
const ID_DIGITS = 12;
const CURSOR = /^(\d{1,15})\.(\d{1,3})\.(\d{1,9})$/;

/** What was read, and of how many shards nothing is known: that is never nothing. */
export type Survey<T> = { found: { shard: number; value: T }[]; unread: number };

/**
 * Reads every shard, and hands each answer on as it arrives: no one needs to hold all of them. One that fails or takes
 * too long is counted as unread.
 * @returns how many are unread
 */
export async function readEachShard<T>(
  read: (name: string, shard: number) => Promise<T>,
  take: (value: T, shard: number) => void,
  limitMs: number = SHARD_MS,
): Promise<number> {
  let next = 0;
  let unread = 0;
  const drain = async (): Promise<void> => {
    while (next < SHARDS) {
      const shard = next;
      next += 1;
      const value = await readWithin(limitMs, () => read(shard.toString(16).padStart(2, '0'), shard));
      if (value === undefined) unread += 1;
      else take(value, shard);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_SHARDS }, drain));
  return unread;
}

/** The same for answers that are small: all of them, in the order of the shards. */
export async function surveyShards<T>(
  read: (name: string, shard: number) => Promise<T>,
  limitMs: number = SHARD_MS,
): Promise<Survey<T>> {
  const found: Survey<T>['found'] = [];
  const unread = await readEachShard(read, (value, shard) => found.push({ shard, value }), limitMs);
  return { found: found.toSorted((a, b) => a.shard - b.shard), unread };
}

async function readWithin<T>(limitMs: number, read: () => Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([late, read()]);
  } catch {
    return undefined; // Counted as unread.
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}

/** Where a page of payments begins: at a time, and after `skip` payments of that very time in one shard. */
export type Cursor = { atMs: number; shard: number; skip: number };

/** Undefined for what is no cursor of ours. */
export function parseCursor(text: string): Cursor | undefined {
  const [, atMs, shard, skip] = (CURSOR.exec(text) ?? []).map(Number);
  if (atMs === undefined || shard === undefined || skip === undefined || shard >= SHARDS) return undefined;
  return { atMs, shard, skip };
}

const formatCursor = ({ atMs, shard, skip }: Cursor): string => `${atMs}.${shard}.${skip}`;

/** What one shard is asked for a page: one more than fits shows whether there is another page. */
export function buildShardQuery(
  shard: number,
  limit: number,
  state: PaymentState | undefined,
  cursor: Cursor,
): PaymentQuery {
  const chosen = state === undefined ? {} : { state };
  // Payments of one time are ordered by shard, so those of earlier shards were shown.
  const upToMs = shard < cursor.shard ? cursor.atMs - 1 : cursor.atMs;
  return { ...chosen, upToMs, skip: shard === cursor.shard ? cursor.skip : 0, limit: limit + 1 };
}

/** A payment in the operator's list. `id` is how logs name it: the key itself holds the payer and the nonce. */
export type PaymentListItem = Omit<PaymentLine, 'key'> & { id: string };

/** One page of the payments of all shards, newest first, and where the next one begins. */
export async function buildPaymentPage(
  found: Survey<PaymentLine[]>['found'],
  limit: number,
  from: Cursor,
): Promise<{ payments: PaymentListItem[]; next?: string }> {
  const all = found
    .flatMap(({ shard, value }) => value.map((line) => ({ shard, line })))
    .toSorted((a, b) => b.line.firstClaimedAtMs - a.line.firstClaimedAtMs || a.shard - b.shard);
  const shown = all.slice(0, limit);
  const payments = await Promise.all(
    shown.map(async ({ line: { key, ...line } }) => ({
      ...line,
      id: (await computeSha256Hex(key)).slice(0, ID_DIGITS),
    })),
  );
  const last = shown.at(-1);
  if (last === undefined || all.length <= limit) return { payments };
  const { shard } = last;
  const atMs = last.line.firstClaimedAtMs;
  const here = shown.filter((one) => one.shard === shard && one.line.firstClaimedAtMs === atMs).length;
  const before = from.shard === shard && from.atMs === atMs ? from.skip : 0;
  return { payments, next: formatCursor({ atMs, shard, skip: before + here }) };
}
