import type { RefusedCredential } from './refuse-credential.ts';
import { isTransferMessage, parseTransfer, type TransferCredential } from './transfer/credential.ts';
import { decodeX402 } from './x402-message.ts';
import { parseSigned, type SignedCredential } from './x402-evm/credential.ts';
import { isSvmMessage, parseSvm, type SvmCredential } from './x402-svm/credential.ts';

/** What PAYMENT-SIGNATURE can hold; `kind` says whose it is. */
export type X402Credential = SignedCredential | TransferCredential | SvmCredential;

export type ParsedCredential = { ok: true; credential: X402Credential } | RefusedCredential;

/**
 * Parses the value of PAYMENT-SIGNATURE, which several rails share. Checks the form only: terms, signatures and the chain are
 * for later. What no other rail takes is judged as a signed authorization of x402.
 */
export function parseCredential(value: string): ParsedCredential {
  const decoded = decodeX402(value);
  if (!decoded.ok) return decoded;
  const { message } = decoded;
  if (message.kind === 'payload' && isSvmMessage(message)) return parseSvm(message);
  return message.kind === 'hash' || isTransferMessage(message) ? parseTransfer(message) : parseSigned(message);
}
