import * as z from 'zod';
import { NETWORK } from './constants.ts';
import type { SettleOutcome, VerifyOutcome } from './facilitator.ts';
import type { FacilitatorReply } from './facilitator-post.ts';

const text = z.string().nullish();

/** The parts of the official VerifyResponse and SettleResponse that decide; `null` stands for absent. */
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
]);
/** After the last two a transaction may still be on its way. */
const UNDECIDED_SETTLE: ReadonlySet<string> = new Set([
  ...UNDECIDED_VERIFY,
  'settlement_pending',
  'unexpected_settle_error',
]);

const unavailable = (detail: string): VerifyOutcome => ({ kind: 'unavailable', detail });

/** Reads an answer to `verify`. The payer is the signer of the authorization, whatever letter case comes back. */
export function verifyVerdict(reply: FacilitatorReply, from: string): VerifyOutcome {
  if (!reply.ok) return unavailable(reply.detail);
  const verdict = verifyReply.safeParse(reply.json);
  if (!verdict.success) return unavailable(`status ${reply.status}, no verdict`);
  const { isValid, invalidReason, payer } = verdict.data;
  if (!isValid) {
    const reason = wordOf(invalidReason);
    if (isInTrouble(reply.status)) return unavailable(`status ${reply.status}, ${reason}`);
    return UNDECIDED_VERIFY.has(reason) ? unavailable(reason) : { kind: 'refused', reason };
  }
  if (!isOk(reply.status)) return unavailable(`status ${reply.status}, valid`);
  if (typeof payer === 'string' && payer.toLowerCase() !== from) return unavailable('another payer');
  return { kind: 'valid', payer: from };
}

/**
 * Reads an answer to `settle`. Settled takes a plain success: 32-byte hash, our network, our payer (rule P7). Refused
 * takes a verdict of a facilitator that is not in trouble; everything else leaves open whether money moved.
 */
export function settleVerdict(reply: FacilitatorReply, from: string): SettleOutcome {
  if (!reply.ok) return { kind: 'unknown', detail: reply.detail };
  const verdict = settleReply.safeParse(reply.json);
  const named = hashOf(reply.json);
  const unknown = (detail: string): SettleOutcome => ({
    kind: 'unknown',
    detail,
    ...(named === undefined ? {} : { transaction: named }),
  });
  if (!verdict.success) return unknown(`status ${reply.status}, no verdict`);
  if (reply.status === 202) return unknown('accepted, not settled'); // A facilitator that settles later says so.
  const { success, errorReason, payer, network } = verdict.data;
  if (!success) {
    const reason = wordOf(errorReason);
    if (isInTrouble(reply.status)) return unknown(`status ${reply.status}, ${reason}`);
    return UNDECIDED_SETTLE.has(reason) ? unknown(reason) : { kind: 'refused', reason };
  }
  if (!isOk(reply.status)) return unknown(`status ${reply.status}, success`);
  if (named === undefined) return unknown('success without a transaction');
  if (network !== NETWORK) return unknown('success on another network');
  if (payer?.toLowerCase() !== from) return unknown('success for another payer');
  return { kind: 'settled', transaction: named, payer: from };
}

const isOk = (status: number): boolean => status >= 200 && status < 300;

/** Statuses of a facilitator that is overloaded or broken: its "no" beside them is doubt (rule P13). Other 4xx judge. */
const isInTrouble = (status: number): boolean => status === 429 || status >= 500;

/** Lower-case transaction hash of an answer, when it has a well-formed one. */
function hashOf(json: unknown): string | undefined {
  const named = z.object({ transaction: z.string().regex(/^0x[0-9a-fA-F]{64}$/) }).safeParse(json);
  return named.success ? named.data.transaction.toLowerCase() : undefined;
}

/** A facilitator's reason as a short word: it goes into answers and logs, so nothing else of it may pass. */
function wordOf(reason: string | null | undefined): string {
  const word = (reason ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^_+|(?<!_)_+$/g, '')
    .slice(0, 64);
  return word === '' ? 'unspecified' : word;
}
