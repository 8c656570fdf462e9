import { formatPaymentResponse, formatRefusedPaymentResponse } from '../terms/receipt.ts';
import { mppCarrier } from './mpp/carrier.ts';
import { proveMppSale } from './mpp/receipt.ts';
import { requireEvm } from '../terms/networks-data.ts';
import type { CredentialCarrier, Rail } from './rail.ts';
import type { RailId } from './rail-ids.ts';
import { x402Carrier } from './x402-carrier.ts';

/** How rails of x402 prove a sale, whatever moved the money. */
const X402_PROOF: Pick<Rail, 'prove' | 'proveRefusal'> = {
  prove: (sale, network, { extensions } = {}) => ({
    'payment-response': formatPaymentResponse(sale, network, extensions),
  }),
  proveRefusal: formatRefusedPaymentResponse,
};

/** Every rail that a deployment can sell by. A new one is a row, a folder of its name, and its cases in the tests. */
export const rails: Readonly<Record<RailId, Rail>> = {
  'x402-evm': {
    id: 'x402-evm',
    carrier: x402Carrier,
    flow: 'authorization',
    method: 'x402',
    howToRepeat:
      'Its buyer gets the result again by the same body with the same PAYMENT-SIGNATURE, or at /reports/<report_id>.',
    ...X402_PROOF,
  },
  mpp: {
    id: 'mpp',
    carrier: mppCarrier,
    flow: 'authorization',
    method: 'x402',
    howToRepeat:
      'Its buyer gets the result again by the same body and credential with a payer proof in Payer-Proof, or at /reports/<report_id>.',
    prove: (sale, network, { challengeId } = {}) => proveMppSale(sale, requireEvm(network), challengeId),
    proveRefusal: () => undefined,
  },
  transfer: {
    id: 'transfer',
    carrier: x402Carrier,
    flow: 'made',
    method: 'transfer',
    howToRepeat:
      'Its buyer gets the result again by the same body with a payer proof (extensions["direct-transfer"] of a 402 has its form), or at /reports/<report_id>.',
    ...X402_PROOF,
  },
  'x402-svm': {
    id: 'x402-svm',
    carrier: x402Carrier,
    flow: 'authorization',
    method: 'x402',
    howToRepeat:
      'Its buyer gets the result again by the same body with the same PAYMENT-SIGNATURE, or at /reports/<report_id>.',
    ...X402_PROOF,
  },
};

/** The places of a request in which a credential may be, each once. */
export const carriers: readonly CredentialCarrier[] = [...new Set(Object.values(rails).map(({ carrier }) => carrier))];
