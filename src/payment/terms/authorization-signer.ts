import type { ChainReader } from '../chain/chain.ts';
import { AUTHORIZATION_TYPES, CHAIN_ID, USDC, USDC_DOMAIN } from './constants.ts';
import type { SignedAuthorization } from './credential.ts';
import { loadOnce } from '../../lib/concurrency.ts';
import { loadKeccak, loadViemUtils, recoverSigner } from '../../lib/ethereum.ts';

const DOMAIN_TYPE = 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';
const [[AUTHORIZATION_NAME, AUTHORIZATION_FIELDS]] = Object.entries(AUTHORIZATION_TYPES) as [
  [string, typeof AUTHORIZATION_TYPES.TransferWithAuthorization],
];
const AUTHORIZATION_TYPE = `${AUTHORIZATION_NAME}(${AUTHORIZATION_FIELDS.map(({ type, name }) => `${type} ${name}`).join(',')})`;

/** A number or an address as a word of 32 bytes, in hexadecimal. */
const toWord = (value: bigint | string): string => BigInt(value).toString(16).padStart(64, '0');

/** What is the same in every authorization: the hash of the domain, and that of the type. */
const loadFixedWords = loadOnce(async () => {
  const { hashHex, hashText } = await loadKeccak();
  const { name, version } = USDC_DOMAIN;
  const domain = [hashText(DOMAIN_TYPE), hashText(name), hashText(version), toWord(BigInt(CHAIN_ID)), toWord(USDC)];
  return { domain: hashHex(domain.join('')), type: hashText(AUTHORIZATION_TYPE) };
});

/**
 * The EIP-712 digest of an authorization, as viem's `hashTypedData` makes it from the same types: every paid request needs
 * it, so what never changes is hashed once and what is a word already is not described by types.
 * @see https://eips.ethereum.org/EIPS/eip-712
 */
export async function computeAuthorizationHash(terms: SignedAuthorization): Promise<`0x${string}`> {
  const [{ hashHex }, { domain, type }] = await Promise.all([loadKeccak(), loadFixedWords()]);
  const { from, to, value, validAfter, validBefore, nonce } = terms;
  const struct = hashHex([type, ...[from, to, value, validAfter, validBefore, nonce].map(toWord)].join(''));
  return `0x${hashHex(`1901${domain}${struct}`)}`;
}

/**
 * The lower-case address whose key signed an authorization; undefined when the signature is not one of a key (a
 * contract wallet's, or garbage). About 0.6 ms of CPU.
 */
export const recoverAuthorizationSigner = async (
  authorization: SignedAuthorization,
  signature: `0x${string}`,
): Promise<string | undefined> => recoverSigner(await computeAuthorizationHash(authorization), signature);

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
