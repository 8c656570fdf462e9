import * as z from 'zod';
import type {
  CardActsPort,
  CardFactsPort,
  CardPurchasePage,
  CardPurchasesPage,
  CardsOwedNow,
  ConsoleCardOutcome,
} from '../../../../src/console-api/cards.ts';
import { formatPlainLine } from '../../../../src/lib/safe-text.ts';
import { logLine } from '../../../shared/telemetry.ts';
import { openCardLedger } from './card-ledger.ts';
import { findFreshOperator, MAX_ORDER_REASON_CHARS } from '../console/console-acts.ts';
import { createCreditAccounts } from '../credit-account.ts';
import type { Env } from '../env.ts';
import { readOr } from '../queue-depths.ts';

/** Rows of one page. */
const MAX_PAGE = 50;

const id = z.string().regex(/^[0-9a-f]{32}$/);
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const listAsked = z.strictObject({
  account: id.optional(),
  beforeMs: z.int().min(1).optional(),
  limit: z.int().min(1).max(MAX_PAGE),
});
const oneAsked = z.strictObject({ id });
const refundOrder = z.strictObject({
  id,
  purchaseId: id,
  cents: z.int().min(1),
  reason: z
    .string()
    .transform((text) => formatPlainLine(text, MAX_ORDER_REASON_CHARS))
    .pipe(z.string().min(1)),
});

/** What the console asks of purchases by card. */
export const createCardFacts = (env: Env): CardFactsPort => ({
  cardPurchases: (asked) => listPurchases(env, listAsked.parse(asked)),
  cardPurchase: (asked) => readPurchase(env, oneAsked.parse(asked).id),
  cardsOwed: () => readOwed(env),
});

/** What operators do about them. */
export const createCardActs = (env: Env): CardActsPort => ({
  refundCard: (session, order) => executeCardRefund(env, hash.parse(session), refundOrder.parse(order)),
});

async function listPurchases(
  env: Env,
  { account, beforeMs, limit }: z.infer<typeof listAsked>,
): Promise<CardPurchasesPage> {
  const asked = {
    ...(account === undefined ? {} : { account }),
    ...(beforeMs === undefined ? {} : { beforeMs }),
    limit: limit + 1,
  };
  const found = (await openCardLedger(env, logLine)?.purchases(asked)) ?? [];
  const purchases = found.slice(0, limit);
  const last = purchases.at(-1);
  return found.length > limit && last !== undefined ? { purchases, next: last.atMs } : { purchases };
}

async function readPurchase(env: Env, purchaseId: string): Promise<CardPurchasePage | null> {
  const purchase = await openCardLedger(env, logLine)?.purchase(purchaseId);
  if (purchase === undefined) return null;
  const credits = await readOr('credit_account', () =>
    createCreditAccounts(env, logLine).open(purchase.account).view(),
  );
  return { purchase, credits };
}

/** The ledger knows who was below zero; the accounts know who still is, and by how much. */
async function readOwed(env: Env): Promise<CardsOwedNow> {
  const found = await openCardLedger(env, logLine)?.owed();
  if (found === undefined) return { overdrafts: [], openDisputes: 0, isPartial: false };
  const accounts = createCreditAccounts(env, logLine);
  const looked = await Promise.all(
    found.overdrafts.map(async (overdraft) => ({
      overdraft,
      credits: await readOr('credit_account', () => accounts.open(overdraft.account).view()),
    })),
  );
  return {
    overdrafts: looked.flatMap(({ overdraft, credits }) => {
      if (!credits.read) return [overdraft];
      return credits.balanceMicroUsdc < 0 ? [{ ...overdraft, owedMicroUsdc: -credits.balanceMicroUsdc }] : [];
    }),
    openDisputes: found.openDisputes,
    isPartial: looked.some(({ credits }) => !credits.read),
  };
}

async function executeCardRefund(
  env: Env,
  session: string,
  order: z.infer<typeof refundOrder>,
): Promise<ConsoleCardOutcome> {
  const operator = await findFreshOperator(env, session);
  if (!operator.ok) return operator;
  const ledger = openCardLedger(env, logLine);
  if (ledger === undefined) return { ok: false, reason: 'off' };
  const outcome = await ledger.refund({ ...order, by: operator.by });
  if (outcome.ok && !outcome.isRepeat) {
    const { purchaseId: subject, cents, reason } = order;
    logLine({ event: 'operator_action', action: 'refund_card', by: operator.by, subject, cents, reason });
  }
  return outcome;
}
