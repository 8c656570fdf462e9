import { inspect } from 'node:util';
import { erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode } from 'viem';
import {
  encodeAbiParameters,
  encodeDeployData,
  encodeEventTopics,
  encodeFunctionData,
  pad,
  parseAbi,
  serializeErc6492Signature,
  toHex,
} from 'viem/utils';
import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { ChainUnreachable } from '../../../src/payment/chain/chain.ts';
import { USDC } from '../../../src/payment/terms/constants.ts';
import { createChainReader } from '../../../src/payment/chain/viem-chain.ts';
import { PAYMENT_NETWORKS } from '../../../src/payment/terms/networks-data.ts';
import { bodyText } from '../terms/offer-cases.ts';

type Hex = `0x${string}`;
/** What a method answers, or a function of its parameters. */
type Answer = string | object | null | ((params: readonly never[]) => unknown);

const ALICE = '0x7a3f1c0d5b8e4a6f9c2d1e0b3a5c7d9e1f2a4b6c';
const PAYEE = `0x${'b0'.repeat(20)}` as const;
const NONCE = `0x${'0e'.repeat(32)}` as const;
const HASH = `0x${'5e'.repeat(32)}` as const;
const BLOCK_HASH = `0x${'Bb'.repeat(32)}` as const;
const GENESIS = '0xf712aa9241cc24369b143cf6dce85f0902a9731e70d66818a3a5845b296c73dd';
const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function balanceOf(address account) view returns (uint256)',
]);

class RpcFailure extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** A JSON-RPC endpoint that answers from a table of methods; the rest are null, as nodes answer for the unknown. */
function rpc(answers: Record<string, Answer>, wrap: (response: Response) => Response = (response) => response) {
  const asked: { method: string; params: readonly never[]; redirect: string | undefined }[] = [];
  const table: Record<string, Answer> = { eth_chainId: '0x2105', ...answers };
  const fetch = async (_url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { id, method, params = [] } = JSON.parse(bodyText(init));
    asked.push({ method, params, redirect: init?.redirect });
    const answer = table[method];
    try {
      const result = (typeof answer === 'function' ? answer(params) : answer) ?? null;
      return wrap(Response.json({ jsonrpc: '2.0', id, result }));
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      return wrap(Response.json({ jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }));
    }
  };
  const chain = createChainReader({ rpcUrl: 'https://rpc.test/secret-key', fetch, timeoutMs: 1_000 });
  return { chain, asked, methods: () => asked.map(({ method }) => method) };
}

const unconnected = async () => Promise.reject(new TypeError('fetch failed'));
const fail = (code: number, message: string) => () => {
  throw new RpcFailure(code, message);
};

const log = (address: string, topics: readonly unknown[], data: Hex, logIndex: number, removed = false) => ({
  address,
  topics,
  data,
  logIndex: toHex(logIndex),
  removed,
  blockNumber: '0x3e8',
  blockHash: BLOCK_HASH,
  transactionHash: HASH,
  transactionIndex: '0x0',
});

const transferTopics = encodeEventTopics({ abi, eventName: 'Transfer', args: { from: ALICE, to: PAYEE } });
const usedTopics = encodeEventTopics({
  abi,
  eventName: 'AuthorizationUsed',
  args: { authorizer: ALICE, nonce: NONCE },
});
const amount = (value: bigint) => encodeAbiParameters([{ type: 'uint256' }], [value]);

const receipt = (logs: readonly object[], status = '0x1') => ({
  transactionHash: HASH.toUpperCase().replace('X', 'x'),
  status,
  blockNumber: '0x3e8',
  blockHash: BLOCK_HASH,
  logs,
  transactionIndex: '0x0',
  gasUsed: '0x1',
  cumulativeGasUsed: '0x1',
  effectiveGasPrice: '0x1',
  contractAddress: null,
  type: '0x2',
});

const block = (number: bigint, timestamp: number, hash: string = BLOCK_HASH) => ({
  number: toHex(number),
  timestamp: toHex(timestamp),
  hash,
  transactions: [],
  difficulty: '0x0',
  totalDifficulty: '0x0',
  gasLimit: '0x1',
  gasUsed: '0x0',
  size: '0x0',
});

