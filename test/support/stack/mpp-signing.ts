import { createHash } from 'node:crypto';
import { type Hex, keccak256, toBytes } from 'viem';
import type { Account } from '../../../local/chain/chain.ts';
import type { Stack } from '../../../local/stack.ts';
import { buildProofTypedData, computePayerProofSalt } from '../../../src/payment/rails/transfer/payer-proof.ts';
import { AUTHORIZATION_TYPES } from '../../../src/payment/terms/constants.ts';
import { BASE } from '../../../src/payment/terms/networks-data.ts';
import { type Order, present } from './presenting.ts';

type Request = { amount: string; recipient: Hex };

/** A credential for the first challenge of a 402, and the nonce of what it holds. */
export type MppPayment = { authorization: string; nonce: Hex };

/** Signs a fresh challenge of a route as a client of MPP does. */
export async function signChallenge(stack: Stack, buyer: Account, order: Order = {}): Promise<MppPayment> {
  const header = (await present(stack, order)).headers.get('www-authenticate') ?? '';
  const challenge = Object.fromEntries(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  const { id = '', realm = '', request = '', expires = '' } = challenge as Record<string, string>;
  const { amount, recipient } = JSON.parse(Buffer.from(request, 'base64url').toString()) as Request;
  const nonce = keccak256(toBytes(`${id}${realm}`));
  const validBefore = BigInt(Date.parse(expires) / 1000);
  const message = { from: buyer.address, to: recipient, value: BigInt(amount), validAfter: 0n, validBefore, nonce };
  const signature = await buyer.account.signTypedData({
    domain: { ...BASE.domain, chainId: BASE.chainId, verifyingContract: BASE.usdc },
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  });
  const numbers = { value: amount, validAfter: '0', validBefore: String(validBefore) };
  const payload = { type: 'authorization', from: buyer.address, to: recipient, ...numbers, nonce, signature };
  const credential = { challenge, payload, source: `did:pkh:eip155:${BASE.chainId}:${buyer.address}` };
  return { authorization: `Payment ${Buffer.from(JSON.stringify(credential)).toString('base64url')}`, nonce };
}

/** The header by which the payer asks again for what its payment bought. */
export async function proveRepeat(stack: Stack, payer: Account, nonce: Hex, order: Order = {}): Promise<string> {
  const issuedAtS = Math.floor(Date.now() / 1000);
  const expiresAtS = issuedAtS + 300;
  const body = JSON.stringify(order.body ?? { url: stack.sites.good });
  const terms = {
    transaction: nonce,
    capability: order.capability ?? 'check_health',
    bodySha256: createHash('sha256').update(body).digest('hex'),
    issuedAtS,
    expiresAtS,
  };
  const salt = await computePayerProofSalt(stack.api.url);
  const signature = await payer.account.signTypedData(buildProofTypedData(terms, salt));
  return Buffer.from(JSON.stringify({ signature, issuedAt: issuedAtS, expiresAt: expiresAtS })).toString('base64url');
}
