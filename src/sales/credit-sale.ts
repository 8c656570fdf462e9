import { type AuditRoom, auditRoom } from '../net/held-bytes.ts';
import type { SoldRow } from '../capabilities/credit-packs.ts';
import { toHex, computeSha256Hex } from '../lib/digest.ts';
import { type CapturedCall, DEFAULT_CLIENT_CAP_MICRO_USDC, type ReserveResult } from '../payment/credits/credits.ts';
import type { CreditAccountObject } from '../payment/credits/protocol.ts';
import { LedgerUnavailable } from '../payment/ledger/protocol.ts';
import type { CreditReason } from '../payment/terms/reasons.ts';
import { formatUsdAmount, formatUsdBalance } from '../payment/terms/constants.ts';
import { buildCreditCallKey } from './credit-accounts.ts';
import { findPaymentWait, refuseWait, rememberPaymentOutcome } from './failure-guard.ts';
import { type ProblemInput } from '../problems/problem.ts';
import { buildBuyersJson, type PurchaseAnswer, refusePayment } from './answer.ts';
import { dropResult, readOrRedoResult, runAndStoreWork } from './deliver.ts';
import {
  computeRoomBytes,
  type Metered,
  markMeterPaid,
  type PurchaseFollower,
  type PurchaseTools,
  type SalesPorts,
} from './tools.ts';
import { runOrUnavailable } from './ledger-client.ts';
import { checkTargets, publishIfAsked } from './purchase.ts';
import { checkOrderEngines } from './order-engines.ts';
import { type OrderInput, readOrderInput, selectWrittenFingerprint } from './read-order.ts';
import { CREDIT_SHARD } from './reports/report-store.ts';
import { buildOfferedSale } from './seller.ts';
import { buildProblem } from '../problems/codes.ts';

/** A call that an account pays from its prepaid credits. */
export type CreditOrder = {
  row: SoldRow;
  /** What the caller asks of the row, as it came. */
  args: unknown;
  /** Account id of the token's subject. */
  account: string;
  clientId: string;
  /** When its token was found good, in Unix milliseconds: a client revoked since spends nothing (rule A5). */
  authorizedAtMs: number;
  /** What this client may spend in 24 hours; the default where no cap was set. */
  capMicroUsdc?: number;
  /** The client's name for this call: the same name and arguments are one debit (rule P6). Names of other clients do not matter. */
  idempotencyKey?: string;
  /** Names the call itself, whichever client it is of by now. The caller sees to it that no other call can have this id. */
  callId?: string;
  /** Work that costs the account nothing: reserved, stored and captured as any other, with an amount of 0. */
  isFree?: true;
  /** Asked before anything is reserved, and again right before the debit: false ends the call unpaid. @throws LedgerUnavailable */
  isWanted?: () => Promise<boolean>;
  following?: PurchaseFollower;
};

/** `body` is the envelope as JSON, with `payment: { method: 'credits', amount, amount_usd, balance_usd }`. */
export type CreditAnswer =
  | { kind: 'sold'; body: string; reportId: string; amountMicroUsdc: number }
  | { kind: 'problem'; problem: ProblemInput };

const MAX_CAPTURE_TRIES = 3;
const CALL_ID_BYTES = 16;
/** Runs of an account that are not paid yet may still be; those that never are count for an hour. */
const UNPAID_RUNS_RETRY_S = 60;

/**
 * Sells one call to prepaid credits: reserve, work, store, capture, answer. Nothing is captured before the result is
 * stored, and nothing is delivered before it is captured; whatever fails in between releases the reserve.
 */
export async function sellToCredits(ports: SalesPorts, order: CreditOrder): Promise<CreditAnswer> {
  // Its token is good, so it meets the limits of its own account and of no address, which others may share.
  const who = { kind: 'account', id: order.account } as const;
  const wait = refuseWait(findPaymentWait(who, ports.now()));
  if (wait) return toCreditProblem(wait);
  const room = auditRoom('purchase', computeRoomBytes(order.row));
  const ending = (async () => {
    const answer = await runOrUnavailable(
      () => sell(ports, order, room),
      toCreditProblem(refusePayment('ledger_unavailable')),
    );
    if (answer.kind === 'sold') return answer;
    const outcome = { wasAsked: true, nowMs: ports.now(), shared: ports.failedPayments };
    await rememberPaymentOutcome(who, answer, outcome);
    return answer;
  })().finally(room.release);
  ports.waitUntil(ending.catch(() => undefined)); // Its failure is reported by who awaits it.
  return ending;
}

