import { link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { computeSha256Hex } from '../../lib/digest.ts';
import { parseJson } from '../../lib/json.ts';
import { isOwned, replaceOwned, runUnderLock } from '../core/file-lock.ts';
import { bytes32Schema } from './service.ts';
import { paymentTermsSchema, refuseSpending, type SpendingRefusal } from './spending.ts';

/** What a repeat can still get: results are stored, and transfers redeemable, for 30 days. */
const MAX_ORDER_AGE_MS = 31 * 24 * 60 * 60 * 1000;
/** Files of the folder that are looked through for old ones. */
const MAX_ORDER_FILES = 1000;
const OWNER_ONLY = 0o600;
const DRAFT_BYTES = 8;
const LOCK_TIMES = { waitMs: 5_000, staleMs: 10_000 };

const hexText = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]+$/)]);

const paymentSchema = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('x402'), credential: z.string().min(1) }),
  z.strictObject({
    by: z.literal('transfer'),
    transaction: bytes32Schema,
    /** The signed transaction: sending it again is the same transfer. */
    raw: hexText,
    /** The terms that it pays. */
    accepted: paymentTermsSchema,
  }),
]);

const orderSchema = z.strictObject({ version: z.literal(1), savedAtMs: z.int().min(0), payment: paymentSchema });

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
  /** Forgets this payment of the order, and no other one. */
  forget: (key: string, payment: PaymentMark) => Promise<void>;
};

/** Orders as files with mode 0600 in a folder with mode 0700, named by their keys. */
export function createOrderFolder(folder: string): OrderStore {
  const locate = (key: string): string => join(folder, `${key}.json`);
  const refuse = (error: unknown): SpendingRefusal =>
    refuseSpending('orders_unavailable', `the folder of open orders ${folder} cannot be used: ${String(error)}`);
  return {
    find: async (key, nowMs) => {
      try {
        const order = await readOrder(locate(key));
        if (order === undefined || nowMs - order.savedAtMs < MAX_ORDER_AGE_MS) return { ok: true, order };
        await removePayment(locate(key), order.payment);
        return { ok: true, order: undefined };
      } catch (error) {
        return refuse(error);
      }
    },
    save: async (key, order, replaced) => {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await removeOld(folder, order.savedAtMs);
        const text = JSON.stringify({ version: 1, ...order });
        return {
          ok: true,
          isFirst: await (replaced === undefined
            ? createOwned(locate(key), text)
            : replacePayment(locate(key), text, replaced)),
        };
      } catch (error) {
        return refuse(error);
      }
    },
    // A file that stays costs nothing: its repeat gets the stored result, free.
    forget: (key, payment) => removePayment(locate(key), payment).catch(() => undefined),
  };
}

/** @throws when the file is not ours to trust, or not readable: an order that cannot be read must not be paid again. */
async function readOrder(path: string): Promise<SavedOrder | undefined> {
  if (!(await isOwned(path))) return undefined;
  const read = orderSchema.safeParse(parseJson(await readFile(path, 'utf8')));
  if (!read.success) throw new Error(`${path} is no order`);
  const { savedAtMs, payment } = read.data;
  return { savedAtMs, payment };
}

/** Runs `work` while no other process changes what is saved, if this payment is saved there. @returns whether it was */
const runIfSaved = (path: string, payment: PaymentMark, work: () => Promise<void>): Promise<boolean> =>
  runUnderLock(`${path}.lock`, LOCK_TIMES, async () => {
    const seen = await readOrder(path);
    const isSaved = seen !== undefined && formatMark(seen.payment) === formatMark(payment);
    if (isSaved) await work();
    return isSaved;
  });

/** Removes the file of an order if it has this payment. */
async function removePayment(path: string, payment: PaymentMark): Promise<void> {
  await runIfSaved(path, payment, () => rm(path, { force: true }));
}

/** Writes another payment over this one. @returns false when another process was faster */
const replacePayment = (path: string, text: string, replaced: PaymentMark): Promise<boolean> =>
  runIfSaved(path, replaced, () => replaceOwned(path, text));

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
