import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import * as z from 'zod';
import { decodeBase58 } from '../terms/base58.ts';
import { findSaleNetwork } from '../terms/networks-data.ts';
import type { SettledPayment } from '../terms/authorization.ts';

/** What came back: a body that is JSON with its status, or why there is none. */
type FacilitatorReply = { ok: true; status: number; json: unknown } | { ok: false; detail: string };

type PostTools = {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** For the whole call, body included. */
  timeoutMs: number;
};

/** Largest answer of a facilitator, in bytes: a verdict is a few hundred. */
const MAX_REPLY_BYTES = 64 * 1024;

/**
 * Posts JSON and reads a JSON answer. Redirects are not followed, since the headers authorise (rule P29). Never throws:
 * whatever went wrong is a `detail` for the log, without anything the other side said.
 */
async function post(
  tools: PostTools,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<FacilitatorReply> {
  try {
    const response = await tools.fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(tools.timeoutMs),
    });
    return await readReply(response);
  } catch (error) {
    return { ok: false, detail: isTimeout(error) ? `no answer within ${tools.timeoutMs} ms` : 'the connection failed' };
  }
}

async function readReply(response: Response): Promise<FacilitatorReply> {
  const { status } = response;
  // A redirect that is not followed has status 0 in some runtimes.
  if (status === 0 || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    return { ok: false, detail: 'redirected' };
  }
  const text = await readCapped(response);
  if (text === undefined) return { ok: false, detail: `status ${status}, body over ${MAX_REPLY_BYTES} bytes` };
  try {
    return { ok: true, status, json: JSON.parse(text) };
  } catch {
    return { ok: false, detail: `status ${status}, no JSON` }; // nginx answers overload in HTML.
  }
}

