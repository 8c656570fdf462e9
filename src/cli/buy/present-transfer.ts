import type { PaymentRequirements } from '@x402/core/types';
import type { Hex, LocalAccount } from 'viem';
import { computeSha256Hex } from '../../lib/digest.ts';
import { MAX_PROOF_LIFE_S } from '../../payment/terms/constants.ts';
import { findEvmNetwork, PAYMENT_NETWORKS } from '../../payment/terms/networks-data.ts';
import { buildProofTypedData, computePayerProofSalt } from '../../payment/rails/transfer/payer-proof.ts';
import {
  buildPaidRequest,
  buildServiceRefusal,
  type BuyerTools,
  type OpenablePurchase,
  type LocatedOrder,
  type Purchase,
  readPurchase,
} from './order.ts';
import type { PaymentNetwork } from './network.ts';
import { present, readServiceProblem } from './service.ts';

type ProofInput = {
  /** Origin of the service: a proof for one deployment is none for another. */
  origin: string;
  network: PaymentNetwork;
  transaction: Hex;
  capability: string;
  /** The exact body that is sent. */
  bodyText: string;
  /** The terms that the transfer paid. */
  accepted: PaymentRequirements;
  nowS: number;
};

/**
 * A PAYMENT-SIGNATURE value that presents a USDC transfer and proves that its payer presents it: base64 of the payload
 * with an EIP-712 signature over transaction, capability and body. It authorises no spending.
 */
export async function signTransferProof(account: LocalAccount, input: ProofInput): Promise<string> {
  const { transaction, capability, nowS } = input;
  const expiresAt = nowS + MAX_PROOF_LIFE_S;
  const bodySha256 = await computeSha256Hex(input.bodyText);
  const terms = { transaction, capability, bodySha256, issuedAtS: nowS, expiresAtS: expiresAt };
  const signature = await account.signTypedData(
    buildProofTypedData(terms, await computePayerProofSalt(input.origin), PAYMENT_NETWORKS[input.network].chainId),
  );
  const payload = { transaction, signature, issuedAt: nowS, expiresAt };
  return Buffer.from(JSON.stringify({ x402Version: 2, accepted: input.accepted, payload })).toString('base64');
}

/**
 * The network of the terms that a transfer paid, whatever is chosen now.
 * @throws TypeError for a network that is not in our table: such terms are never accepted or saved
 */
function getPaidNetwork({ network }: PaymentRequirements): PaymentNetwork {
  const known = findEvmNetwork(network);
  if (known === undefined) throw new TypeError(`nothing is paid on ${network}`);
  return known.id;
}

export type ProvablePurchase = OpenablePurchase & {
  /** Presents a signed proof of the payer with the hash: then no one who merely saw the transfer can use it up. */
  prove?: boolean;
};

/** Presents the hash of a transfer that was sent. Pays nothing. */
export async function presentHash(
  order: ProvablePurchase,
  place: LocatedOrder,
  { transaction, accepted }: { transaction: Hex; accepted: PaymentRequirements },
  tools: BuyerTools,
): Promise<Purchase> {
  const { origin, bodyText } = place;
  const nowS = Math.floor(tools.nowMs() / 1000);
  const { account, capability } = order;
  const network = getPaidNetwork(accepted);
  const credential = order.prove
    ? await signTransferProof(account, { origin, network, transaction, capability, bodyText, accepted, nowS })
    : transaction;
  const answer = await present(origin, buildPaidRequest(place, credential), tools);
  if (!answer.ok) return { ...answer, signed: true, transaction };
  return answer.status === 200
    ? readPurchase(answer, { by: 'transfer', transaction })
    : buildServiceRefusal(answer, readServiceProblem(answer), true, transaction);
}
