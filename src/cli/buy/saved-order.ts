import { link, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { computeSha256Hex } from '../../lib/digest.ts';
import { parseJson } from '../../lib/json.ts';
import { findEvmNetwork } from '../../payment/terms/networks-data.ts';
import { createFolder } from '../core/create-folder.ts';
import { isOwned, replaceOwned, runUnderLock } from '../core/file-lock.ts';
import { bytes32Schema } from './service.ts';
import { paymentTermsSchema, refuseSpending, type SpendingRefusal } from './spending.ts';

/** What a repeat can still get: results are stored, and transfers redeemable, for 30 days. */
const MAX_ORDER_AGE_MS = 31 * 24 * 60 * 60 * 1000;
/** Files of the folder that are looked through for old ones. */
const MAX_ORDER_FILES = 1000;
const OWNER_ONLY = 0o600;
const DRAFT_BYTES = 8;
/** A lock that a killed process left is waited out. */
const LOCK_TIMES = { waitMs: 15_000, staleMs: 10_000 };
/** Open payments of one order that are kept behind the newest. */
export const MAX_EARLIER_PAYMENTS = 8;

const hexText = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]+$/)]);

const paymentSchema = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('x402'), credential: z.string().min(1) }),
  z.strictObject({
    by: z.literal('transfer'),
    transaction: bytes32Schema,
    /** The signed transaction: sending it again is the same transfer. */
    raw: hexText,
    /** The terms that it pays, and so its network. */
    accepted: paymentTermsSchema.refine(({ network }) => findEvmNetwork(network) !== undefined),
  }),
]);

const savedSchema = z.strictObject({ savedAtMs: z.int().min(0), payment: paymentSchema });
/** `earlier`: payments that this one replaced, the newest first. They are open again if this one moves no money. */
const orderSchema = savedSchema.extend({
  version: z.literal(1),
  earlier: z.array(savedSchema).max(MAX_EARLIER_PAYMENTS).optional(),
});

/** A payment that is ready to be sent. */
export type SavedPayment = z.infer<typeof paymentSchema>;
export type SavedOrder = { savedAtMs: number; payment: SavedPayment };
/** What distinguishes one payment from another. */
export type PaymentMark = { by: 'x402'; credential: string } | { by: 'transfer'; transaction: string };

const formatMark = (payment: PaymentMark): string =>
  payment.by === 'x402' ? `x402 ${payment.credential}` : `transfer ${payment.transaction.toLowerCase()}`;

/** What one order is: the same again is a repeat, and is not paid again while the first is open. */
export type OrderIdentity = { origin: string; capability: string; bodyText: string; payer: string };

export const computeOrderKey = ({ origin, capability, bodyText, payer }: OrderIdentity): Promise<string> =>
  computeSha256Hex([origin, capability, payer.toLowerCase(), bodyText].join('\n'));

/**
 * Payments that were made ready, and whose result has not reached the caller yet. Each is written before it is sent, so
 * that a repeat after any failure sends the same payment.
 */
export type OrderStore = {
  find: (key: string, nowMs: number) => Promise<{ ok: true; order: SavedOrder | undefined } | SpendingRefusal>;
  /**
   * Saves a payment in the place of `replaced`, or of none. `isFirst` is false when another process has saved a payment of
   * the same order meanwhile: then this one must not be sent.
   */
  save: (
    key: string,
    order: SavedOrder,
    replaced?: PaymentMark,
  ) => Promise<{ ok: true; isFirst: boolean } | SpendingRefusal>;
  /** Forgets an order whose result has reached the caller, if this is its payment. */
  forget: (key: string, payment: PaymentMark) => Promise<void>;
  /** Where the payments of an order are saved: who deletes it gives them up. */
  locate: (key: string) => string;
  /** Gives up a payment that moved no money and never will: the one that it replaced is open again. */
  withdraw: (key: string, payment: PaymentMark) => Promise<void>;
};

