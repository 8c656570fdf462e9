import { PRODUCT } from '../../src/lib/product.ts';
import {
  createTestClient,
  defineChain,
  http,
  parseEther,
  publicActions,
  walletActions,
  type Address,
  type Hex,
  type PrivateKeyAccount,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Anvil, type AnvilSettings, startAnvil } from './anvil.ts';
import { loadChain } from './chain-state.ts';
import { BASE_TOKEN, installContracts, type LocalToken, MULTICALL3, usdcAbi } from './usdc.ts';

const POLL_MS = 50;
const POCKET_MONEY = parseEther('10');

/** Reads, writes and test controls of a local chain, signing as `account`. */
export type ChainClient = ReturnType<typeof createChainClient>;

/** A key made a moment ago: worthless anywhere but on the chain that funded it. */
export type Account = { address: Address; privateKey: Hex; account: PrivateKeyAccount };

/** A running local chain with USDC, as Base has it unless another token is given. Amounts of USDC are in micro-USDC. */
export type Chain = Anvil & {
  /** Signs as the minter; also has viem's test actions (mine, snapshot, setAutomine, increaseTime ...). */
  client: ChainClient;
  /** A new random key with 10 ETH for gas and `microUsdc`. */
  freshAccount: (microUsdc?: bigint) => Promise<Account>;
  /** The account of a key, given 10 ETH for gas, and USDC up to `microUsdc` where it has less. */
  fundAccount: (privateKey: Hex, microUsdc?: bigint) => Promise<Account>;
  mint: (to: Address, microUsdc: bigint) => Promise<void>;
  balance: (address: Address) => Promise<bigint>;
  /** A plain USDC transfer, mined. Returns its transaction hash. */
  transfer: (from: Account, to: Address, microUsdc: bigint) => Promise<Hex>;
};

export type ChainSettings = Omit<AnvilSettings, 'chainId'> & {
  /** What is USDC here: that of Base when absent. */
  token?: LocalToken | undefined;
  /** Key of the minter; a new one when absent. */
  minterKey?: Hex;
  /** A saved chain of the same minter, which is taken where it is there. */
  savedChain?: string | undefined;
};

/** @throws AnvilMissing, PortTaken */
export async function startChain({
  minterKey,
  savedChain,
  token = BASE_TOKEN,
  ...settings
}: ChainSettings = {}): Promise<Chain> {
  const anvil = await startAnvil({ ...settings, chainId: token.chainId });
  try {
    const { client } = await createFundedClient(anvil.rpcUrl, minterKey, token);
    const isLoaded = savedChain !== undefined && (await loadChain(client, savedChain));
    if (!isLoaded) await installContracts(client, token);
    return { ...anvil, client, ...createChainHelpers(client, anvil.rpcUrl, token) };
  } catch (error) {
    await anvil.stop();
    throw error;
  }
}

/** A client for `rpcUrl` that signs with `account`. */
export function createChainClient(rpcUrl: string, account: PrivateKeyAccount, { chainId } = BASE_TOKEN) {
  const chain = defineChain({
    id: chainId,
    name: `${PRODUCT} local`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: MULTICALL3 } },
  });
  return createTestClient({
    mode: 'anvil',
    chain,
    transport: http(rpcUrl),
    account,
    pollingInterval: POLL_MS,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions);
}

/** A client whose key, made just now where none is given, was given ETH. Works on a local chain only. */
export async function createFundedClient(
  rpcUrl: string,
  privateKey = generatePrivateKey(),
  token = BASE_TOKEN,
): Promise<{ client: ChainClient; key: Account }> {
  const account = privateKeyToAccount(privateKey);
  const client = createChainClient(rpcUrl, account, token);
  await client.setBalance({ address: account.address, value: POCKET_MONEY });
  return { client, key: { address: account.address, privateKey, account } };
}

function createChainHelpers(
  client: ChainClient,
  rpcUrl: string,
  token: LocalToken,
): Pick<Chain, 'freshAccount' | 'fundAccount' | 'mint' | 'balance' | 'transfer'> {
  const usdc = { address: token.usdc, abi: usdcAbi } as const;
  const mined = async (hash: Hex): Promise<Hex> => {
    const { status } = await client.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`transaction ${hash} reverted`);
    return hash;
  };
  const mint = async (to: Address, microUsdc: bigint): Promise<void> => {
    await mined(await client.writeContract({ ...usdc, functionName: 'mint', args: [to, microUsdc] }));
  };
  const balance = (address: Address): Promise<bigint> =>
    client.readContract({ ...usdc, functionName: 'balanceOf', args: [address] });
  const fundAccount = async (privateKey: Hex, microUsdc = 0n): Promise<Account> => {
    const { key } = await createFundedClient(rpcUrl, privateKey, token);
    const has = microUsdc > 0n ? await balance(key.address) : 0n;
    if (has < microUsdc) await mint(key.address, microUsdc - has);
    return key;
  };
  return {
    mint,
    balance,
    fundAccount,
    freshAccount: (microUsdc) => fundAccount(generatePrivateKey(), microUsdc),
    transfer: async (from, to, microUsdc) =>
      mined(
        await createChainClient(rpcUrl, from.account, token).writeContract({
          ...usdc,
          functionName: 'transfer',
          args: [to, microUsdc],
        }),
      ),
  };
}
