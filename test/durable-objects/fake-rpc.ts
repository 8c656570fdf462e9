import { vi } from 'vitest';
import * as z from 'zod';

const USDC = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const AUTHORIZATION_USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';
const AUTHORIZATION_CANCELED = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81';
const AUTHORIZATION_STATE = '0xe94a0102';
const LATEST = 10_000n;
const SAFE = LATEST - 60n;
const MINED = SAFE - 10n;
const BLOCK_TIME_S = 2;
const Call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()).default([]) });

/** A settlement or a transfer that the fake chain holds, mined long before its safe block. */
export type Mined = { transaction: string; from: string; to: string; value: number; nonce?: string };

export type FakeRpc = {
  mined: Mined[];
  /** Nonces that their payer cancelled, as the logs tell. */
  cancelled: string[];
  isDown: boolean;
  calls: number;
};

/**
 * A Base node behind `fetch`: answers the JSON-RPC methods that payments read from what a test puts into it. Its blocks
 * are as old as `Date.now()` says, the safe one two minutes older.
 */
export function serveFakeRpc(rpcUrl: string): FakeRpc {
  const rpc: FakeRpc = { mined: [], cancelled: [], isDown: false, calls: 0 };
  const realFetch = globalThis.fetch.bind(globalThis);
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.startsWith(rpcUrl)) return realFetch(request);
    rpc.calls += 1;
    if (rpc.isDown) return new Response('bad gateway', { status: 502 });
    const body: unknown = await request.json();
    const reply = (one: unknown) => {
      const { id, method, params } = Call.parse(one);
      return { jsonrpc: '2.0', id, result: answer(rpc, method, params) };
    };
    return Response.json(Array.isArray(body) ? body.map(reply) : reply(body));
  });
  return rpc;
}

function answer(rpc: FakeRpc, method: string, params: unknown[]): unknown {
  switch (method) {
    case 'eth_chainId':
      return '0x2105';
    case 'eth_blockNumber':
      return quantity(LATEST);
    case 'eth_getBlockByNumber':
      return block(String(params[0]));
    case 'eth_getTransactionReceipt':
      return receipt(rpc.mined.find((one) => one.transaction === params[0]));
    case 'eth_getTransactionByHash':
      return null;
    case 'eth_call':
      return authorizationState(rpc, params[0]);
    case 'eth_getLogs':
      return logsOf(rpc, params[0]);
    default:
      throw new Error(`the fake chain has no ${method}`);
  }
}

function block(tag: string): object {
  const number = tag === 'latest' ? LATEST : tag === 'safe' ? SAFE : BigInt(tag);
  const timestampS = Math.floor(Date.now() / 1000) - Number(LATEST - number) * BLOCK_TIME_S;
  return {
    number: quantity(number),
    hash: word(number.toString(16)),
    timestamp: quantity(timestampS),
    transactions: [],
  };
}

function receipt(mined: Mined | undefined): object | null {
  if (mined === undefined) return null;
  const place = {
    transactionHash: mined.transaction,
    blockNumber: quantity(MINED),
    blockHash: word(MINED.toString(16)),
  };
  return {
    ...place,
    status: '0x1',
    from: mined.from,
    to: USDC,
    contractAddress: null,
    cumulativeGasUsed: '0x1',
    effectiveGasPrice: '0x1',
    gasUsed: '0x1',
    logsBloom: `0x${'00'.repeat(256)}`,
    transactionIndex: '0x0',
    type: '0x2',
    logs: logs(mined),
  };
}

function logs(mined: Mined): object[] {
  const place = placeOf(mined.transaction);
  const moved = {
    ...place,
    logIndex: '0x3',
    topics: [TRANSFER, word(mined.from), word(mined.to)],
    data: word(mined.value.toString(16)),
  };
  if (mined.nonce === undefined) return [moved];
  return [
    { ...place, logIndex: '0x2', topics: [AUTHORIZATION_USED, word(mined.from), mined.nonce], data: '0x' },
    moved,
  ];
}

const placeOf = (transactionHash: string) => ({
  address: USDC,
  transactionHash,
  transactionIndex: '0x0',
  blockNumber: quantity(MINED),
  blockHash: word(MINED.toString(16)),
  removed: false,
});

function authorizationState(rpc: FakeRpc, call: unknown): string {
  const { data } = z.object({ data: z.string().startsWith(AUTHORIZATION_STATE) }).parse(call);
  const nonce = `0x${data.slice(-64)}`;
  return word(rpc.cancelled.includes(nonce) || rpc.mined.some((one) => one.nonce === nonce) ? '1' : '0');
}

function logsOf(rpc: FakeRpc, filter: unknown): object[] {
  const { topics } = z.object({ topics: z.tuple([z.string(), z.string(), z.string()]) }).parse(filter);
  const [event, , nonce] = topics;
  if (event === AUTHORIZATION_USED)
    return rpc.mined.filter((one) => one.nonce === nonce).flatMap((one) => logs(one).slice(0, 1));
  if (event !== AUTHORIZATION_CANCELED) throw new Error(`the fake chain has no logs of ${event}`);
  if (!rpc.cancelled.includes(nonce)) return [];
  return [{ ...placeOf(word('ca')), logIndex: '0x2', topics, data: '0x' }];
}

function quantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

function word(hex: string): string {
  return `0x${hex.replace(/^0x/, '').padStart(64, '0')}`;
}