/** Orders as files with mode 0600 in a folder with mode 0700, named by their keys. */
export function createOrderFolder(folder: string): OrderStore {
  const locate = (key: string): string => join(folder, `${key}.json`);
  const refuse = (error: unknown): SpendingRefusal =>
    refuseSpending('orders_unavailable', `the folder of open orders ${folder} cannot be used: ${String(error)}`);
  return {
    locate,
    find: async (key, nowMs) => {
      try {
        const file = await readOrder(locate(key));
        const order = file && { savedAtMs: file.savedAtMs, payment: file.payment };
        if (order === undefined || nowMs - order.savedAtMs < MAX_ORDER_AGE_MS) return { ok: true, order };
        await removeOrder(locate(key), order.payment);
        return { ok: true, order: undefined };
      } catch (error) {
        return refuse(error);
      }
    },
    save: async (key, order, replaced) => {
      try {
        createFolder(folder, 0o700);
        await removeOld(folder, order.savedAtMs);
        const isFirst = await (replaced === undefined
          ? createOwned(locate(key), formatOrder(order))
          : replacePayment(locate(key), order, replaced));
        return { ok: true, isFirst };
      } catch (error) {
        return refuse(error);
      }
    },
    // What stays costs nothing: its repeat gets the stored result, or the same word that no money moved.
    forget: (key, payment) => removeOrder(locate(key), payment).catch(() => undefined),
    withdraw: (key, payment) => withdrawPayment(locate(key), payment).catch(() => undefined),
  };
}

type OrderFile = SavedOrder & { earlier: readonly SavedOrder[] };

const formatOrder = (order: SavedOrder, earlier: readonly SavedOrder[] = []): string =>
  JSON.stringify({ version: 1, ...order, ...(earlier.length === 0 ? {} : { earlier }) });

/** @throws when the file is not ours to trust, or not readable: an order that cannot be read must not be paid again. */
async function readOrder(path: string): Promise<OrderFile | undefined> {
  if (!(await isOwned(path))) return undefined;
  const read = orderSchema.safeParse(parseJson(await readFile(path, 'utf8')));
  if (!read.success) throw new Error(`${path} is no order`);
  const { savedAtMs, payment, earlier = [] } = read.data;
  return { savedAtMs, payment, earlier };
}

/** Runs `work` while no other process changes what is saved, if this payment is the newest there. @returns whether it was */
const runIfSaved = (path: string, payment: PaymentMark, work: (order: OrderFile) => Promise<void>): Promise<boolean> =>
  runUnderLock(`${path}.lock`, LOCK_TIMES, async () => {
    const seen = await readOrder(path);
    if (seen === undefined || formatMark(seen.payment) !== formatMark(payment)) return false;
    await work(seen);
    return true;
  });

async function removeOrder(path: string, payment: PaymentMark): Promise<void> {
  await runIfSaved(path, payment, () => rm(path, { force: true }));
}

async function withdrawPayment(path: string, payment: PaymentMark): Promise<void> {
  await runIfSaved(path, payment, async ({ earlier: [last, ...earlier] }) => {
    if (last === undefined) await rm(path, { force: true });
    else await replaceOwned(path, formatOrder(last, earlier));
  });
}

/** Puts another payment in the place of this one. @returns false when another process was faster */
const replacePayment = (path: string, order: SavedOrder, replaced: PaymentMark): Promise<boolean> =>
  runIfSaved(path, replaced, ({ savedAtMs, payment, earlier }) =>
    replaceOwned(path, formatOrder(order, [{ savedAtMs, payment }, ...earlier].slice(0, MAX_EARLIER_PAYMENTS))),
  );

/** Creates a file whole or not at all. @returns false when it is there already */
async function createOwned(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomBytes(DRAFT_BYTES).toString('hex')}`;
  const file = await open(draft, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function removeOld(folder: string, nowMs: number): Promise<void> {
  const names = (await readdir(folder)).slice(0, MAX_ORDER_FILES);
  for (const name of names) {
    const path = join(folder, name);
    const seen = await stat(path).catch(() => undefined); // Gone meanwhile: another process finished.
    if (seen !== undefined && nowMs - seen.mtimeMs > MAX_ORDER_AGE_MS) await rm(path, { force: true });
  }
}
