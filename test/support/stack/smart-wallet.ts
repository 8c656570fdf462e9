import type { ClientEvmSigner } from '@x402/evm';
import { type Address, concatHex, type Hex, hashTypedData, keccak256, pad, toHex } from 'viem';
import { serializeErc6492Signature } from 'viem/utils';
import type { Account, Chain } from '../../../local/chain/chain.ts';

/** Where the factory is on the chain of a test. */
export const WALLET_FACTORY: Address = '0x00000000000000000000000000000000fac70001';
/** The same code at a place that no facilitator knows. */
export const UNKNOWN_FACTORY: Address = '0x00000000000000000000000000000000fac70002';
/** Code that never ends. */
export const ENDLESS_FACTORY: Address = '0x00000000000000000000000000000000fac70003';

/**
 * CREATE2 of the calldata: 32 bytes of salt, then the code that makes the wallet. Returns the address. Anyone may call
 * it, and the same calldata always leads to the same wallet.
 */
const FACTORY_CODE = concatHex([
  '0x60203603', // PUSH1 32, CALLDATASIZE, SUB: the size of the init code
  '0x8060205f37', // DUP1, PUSH1 32, PUSH0, CALLDATACOPY: the init code to memory 0
  '0x5f3590', // PUSH0, CALLDATALOAD, SWAP1: the salt under the size
  '0x5f5ff5', // PUSH0, PUSH0, CREATE2: offset 0, value 0
  '0x806016575f5ffd5b', // DUP1, PUSH1 22, JUMPI, PUSH0, PUSH0, REVERT, JUMPDEST: where none was made, say so
  '0x5f5260205ff3', // PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN: its address
]);

/** JUMPDEST, PUSH0, JUMP: to itself, until the gas is gone. */
const ENDLESS_CODE: Hex = '0x5b5f56';

/** What every signature of the wallet begins with: so it is no signature that a key makes, and the token asks the wallet. */
const SIGNATURE_VERSION: Hex = '0x01';

/**
 * The code of a wallet with one owner: `isValidSignature(bytes32,bytes)` (ERC-1271) recovers the signer of a version
 * byte, r, s and v, and returns the magic value when that is the owner, else zero. It does nothing else.
 */
const buildWalletCode = (owner: Address): Hex =>
  concatHex([
    '0x6004355f52', // hash: calldata 4 to memory 0
    '0x60a5355f1a602052', // v: the first byte at calldata 0xa5, to memory 32
    '0x606535604052', // r: calldata 0x65 to memory 64
    '0x608535606052', // s: calldata 0x85 to memory 96
    '0x6020608060805f60015afa50', // STATICCALL of contract 1 (ecrecover) over 128 bytes; the answer to memory 128
    '0x608051', // the signer
    concatHex(['0x73', owner]), // PUSH20 owner
    '0x14', // EQ
    '0x631626ba7e60e01b02', // times the magic value, left-aligned
    '0x5f5260205ff3', // return it
  ]);

/** Code that leaves `code` as the contract: it copies what follows it. */
function buildInitCode(code: Hex): Hex {
  const size = toHex((code.length - 2) / 2, { size: 1 });
  // PUSH1 size, DUP1, PUSH1 9 (the length of this part), PUSH0, CODECOPY, PUSH0, RETURN
  return concatHex(['0x60', size, '0x8060095f395ff3', code]);
}

/** A smart wallet that need not be on the chain yet. */
export type SmartWallet = {
  address: Address;
  /** Signs in the wrapper of a wallet that is not deployed: who checks it calls the factory first. */
  undeployed: ClientEvmSigner;
  /** Signs as a wallet that is there. */
  deployed: ClientEvmSigner;
};

/** Puts the factories on a chain. */
export async function installFactories(chain: Chain): Promise<void> {
  await chain.client.setCode({ address: WALLET_FACTORY, bytecode: FACTORY_CODE });
  await chain.client.setCode({ address: UNKNOWN_FACTORY, bytecode: FACTORY_CODE });
  await chain.client.setCode({ address: ENDLESS_FACTORY, bytecode: ENDLESS_CODE });
}

/** The wallet of an owner, which `factory` makes when someone asks it to. `signer`: whose key signs; the owner's, if honest. */
export function planWallet(owner: Account, factory = WALLET_FACTORY, signer = owner): SmartWallet {
  const salt = pad('0x01');
  const initCode = buildInitCode(buildWalletCode(owner.address));
  const made = keccak256(concatHex(['0xff', factory, salt, keccak256(initCode)]));
  const address: Address = `0x${made.slice(-40)}`;
  const signInside: ClientEvmSigner['signTypedData'] = async (message) => {
    const signature = await signer.account.sign({
      hash: hashTypedData(message as Parameters<typeof hashTypedData>[0]),
    });
    return concatHex([SIGNATURE_VERSION, signature]);
  };
  return {
    address,
    deployed: { address, signTypedData: signInside },
    undeployed: {
      address,
      signTypedData: async (message) =>
        serializeErc6492Signature({
          address: factory,
          data: concatHex([salt, initCode]),
          signature: await signInside(message),
        }),
    },
  };
}
