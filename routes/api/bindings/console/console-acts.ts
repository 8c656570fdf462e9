import * as z from 'zod';
import { forgetTokens } from '../../../../src/authorization/oauth/remembered-tokens.ts';
import type { NotOperated, Operated } from '../../../../src/authorization/operators/commands.ts';
import type { ConsoleSession } from '../../../../src/authorization/operators/console-sessions.ts';
import { parseSiteKey } from '../../../../src/capabilities/published/site-key.ts';
import type {
  ConsoleCreditOrder,
  CreditOutcome,
  NotAllowed,
  RegisteredClients,
  ServiceActsPort,
  TakeDownOrder,
  TakeDownOutcome,
} from '../../../../src/console-api/service.ts';
import { MINUTE_MS } from '../../../../src/lib/time.ts';
import { formatPlainLine } from '../../../../src/lib/safe-text.ts';
import type { Adjustment, AdjustOrder } from '../../../../src/payment/credits/adjustments.ts';
import { MAX_LISTED } from '../../../../src/payment/ledger/list.ts';
import { isTopUp } from '../../../../src/payment/ledger/row.ts';
import { takeDown } from '../../../../src/sales/reports/published-store.ts';
import { logLine } from '../../../shared/telemetry.ts';
import { registerGivenBack } from './console-counters.ts';
import { findCustomer } from './console-service.ts';
import { findPayer } from './find-customer.ts';
import { createCreditAccounts } from '../credit-account.ts';
import type { Env } from '../env.ts';
import { getBooks, toListItem } from '../ledger-books.ts';
import { getAuthorizationStore } from '../people-store.ts';

/** Actions need a sign-in younger than this (rule K10). The console says so first; this Worker judges it once more. */
const FRESH_MS = 15 * MINUTE_MS;
/** Longest reason of an operator. */
export const MAX_ORDER_REASON_CHARS = 200;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const id = z.string().min(1).max(2_048);
const command = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('list_service_accounts') }),
  z.strictObject({ do: z.literal('delete_service_account'), id }),
  z.strictObject({ do: z.literal('revoke_key'), id, keyId: id }),
  z.strictObject({ do: z.literal('list_clients') }),
  z.strictObject({ do: z.literal('delete_client'), id }),
  z.strictObject({ do: z.literal('list_operators') }),
  z.strictObject({ do: z.literal('delete_operator'), id }),
]);
const clientsAsked = z.strictObject({ after: id.optional() });
const reason = z
  .string()
  .transform((text) => formatPlainLine(text, MAX_ORDER_REASON_CHARS))
  .pipe(z.string().min(1));
const about = {
  account: z.string().regex(/^[0-9a-f]{32}$/),
  /** Empty for an account without a wallet. */
  address: z.string().regex(/^(?:0x[0-9a-f]{40})?$/),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  reason,
};
const creditOrder = z.discriminatedUnion('kind', [
  z.strictObject({ ...about, kind: z.literal('grant'), amountMicroUsdc: z.int() }),
  z.strictObject({ ...about, kind: z.literal('refund_call'), callId: id }),
  z.strictObject({ ...about, kind: z.literal('refund_payment'), payment: z.string().regex(/^[0-9a-f]{12}$/) }),
]);
const takeDownOrder = z.strictObject({
  host: z.string().max(300),
  reportId: z.string().regex(/^[0-9a-f]{32}$/),
  reason,
});

/** What operators change by the console. Whose session it is, and how old, is judged here, for the log and for safety. */
export const createServiceActs = (env: Env): ServiceActsPort => ({
  operate: (session, asked) => operateByConsole(env, hash.parse(session), command.parse(asked)),
  registeredClients: async (session, asked) => listClients(env, hash.parse(session), clientsAsked.parse(asked).after),
  adjustCredits: (session, order) => applyCreditOrder(env, hash.parse(session), creditOrder.parse(order)),
  takeDown: (session, order) => takeReportDown(env, hash.parse(session), takeDownOrder.parse(order)),
});

async function operateByConsole(
  env: Env,
  session: string,
  asked: z.infer<typeof command>,
): Promise<Operated | NotOperated> {
  const answer = await getAuthorizationStore(env).operateConsole(session, asked);
  if (!answer.ok || asked.do.startsWith('list_')) return answer;
  forgetTokens({}, Date.now());
  const subject = 'name' in answer ? { name: answer.name } : {};
  const key = 'keyId' in asked ? { key: asked.keyId } : {};
  const named = 'id' in asked ? { id: asked.id } : {};
  logLine({ event: 'operator_action', action: answer.did, by: answer.by, ...named, ...key, ...subject });
  return answer;
}

