import { isText } from '../../../lib/json.ts';
import { readServerEvents, parseEventData } from '../parts/event-reader.ts';
import { BASE } from '../../../payment/terms/networks-data.ts';
import { hasShape, isFiniteNumber, isAbsentOr } from '../parts/shape.ts';
import { formatPaidPath } from './paid-path.ts';
import { parseBase64Json } from './payment-signing.ts';
import { isTransactionHash } from './transfer-hash.ts';
import {
  type RefusedAnswer,
  readPurchaseAnswer,
  reportDoubt,
  type Doubt,
  isEnd,
  type LastWord,
  parsePurchaseProblem,
} from './purchase-answers.ts';

const isProven = hasShape({ payload: hasShape({ transaction: isText }) });
const isSigned = hasShape({ payload: hasShape({ authorization: hasShape({ validBefore: isText }) }) });

/** The transaction that a credential presents, by its hash alone or with a proof; undefined for a signed payment. */
export function parseTransferCredential(credential: string): string | undefined {
  if (isTransactionHash(credential)) return credential;
  const presented = parseBase64Json(credential);
  if (!isProven(presented)) return undefined;
  const { transaction } = presented.payload;
  return isTransactionHash(transaction) ? transaction : undefined;
}

const isOnNetwork = hasShape({ accepted: hasShape({ network: isText }) });

/** The network that a credential pays on. A hash alone is of the first one, as is what pays without a network. */
export function readCredentialNetwork(credential: string): string {
  const presented = parseBase64Json(credential);
  return isOnNetwork(presented) ? presented.accepted.network : BASE.id;
}

/** The ledger keeps every claim for a day at least (rule P16): what it says later is no word on this payment. */
const LEDGER_KEEPS_S = 86_400;

/** Whether a signed payment may be older than what the ledger remembers. */
function isForgotten(credential: string, nowS: number): boolean {
  const presented = parseBase64Json(credential);
  if (!isSigned(presented)) return false;
  return nowS > Number(presented.payload.authorization.validBefore) + LEDGER_KEEPS_S;
}

/** Where a signed-in browser pays from its prepaid credits. */
export const CREDITS_PATH = '/buy/credits';

/** Times one paid request is sent. It is the same payment each time, so repeats cost nothing. */
export const MAX_PRESENTATIONS_IN_PAGE = 12;
/** Longest wait in all: an authorization lives 300 s. */
const MAX_WAIT_S = 240;
/** Longest time for one answer, in milliseconds: a run takes up to 120 s, and its settlement 30. */
const ANSWER_TIMEOUT_MS = 300_000;

/** A request whose payment is signed or made: it is repeated as it is, and never signed anew. */
export type StoredPaidRequest = { capability: string; bodyText: string; credential: string };

export type PurchaseProgress = { done: number; total?: number | undefined };

export type PaidRequestTools = {
  fetch: (path: string, init: RequestInit) => Promise<Response>;
  sleep: (ms: number) => Promise<unknown>;
  onProgress: (progress: PurchaseProgress) => void;
  /** Before a repeat: why, in how many seconds, and which it is. */
  onWait: (wait: { code: string | undefined; detail: string; seconds: number; sent: number }) => void;
  /** What the page says where the service cannot: of a lost connection, and of answers that cannot be read. */
  lost: Record<'connection' | 'answer' | 'result' | 'account', string>;
  /** The session that pays by credits; undefined: no one is signed in any more. */
  openCredits: () => Promise<CreditSession | undefined>;
};

/** Who is signed in, and the token of the session's forms. */
export type CreditSession = { account: string; csrf: string };

const CREDIT_CREDENTIAL = /^credits:([\w-]{1,64}):([0-9a-f]{32})$/;

/** What pays from prepaid credits: the account, and the name of this one purchase, by which it is debited once. */
export const buildCreditCredential = (account: string, name: string): string => `credits:${account}:${name}`;

export const isCreditCredential = (credential: string): boolean => CREDIT_CREDENTIAL.test(credential);

export type PurchaseOutcome =
  | Sold
  /** The last word on this payment: it buys nothing here, now. */
  | { kind: 'refused'; code: string; detail: string }
  /** Not bought, and every answer said that nothing was taken: it can be tried anew after this many seconds. */
  | { kind: 'later'; code: string | undefined; detail: string; afterS: number }
  /** The payment may have been taken: only the same request with the same credential can tell. */
  | { kind: 'undecided'; code: string | undefined; detail: string; afterS: number }
  /** The same request brings no more, and the payment may have been taken all the same. */
  | { kind: 'held'; code: string; detail: string; wasInDoubt: boolean };

type Sold = { kind: 'sold'; reportId: string; publishToken: string | undefined };