describe('receipt', () => {
  test('decodes the USDC events as viem encodes them, in lower case', async () => {
    const { chain } = rpc({
      eth_getTransactionReceipt: receipt([
        log(USDC, usedTopics, '0x', 4),
        log(USDC.toLowerCase(), transferTopics, amount(60_000n), 5, true),
      ]),
    });
    expect(await chain.receipt(HASH)).toEqual({
      hash: HASH,
      status: 'success',
      blockNumber: 1_000n,
      blockHash: BLOCK_HASH.toLowerCase(),
      events: [
        { name: 'AuthorizationUsed', logIndex: 4, removed: false, authorizer: ALICE, nonce: NONCE },
        { name: 'Transfer', logIndex: 5, removed: true, from: ALICE, to: PAYEE, value: 60_000n },
      ],
    });
  });

  test('leaves out the same events of other tokens, and other events of USDC', async () => {
    const approval = encodeEventTopics({ abi, eventName: 'Approval', args: { owner: ALICE, spender: PAYEE } });
    const { chain } = rpc({
      eth_getTransactionReceipt: receipt([
        log(PAYEE, transferTopics, amount(60_000n), 0),
        log(PAYEE, usedTopics, '0x', 1),
        log(USDC, approval, amount(1n), 2),
        log(USDC, [], '0x', 3),
      ]),
    });
    expect(await chain.receipt(HASH)).toMatchObject({ events: [] });
  });

  test('tells reverted, pending and unknown transactions apart', async () => {
    expect(await rpc({ eth_getTransactionReceipt: receipt([], '0x0') }).chain.receipt(HASH)).toMatchObject({
      status: 'reverted',
    });
    const pending = {
      hash: HASH,
      blockNumber: null,
      blockHash: null,
      transactionIndex: null,
      type: '0x2',
      nonce: '0x1',
      gas: '0x1',
      value: '0x0',
      v: '0x0',
      from: ALICE,
      to: PAYEE,
      input: '0x',
    };
    expect(await rpc({ eth_getTransactionByHash: pending }).chain.receipt(HASH)).toBe('pending');
    expect(await rpc({}).chain.receipt(HASH)).toBe('not_found');
  });
});

describe('the chain is unreachable, which is no "no",', () => {
  test.each([
    ['when the RPC reports an error', { eth_getTransactionReceipt: fail(-32_603, 'internal error') }],
    ['when the transaction cannot be looked up', { eth_getTransactionByHash: fail(-32_005, 'limit exceeded') }],
    ['when the answer is no receipt', { eth_getTransactionReceipt: { status: '0x1' } }],
    [
      'when the data of a log is no number',
      { eth_getTransactionReceipt: receipt([log(USDC, transferTopics, '0xzz', 0)]) },
    ],
    ['when the RPC serves another chain', { eth_chainId: '0x1', eth_getTransactionReceipt: receipt([]) }],
  ])('%s', async (_what, answers) => {
    await expect(rpc(answers).chain.receipt(HASH)).rejects.toBeInstanceOf(ChainUnreachable);
  });

  test.each([
    ['503', () => new Response('busy', { status: 503, headers: { 'retry-after': '60' } })],
    ['a redirect', () => new Response(null, { status: 307, headers: { location: 'https://elsewhere.test' } })],
    ['HTML', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    [
      'an endless answer',
      () => new Response(`"${'x'.repeat(5 * 1024 * 1024)}"`, { headers: { 'content-type': 'application/json' } }),
    ],
  ])('when it answers %s; it is asked once and not waited for', async (_what, response) => {
    const { chain, asked } = rpc({}, response);
    await expect(chain.receipt(HASH)).rejects.toBeInstanceOf(ChainUnreachable);
    expect(asked).toHaveLength(1);
  });

  test('when nothing is connected; and the URL, which may hold a key, is not told', async () => {
    const chain = createChainReader({ rpcUrl: 'https://rpc.test/secret-key', fetch: unconnected, timeoutMs: 1_000 });
    const error: unknown = await chain.balanceOf(ALICE).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ChainUnreachable);
    expect(inspect(error, { depth: 9 })).not.toContain('secret-key');
  });
});

test('an answer over 4 MiB is not read, and no redirect is followed with a body of ours', async () => {
  const { chain, asked } = rpc({
    eth_getBlockByNumber: { ...block(7n, 1_790_000_000), extraData: `0x${'00'.repeat(2_100_000)}` },
  });
  await expect(chain.block('latest')).rejects.toBeInstanceOf(ChainUnreachable);
  expect(asked.map(({ redirect }) => redirect)).toEqual(['manual', 'manual']);
});

test('the chain id is asked for until it was right, and then no more', async () => {
  let id = '0x1';
  const { chain, methods } = rpc({ eth_chainId: () => id, eth_getCode: '0x' });
  await expect(chain.hasCode(ALICE)).rejects.toThrow('chain 1');
  id = '0x2105';
  await chain.hasCode(ALICE);
  await Promise.all([chain.hasCode(ALICE), chain.hasCode(ALICE)]);
  expect(methods().filter((method) => method === 'eth_chainId')).toHaveLength(2);
});