async function listClients(env: Env, session: string, after: string | undefined): Promise<RegisteredClients | null> {
  const store = getAuthorizationStore(env);
  if ((await store.consoleSession(session)) === undefined) return null;
  return store.listRegisteredClients(after);
}

/** The operator of a session that is young enough to change something. */
export async function findFreshOperator(env: Env, session: string): Promise<{ ok: true; by: string } | NotAllowed> {
  const found: ConsoleSession | undefined = await getAuthorizationStore(env).consoleSession(session);
  if (found === undefined) return { ok: false, reason: 'not_signed_in' };
  if (Date.now() - found.signedInAtMs >= FRESH_MS) return { ok: false, reason: 'sign_in_too_old' };
  return { ok: true, by: found.operator.id };
}

async function applyCreditOrder(env: Env, session: string, order: ConsoleCreditOrder): Promise<CreditOutcome> {
  const operator = await findFreshOperator(env, session);
  if (!operator.ok) return operator;
  const customer =
    order.address === '' ? await findPayer(env, { account: order.account }) : await findCustomer(env, order.address);
  if (customer?.id !== order.account) return { ok: false, reason: 'no_such_customer' };
  const wanted = await buildAdjustOrder(env, order, operator.by);
  if ('ok' in wanted) return wanted;
  const outcome = await createCreditAccounts(env, logLine).open(order.account).adjust(wanted);
  if (outcome.ok) await countGivenBack(env, order.account, outcome.adjustment);
  if (outcome.ok && !outcome.isRepeat) {
    const { kind: action, amountMicroUsdc, id: subject, reason: why } = outcome.adjustment;
    const what = { account: order.account, micro_usdc: amountMicroUsdc, subject, reason: why };
    logLine({ event: 'operator_action', action, by: operator.by, ...what });
  }
  return outcome;
}

/** For the delivery figures. A repeat counts too, in case the first one could not be counted. */
async function countGivenBack(env: Env, account: string, adjustment: Adjustment): Promise<void> {
  const { kind, capability, amountMicroUsdc: microUsdc, atMs } = adjustment;
  if (kind === 'grant' || capability === undefined) return;
  await registerGivenBack(env, logLine, { id: `${account} ${adjustment.id}`, capability, microUsdc, atMs });
}

/** An order with what the ledger says of the payment that it gives back: nothing of that is the form's word. */
async function buildAdjustOrder(
  env: Env,
  order: ConsoleCreditOrder,
  by: string,
): Promise<AdjustOrder | Extract<CreditOutcome, { ok: false }>> {
  const { nonce, reason: why } = order;
  const own = { nonce, reason: why, by };
  if (order.kind === 'grant') return { ...own, kind: order.kind, amountMicroUsdc: order.amountMicroUsdc };
  if (order.kind === 'refund_call') return { ...own, kind: order.kind, callId: order.callId };
  if (order.address === '') return { ok: false, reason: 'not_found' }; // Payments on a chain are of an address.
  const { payments } = await getBooks(env).readPayments({ payer: order.address, limit: MAX_LISTED });
  const items = await Promise.all(payments.map(toListItem));
  const [paid, ...others] = items.filter((payment) => payment.id === order.payment);
  if (paid === undefined) return { ok: false, reason: 'not_found' };
  // Payers choose their nonces, so one can make two payments of one id, and have the cheap one given back as the other.
  if (others.length > 0) return { ok: false, reason: 'ambiguous_payment' };
  if (paid.state !== 'settled') return { ok: false, reason: 'not_settled' };
  if (paid.proof.seen === 'missing') return { ok: false, reason: 'payment_missing' };
  if (isTopUp(paid)) return { ok: false, reason: 'is_credits' };
  // A contract wallet that paid on another network may have another owner, or none, on the first, where its address signs in.
  if (paid.isUnlisted) return { ok: false, reason: 'not_account_of_payer' };
  const { capability, amountMicroUsdc, id: payment } = paid;
  return { ...own, kind: order.kind, payment, capability, amountMicroUsdc };
}

async function takeReportDown(env: Env, session: string, order: TakeDownOrder): Promise<TakeDownOutcome> {
  const operator = await findFreshOperator(env, session);
  if (!operator.ok) return operator;
  const { host, reportId, reason: why } = order;
  const key = parseSiteKey(host);
  const isDone = key !== undefined && (await takeDown(env.REPORTS, key, reportId));
  if (!isDone) return { ok: false, reason: 'not_listed' };
  logLine({ event: 'operator_action', action: 'took_down_report', by: operator.by, host: key, reason: why });
  return { ok: true };
}
