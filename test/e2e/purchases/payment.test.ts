import { createSightings } from '../../../src/payment/chain/chain-memory.ts';
import { x402Client } from '@x402/core/client';
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, type Chain, startChain } from '../../../local/chain/chain.ts';
import { type Facilitator as LocalFacilitator, startFacilitator } from '../../../local/chain/facilitator.ts';
import { USDC, usdcAbi } from '../../../local/chain/usdc.ts';
import { parseCredential } from '../../../src/payment/rails/x402-credential.ts';
import { createFacilitator, type Facilitator } from '../../../src/payment/facilitator/facilitator.ts';
import { prepareTemplate } from '../../../src/payment/terms/payment-required.ts';
import {
  computePayerProofSalt,
  buildProofTypedData,
  verifyPayerProof,
} from '../../../src/payment/rails/transfer/payer-proof.ts';
import { reconcileAuthorization } from '../../../src/payment/ledger/reconcile.ts';
import { checkTerms } from '../../../src/payment/rails/x402-evm/terms.ts';
import type { PricedOffer } from '../../../src/payment/terms/terms.ts';
import { type TransferQuestion, verifyTransfer } from '../../../src/payment/rails/transfer/verify-transfer.ts';
import { type BaseChain, createChainReader } from '../../../src/payment/chain/viem-chain.ts';

const PRICE = 60_000n;
/** Blocks after which the local chain calls a block safe. */
const SAFE_AFTER_BLOCKS = 40;

let chain: Chain;
let local: LocalFacilitator;
let facilitator: Facilitator;
let reader: BaseChain;
let buyer: Account;
let seller: Account;
let offer: PricedOffer;

const overNetwork = (to: string, init: RequestInit): Promise<Response> => fetch(to, init);
const nowS = (): number => Math.floor(Date.now() / 1000);

beforeAll(async () => {
  chain = await startChain();
  local = await startFacilitator({ rpcUrl: chain.rpcUrl });
  facilitator = createFacilitator({ url: local.url, fetch: overNetwork });
  reader = createChainReader({ rpcUrl: chain.rpcUrl, timeoutMs: 5_000 });
  buyer = await chain.freshAccount(100_000_000n);
  seller = await chain.freshAccount();
  offer = {
    name: 'check_health',
    description: 'd',
    url: 'https://sightline.test/x',
    payTo: seller.address,
    amountMicroUsdc: Number(PRICE),
  };
});

afterAll(async () => {
  await local.stop();
  await chain.stop();
});

/** What the official client signs for our 402, through our own checks. */
async function signedTerms() {
  const transfer = {
    maxAgeS: 86_400,
    confirmations: { small: 1, large: 'safe' },
    proofFromMicroUsdc: undefined,
    proofSalt: '0x00',
  } as const;
  const { header } = prepareTemplate(offer, { transfer }).fresh();
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(buyer.account));
  const payload = await client.createPaymentPayload(decodePaymentRequiredHeader(header));
  const parsed = parseCredential(encodePaymentSignatureHeader(payload));
  if (!parsed.ok || parsed.credential.kind !== 'signed') throw new Error('not parsed');
  const terms = checkTerms(parsed.credential, offer, { nowMs: Date.now(), worstCaseS: 60 });
  if (!terms.ok) throw new Error(terms.detail);
  const { from, nonce } = parsed.credential.authorization;
  const open = {
    from,
    nonce,
    payTo: offer.payTo,
    amountMicroUsdc: Number(PRICE),
    validBeforeS: terms.validBeforeS,
    sinceS: nowS() - 600,
  };
  return { credential: parsed.credential, requirements: terms.requirements, open };
}

/** Replaces the last block by an empty one. */
async function reorganise(rpcUrl: string): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_reorg', params: [1, []] });
  await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

const question = (hash: string, parts: Partial<TransferQuestion> = {}): TransferQuestion => ({
  hash,
  offer,
  policy: { confirmations: { small: 1, large: 'safe' }, sinceS: 0, maxAgeS: 86_400, proofFromMicroUsdc: undefined },
  nowS: nowS(),
  sightings: createSightings(),
  ...parts,
});

test('a signed payload is verified and settled by the real facilitator, and found again on the chain', async () => {
  const { credential, requirements, open } = await signedTerms();
  expect(await facilitator.verify(credential, requirements)).toEqual({ kind: 'valid', payer: open.from });
  expect(await reconcileAuthorization(reader, open)).toEqual({ outcome: 'undecided' });
  const settled = await facilitator.settle(credential, requirements);
  expect(settled).toMatchObject({ kind: 'settled', payer: open.from });
  const transaction = settled.kind === 'settled' ? settled.transaction : '';
  expect(await reconcileAuthorization(reader, open)).toEqual({ outcome: 'settled', transaction });
  expect(await reader.authorizationState(open.from, open.nonce, 'latest')).toBe(true);
  expect(await chain.balance(seller.address)).toBe(PRICE);
  expect((await facilitator.verify(credential, requirements)).kind).toBe('refused');
  // The hash of a settlement is public: it buys nothing a second time (rule P20).
  expect(await verifyTransfer(reader, question(transaction))).toMatchObject({ reason: 'transfer_is_settlement' });
});