test.each(['eth_chainId', 'eth_getTransactionReceipt'])(
  'a read does not wait for the %s of another one, which on Workers may never end',
  async (method) => {
    let isStuck = true;
    const stuck = (): Promise<never> => {
      isStuck = false;
      return new Promise(() => {});
    };
    const whole: Record<string, unknown> = { eth_chainId: '0x2105', eth_getTransactionReceipt: receipt([]) };
    const fetch = async (_url: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const call = JSON.parse(bodyText(init));
      if (isStuck && call.method === method) return stuck();
      return Response.json({ jsonrpc: '2.0', id: call.id, result: whole[call.method] });
    };
    const chain = createChainReader({ rpcUrl: 'https://rpc.test', fetch, timeoutMs: 60_000 });
    void chain.receipt(HASH).catch(() => undefined);
    await vi.waitFor(() => expect(isStuck).toBe(false));
    expect(await chain.receipt(HASH)).toMatchObject({ hash: HASH });
  },
);

test.each([
  [GENESIS, true],
  [`0x${'12'.repeat(32)}`, false],
])('P8: real Base is known by the hash of block 0 (%s)', async (hash, real) => {
  const { chain, asked } = rpc({ eth_getBlockByNumber: block(0n, 1_686_789_347, hash) });
  expect(await chain.isRealBase()).toBe(real);
  expect(asked.at(-1)?.params).toEqual(['0x0', false]);
});

test('a block is asked for by tag or height', async () => {
  const { chain, asked } = rpc({ eth_getBlockByNumber: block(7n, 1_790_000_000) });
  expect(await chain.block('safe')).toEqual({ number: 7n, hash: BLOCK_HASH.toLowerCase(), timestampS: 1_790_000_000 });
  await chain.block('latest');
  await chain.block(7n);
  expect(asked.filter(({ method }) => method === 'eth_getBlockByNumber').map(({ params }) => params[0])).toEqual([
    'safe',
    'latest',
    '0x7',
  ]);
});

test('P18: the state of a nonce is read at the block that is named', async () => {
  const { chain, asked } = rpc({ eth_call: encodeAbiParameters([{ type: 'bool' }], [true]) });
  expect(await chain.authorizationState(ALICE, NONCE, 990n)).toBe(true);
  const data = encodeFunctionData({ abi, functionName: 'authorizationState', args: [ALICE, NONCE] });
  expect(asked.at(-1)?.params).toEqual([{ to: USDC, data }, '0x3de']);
  await chain.authorizationState(ALICE, NONCE, 'latest');
  expect(asked.at(-1)?.params[1]).toBe('latest');
});

test('balances and code are read, balances at the block that is named', async () => {
  const { chain, asked } = rpc({
    eth_call: amount(3_500_000n),
    eth_getCode: (params: readonly never[]) => (params[0] === ALICE ? '0x6080' : '0x'),
  });
  expect(await chain.balanceOf(ALICE)).toBe(3_500_000n);
  expect(asked.at(-1)?.params[1]).toBe('latest');
  await chain.balanceOf(ALICE, 990n);
  expect(asked.at(-1)?.params[1]).toBe('0x3de');
  expect([await chain.hasCode(ALICE), await chain.hasCode(PAYEE)]).toEqual([true, false]);
});

const logFilter = z.object({
  address: z.string(),
  topics: z.array(z.string()),
  fromBlock: z.string(),
  toBlock: z.string(),
});

/** The filters of the log searches that were asked for. */
const ranges = (asked: readonly { method: string; params: readonly unknown[] }[]) =>
  asked.filter(({ method }) => method === 'eth_getLogs').map(({ params }) => logFilter.parse(params[0]));

