import { isText } from '../../../lib/json.ts';
import { finishSentence } from '../../../lib/text.ts';
import { hasShape, isFiniteNumber, isAbsentOr } from '../parts/shape.ts';

/** What one refusing answer means, by itself. What came before it is for `presentPaid` to weigh. */
export type RefusedAnswer =
  | LastWord
  /** Nothing was taken by this sending: the same request may be sent again after exactly this time. */
  | { kind: 'not_now'; code?: string; detail: string; waitS: number }
  /** The payment may have been taken. */
  | Doubt;

/** The service has no more to say to this request as it is. */
export type LastWord = { kind: 'last_word'; code: string; detail: string };

export type Doubt = { kind: 'doubt'; code?: string; detail: string; waitS: number };

/** Longest wait after a doubt, in seconds: asking sooner than the service said costs nothing and may end it. */
const MAX_DOUBT_WAIT_S = 30;
/** The wait where the service says nothing, in seconds. */
const UNTOLD_WAIT_S = 3;

/** What a refusal of the service says; each member may be absent. */
export type PurchaseProblem = {
  readonly [Name in 'code' | 'title' | 'detail' | 'error' | 'next']?: string | undefined;
} & { readonly [Name in 'status' | 'retry_after_s']?: number | undefined };

const isPurchaseProblem = hasShape({
  status: isAbsentOr(isFiniteNumber),
  code: isAbsentOr(isText),
  title: isAbsentOr(isText),
  detail: isAbsentOr(isText),
  error: isAbsentOr(isText),
  next: isAbsentOr(isText),
  retry_after_s: isAbsentOr(isFiniteNumber),
});

export const parsePurchaseProblem = (json: unknown): PurchaseProblem => (isPurchaseProblem(json) ? json : {});

export const reportDoubt = (detail: string, waitS = UNTOLD_WAIT_S, code?: string): Doubt => ({
  kind: 'doubt',
  detail,
  waitS,
  ...(code === undefined ? {} : { code }),
});

/** What a refusing answer says about itself, for people; undefined where it says nothing. */
export async function readPurchaseProblem(answer: Response): Promise<{ code?: string; said?: string }> {
  const { code, title, detail } = parsePurchaseProblem(await answer.json().catch(() => undefined));
  return {
    ...(code === undefined ? {} : { code }),
    ...(title === undefined ? {} : { said: `${[title, detail].filter(Boolean).join(': ')}.` }),
  };
}

/** Refusals of a service that sells nothing new now, whatever they say of waiting. */
const NOT_SOLD_NOW: ReadonlySet<string> = new Set([
  'not_configured',
  'engine_not_configured',
  'capability_unavailable',
  'transfers_only',
]);

/** Answers of 503 that come before any charge, or after the payment was released. Every 429 is such an answer, too. */
const NOTHING_TAKEN: ReadonlySet<string> = new Set(['payment_pending', 'payment_unverifiable', 'store_unavailable']);

/** The status of an order whose fields are wrong. */
const INVALID_ORDER = 422;

/** Statuses that ask to come back with the same payment when they say when. */
const RETRIED: ReadonlySet<number> = new Set([409, 503]);

export function readPurchaseAnswer(status: number, json: unknown, headers?: Headers): RefusedAnswer {
  const { code, title, detail, error, next, retry_after_s: retryAfterS } = parsePurchaseProblem(json);
  const said = [title ?? error, detail].filter((part) => part !== undefined).join(': ');
  // Only what is wrong with the order itself can be corrected in the page: the rest is advice for programs.
  const text = status === INVALID_ORDER && next !== undefined ? `${finishSentence(said)} ${next}` : said;
  if (code === undefined) return reportDoubt(`The service answered ${status} and did not say why.`);
  if (NOT_SOLD_NOW.has(code)) return { kind: 'last_word', code, detail: text };
  const waitS = retryAfterS ?? parseSeconds(headers?.get('retry-after'));
  if (status === 429 || NOTHING_TAKEN.has(code))
    return { kind: 'not_now', code, detail: text, waitS: Math.max(waitS ?? UNTOLD_WAIT_S, 1) };
  if (waitS !== undefined && RETRIED.has(status))
    return reportDoubt(text, Math.min(Math.max(waitS, 1), MAX_DOUBT_WAIT_S), code);
  return status >= 500 && status !== 502
    ? reportDoubt(text, UNTOLD_WAIT_S, code)
    : { kind: 'last_word', code, detail: text };
}

/**
 * Refusals that the service gives only when its ledger has no sale of this payment: the claim came first, and its work or
 * its money failed. All others are said before the ledger is asked, so that they tell nothing of an earlier sending.
 */
const DECIDED_BY_LEDGER: ReadonlySet<string> = new Set([
  'settlement_refused',
  'authorization_expired',
  'authorization_expires_too_soon',
  'invalid_signature',
  'insufficient_funds',
  'payment_refused',
  'cancelled',
  'target_unreachable',
  'measurement_incomplete',
  'nothing_to_generate',
  // An account of credits looks for the call before it looks at its balance.
  'insufficient_credits',
  'client_cap_reached',
]);

/** Whether a last word ends the purchase. A used payment never does: perhaps this very order used it. */
export const isEnd = (code: string, wasInDoubt: boolean): boolean =>
  code !== 'payment_already_used' && (!wasInDoubt || DECIDED_BY_LEDGER.has(code));

const MAX_DIGITS = 6;
function parseSeconds(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || text === '' || text.length > MAX_DIGITS) return undefined;
  const seconds = Number(text);
  return Number.isInteger(seconds) && seconds >= 0 ? seconds : undefined;
}
