import type { PaymentRequirements } from '@x402/core/types';
import { createWalletClient, erc20Abi, type Hex, http, type LocalAccount, publicActions } from 'viem';
import { computeSha256Hex } from '../../lib/digest.ts';
import { MAX_PROOF_LIFE_S } from '../../payment/terms/constants.ts';
import { buildProofTypedData, computePayerProofSalt } from '../../payment/terms/payer-proof.ts';
import {
  selectAcceptedTerms,
  type BuyerTools,
  openOrder,
  type OpenOrder,
  type OpenablePurchase,
  buildPaidRequest,
  type Purchase,
  buildServiceRefusal,
  readPurchase,
  buildUnpaidRequest,
} from './order.ts';
import { present, readServiceProblem, request } from './service.ts';
import { paymentAssets, type PaymentNetwork } from './spending.ts';

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
    buildProofTypedData(terms, await computePayerProofSalt(input.origin), paymentAssets[input.network].chainId),
  );
  const payload = { transaction, signature, issuedAt: nowS, expiresAt };
  return Buffer.from(JSON.stringify({ x402Version: 2, accepted: input.accepted, payload })).toString('base64');
}

const RECEIPT_TIMEOUT_MS = 120_000;
const RECEIPT_POLL_MS = 1_000;
const RPC_TIMEOUT_MS = 15_000;

export type TransferOrder = OpenablePurchase & {
  /** JSON-RPC of the chain that the transfer is sent to. */
  rpcUrl: string;
  /** Presents a signed proof of the payer with the hash: then no one who merely saw the transfer can use it up. */
  prove?: boolean;
};

/**
 * Buys `order` by a plain USDC transfer: reads the terms, transfers, waits for the receipt, presents the hash.
 * After the transfer every outcome names its `transaction`, so that it can be presented again (`presentTransfer`).
 */
export async function buyWithTransfer(order: TransferOrder, tools: BuyerTools): Promise<Purchase> {
  const asked = await askTerms(order, tools);
  if (!asked.ok) return asked;
  const { open, terms } = asked;
  const amount = BigInt(terms.amount);
  const counted = await tools.counter.reserve(amount, open.allowance.maxMicroUsdcPerDay, tools.nowMs());
  if (!counted.ok) return { ...counted, signed: false };
  const sent = await transfer(order, open, amount);
  if (!sent.ok) return sent;
  return presentHash(order, tools, open, terms, sent.transaction);
}

/** Presents a transfer that was made before, e.g. when an earlier purchase ended between paying and answering. Pays nothing. */
export async function presentTransfer(
  order: Omit<TransferOrder, 'rpcUrl'>,
  transaction: Hex,
  tools: BuyerTools,
): Promise<Purchase> {
  const asked = await askTerms(order, tools);
  return asked.ok ? presentHash(order, tools, asked.open, asked.terms, transaction) : { ...asked, transaction };
}

type TransferRequest = { ok: true; open: OpenOrder; terms: PaymentRequirements } | (Purchase & { ok: false });

/** Asks without payment and judges the terms that come back. */
async function askTerms(order: OpenablePurchase, tools: BuyerTools): Promise<TransferRequest> {
  const open = await openOrder(order, tools);
  if (!open.ok) return open;
  const answer = await request(open.origin, buildUnpaidRequest(open), tools.fetch);
  if (!answer.ok) return { ...answer, signed: false };
  if (answer.status !== 402) {
    const { code, detail } = readServiceProblem(answer);
    return { ok: false, reason: code, detail, status: answer.status, signed: false };
  }
  const terms = selectAcceptedTerms(answer.headers.get('payment-required'), open.allowance);
  return terms.ok ? { ok: true, open, terms: terms.terms } : { ...terms, signed: false };
}

type Sent = { ok: true; transaction: Hex } | (Purchase & { ok: false });

/** Sends USDC to the payee of the catalogue. Token and chain come from our table, never from the terms. */
async function transfer(
  { account, rpcUrl }: TransferOrder,
  { network, allowance }: OpenOrder,
  amount: bigint,
): Promise<Sent> {
  const { asset, chainId } = paymentAssets[network];
  const transport = http(rpcUrl, { timeout: RPC_TIMEOUT_MS });
  const client = createWalletClient({ account, transport, pollingInterval: RECEIPT_POLL_MS }).extend(publicActions);
  let transaction: Hex | undefined;
  try {
    const seen = await client.getChainId();
    if (seen !== chainId) return failTransfer('wrong_chain', `${rpcUrl} is chain ${seen}, wanted ${chainId}`);
    transaction = await client.writeContract({
      chain: null,
      address: asset,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [allowance.payTo, amount],
    });
    const { status } = await client.waitForTransactionReceipt({ hash: transaction, timeout: RECEIPT_TIMEOUT_MS });
    return status === 'success'
      ? { ok: true, transaction }
      : failTransfer('transfer_failed', 'the transfer reverted', transaction);
  } catch (error) {
    return failTransfer('transfer_failed', getShortMessage(error), transaction);
  }
}

const failTransfer = (
  reason: 'wrong_chain' | 'transfer_failed',
  detail: string,
  transaction?: Hex,
): Purchase & { ok: false } => ({
  ok: false,
  reason,
  detail,
  signed: transaction !== undefined,
  ...(transaction === undefined ? {} : { transaction }),
});

async function presentHash(
  order: Omit<TransferOrder, 'rpcUrl'>,
  tools: BuyerTools,
  open: OpenOrder,
  accepted: PaymentRequirements,
  transaction: Hex,
): Promise<Purchase> {
  const { origin, network, bodyText } = open;
  const nowS = Math.floor(tools.nowMs() / 1000);
  const credential = order.prove
    ? await signTransferProof(order.account, {
        origin,
        network,
        transaction,
        capability: order.capability,
        bodyText,
        accepted,
        nowS,
      })
    : transaction;
  const answer = await present(origin, buildPaidRequest(open, credential), tools);
  if (!answer.ok) return { ...answer, signed: true, transaction };
  return answer.status === 200
    ? readPurchase(answer, transaction)
    : buildServiceRefusal(answer, readServiceProblem(answer), true, transaction);
}

/** viem's errors carry pages of context; the first line says what happened. */
function getShortMessage(error: unknown): string {
  const text = error instanceof Error && 'shortMessage' in error ? String(error.shortMessage) : String(error);
  return text.split('\n', 1)[0] ?? text;
}
