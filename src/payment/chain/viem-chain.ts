import { type Client, createClient, http, type HttpTransport } from 'viem';
import {
  getBlock,
  getChainId,
  getCode,
  getLogs,
  getTransaction,
  getTransactionReceipt,
  readContract,
} from 'viem/actions';
import { AUTHORIZATION_USED_TOPIC, BASE_GENESIS_HASH, TRANSFER_TOPIC } from '../terms/constants.ts';
import {
  type ChainBlock,
  type BlockRef,
  type ChainReader,
  ChainUnreachable,
  type Receipt,
  type UsdcEvent,
} from './chain.ts';
import { BASE, type PaymentNetwork } from '../terms/networks-data.ts';
import { isSignatureValid, isWrappedSignatureValid } from './contract-signatures.ts';

/** Blocks in one `eth_getLogs`: public nodes refuse ranges of a few thousand. */
const LOG_RANGE_BLOCKS = 1_000n;
/** Ranges in one search: half a day of the fastest network, and no authorization that is accepted lives two hours. */
const MAX_LOG_RANGES = 60;
/** Steps back, each twice as long, until a block is old enough: 2^40 blocks are more than there will be. */
const MAX_STEPS_BACK = 40;
const FIRST_STEP_BLOCKS = 64n;

const inputs = [
  { name: 'authorizer', type: 'address', indexed: true },
  { name: 'nonce', type: 'bytes32', indexed: true },
] as const;

/** The two ways in which a nonce of EIP-3009 goes. USDC spells the second with one l. */
const EVENTS = {
  used: { type: 'event', name: 'AuthorizationUsed', inputs },
  cancelled: { type: 'event', name: 'AuthorizationCanceled', inputs },
} as const;

/**
 * The transaction in which a nonce was used or cancelled, by the log of USDC that names it, looked for in at most
 * `MAX_LOG_RANGES` ranges of blocks from the last block before `sinceS` on. Undefined is no proof: a node may lag behind
 * or have pruned its logs.
 * @see https://eips.ethereum.org/EIPS/eip-3009
 */
async function findAuthorizationLog(
  client: Client,
  { usdc, blockTimeS }: PaymentNetwork,
  end: keyof typeof EVENTS,
  from: `0x${string}`,
  nonce: `0x${string}`,
  sinceS: number,
): Promise<string | undefined> {
  const latest = await getBlock(client, { blockTag: 'latest' });
  let fromBlock = await findBlockBefore(client, latest, { sinceS: BigInt(sinceS), blockTimeS: BigInt(blockTimeS) });
  for (let range = 0; range < MAX_LOG_RANGES && fromBlock <= latest.number; range += 1) {
    const last = fromBlock + LOG_RANGE_BLOCKS - 1n;
    const toBlock = last < latest.number ? last : latest.number;
    const args = { authorizer: from, nonce };
    const logs = await getLogs(client, { address: usdc, event: EVENTS[end], args, fromBlock, toBlock });
    const standing = logs.find((log) => !log.removed);
    if (standing) return standing.transactionHash.toLowerCase();
    fromBlock = toBlock + 1n;
  }
  return undefined;
}

/** A block whose time is at or before `sinceS`, and not much earlier. */
async function findBlockBefore(
  client: Client,
  latest: { number: bigint; timestamp: bigint },
  { sinceS, blockTimeS }: { sinceS: bigint; blockTimeS: bigint },
): Promise<bigint> {
  const age = latest.timestamp > sinceS ? latest.timestamp - sinceS : 0n;
  let candidate = latest.number - age / blockTimeS;
  let step = FIRST_STEP_BLOCKS;
  for (let steps = 0; steps < MAX_STEPS_BACK && candidate > 0n; steps += 1) {
    const { timestamp } = await getBlock(client, { blockNumber: candidate });
    if (timestamp <= sinceS) return candidate;
    candidate -= step;
    step *= 2n;
  }
  return candidate > 0n ? candidate : 0n;
}

/** A log as JSON-RPC clients give it. */
type RawLog = {
  address: string;
  topics: readonly string[];
  data: string;
  logIndex: number | null;
  removed?: boolean;
};

/**
 * The event of a log; undefined for logs of other contracts and other events. Only the pinned USDC contract counts:
 * fake tokens emit the same events.
 */