describe('the transaction of an authorization', () => {
  const LATEST = 10_000n;
  const LATEST_S = 1_790_000_000;
  /** A chain of 2-second blocks whose `AuthorizationUsed` log stands in block `at`. */
  const chainWithUse = (at: bigint | undefined, blockTimeS = 2) => {
    const timeOf = (number: bigint) => LATEST_S - Number(LATEST - number) * blockTimeS;
    return rpc({
      eth_getBlockByNumber: ([ref]: readonly string[]) => {
        const number = ref === 'latest' ? LATEST : BigInt(ref ?? 0);
        return block(number, timeOf(number));
      },
      eth_getLogs: ([filter]: readonly { fromBlock: Hex; toBlock: Hex }[]) =>
        at !== undefined && filter && BigInt(filter.fromBlock) <= at && at <= BigInt(filter.toBlock)
          ? [log(USDC, usedTopics, '0x', 1)]
          : [],
    });
  };

  test('is found by payer and nonce in the logs of USDC alone', async () => {
    const { chain, asked } = chainWithUse(9_900n);
    expect(await chain.authorizationTransaction(ALICE, NONCE, LATEST_S - 600)).toBe(HASH);
    expect(ranges(asked)).toEqual([
      { address: USDC, topics: usedTopics, fromBlock: toHex(9_700n), toBlock: toHex(LATEST) },
    ]);
  });

  test('is not taken from a log that was removed', async () => {
    const { chain } = rpc({
      eth_getBlockByNumber: block(5n, LATEST_S),
      eth_getLogs: [log(USDC, usedTopics, '0x', 1, true)],
    });
    expect(await chain.authorizationTransaction(ALICE, NONCE, LATEST_S)).toBeUndefined();
  });

  test('is looked for in ranges that nodes accept, from the time on that is named', async () => {
    const { chain, asked } = chainWithUse(undefined);
    expect(await chain.authorizationTransaction(ALICE, NONCE, LATEST_S - 7_200)).toBeUndefined();
    const seen = ranges(asked).map(({ fromBlock, toBlock }) => [BigInt(fromBlock), BigInt(toBlock)]);
    expect(seen).toEqual([
      [6_400n, 7_399n],
      [7_400n, 8_399n],
      [8_400n, 9_399n],
      [9_400n, 10_000n],
    ]);
  });

  test.each([1, 10])('is found on a chain of %i-second blocks too', async (blockTimeS) => {
    expect(
      await chainWithUse(LATEST - BigInt(Math.floor(3_000 / blockTimeS)), blockTimeS).chain.authorizationTransaction(
        ALICE,
        NONCE,
        LATEST_S - 3_600,
      ),
    ).toBe(HASH);
  });

  test('is looked for from the first block on when the chain is younger', async () => {
    const { chain, asked } = chainWithUse(1n);
    expect(await chain.authorizationTransaction(ALICE, NONCE, LATEST_S - 86_400)).toBe(HASH);
    expect(ranges(asked)[0]?.fromBlock).toBe('0x0');
  });

  test('is not looked for without end', async () => {
    const { chain, asked } = rpc({
      eth_getBlockByNumber: ([ref]: readonly string[]) =>
        block(ref === 'latest' ? 10n ** 7n : BigInt(ref ?? 0), ref === 'latest' ? LATEST_S : 0),
      eth_getLogs: [],
    });
    expect(await chain.authorizationTransaction(ALICE, NONCE, LATEST_S - 10 ** 7)).toBeUndefined();
    expect(ranges(asked)).toHaveLength(60);
  });
});

describe('the cancellation of an authorization', () => {
  const cancelledTopics = encodeEventTopics({
    abi,
    eventName: 'AuthorizationCanceled',
    args: { authorizer: ALICE, nonce: NONCE },
  });
  const ask = (logs: object[]) => {
    const { chain, asked } = rpc({ eth_getBlockByNumber: block(5n, 1_790_000_000), eth_getLogs: logs });
    return { answer: chain.authorizationCancelled(ALICE, NONCE, 1_790_000_000), asked };
  };

  test('is found by its own log of USDC', async () => {
    const { answer, asked } = ask([log(USDC, cancelledTopics, '0x', 1)]);
    expect(await answer).toBe(true);
    expect(ranges(asked)).toEqual([{ address: USDC, topics: cancelledTopics, fromBlock: '0x5', toBlock: '0x5' }]);
  });

  test.each([
    ['without a log', []],
    ['by a log that was removed', [log(USDC, cancelledTopics, '0x', 1, true)]],
  ])('is not told %s', async (_what, logs) => {
    expect(await ask(logs).answer).toBe(false);
  });

  test('is in doubt when the logs cannot be read', async () => {
    const { chain } = rpc({ eth_getBlockByNumber: block(5n, 1), eth_getLogs: fail(-32_005, 'limit exceeded') });
    await expect(chain.authorizationCancelled(ALICE, NONCE, 1)).rejects.toBeInstanceOf(ChainUnreachable);
  });
});

