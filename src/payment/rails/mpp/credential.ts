import * as z from 'zod';
import { isText } from '../../../lib/json.ts';
import type { SignedPayment } from '../../terms/authorization.ts';
import { MAX_CREDENTIAL_CHARS } from '../../terms/constants.ts';
import type { RefusedCredential } from '../refuse-credential.ts';
import { signedPayload } from '../x402-evm/credential.ts';
import { describeSchemaFault } from '../x402-message.ts';
import { CREDENTIAL_TYPE, INTENT, METHOD, PAYMENT_SCHEME, parseChallengeEnd } from './challenge.ts';
import { decodeJson } from './encoding.ts';

/** Longest challenge id and other texts of a credential, in characters: what we issue is far shorter. */
const MAX_TEXT_CHARS = 300;

const shortText = z.string().max(MAX_TEXT_CHARS);
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'is not an address: 0x and 40 hexadecimal digits');

const chargeRequest = z.strictObject({
  amount: z.string().regex(/^[1-9][0-9]{0,14}$/, 'is not an amount in millionths of a USDC'),
  currency: address,
  recipient: address,
  methodDetails: z.strictObject({
    chainId: z.int().positive(),
    credentialTypes: z.tuple([z.literal(CREDENTIAL_TYPE)]),
    decimals: z.int(),
  }),
});

/** What was issued comes back as it was: our challenges have no other members. */
const credentialSchema = z.strictObject({
  challenge: z.strictObject({
    id: shortText,
    realm: shortText,
    method: shortText,
    intent: shortText,
    /** Base64url in HTTP, an object in JSON transports. */
    request: z.unknown(),
    expires: shortText,
  }),
  payload: z.looseObject({ type: shortText }),
  source: shortText.optional(),
});

/** A payment by the scheme `Payment` as parsed: its challenge may still be anyone's. */
export type MppCredential = SignedPayment & {
  challenge: { id: string; realm: string; expiresS: number; request: z.infer<typeof chargeRequest> };
  source: string | undefined;
};

export type ParsedMpp = { ok: true; credential: MppCredential } | RefusedCredential;

/** The credential of an Authorization header of the scheme `Payment`; undefined for every other scheme, which is not ours to judge (rule A12). */
export function selectPaymentCredential(authorization: string | null | undefined): string | undefined {
  if (authorization === null || authorization === undefined) return undefined;
  const scheme = authorization.slice(0, PAYMENT_SCHEME.length);
  const rest = authorization.slice(PAYMENT_SCHEME.length);
  if (scheme.toLowerCase() !== PAYMENT_SCHEME.toLowerCase()) return undefined;
  return rest === '' || /^[ \t]/.test(rest) ? rest.trim() : undefined;
}

/** Parses what `selectPaymentCredential` returns. Form only: nothing is compared with an offer. */
export function parseMppCredential(text: string): ParsedMpp {
  if (text.length > MAX_CREDENTIAL_CHARS)
    return refuseForm(`the credential is longer than ${MAX_CREDENTIAL_CHARS} characters`);
  const json = decodeJson(text);
  return json === undefined
    ? refuseForm('the credential is not a JSON object in base64url without padding')
    : parseMppObject(json);
}

/** The same for JSON transports, which carry the object itself. */
export function parseMppObject(json: object): ParsedMpp {
  const outer = credentialSchema.safeParse(json);
  if (!outer.success) return refuseForm(describeSchemaFault(outer.error));
  const { challenge, payload, source } = outer.data;
  if (challenge.method !== METHOD || challenge.intent !== INTENT)
    return refuseChallenge(`only method ${METHOD} with intent ${INTENT} is sold here`);
  const given = isText(challenge.request) ? decodeJson(challenge.request) : challenge.request;
  const request = chargeRequest.safeParse(given);
  if (!request.success) return refuseChallenge(describeSchemaFault(request.error, 'challenge.request'));
  const expiresS = parseChallengeEnd(challenge.expires);
  if (expiresS === undefined) return refuseChallenge('challenge.expires is not as it was issued');
  const { type, signature, ...authorization } = payload;
  if (type !== CREDENTIAL_TYPE)
    return { ok: false, reason: 'wrong_terms', detail: `payload.type is not ${CREDENTIAL_TYPE}` };
  const signed = signedPayload.safeParse({ signature, authorization });
  if (!signed.success) return refuseForm(describeSchemaFault(signed.error, 'payload'));
  const { id, realm } = challenge;
  return {
    ok: true,
    credential: { challenge: { id, realm, expiresS, request: request.data }, ...signed.data, source },
  };
}

const refuseForm = (detail: string): RefusedCredential => ({ ok: false, reason: 'credential_invalid', detail });
const refuseChallenge = (detail: string): RefusedCredential => ({ ok: false, reason: 'challenge_invalid', detail });