function parseUsdcEvent(log: RawLog, { usdcLower }: PaymentNetwork): UsdcEvent | undefined {
  const [topic, first, second] = log.topics;
  if (log.address.toLowerCase() !== usdcLower || first === undefined || second === undefined || log.logIndex === null) {
    return undefined;
  }
  const at = { logIndex: log.logIndex, removed: log.removed ?? false };
  if (topic === TRANSFER_TOPIC) {
    return {
      name: 'Transfer',
      ...at,
      from: parseIndexedAddress(first),
      to: parseIndexedAddress(second),
      value: BigInt(log.data),
    };
  }
  if (topic === AUTHORIZATION_USED_TOPIC) {
    return { name: 'AuthorizationUsed', ...at, authorizer: parseIndexedAddress(first), nonce: second.toLowerCase() };
  }
  return undefined;
}

/** The last 20 of the 32 bytes of an indexed address. */
const parseIndexedAddress = (topic: string): string => `0x${topic.slice(-40).toLowerCase()}`;

export type ChainOptions = {
  rpcUrl: string;
  fetch?: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** For one JSON-RPC call. */
  timeoutMs: number;
  /** Base where none is named. */
  network?: PaymentNetwork;
};

export type BaseChain = ChainReader & {
  /** Whether the RPC is Base mainnet and no local chain of the same id: decided by the hash of block 0 (rule P8). */
  isRealBase(): Promise<boolean>;
  /** Whether the RPC serves the chain that its network is known by, and no local one of the same id: by its block 0. */
  isGenuine(): Promise<boolean>;
};

type Hex = `0x${string}`;

/** Largest answer of the RPC, in bytes: a full block lists some hundred hashes. */
const MAX_RPC_REPLY_BYTES = 4 * 1024 * 1024;

const ABI = [
  {
    type: 'function',
    name: 'authorizationState',
    stateMutability: 'view',
    inputs: [
      { name: 'authorizer', type: 'address' },
      { name: 'nonce', type: 'bytes32' },
    ],
    outputs: [{ name: '', type: 'bool' }],
  },
  {
    type: 'function',
    name: 'balanceOf',
    stateMutability: 'view',
    inputs: [{ name: 'account', type: 'address' }],
    outputs: [{ name: '', type: 'uint256' }],
  },
] as const;

/**
 * Reads a network over JSON-RPC. The first call also checks the chain id; an RPC of another chain is as good as unreachable.
 * Calls are made once: viem's retries would sleep as long as a Retry-After asks for.
 */
export function createChainReader(options: ChainOptions): BaseChain {
  const client = openClient(options);
  const network = options.network ?? BASE;
  const checkId = createChainIdCheck(client, network);
  const read = async <T>(what: string, ask: () => Promise<T>): Promise<T> => {
    await checkId();
    return reach(what, ask);
  };
  return {
    receipt: (hash) => read('receipt', () => readReceipt(client, network, asHex(hash))),
    block: (ref) => read('block', () => readBlock(client, toOwnTag(network, ref))),
    authorizationState: (from, nonce, at) =>
      read('authorizationState', () =>
        readContract(client, {
          address: network.usdc,
          abi: ABI,
          functionName: 'authorizationState',
          args: [asHex(from), asHex(nonce)],
          ...buildBlockQuery(toOwnTag(network, at)),
        }),
      ),
    authorizationTransaction: (from, nonce, sinceS) =>
      read('getLogs', () => findAuthorizationLog(client, network, 'used', asHex(from), asHex(nonce), sinceS)),
    authorizationCancelled: (from, nonce, sinceS) =>
      read(
        'getLogs',
        async () =>
          (await findAuthorizationLog(client, network, 'cancelled', asHex(from), asHex(nonce), sinceS)) !== undefined,
      ),
    balanceOf: (address, at = 'latest') =>
      read('balanceOf', () =>
        readContract(client, {
          address: network.usdc,
          abi: ABI,
          functionName: 'balanceOf',
          args: [asHex(address)],
          ...buildBlockQuery(toOwnTag(network, at)),
        }),
      ),
    hasCode: (address) =>
      read('getCode', async () => (await getCode(client, { address: asHex(address) })) !== undefined),
    isContractSignatureValid: (address, digest, signature) =>
      read('isValidSignature', () => isSignatureValid(client, asHex(address), digest, signature)),
    isWrappedSignatureValid: (address, digest, signature) =>
      read('isValidSignature', () => isWrappedSignatureValid(client, asHex(address), digest, signature)),
    isRealBase: () => read('genesis', async () => (await readBlock(client, 0n)).hash === BASE_GENESIS_HASH),
    isGenuine: () => read('genesis', async () => (await readBlock(client, 0n)).hash === network.genesisHash),
  };
}

