import * as z from 'zod';
import { hashEmail, normaliseEmail } from '../../../../src/authorization/people/email-links.ts';
import type { KnownPayer, PayersAsked } from '../../../../src/authorization/people/payers.ts';
import type { FoundCustomer } from '../../../../src/console-api/service.ts';
import { DAY_MS, formatIsoDay } from '../../../../src/lib/time.ts';
import type { CardLedgerObject } from '../../../../src/payment/cards/protocol.ts';
import { formatReceiptNumber, parseReceiptNumber } from '../../../../src/payment/credits/receipt-number.ts';
import { formatCardLineId } from '../../../../src/payment/credits/lines.ts';
import { logLine } from '../../../shared/telemetry.ts';
import { openCardLedger } from '../cards/card-ledger.ts';
import type { Env } from '../env.ts';
import { getAuthorizationStore } from '../people-store.ts';

const ID = /^[0-9a-f]{32}$/;
/** What Stripe calls a session, payment, refund or dispute. */
const STRIPE_REFERENCE = /^(?:cs|pi|re|pyr|du|dp)_\w{1,250}$/;
/** Versions of a purchase in which its account may have got the credits: a refund may have come before. */
const CREDITED_VERSIONS = [1, 2, 3] as const;

const findAsked = z.strictObject({ text: z.string().max(260) });

/** A customer by what a mail to the operator may name: an e-mail address, an account, a purchase by card or its receipt. */
export async function findCustomerByText(env: Env, asked: unknown): Promise<FoundCustomer | null> {
  const text = findAsked.parse(asked).text.trim();
  const email = normaliseEmail(text);
  if (email !== undefined) return toFound(await findPayer(env, { emailHash: await hashEmail(email) }));
  const id = text.toLowerCase();
  if (ID.test(id)) {
    const payer = await findPayer(env, { account: id });
    if (payer !== undefined) return toFound(payer);
  }
  const ledger = openCardLedger(env, logLine);
  if (ledger === undefined) return null;
  const purchase = await findPurchase(ledger, text);
  if (purchase === undefined) return null;
  const payer = await findPayer(env, { account: purchase.account });
  return { ...toFound(payer), account: purchase.account, purchase: purchase.id };
}

/** One payer; undefined where there is none, or its account was deleted. */
export const findPayer = async (env: Env, asked: PayersAsked): Promise<KnownPayer | undefined> =>
  (await getAuthorizationStore(env).listPayers(asked)).payers[0];

const toFound = (payer: KnownPayer | undefined): FoundCustomer | null => {
  if (payer === undefined) return null;
  const { id: account, address, email, ways = [], createdAtMs } = payer;
  const names = { ...(address === undefined ? {} : { address }), ...(email === undefined ? {} : { email }) };
  return { account, customer: { ...names, ways, createdAtMs } };
};

type Named = { id: string; account: string };

async function findPurchase(ledger: CardLedgerObject, text: string): Promise<Named | undefined> {
  const id = text.toLowerCase();
  if (ID.test(id)) return ledger.locate(id);
  if (STRIPE_REFERENCE.test(text)) return ledger.locate(text);
  const receipt = parseReceiptNumber(text);
  return receipt === undefined ? undefined : findByReceipt(ledger, receipt);
}

/** Numbers are stored nowhere: those of the purchases of that day, and of the day before, are computed. */
async function findByReceipt(
  ledger: CardLedgerObject,
  { number, day }: { number: string; day: string },
): Promise<Named | undefined> {
  const atMs = Date.parse(day);
  for (const paid of await ledger.paidOn(formatIsoDay(atMs - DAY_MS), day))
    for (const version of CREDITED_VERSIONS) {
      const line = { id: formatCardLineId({ purchase: paid.id, version }, 'card'), atMs };
      if ((await formatReceiptNumber(paid.account, line)) === number) return paid;
    }
  return undefined;
}
