import * as z from 'zod';
import { MAX_CREDENTIAL_CHARS } from '../terms/constants.ts';
import { decodeJson } from './mpp/encoding.ts';
import type { PresentedProof } from './transfer/credential.ts';
import { describeSchemaFault, hexSignature } from './x402-message.ts';

/** The header of a proof that a repeat of a signed payment brings; transfers have theirs in their credential. */
export const PAYER_PROOF_HEADER = 'payer-proof';
/** `_meta` member of an MCP call that brings the same text. */
export const PAYER_PROOF_META = 'sightline/payer-proof';

const seconds = z.int().nonnegative();
const headerSchema = z.strictObject({ signature: hexSignature, issuedAt: seconds, expiresAt: seconds });

type ParsedProof = { ok: true; proof: PresentedProof } | { ok: false; detail: string };

/** Parses base64url of JSON. Who signed it is not known before `verifyPayerProof`. */
export function parsePayerProof(text: string): ParsedProof {
  const json = text.length > MAX_CREDENTIAL_CHARS ? undefined : decodeJson(text.trim());
  if (json === undefined) return { ok: false, detail: 'Payer-Proof is not a JSON object in base64url without padding' };
  const read = headerSchema.safeParse(json);
  if (!read.success) return { ok: false, detail: `Payer-Proof: ${describeSchemaFault(read.error)}` };
  const { signature, issuedAt, expiresAt } = read.data;
  return { ok: true, proof: { signature, issuedAtS: issuedAt, expiresAtS: expiresAt } };
}