test('P4: a nonce that its payer cancelled is cancelled once that is safe', async () => {
  await chain.client.mine({ blocks: SAFE_AFTER_BLOCKS }); // Until then the safe block is older than the contract.
  const { open, credential, requirements } = await signedTerms();
  const { account } = buyer;
  const typed = {
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
  } as const;
  const nonce = `0x${open.nonce.slice(2)}` as const;
  const signature = await account.signTypedData({ ...typed, message: { authorizer: account.address, nonce } });
  const cancelAbi = [
    {
      type: 'function',
      name: 'cancelAuthorization',
      stateMutability: 'nonpayable',
      inputs: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
        { name: 'signature', type: 'bytes' },
      ],
      outputs: [],
    },
  ] as const;
  const sent = await chain.client.writeContract({
    address: USDC,
    abi: cancelAbi,
    functionName: 'cancelAuthorization',
    args: [account.address, nonce, signature],
  });
  await chain.client.waitForTransactionReceipt({ hash: sent });
  expect((await facilitator.settle(credential, requirements)).kind).toBe('refused');
  expect(await reconcileAuthorization(reader, open)).toEqual({ outcome: 'undecided' });
  await chain.client.mine({ blocks: SAFE_AFTER_BLOCKS });
  expect(await reconcileAuthorization(reader, open)).toEqual({ outcome: 'cancelled' });
});

test('a transfer is verified, proven by its payer, and pending again after a reorganisation', async () => {
  const hash = await chain.transfer(buyer, seller.address, PRICE);
  const verdict = await verifyTransfer(reader, question(hash));
  expect(verdict).toMatchObject({
    ok: true,
    transfer: { payer: buyer.address.toLowerCase(), amountMicroUsdc: 60_000, stale: false },
  });

  const salt = await computePayerProofSalt('https://sightline.test');
  const terms = {
    transaction: hash,
    capability: 'check_health',
    bodySha256: '0e'.repeat(32),
    issuedAtS: nowS(),
    expiresAtS: nowS() + 60,
  };
  const proof = {
    signature: await buyer.account.signTypedData(buildProofTypedData(terms, salt)),
    issuedAtS: terms.issuedAtS,
    expiresAtS: terms.expiresAtS,
  };
  const expected = { hash, capability: 'check_health', bodySha256: terms.bodySha256, salt };
  const isPayer = (payer: string): Promise<boolean> => verifyPayerProof(reader, proof, expected, payer);
  expect((await verifyTransfer(reader, question(hash, { isPayer }))).ok).toBe(true);
  // Over the wrong body the payer is asked for an ERC-1271 answer, which a plain account cannot give.
  const forged = (payer: string): Promise<boolean> =>
    verifyPayerProof(reader, proof, { ...expected, bodySha256: '00'.repeat(32) }, payer);
  expect(await verifyTransfer(reader, question(hash, { isPayer: forged }))).toMatchObject({
    reason: 'payer_proof_invalid',
  });

  const dear = { ...offer, amountMicroUsdc: 1_000_000 };
  const large = await chain.transfer(buyer, seller.address, 1_000_000n);
  expect(await verifyTransfer(reader, question(large, { offer: dear }))).toMatchObject({ class: 'pending' });
  await chain.client.mine({ blocks: SAFE_AFTER_BLOCKS });
  expect((await verifyTransfer(reader, question(large, { offer: dear }))).ok).toBe(true);
});

test('transactions that are pending, reverted or gone by a reorganisation buy nothing', async () => {
  const reverted = await chain.client.writeContract({
    address: USDC,
    abi: usdcAbi,
    functionName: 'transfer',
    args: [seller.address, 10n ** 15n],
    account: buyer.account,
    gas: 100_000n,
    chain: null,
  });
  await chain.client.waitForTransactionReceipt({ hash: reverted });
  expect(await verifyTransfer(reader, question(reverted))).toMatchObject({
    class: 'refused',
    reason: 'transaction_reverted',
  });

  await chain.client.setAutomine(false);
  const waiting = await chain.client.writeContract({
    address: USDC,
    abi: usdcAbi,
    functionName: 'transfer',
    args: [seller.address, PRICE],
    account: buyer.account,
    gas: 100_000n,
    chain: null,
  });
  expect(await verifyTransfer(reader, question(waiting))).toMatchObject({
    class: 'pending',
    reason: 'payment_pending',
  });
  await chain.client.mine({ blocks: 1 });
  await chain.client.setAutomine(true);
  expect((await verifyTransfer(reader, question(waiting))).ok).toBe(true);
  await reorganise(chain.rpcUrl);
  expect(await verifyTransfer(reader, question(waiting))).toMatchObject({ ok: false, class: 'pending' });
});

test('P8: the local chain is not real Base, although it has its id', async () => {
  expect(await reader.isRealBase()).toBe(false);
  expect(await reader.hasCode(USDC)).toBe(true);
  expect(await reader.hasCode(buyer.address)).toBe(false);
  expect(await reader.isContractSignatureValid(USDC, `0x${'0e'.repeat(32)}`, '0x1234')).toBe(false);
  expect(await reader.balanceOf(buyer.address)).toBe(await chain.balance(buyer.address));
});
