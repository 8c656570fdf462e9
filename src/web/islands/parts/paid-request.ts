import * as z from 'zod/mini';
import { readServerEvents, parseEventData } from './event-reader.ts';
import { formatPaidPath } from './paid-path.ts';
import { parseBase64Json } from './payment-signing.ts';
import {
  type RefusedAnswer,
  readPurchaseAnswer,
  reportDoubt,
  type Doubt,
  isEnd,
  type LastWord,
  parsePurchaseProblem,
} from './purchase-answers.ts';

/** What of `sessionStorage` is used; a browser may refuse any of it. */
export type Keeping = {
  getItem: (key: string) => string | null;
  setItem: (key: string, value: string) => void;
  removeItem: (key: string) => void;
};

const kept = z.object({ capability: z.string(), bodyText: z.string(), credential: z.string() });

const formatStorageKey = (capability: string): string => `sightline-purchase-${capability}`;

/** The purchase of a capability that this tab has begun and knows no end of. */
export function findKeptPurchase(storage: Keeping, capability: string): StoredPaidRequest | undefined {
  try {
    const purchase = kept.safeParse(JSON.parse(storage.getItem(formatStorageKey(capability)) ?? 'null'));
    if (!purchase.success || purchase.data.capability !== capability) return undefined;
    JSON.parse(purchase.data.bodyText); // Throws for what this page has not kept.
    return purchase.data;
  } catch {
    return undefined; // No storage, or not ours: there is nothing to go on with.
  }
}

/** Keeps a purchase before its first sending, so that a reload sends the same payment and signs no second one. */
export function keepPurchase(storage: Keeping, purchase: StoredPaidRequest): void {
  try {
    storage.setItem(formatStorageKey(purchase.capability), JSON.stringify(purchase));
  } catch {
    // Without storage the page still has it; only a reload forgets.
  }
}

export function forgetPurchase(storage: Keeping, capability: string): void {
  try {
    storage.removeItem(formatStorageKey(capability));
  } catch {
    // Without storage nothing was kept.
  }
}

/** Leaves the right to publish a report to the report's page, in this tab. */
export function keepPublishToken(storage: Keeping, reportId: string, token: string): void {
  try {
    storage.setItem(`sightline-publish-${reportId}`, token);
  } catch {
    // Without storage the report cannot be published by a button; it is bought all the same.
  }
}

const HASH = /^0x[0-9a-fA-F]{64}$/;

export const isTransactionHash = (text: string): boolean => HASH.test(text);

const proven = z.object({ payload: z.object({ transaction: z.string().check(z.regex(HASH)) }) });
const signed = z.object({ payload: z.object({ authorization: z.object({ validBefore: z.string() }) }) });

/** The transaction that a credential presents, by its hash alone or with a proof; undefined for a signed payment. */
export const parseTransferCredential = (credential: string): string | undefined =>
  isTransactionHash(credential) ? credential : proven.safeParse(parseBase64Json(credential)).data?.payload.transaction;

/** The ledger keeps every claim for a day at least (rule P16): what it says later is no word on this payment. */
const LEDGER_KEEPS_S = 86_400;

/** Whether a signed payment may be older than what the ledger remembers. */
function isForgotten(credential: string, nowS: number): boolean {
  const validBefore = signed.safeParse(parseBase64Json(credential)).data?.payload.authorization.validBefore;
  return validBefore !== undefined && nowS > Number(validBefore) + LEDGER_KEEPS_S;
}

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
  onWait: (wait: { detail: string; seconds: number; sent: number }) => void;
};

export type PurchaseOutcome =
  | Sold
  /** The last word on this payment: it buys nothing here, now. */
  | { kind: 'refused'; code: string; detail: string }
  /** Not bought, and every answer said that nothing was taken: it can be tried anew after this many seconds. */
  | { kind: 'later'; detail: string; afterS: number }
  /** The payment may have been taken: only the same request with the same credential can tell. */
  | { kind: 'undecided'; detail: string; afterS: number }
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
    const { detail, waitS } = answer;
    if (sent >= MAX_PRESENTATIONS_IN_PAGE || waitedS + waitS > MAX_WAIT_S)
      return { kind: inDoubt ? 'undecided' : 'later', detail, afterS: waitS };
    tools.onWait({ detail, seconds: waitS, sent });
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

async function sendOnce(paid: StoredPaidRequest, tools: PaidRequestTools): Promise<Sold | RefusedAnswer> {
  try {
    const answer = await tools.fetch(formatPaidPath(paid.capability), {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        'payment-signature': paid.credential,
      },
      body: paid.bodyText,
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    if (answer.status !== 200)
      return readPurchaseAnswer(answer.status, await answer.json().catch(() => undefined), answer.headers);
    if (!(answer.headers.get('content-type') ?? '').startsWith('text/event-stream') || !answer.body)
      return parseSold(await answer.json());
    return await follow(answer.body, tools);
  } catch {
    return reportDoubt('The connection to the service was lost.'); // Of the network: the request may have arrived.
  }
}

async function follow(
  body: ReadableStream<Uint8Array>,
  { onProgress }: PaidRequestTools,
): Promise<Sold | RefusedAnswer> {
  for await (const { event, data } of readServerEvents(body)) {
    const json = parseEventData({ data });
    if (event === 'result') return parseSold(json);
    if (event === 'problem') return readPurchaseAnswer(parsePurchaseProblem(json).status ?? 500, json);
    const counts = progressSchema.safeParse(json);
    if (event === 'progress' && counts.success) onProgress(counts.data);
  }
  return reportDoubt('The answer ended before the result.');
}

const progressSchema = z.object({ done: z.number(), total: z.optional(z.number()) });
const resultSchema = z.object({
  report_id: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  publish_token: z.optional(z.string()),
});

function parseSold(json: unknown): Sold | Doubt {
  const result = resultSchema.safeParse(json);
  if (!result.success) return reportDoubt('The result cannot be read.');
  const { report_id: reportId, publish_token: publishToken } = result.data;
  return { kind: 'sold', reportId, publishToken };
}
