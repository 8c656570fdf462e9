import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { CHAIN_ID, NETWORK } from './constants.ts';
import type { SignedCredential } from './credential.ts';
import { type FacilitatorReply, post, type PostTools } from './facilitator-post.ts';
import { settleVerdict, verifyVerdict } from './facilitator-verdicts.ts';

/** What is settled: parsed values only. Every credential of kind `signed` is one. */
export type SignedPayment = Pick<SignedCredential, 'authorization' | 'signature'>;

export type VerifyOutcome =
  | { kind: 'valid'; payer: string }
  /** `reason`: the facilitator's word, at most 64 of [a-z0-9_]. */
  | { kind: 'refused'; reason: string }
  | { kind: 'unavailable'; detail: string };

export type SettleOutcome =
  | { kind: 'settled'; transaction: string; payer: string }
  | { kind: 'refused'; reason: string }
  /** Money may have moved: the chain decides. `transaction` when the facilitator named one. */
  | { kind: 'unknown'; detail: string; transaction?: string };

export type Facilitator = {
  /** Never throws for what the network or the facilitator does. */
  verify(payment: SignedPayment, requirements: PaymentRequirements, extras?: PayloadExtras): Promise<VerifyOutcome>;
  settle(payment: SignedPayment, requirements: PaymentRequirements, extras?: PayloadExtras): Promise<SettleOutcome>;
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
  const call = async (operation: 'verify' | 'settle', body: object, timeoutMs: number): Promise<FacilitatorReply> => {
    options.budget?.count();
    const url = `${options.url.replace(/(?<!\/)\/+$/, '')}/${operation}`;
    const headers = await authorise(operation);
    if (!headers) return { ok: false, detail: 'not sent: no authorisation headers could be made' };
    return post({ fetch: options.fetch, timeoutMs }, url, headers, JSON.stringify(body));
  };
  const authorise = (operation: 'verify' | 'settle') =>
    Promise.resolve(options.authHeaders?.(operation) ?? {}).catch(() => undefined);
  return {
    async verify(payment, requirements, extras) {
      const reply = await call('verify', requestBody(payment, requirements, extras), verifyTimeoutMs);
      return verifyVerdict(reply, payment.authorization.from);
    },
    async settle(payment, requirements, extras) {
      const reply = await call('settle', requestBody(payment, requirements, extras), settleTimeoutMs);
      return settleVerdict(reply, payment.authorization.from);
    },
  };
}

/** The request of both operations: our requirements, and a payload made anew from parsed values (rule P7). */
function requestBody(
  { authorization, signature }: SignedPayment,
  requirements: PaymentRequirements,
  extras: PayloadExtras = {},
) {
  if (requirements.network !== NETWORK) throw new TypeError(`requirements of another chain than ${CHAIN_ID}`);
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const numbers = { value: String(value), validAfter: String(validAfter), validBefore: String(validBefore) };
  const { resource, extensions } = extras;
  const paymentPayload: PaymentPayload = {
    x402Version: 2,
    ...(resource === undefined ? {} : { resource }),
    accepted: requirements,
    payload: { signature, authorization: { from, to, ...numbers, nonce } },
    ...(extensions === undefined ? {} : { extensions: { ...extensions } }),
  };
  return { x402Version: 2, paymentPayload, paymentRequirements: requirements };
}

/** Calls of one isolate per second that facilitators stand: the strictest known bans at 50 a second per address. */
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
