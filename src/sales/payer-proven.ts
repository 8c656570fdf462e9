import type { AuthorizedPayment } from '../payment/rails/rail.ts';
import { checkProofTimes, verifyPayerProof } from '../payment/rails/transfer/payer-proof.ts';
import type { SaleNetwork } from '../payment/terms/networks-data.ts';
import { type PurchaseAnswer, refusePayment } from './answer.ts';
import type { PurchaseOrder } from './read-order.ts';
import { askChain } from './settle.ts';
import type { PaymentTools } from './tools.ts';

/**
 * Judges the payer's proof beside a signed payment, where the request has one: it is for the nonce of the authorization, this
 * capability and this exact body. A repeat with it needs no secret of ours (rule P1).
 */
export async function judgePayerProof(
  tools: PaymentTools,
  order: PurchaseOrder,
  { payer, nonce }: Pick<AuthorizedPayment, 'payer' | 'nonce'>,
  network: SaleNetwork,
): Promise<{ ok: true; order: PurchaseOrder } | { ok: false; answer: PurchaseAnswer }> {
  const { payerProof: proof, row, bodySha256 } = order;
  if (proof === undefined) return { ok: true, order };
  // A proof is of an EVM address: no payer on another chain can have one.
  if (!('chainId' in network)) return { ok: false, answer: refusePayment('payer_proof_invalid') };
  const { chainId } = network;
  const times = checkProofTimes(proof, Math.floor(tools.now() / 1000));
  if (!times.ok) return { ok: false, answer: refusePayment(times.reason, times.detail) };
  const expected = { hash: nonce, capability: row.name, bodySha256, salt: tools.seller.proofSalt, chainId };
  const isPayers = await askChain(tools, () => verifyPayerProof(tools.chain, proof, expected, payer));
  if (isPayers === undefined) return { ok: false, answer: refusePayment('payment_unverifiable') };
  if (isPayers) return { ok: true, order: { ...order, isPayerProven: true } };
  tools.guard.countOn(tools.guard.address); // A proof by another key proves nothing.
  return { ok: false, answer: refusePayment('payer_proof_invalid') };
}
