import type { ChainReader } from '../chain/chain.ts';
import { AUTHORIZATION_TYPES, CHAIN_ID, USDC, USDC_DOMAIN } from './constants.ts';
import type { SignedAuthorization } from './credential.ts';
import { recoverSigner, loadViemUtils } from '../../lib/ethereum.ts';

/**
 * The lower-case address whose key signed an authorization; undefined when the signature is not one of a key (a
 * contract wallet's, or garbage). About 2 ms of CPU.
 */
export async function recoverAuthorizationSigner(
  authorization: SignedAuthorization,
  signature: `0x${string}`,
): Promise<string | undefined> {
  const { hashTypedData } = await loadViemUtils();
  const { from, to, nonce, ...numbers } = authorization;
  const digest = hashTypedData({
    domain: { ...USDC_DOMAIN, chainId: CHAIN_ID, verifyingContract: USDC },
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: { ...numbers, from: asHex(from), to: asHex(to), nonce: asHex(nonce) },
  });
  return recoverSigner(digest, signature);
}

/**
 * Whether a signature is certainly not the payer's: made by another key, for an account without code. A contract
 * wallet's signature is left to the facilitator, and so is one in the wrapper of a wallet that is not deployed yet.
 * @see https://eips.ethereum.org/EIPS/eip-6492
 * @throws ChainUnreachable when it is unknown whether the payer is a contract.
 */
export async function isForeignSignature(
  chain: Pick<ChainReader, 'hasCode'>,
  authorization: SignedAuthorization,
  signature: `0x${string}`,
): Promise<boolean> {
  if ((await recoverAuthorizationSigner(authorization, signature)) === authorization.from) return false;
  return !(await isWrappedSignature(signature)) && !(await chain.hasCode(authorization.from));
}

async function isWrappedSignature(signature: `0x${string}`): Promise<boolean> {
  const { isErc6492Signature } = await loadViemUtils();
  return isErc6492Signature(signature);
}

/** Parsed values are `0x` and hexadecimal digits; the parser's types do not say so. */
const asHex = (value: string): `0x${string}` => `0x${value.slice(2)}`;