async function sell(ports: SalesPorts, order: CreditOrder, room: AuditRoom): Promise<CreditAnswer> {
  const read = await readOrderInput(order.row, order.args);
  if (!read.ok) return { kind: 'problem', problem: read.problem };
  const wrong = checkTargets(read.asked, ports.policy);
  if (wrong) return toCreditProblem(wrong);
  const unsellable = checkOrderEngines(read.asked, ports.engines);
  const outcome = await buildOfferedSale(ports, order.row);
  if (!outcome.ok) return { kind: 'problem', problem: outcome.problem };
  const { seller, closed } = outcome.sale;
  const { account } = order;
  const call: Call = {
    tools: ports.toolsOf(seller, { ...order.following, room }),
    credits: ports.credits.open(account),
    asked: read.asked,
    account,
    id: await buildCallId(order),
    register: ports.registerCreditCall,
  };
  const refused =
    (closed && ({ kind: 'problem', problem: closed } as const)) ??
    (unsellable && toCreditProblem(unsellable)) ??
    refuseWhenBusy(room);
  // What was sold before is served without its engines, and needs no memory for an audit.
  if (refused && (await call.credits.standing(call.id)).state !== 'captured') return refused;
  return reserveAndSell(call, order);
}

/** Looks before anything is reserved; the room is taken when the work begins. */
const refuseWhenBusy = (room: AuditRoom): CreditAnswer | undefined =>
  room.isFree() ? undefined : toCreditProblem(refusePayment('service_busy'));

type Call = {
  tools: PurchaseTools;
  credits: CreditAccountObject;
  asked: OrderInput;
  account: string;
  id: string;
  /** Records a paid call in the operator's register. */
  register: SalesPorts['registerCreditCall'];
};

/** The same for repeats of a client's own key; without a key each call is a call of its own. */
async function buildCallId({ clientId, idempotencyKey, callId }: CreditOrder): Promise<string> {
  if (callId !== undefined) return callId;
  return idempotencyKey === undefined
    ? toHex(crypto.getRandomValues(new Uint8Array(CALL_ID_BYTES)))
    : computeSha256Hex(`${clientId}\n${idempotencyKey}`);
}

async function reserveAndSell(
  call: Call,
  { clientId, authorizedAtMs, capMicroUsdc = DEFAULT_CLIENT_CAP_MICRO_USDC, isFree, isWanted }: CreditOrder,
): Promise<CreditAnswer> {
  if (isWanted && !(await isWanted())) return buildCreditProblem('call_superseded');
  const { row, fingerprint } = call.asked;
  const { name: capability, priceMicroUsdc } = row;
  const amountMicroUsdc = isFree === true ? 0 : priceMicroUsdc;
  const written = selectWrittenFingerprint(call.asked);
  const about = {
    id: call.id,
    fingerprint,
    ...written,
    capability,
    clientId,
    authorizedAtMs,
    amountMicroUsdc,
    capMicroUsdc,
  };
  const reserved = await call.credits.reserve(about);
  if (reserved.outcome === 'reserved') return deliver(call, reserved.attempt, isWanted);
  return reserved.outcome === 'done' ? repeat(call, reserved.call) : reserveRefusal(reserved);
}

async function deliver(call: Call, attempt: number, isWanted: CreditOrder['isWanted']): Promise<CreditAnswer> {
  const { tools, credits, asked, account, id } = call;
  const ledger = {
    renew: (_key: string, held: number) => credits.renew(id, held),
    release: (_key: string, held: number, failed: boolean) => credits.release(id, held, failed),
  };
  const held = { key: buildCreditCallKey(account, id), shard: CREDIT_SHARD, ledger, attempt };
  // Rule P5: a call can be called off or lose its client after its engine money went out, so that is metered until the debit.
  const metered = asked.row.engineBacked ? buildMeteredAccount(account) : undefined;
  const stored = await runAndStoreWork(tools, asked, held, metered);
  if (!stored.ok) return toCreditProblem(stored.answer);
  const { reportId, json } = stored;
  if (isWanted && !(await isWanted())) {
    await credits.release(id, attempt, false);
    await dropResult(tools, reportId);
    return buildCreditProblem('call_superseded');
  }
  const captured = await capture(call, attempt, reportId);
  if (captured === 'unknown') return buildCreditProblem('debit_unknown'); // A repeat finds what became of it.
  if (!captured) {
    await dropResult(tools, reportId);
    return buildCreditProblem('call_superseded');
  }
  if (metered) await markMeterPaid(tools, metered.id);
  const { capability, amountMicroUsdc } = captured;
  tools.log({ event: 'sold', method: 'credits', capability, amount_micro_usdc: amountMicroUsdc });
  if (amountMicroUsdc > 0) tools.waitUntil(call.register(capability, amountMicroUsdc));
  return buildCreditAnswer(call, json, captured);
}

