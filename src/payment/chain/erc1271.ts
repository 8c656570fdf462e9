import type { Client } from 'viem';
import { encodeFunctionData } from 'viem/utils';

type Hex = `0x${string}`;

/** What a wallet's check may cost the node that runs it: 2,000,000 gas, ten times what common wallets need (rule A3). */
const MAX_GAS = '0x1e8480';

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
  try {
    const answer = await client.request({
      method: 'eth_call',
      params: [{ to: address, data, gas: MAX_GAS }, 'latest'],
    });
    return answer.length === 2 + 64 && answer.startsWith(MAGIC_VALUE);
  } catch (error) {
    if (isRevert(error)) return false;
    throw error;
  }
}

/** Nodes report a revert as code 3 (geth) or as -32000 or -32015 with a text; viem has it in `details`. */
function isRevert(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('code' in error && error.code === 3) return true;
  return 'details' in error && /revert|invalid opcode|out of gas|bad instruction/i.test(String(error.details));
}