/**
 * Sends a paid request, and again while the service asks to come back or does not answer. `wasInDoubt`: it was sent
 * before, by this page or before a reload, and no one knows what became of that.
 */
export async function presentPaid(
  paid: StoredPaidRequest,
  tools: PaidRequestTools,
  wasInDoubt = false,
): Promise<PurchaseOutcome> {
  let waitedS = 0;
  let inDoubt = wasInDoubt;
  for (let sent = 1; ; sent += 1) {
    const answer = await sendOnce(paid, tools);
    if (answer.kind === 'sold') return answer;
    if (answer.kind === 'last_word') return endPurchase(answer, inDoubt, paid);
    inDoubt ||= answer.kind === 'doubt';
    const { code, detail, waitS } = answer;
    if (sent >= MAX_PRESENTATIONS_IN_PAGE || waitedS + waitS > MAX_WAIT_S)
      return { kind: inDoubt ? 'undecided' : 'later', code, detail, afterS: waitS };
    tools.onWait({ code, detail, seconds: waitS, sent });
    await tools.sleep(waitS * 1000);
    waitedS += waitS;
  }
}

function endPurchase(
  { code, detail }: LastWord,
  wasInDoubt: boolean,
  { credential }: StoredPaidRequest,
): PurchaseOutcome {
  const isWordOfLedger = !wasInDoubt || !isForgotten(credential, Math.floor(Date.now() / 1000));
  if (isWordOfLedger && isEnd(code, wasInDoubt)) return { kind: 'refused', code, detail };
  return { kind: 'held', code, detail, wasInDoubt };
}

const STREAM_OF_JSON = { accept: 'text/event-stream', 'content-type': 'application/json' } as const;

type Sending = { path: string; headers: Record<string, string>; body: string };

/** The request that presents a credential; undefined: it is of an account that is not signed in now. */
async function buildSending(
  { capability, bodyText, credential }: StoredPaidRequest,
  tools: PaidRequestTools,
): Promise<Sending | undefined> {
  const [, account, name] = CREDIT_CREDENTIAL.exec(credential) ?? [];
  if (account === undefined || name === undefined)
    return {
      path: formatPaidPath(capability),
      headers: { ...STREAM_OF_JSON, 'payment-signature': credential },
      body: bodyText,
    };
  const session = await tools.openCredits();
  if (session?.account !== account) return undefined;
  return {
    path: CREDITS_PATH,
    headers: { ...STREAM_OF_JSON, 'idempotency-key': name, 'x-csrf-token': session.csrf },
    body: `{"capability":${JSON.stringify(capability)},"account":${JSON.stringify(account)},"body":${bodyText}}`,
  };
}

async function sendOnce(paid: StoredPaidRequest, tools: PaidRequestTools): Promise<Sold | RefusedAnswer> {
  try {
    const sending = await buildSending(paid, tools);
    if (sending === undefined) return { kind: 'last_word', code: 'sign_in_needed', detail: tools.lost.account };
    const { path, ...request } = sending;
    const answer = await tools.fetch(path, {
      method: 'POST',
      ...request,
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    if (answer.status !== 200)
      return readPurchaseAnswer(answer.status, await answer.json().catch(() => undefined), answer.headers);
    if (!(answer.headers.get('content-type') ?? '').startsWith('text/event-stream') || !answer.body)
      return parseSold(await answer.json(), tools);
    return await follow(answer.body, tools);
  } catch {
    return reportDoubt(tools.lost.connection); // Of the network: the request may have arrived.
  }
}

async function follow(body: ReadableStream<Uint8Array>, tools: PaidRequestTools): Promise<Sold | RefusedAnswer> {
  for await (const { event, data } of readServerEvents(body)) {
    const json = parseEventData({ data });
    if (event === 'result') return parseSold(json, tools);
    if (event === 'problem') return readPurchaseAnswer(parsePurchaseProblem(json).status ?? 500, json);
    if (event === 'progress' && isProgress(json)) tools.onProgress(json);
  }
  return reportDoubt(tools.lost.answer);
}

const isProgress = hasShape({ done: isFiniteNumber, total: isAbsentOr(isFiniteNumber) });
const isResult = hasShape({ report_id: isText, publish_token: isAbsentOr(isText) });
const REPORT_ID = /^[0-9a-f]{32}$/;

function parseSold(json: unknown, { lost }: PaidRequestTools): Sold | Doubt {
  if (!isResult(json) || !REPORT_ID.test(json.report_id)) return reportDoubt(lost.result);
  const { report_id: reportId, publish_token: publishToken } = json;
  return { kind: 'sold', reportId, publishToken };
}
