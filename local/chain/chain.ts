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
import { type Anvil, type AnvilSettings, CHAIN_ID, startAnvil } from './anvil.ts';
import { installContracts, MULTICALL3, USDC, usdcAbi } from './usdc.ts';

const POLL_MS = 50;
const POCKET_MONEY = parseEther('10');

/** Reads, writes and test controls of a local chain, signing as `account`. */
export type ChainClient = ReturnType<typeof createChainClient>;

/** A key made a moment ago: worthless anywhere but on the chain that funded it. */
export type Account = { address: Address; privateKey: Hex; account: PrivateKeyAccount };

/** A running local chain with id 8453 and USDC at its Base address. Amounts of USDC are in micro-USDC. */
export type Chain = Anvil & {
  /** Signs as the minter; also has viem's test actions (mine, snapshot, setAutomine, increaseTime ...). */
  client: ChainClient;
  /** A new random key with 10 ETH for gas and `microUsdc`. */
  freshAccount: (microUsdc?: bigint) => Promise<Account>;
  mint: (to: Address, microUsdc: bigint) => Promise<void>;
  balance: (address: Address) => Promise<bigint>;
  /** A plain USDC transfer, mined. Returns its transaction hash. */
  transfer: (from: Account, to: Address, microUsdc: bigint) => Promise<Hex>;
};

/** @throws AnvilMissing, PortTaken */
export async function startChain(settings: AnvilSettings = {}): Promise<Chain> {
  const anvil = await startAnvil(settings);
  try {
    const { client } = await createFundedClient(anvil.rpcUrl);
    await installContracts(client);
    return { ...anvil, client, ...createChainHelpers(client, anvil.rpcUrl) };
  } catch (error) {
    await anvil.stop();
    throw error;
  }
}

/** A client for `rpcUrl` that signs with `account`. */
export function createChainClient(rpcUrl: string, account: PrivateKeyAccount) {
  const chain = defineChain({
    id: CHAIN_ID,
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

/** A client whose key was made just now and was given ETH. Works on a local chain only. */
export async function createFundedClient(rpcUrl: string): Promise<{ client: ChainClient; key: Account }> {
  const privateKey = generatePrivateKey();
  const account = privateKeyToAccount(privateKey);
  const client = createChainClient(rpcUrl, account);
  await client.setBalance({ address: account.address, value: POCKET_MONEY });
  return { client, key: { address: account.address, privateKey, account } };
}

function createChainHelpers(
  client: ChainClient,
  rpcUrl: string,
): Pick<Chain, 'freshAccount' | 'mint' | 'balance' | 'transfer'> {
  const usdc = { address: USDC, abi: usdcAbi } as const;
  const mined = async (hash: Hex): Promise<Hex> => {
    const { status } = await client.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`transaction ${hash} reverted`);
    return hash;
  };
  const mint = async (to: Address, microUsdc: bigint): Promise<void> => {
    await mined(await client.writeContract({ ...usdc, functionName: 'mint', args: [to, microUsdc] }));
  };
  return {
    mint,
    balance: (address) => client.readContract({ ...usdc, functionName: 'balanceOf', args: [address] }),
    freshAccount: async (microUsdc = 0n) => {
      const { key } = await createFundedClient(rpcUrl);
      if (microUsdc > 0n) await mint(key.address, microUsdc);
      return key;
    },
    transfer: async (from, to, microUsdc) =>
      mined(
        await createChainClient(rpcUrl, from.account).writeContract({
          ...usdc,
          functionName: 'transfer',
          args: [to, microUsdc],
        }),
      ),
  };
}
