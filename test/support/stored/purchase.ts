import { authorizationTypes } from '@x402/evm';
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { randomBytes } from 'node:crypto';
import { type Hex, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { CHAIN_ID } from '../../../local/chain/anvil.ts';
import { USDC } from '../../../local/chain/usdc.ts';
import { fromFreshCaller } from '../../conformance/support/caller.ts';
import type { Purchase } from './in-flight.ts';
import { ask } from './stack.ts';

/** Default lifetime of an authorization: nearly the longest that is accepted, so that it outlives a recording. */
const VALID_S = 3_500;
/** Allowance for clocks that differ. */
const SINCE_S = 600;

/** Presents a payment for what it buys. */
export const buy = ({ capability, body, credential }: Omit<Purchase, 'payer'>): Promise<Response> =>
  ask({
    at: 'api',
    call: `POST /api/agent/${capability}`,
    body,
    headers: { 'payment-signature': credential, ...fromFreshCaller() },
  });

/**
 * Signs for an order over fresh terms. `nowMs` is the Workers' clock and `validS` the lifetime: official clients can set
 * neither.
 */
export async function signPurchase(
  payer: Hex,
  { capability, body }: Pick<Purchase, 'capability' | 'body'>,
  { nowMs, validS = VALID_S }: { nowMs: number; validS?: number },
): Promise<Purchase> {
  const unpaid = await ask({ at: 'api', call: `POST /api/agent/${capability}`, body, headers: fromFreshCaller() });
  const { accepts, resource, x402Version } = decodePaymentRequiredHeader(unpaid.headers.get('payment-required') ?? '');
  const [accepted] = accepts;
  if (accepted === undefined) throw new Error(`${capability} answers ${unpaid.status}, without terms`);
  const account = privateKeyToAccount(payer);
  const nowS = Math.floor(nowMs / 1000);
  const authorization = {
    from: account.address,
    to: accepted.payTo as Hex,
    value: BigInt(accepted.amount),
    validAfter: BigInt(nowS - SINCE_S),
    validBefore: BigInt(nowS + validS),
    nonce: toHex(randomBytes(32)),
  };
  const signature = await account.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: CHAIN_ID, verifyingContract: USDC },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  });
  const texts = Object.fromEntries(Object.entries(authorization).map(([name, value]) => [name, String(value)]));
  const payload = { signature, authorization: texts };
  return {
    payer,
    capability,
    body,
    credential: encodePaymentSignatureHeader({ x402Version, resource, accepted, payload }),
  };
}