type RpcClient = ReturnType<typeof openClient>;

function openClient({ rpcUrl, fetch, timeoutMs }: ChainOptions) {
  const overHttp = http(rpcUrl, {
    ...(fetch === undefined ? {} : { fetchFn: fetch }),
    fetchOptions: { redirect: 'manual' },
    maxResponseBodySize: MAX_RPC_REPLY_BYTES,
    retryCount: 0,
    timeout: timeoutMs,
  });
  return createClient({ transport: (parameters) => createUnsharedTransport(overHttp(parameters)) });
}

/**
 * Without the options that viem's actions pass to single calls: with `dedupe` equal calls of two requests share one
 * pending promise, and on Workers that of a cancelled request may stay open.
 */
function createUnsharedTransport(transport: ReturnType<HttpTransport>): ReturnType<HttpTransport> {
  return { ...transport, request: (call) => transport.request(call) };
}

/**
 * Checks the chain id until it was right once. Only the verdict is kept, never a pending check, which may be one of a
 * cancelled request that every later read of the isolate would wait for.
 */
function createChainIdCheck(client: RpcClient, { chainId }: PaymentNetwork): () => Promise<void> {
  let isChecked = false;
  return async () => {
    if (isChecked) return;
    const id = await reach('chainId', () => getChainId(client));
    if (id !== chainId) throw new ChainUnreachable(`the RPC serves chain ${id}, not ${chainId}`);
    isChecked = true;
  };
}

/** Turns every failure of the RPC into doubt. Its messages hold the RPC's URL, which may be a secret, so only names pass. */
async function reach<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ChainUnreachable) throw error;
    throw new ChainUnreachable(`${what}: ${error instanceof Error ? error.name : 'failed'}`);
  }
}

async function readReceipt(
  client: RpcClient,
  network: PaymentNetwork,
  hash: Hex,
): Promise<Receipt | 'pending' | 'not_found'> {
  const receipt = await getTransactionReceipt(client, { hash }).catch(asAbsent('TransactionReceiptNotFoundError'));
  if (!receipt) {
    const known = await getTransaction(client, { hash }).catch(asAbsent('TransactionNotFoundError'));
    return known ? 'pending' : 'not_found';
  }
  return {
    hash: receipt.transactionHash.toLowerCase(),
    status: receipt.status,
    blockNumber: receipt.blockNumber,
    blockHash: receipt.blockHash.toLowerCase(),
    events: receipt.logs.flatMap((log) => parseUsdcEvent(log as RawLog, network) ?? []),
  };
}

/** viem throws when the node answers null; that one answer is data, everything else stays an error. */
const asAbsent = (name: string) => (error: unknown) => {
  if (error instanceof Error && error.name === name) return undefined;
  throw error;
};

type MaybePending = { number: bigint | null; hash: Hex | null; timestamp: bigint };

async function readBlock(client: RpcClient, ref: BlockRef | 'finalized'): Promise<ChainBlock> {
  // viem's types promise a mined block for each of these; a node may still answer a pending one.
  const block: MaybePending = await getBlock(client, buildBlockQuery(ref));
  const { number, hash, timestamp } = block;
  if (number === null || hash === null) throw new ChainUnreachable(`block ${ref} is not mined`);
  return { number, hash: hash.toLowerCase(), timestampS: Number(timestamp) };
}

/** What the chain calls the block behind which nothing changes: some know no `safe` one. */
const toOwnTag = ({ finalTag }: PaymentNetwork, ref: BlockRef): BlockRef | 'finalized' =>
  ref === 'safe' ? finalTag : ref;

const buildBlockQuery = (ref: BlockRef | 'finalized') =>
  typeof ref === 'bigint' ? { blockNumber: ref } : { blockTag: ref };

/** Addresses, hashes and nonces are hexadecimal with `0x` wherever they come from (parsers, receipts). */
const asHex = (value: string): Hex => `0x${value.replace(/^0x/, '').toLowerCase()}`;