/** All calls of an account together: a new idempotency key must not begin another few unpaid runs. */
const buildMeteredAccount = (account: string): Metered => ({
  id: `credit:${account}`,
  spent: refusePayment('too_many_in_flight', undefined, UNPAID_RUNS_RETRY_S),
});

/** Capturing is idempotent for its attempt: a lost reply is asked for again. */
async function capture(
  { credits, tools, id }: Call,
  attempt: number,
  reportId: string,
): Promise<CapturedCall | false | 'unknown'> {
  for (let tried = 1; tried <= MAX_CAPTURE_TRIES; tried += 1) {
    try {
      return await credits.capture(id, attempt, reportId);
    } catch (error) {
      if (!(error instanceof LedgerUnavailable)) throw error;
      tools.log({ event: 'capture_again', tried });
    }
  }
  return 'unknown';
}

/** The stored answer of a call that was paid before; when it was lost, the work is done again, free (rule P3). */
async function repeat(call: Call, paid: CapturedCall): Promise<CreditAnswer> {
  const { tools, asked, account, id } = call;
  const about = { key: buildCreditCallKey(account, id), reportId: paid.reportId };
  const stored = await readOrRedoResult(tools, asked, about, CREDIT_SHARD);
  return stored.ok ? buildCreditAnswer(call, stored.json, paid) : toCreditProblem(stored.answer);
}

/** Deterministic: a repeat gets the same bytes. */
async function buildCreditAnswer(
  { tools, asked, id }: Call,
  storedJson: string,
  call: CapturedCall,
): Promise<CreditAnswer> {
  const { reportId, amountMicroUsdc, balanceMicroUsdc, capturedAtMs } = call;
  await publishIfAsked(tools, asked, reportId);
  const amount = String(amountMicroUsdc);
  const amountUsd = formatUsdAmount(amountMicroUsdc);
  const payment = {
    method: 'credits',
    amount,
    amount_usd: amountUsd,
    balance_usd: formatUsdBalance(balanceMicroUsdc),
  };
  const receipt = { rail: 'credits', paymentId: `credits:${id}`, amount, amountUsd, paidAtMs: capturedAtMs };
  const body = await buildBuyersJson(tools.seller, storedJson, call, { payment, receipt });
  return { kind: 'sold', body, reportId, amountMicroUsdc };
}

function reserveRefusal(result: Exclude<ReserveResult, { outcome: 'reserved' | 'done' }>): CreditAnswer {
  switch (result.outcome) {
    case 'in_progress':
      return buildCreditProblem('call_in_progress', undefined, result.retryAfterS);
    case 'conflict':
      return buildCreditProblem('idempotency_key_reused');
    case 'insufficient_credits': {
      const { balanceMicroUsdc, priceMicroUsdc } = result;
      return buildCreditProblem(
        'insufficient_credits',
        `Balance ${formatUsdBalance(balanceMicroUsdc)} USD, price ${formatUsdAmount(priceMicroUsdc)} USD`,
      );
    }
    case 'client_cap_reached': {
      const { spentMicroUsdc, capMicroUsdc } = result;
      return buildCreditProblem(
        'client_cap_reached',
        `Spent ${formatUsdAmount(spentMicroUsdc)} of ${formatUsdAmount(capMicroUsdc)} USD in 24 hours`,
      );
    }
    case 'client_revoked':
      return buildCreditProblem('client_revoked');
    case 'too_many_open':
      return buildCreditProblem('too_many_calls', undefined, result.retryAfterS);
    case 'too_many_failures':
      return toCreditProblem(refusePayment('too_many_failures', undefined, result.retryAfterS));
  }
}

export function buildCreditProblem(
  reason: CreditReason,
  detail?: string,
  retryAfterS?: number,
): CreditAnswer & { kind: 'problem' } {
  return { kind: 'problem', problem: buildProblem(reason, { detail, retryAfterS }) };
}

/** Converts a refusal of the shared steps: never "pay anew", which is only for a credential of a payment. */
function toCreditProblem(answer: PurchaseAnswer): CreditAnswer & { kind: 'problem' } {
  if (answer.kind === 'problem') return answer;
  throw new Error(`a call on credits was answered ${answer.kind}`);
}
