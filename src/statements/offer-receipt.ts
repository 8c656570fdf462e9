import { CompactSign } from 'jose';
import { formatJcs } from '../lib/jcs.ts';
import { formatDid } from './key-set.ts';
import type { ResultSigner } from './signing-key.ts';

/** The extension of x402 whose receipts these are. */
export const OFFER_RECEIPT = 'offer-receipt';
const VERSION = 1;

/** A paid request, as that extension describes it. */
export type PaidRequest = {
  resourceUrl: string;
  network: string;
  payer: string;
  transaction: string;
  paidAtMs: number;
};

/**
 * The receipt of the `offer-receipt` extension, format `jws`, as it goes into `extensions` of a settlement response. Its
 * key has the name that tools of x402 resolve, in a DID document of the service.
 */
export async function buildOfferReceipt(
  { resourceUrl, network, payer, transaction, paidAtMs }: PaidRequest,
  { issuer, key: { privateKey, kid } }: ResultSigner,
): Promise<Readonly<Record<typeof OFFER_RECEIPT, object>>> {
  const payload = {
    version: VERSION,
    network,
    resourceUrl,
    payer,
    issuedAt: Math.floor(paidAtMs / 1000),
    transaction,
  };
  const signature = await new CompactSign(new TextEncoder().encode(formatJcs(payload)))
    .setProtectedHeader({ alg: 'EdDSA', kid: `${formatDid(issuer)}#${kid}` })
    .sign(privateKey);
  return { [OFFER_RECEIPT]: { info: { receipt: { format: 'jws', signature } }, schema: SCHEMA } };
}

/** What the receipt is, for readers without the extension's specification. Its payload is inside of the signature. */
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    receipt: {
      type: 'object',
      properties: { format: { const: 'jws' }, signature: { type: 'string' } },
      required: ['format', 'signature'],
    },
  },
  required: ['receipt'],
} as const;