/** The body's text; undefined when it is over the cap. A plain body cannot be longer than it says. */
export async function readCapped(response: Response, maxBytes = MAX_REPLY_BYTES): Promise<string | undefined> {
  const declared = Number(response.headers.get('content-length') ?? Number.NaN);
  if (declared <= maxBytes && !response.headers.has('content-encoding')) return response.text();
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');

const text = z.string().nullish();

/** The parts of the official VerifyResponse and SettleResponse that decide; `null` represents absent. */
const verifyReply = z.object({ isValid: z.boolean(), invalidReason: text, payer: text });
const settleReply = z.object({
  success: z.boolean(),
  errorReason: text,
  payer: text,
  transaction: text,
  network: text,
});

/**
 * Words by which a facilitator says that it could not judge, or that our request (not the payment) is at fault: a new
 * payment would not help, so they are no refusal. A settlement starts with a verification and may answer with them too.
 */
const UNDECIDED_VERIFY: ReadonlySet<string> = new Set([
  'unexpected_verify_error',
  'invalid_payment_requirements',
  'invalid_network',
  'invalid_scheme',
  'unsupported_scheme',
  'invalid_x402_version',
  'invalid_exact_evm_scheme',
  'invalid_exact_evm_network_mismatch',
  'invalid_exact_evm_missing_eip712_domain',
  'invalid_exact_evm_token_name_mismatch',
  'invalid_exact_evm_token_version_mismatch',
  'asset_not_deployed_contract',
  'invalid_exact_svm_unsupported_scheme',
  'invalid_exact_svm_network_mismatch',
  'invalid_exact_svm_payload_missing_fee_payer',
  'invalid_exact_svm_fee_payer_not_managed_by_facilitator',
]);
/** After these a transaction may still be on its way. */
const UNDECIDED_SETTLE: ReadonlySet<string> = new Set([
  ...UNDECIDED_VERIFY,
  'settlement_pending',
  'unexpected_settle_error',
  'duplicate_settlement',
  'invalid_exact_svm_transaction_failed',
  'post_settlement_transfer_not_confirmed',
]);

const reportUnavailable = (detail: string): VerifyOutcome => ({ kind: 'unavailable', detail });

/** Reads an answer to `verify`. The payer is the signer of the authorization, whatever letter case comes back. */
function verifyVerdict(reply: FacilitatorReply, from: string): VerifyOutcome {
  if (!reply.ok) return reportUnavailable(reply.detail);
  const verdict = verifyReply.safeParse(reply.json);
  if (!verdict.success) return reportUnavailable(`status ${reply.status}, no verdict`);
  const { isValid, invalidReason, payer } = verdict.data;
  if (!isValid) {
    const reason = sanitiseReason(invalidReason);
    if (isInTrouble(reply.status)) return reportUnavailable(`status ${reply.status}, ${reason}`);
    return UNDECIDED_VERIFY.has(reason) ? reportUnavailable(reason) : { kind: 'refused', reason };
  }
  if (!isOk(reply.status)) return reportUnavailable(`status ${reply.status}, valid`);
  if (typeof payer === 'string' && !isSamePayer(payer, from)) return reportUnavailable('another payer');
  return { kind: 'valid', payer: from };
}

/**
 * Reads an answer to `settle`. Settled takes a plain success: 32-byte hash, our network, our payer (rule P7). Refused
 * takes a verdict of a facilitator that is not in trouble; everything else leaves open whether money moved.
 */
function settleVerdict(reply: FacilitatorReply, from: string, asked: string): SettleOutcome {
  if (!reply.ok) return { kind: 'unknown', detail: reply.detail };
  const verdict = settleReply.safeParse(reply.json);
  const named = readTransaction(reply.json);
  const hint = named === undefined ? {} : { transaction: named };
  const unknown = (detail: string): SettleOutcome => ({ kind: 'unknown', detail, ...hint });
  if (!verdict.success) return unknown(`status ${reply.status}, no verdict`);
  if (reply.status === 202) return unknown('accepted, not settled'); // A facilitator that settles later says so.
  const { success, errorReason, payer, network } = verdict.data;
  if (!success) {
    const reason = sanitiseReason(errorReason);
    if (isInTrouble(reply.status)) return unknown(`status ${reply.status}, ${reason}`);
    return UNDECIDED_SETTLE.has(reason) ? unknown(reason) : { kind: 'refused', reason, ...hint };
  }
  if (!isOk(reply.status)) return unknown(`status ${reply.status}, success`);
  if (named === undefined) return unknown('success without a transaction');
  if (network !== asked) return unknown('success on another network');
  if (!isSamePayer(payer ?? '', from)) return unknown('success for another payer');
  return { kind: 'settled', transaction: named, payer: from };
}

const isOk = (status: number): boolean => status >= 200 && status < 300;

/** Statuses of a facilitator that is overloaded or broken: its "no" beside them is doubt (rule P13). Other 4xx judge. */
const isInTrouble = (status: number): boolean => status === 429 || status >= 500;

const namedTransaction = z.object({ transaction: z.string() });

/** A signature of Solana is 64 bytes. */
const SIGNATURE_BYTES = 64;

/** The transaction of an answer, when it has a well-formed one: a hash in lower case, or a signature of Solana. */
function readTransaction(json: unknown): string | undefined {
  const named = namedTransaction.safeParse(json);
  const transaction = named.success ? named.data.transaction : '';
  if (/^0x[0-9a-fA-F]{64}$/.test(transaction)) return transaction.toLowerCase();
  return decodeBase58(transaction, SIGNATURE_BYTES) === undefined ? undefined : transaction;
}

/** Letters of EVM addresses have no case; those of Solana do. */
const isSamePayer = (payer: string, from: string): boolean =>
  (from.startsWith('0x') ? payer.toLowerCase() : payer) === from;

/** A facilitator's reason as a short word: it goes into answers and logs, so nothing else of it may pass. */
function sanitiseReason(reason: string | null | undefined): string {
  const word = (reason ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '')
    .slice(0, 64);
  return word === '' ? 'unspecified' : word;
}

export type VerifyOutcome =
  | { kind: 'valid'; payer: string }
  /** `reason`: the facilitator's word, at most 64 of [a-z0-9_]. */
  | { kind: 'refused'; reason: string }
  | { kind: 'unavailable'; detail: string };

export type SettleOutcome =
  | { kind: 'settled'; transaction: string; payer: string }
  | { kind: 'refused'; reason: string; transaction?: string }
  /** Money may have moved: the chain decides. `transaction` when the facilitator named one. */
  | { kind: 'unknown'; detail: string; transaction?: string };

export type Facilitator = {
  /** Never throws for what the network or the facilitator does. */
  verify: (
    payment: SettledPayment,
    requirements: PaymentRequirements,
    extras?: PayloadExtras,
  ) => Promise<VerifyOutcome>;
  settle: (
    payment: SettledPayment,
    requirements: PaymentRequirements,
    extras?: PayloadExtras,
  ) => Promise<SettleOutcome>;
};

/** What of ours rides along in the payload: a facilitator lists a resource by it. */
export type PayloadExtras = { resource?: PaymentPayload['resource']; extensions?: Readonly<Record<string, unknown>> };

export type FacilitatorOptions = {
  url: string;
  fetch: PostTools['fetch'];
  /** Headers that authorise a call; they are sent to `url` and never along a redirect (rule P29). */
  authHeaders?: (operation: 'verify' | 'settle') => Promise<Readonly<Record<string, string>>>;
  verifyTimeoutMs?: number;
  settleTimeoutMs?: number;
  /** Counts the calls, see `createFacilitatorBudget`. */
  budget?: Pick<FacilitatorBudget, 'count'>;
};

const VERIFY_TIMEOUT_MS = 5_000;
/** Settlement waits for a block; after this its outcome is unknown and the chain is asked. */
const SETTLE_TIMEOUT_MS = 30_000;

/**
 * A client of an x402 facilitator. The official HTTPFacilitatorClient is not used: it follows redirects with its
 * authorisation headers and takes a 202 for an answer. Each call is made once: a repeat is the caller's decision.
 */
export function createFacilitator(options: FacilitatorOptions): Facilitator {
  const { verifyTimeoutMs = VERIFY_TIMEOUT_MS, settleTimeoutMs = SETTLE_TIMEOUT_MS } = options;
  const base = options.url.replace(/(?<!\/)\/+$/, '');
  const call = async (operation: 'verify' | 'settle', body: string, timeoutMs: number): Promise<FacilitatorReply> => {
    options.budget?.count();
    const headers = await authorise(operation);
    if (!headers) return { ok: false, detail: 'not sent: no authorisation headers could be made' };
    return post({ fetch: options.fetch, timeoutMs }, `${base}/${operation}`, headers, body);
  };
  const authorise = (operation: 'verify' | 'settle') =>
    Promise.resolve(options.authHeaders?.(operation) ?? {}).catch(() => undefined);
  const bodyOf = rememberLastBody();
  return {
    async verify(payment, requirements, extras) {
      const reply = await call('verify', bodyOf(payment, requirements, extras), verifyTimeoutMs);
      return verifyVerdict(reply, getPayer(payment));
    },
    async settle(payment, requirements, extras) {
      const reply = await call('settle', bodyOf(payment, requirements, extras), settleTimeoutMs);
      return settleVerdict(reply, getPayer(payment), requirements.network);
    },
  };
}

/** What is verified is settled next: the request is the same, and is written once. */
function rememberLastBody(): (...given: Parameters<typeof requestBody>) => string {
  let last: { given: Parameters<typeof requestBody>; text: string } | undefined;
  return (...given) => {
    if (last === undefined || given.some((one, at) => one !== last?.given[at]))
      last = { given, text: JSON.stringify(requestBody(...given)) };
    return last.text;
  };
}

const getPayer = (payment: SettledPayment): string =>
  'authorization' in payment ? payment.authorization.from : payment.payer;

/** The request of both operations: our requirements, and a payload made anew from parsed values (rule P7). */
function requestBody(payment: SettledPayment, requirements: PaymentRequirements, extras: PayloadExtras = {}) {
  if (findSaleNetwork(requirements.network) === undefined)
    throw new TypeError(`requirements of a network that is not ours: ${requirements.network}`);
  const { resource, extensions } = extras;
  const paymentPayload: PaymentPayload = {
    x402Version: 2,
    ...(resource === undefined ? {} : { resource }),
    accepted: requirements,
    payload: buildPayload(payment),
    ...(extensions === undefined ? {} : { extensions: { ...extensions } }),
  };
  return { x402Version: 2, paymentPayload, paymentRequirements: requirements };
}

function buildPayload(payment: SettledPayment): PaymentPayload['payload'] {
  if (!('authorization' in payment)) return { transaction: payment.transaction };
  const { from, to, value, validAfter, validBefore, nonce } = payment.authorization;
  const numbers = { value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) };
  return { signature: payment.signature, authorization: { from, to, ...numbers, nonce } };
}

/** Calls of one isolate per second that facilitators tolerate: the strictest known bans at 50 a second per address. */
export const FACILITATOR_CALLS_PER_S = 40;

export type FacilitatorBudget = {
  count(): void;
  /** Past half of the budget of this second: recover signatures locally before asking the facilitator (rule P12). */
  isTight(): boolean;
};

/** Counts facilitator calls per second in this isolate. */
export function createFacilitatorBudget(
  nowMs: () => number,
  callsPerS: number = FACILITATOR_CALLS_PER_S,
): FacilitatorBudget {
  let second = 0;
  let calls = 0;
  const roll = (): void => {
    const now = Math.floor(nowMs() / 1000);
    if (now !== second) [second, calls] = [now, 0];
  };
  return {
    count() {
      roll();
      calls += 1;
    },
    isTight() {
      roll();
      return calls >= callsPerS / 2;
    },
  };
}
