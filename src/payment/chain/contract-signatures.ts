import { type Client, erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode } from 'viem';
import { encodeDeployData, encodeFunctionData } from 'viem/utils';

type Hex = `0x${string}`;

/** What a wallet's check may cost the node that runs it: 2,000,000 gas, ten times what common wallets need (rule A3). */
const MAX_GAS = '0x1e8480';
/** The same where the wallet is made first, in the same call: 5,000,000 gas, ten times what common factories need. */
const MAX_GAS_WITH_FACTORY = '0x4c4b40';

/** bytes4(keccak256("isValidSignature(bytes32,bytes)")): what a contract returns for a signature it accepts. */
const MAGIC_VALUE = '0x1626ba7e';

const ABI = [
  {
    type: 'function',
    name: 'isValidSignature',
    stateMutability: 'view',
    inputs: [
      { name: 'hash', type: 'bytes32' },
      { name: 'signature', type: 'bytes' },
    ],
    outputs: [{ name: '', type: 'bytes4' }],
  },
] as const;

/**
 * Asks a contract wallet whether a signature over `digest` is its own. A contract that reverts or answers anything else
 * says no; a node that cannot be asked throws.
 * @see https://eips.ethereum.org/EIPS/eip-1271
 */
export async function isSignatureValid(client: Client, address: Hex, digest: Hex, signature: Hex): Promise<boolean> {
  const data = encodeFunctionData({ abi: ABI, functionName: 'isValidSignature', args: [digest, signature] });
  const answer = await callWithin(client, { to: address, data, gas: MAX_GAS });
  return answer !== undefined && answer.length === 2 + 64 && answer.startsWith(MAGIC_VALUE);
}

/**
 * The same of a signature in the wrapper of a wallet that is not deployed yet: the published validator calls the factory
 * that the wrapper names, and then the wallet. All of it happens inside one `eth_call`, which changes nothing on chain
 * and has a limit of gas. Of a wallet that is deployed meanwhile only the inner signature is asked.
 * @see https://eips.ethereum.org/EIPS/eip-6492
 */
export async function isWrappedSignatureValid(
  client: Client,
  address: Hex,
  digest: Hex,
  signature: Hex,
): Promise<boolean> {
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    bytecode: erc6492SignatureValidatorByteCode,
    args: [address, digest, signature],
  });
  const answer = await callWithin(client, { data, gas: MAX_GAS_WITH_FACTORY });
  return answer !== undefined && /^0x0*1$/.test(answer);
}

/** What a call returns; undefined when it reverts. */
async function callWithin(client: Client, call: { to?: Hex; data: Hex; gas: Hex }): Promise<Hex | undefined> {
  try {
    return await client.request({ method: 'eth_call', params: [call, 'latest'] });
  } catch (error) {
    if (isRevert(error)) return undefined;
    throw error;
  }
}

/** Nodes report a revert as code 3 (geth) or as -32000 or -32015 with a text; viem has it in `details`. */
function isRevert(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && error.code === 3) return true;
  return 'details' in error && /revert|invalid opcode|out of gas|bad instruction/i.test(String(error.details));
}