describe('a contract wallet', () => {
  const DIGEST = `0x${'d1'.repeat(32)}` as const;
  const SIGNATURE = `0x${'ab'.repeat(100)}` as const;
  const ask = (answer: Answer) => rpc({ eth_call: answer }).chain.isContractSignatureValid(ALICE, DIGEST, SIGNATURE);

  test('A3: is asked by ERC-1271, with at most 2,000,000 gas', async () => {
    const { chain, asked } = rpc({ eth_call: pad('0x1626ba7e', { dir: 'right', size: 32 }) });
    expect(await chain.isContractSignatureValid(ALICE, DIGEST, SIGNATURE)).toBe(true);
    const data = encodeFunctionData({ abi, functionName: 'isValidSignature', args: [DIGEST, SIGNATURE] });
    expect(asked.at(-1)?.params).toEqual([{ to: ALICE, data, gas: '0x1e8480' }, 'latest']);
  });

  test.each([
    ['another value', pad('0xffffffff', { dir: 'right', size: 32 })],
    ['a left-aligned value of the wrong size', '0x1626ba7e'],
    ['nothing', '0x'],
    ['a revert as geth tells it', fail(3, 'execution reverted: no')],
    ['a revert as others tell it', fail(-32_000, 'execution reverted')],
    ['a VM error', fail(-32_015, 'VM execution error: Reverted 0x')],
    ['code that runs out of gas', fail(-32_000, 'out of gas')],
  ])('says no by %s', async (_what, answer) => {
    expect(await ask(answer)).toBe(false);
  });

  test.each([
    ['an overloaded node', fail(-32_005, 'rate limit exceeded')],
    ['an internal error', fail(-32_603, 'internal error')],
  ])('says nothing by %s', async (_what, answer) => {
    await expect(ask(answer)).rejects.toBeInstanceOf(ChainUnreachable);
  });
});

describe('a wallet that is not deployed yet', () => {
  const DIGEST = `0x${'d1'.repeat(32)}` as const;
  const SIGNATURE = serializeErc6492Signature({ address: PAYEE, data: '0x12', signature: `0x${'ab'.repeat(100)}` });
  const ask = (answer: Answer) => rpc({ eth_call: answer }).chain.isWrappedSignatureValid(ALICE, DIGEST, SIGNATURE);

  test('P10: is asked by ERC-6492 in one call that changes nothing, with at most 5,000,000 gas', async () => {
    const { chain, asked } = rpc({ eth_call: '0x01' });
    expect(await chain.isWrappedSignatureValid(ALICE, DIGEST, SIGNATURE)).toBe(true);
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      bytecode: erc6492SignatureValidatorByteCode,
      args: [ALICE, DIGEST, SIGNATURE],
    });
    expect(asked.map(({ method }) => method)).toEqual(['eth_chainId', 'eth_call']);
    expect(asked.at(-1)?.params).toEqual([{ data, gas: '0x4c4b40' }, 'latest']);
  });

  test.each([
    ['yes in a word', `0x${'1'.padStart(64, '0')}`, true],
    ['no', '0x00', false],
    ['nothing', '0x', false],
    ['more than one', '0x02', false],
    ['a revert', fail(3, 'execution reverted'), false],
    ['code that runs out of gas', fail(-32_000, 'out of gas'), false],
  ] as const)('%s', async (_what, answer, expected) => {
    expect(await ask(answer as Answer)).toBe(expected);
  });

  test('is in doubt when the node cannot be asked', async () => {
    await expect(ask(fail(-32_005, 'rate limit exceeded'))).rejects.toBeInstanceOf(ChainUnreachable);
  });
});

describe('on the test network', () => {
  const SEPOLIA = PAYMENT_NETWORKS['eip155:84532'];
  const readerOf = (answers: Record<string, unknown>) => {
    const asked: { method: string; params: readonly Record<string, unknown>[] }[] = [];
    const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
      const { id, method, params } = JSON.parse(bodyText(init)) as { id: number; method: string; params: never[] };
      asked.push({ method, params });
      return Response.json({ jsonrpc: '2.0', id, result: answers[method] });
    };
    const options = { rpcUrl: 'https://rpc.test', fetch, timeoutMs: 1_000, network: SEPOLIA };
    return { chain: createChainReader(options), asked };
  };

  test('the chain must call itself so: an RPC of Base is as good as unreachable', async () => {
    await expect(readerOf({ eth_chainId: '0x2105' }).chain.balanceOf(ALICE)).rejects.toBeInstanceOf(ChainUnreachable);
  });

  test('its own USDC is asked', async () => {
    const { chain, asked } = readerOf({ eth_chainId: '0x14a34', eth_call: `0x${'5'.padStart(64, '0')}` });
    expect(await chain.balanceOf(ALICE)).toBe(5n);
    expect(asked.at(-1)?.params[0]?.['to']).toBe(SEPOLIA.usdc);
  });
});
