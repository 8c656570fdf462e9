import { env } from 'cloudflare:workers';
import * as z from 'zod';
import { BASE, type PaymentNetwork } from '../../../../src/payment/terms/networks-data.ts';
import { block, emptyChain, PAYER, settledBy, type World } from '../world.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const AUTHORIZATION_USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';
const MINED = 900n;

const settleCall = z.object({
  paymentPayload: z.object({
    payload: z.object({ authorization: z.object({ nonce: z.string(), value: z.string() }) }),
  }),
});

/** Lets the chain of a world hold what its facilitator settles: from 1 USD on the receipt is read before delivery. */
export function settleOnChain(seen: World, network: PaymentNetwork = BASE): void {
  const settled = () => seen.calls.settle.map((call) => settleCall.parse(call).paymentPayload.payload.authorization);
  // The nonce of the last call stands for the hash of its transaction.
  seen.settle = () => Response.json({ ...settledBy(settled().at(-1)?.nonce ?? ''), network: network.id });
  seen.rpc = (method, params) => {
    if (method === 'eth_chainId') return `0x${network.chainId.toString(16)}`;
    if (method === 'eth_getTransactionReceipt')
      return receiptOf(
        settled().find(({ nonce }) => nonce === String(params[0])),
        network,
      );
    if (method === 'eth_getLogs') {
      const [filter] = params as [{ topics: readonly string[] }];
      const nonce = filter.topics[2] ?? '';
      const used = settled().some((one) => one.nonce === nonce) && filter.topics[0] === AUTHORIZATION_USED;
      const event = log([AUTHORIZATION_USED, padded(PAYER), nonce], '0x', 0, network);
      return used ? [{ ...event, transactionHash: nonce }] : [];
    }
    return emptyChain(method, params);
  };
}

let transfers = 0;

/** Lets the chain of a world hold a transfer of so much to us. Returns the hash of its transaction. */
export function transferOnChain(seen: World, microUsdc: number): string {
  transfers += 1;
  const hash = `0x7a${transfers.toString(16).padStart(62, '0')}`;
  const before = seen.rpc;
  seen.rpc = (method, params) =>
    method === 'eth_getTransactionReceipt' && params[0] === hash
      ? { ...minedBy(hash), logs: [transferLog(String(microUsdc), 0)] }
      : before(method, params);
  return hash;
}

function receiptOf(settled: { nonce: string; value: string } | undefined, network: PaymentNetwork) {
  if (!settled) return null;
  const used = log([AUTHORIZATION_USED, padded(PAYER), settled.nonce], '0x', 0, network);
  return { ...minedBy(settled.nonce), logs: [used, transferLog(settled.value, 1, network)] };
}

function minedBy(transactionHash: string) {
  return {
    transactionHash,
    transactionIndex: '0x0',
    blockHash: block(MINED).hash,
    blockNumber: `0x${MINED.toString(16)}`,
    status: '0x1',
    type: '0x2',
    gasUsed: '0x1',
    cumulativeGasUsed: '0x1',
    effectiveGasPrice: '0x1',
    contractAddress: null,
    logsBloom: '0x',
    from: PAYER,
    to: BASE.usdcLower,
  };
}

const transferLog = (value: string, logIndex: number, network?: PaymentNetwork) => {
  const amount = `0x${BigInt(value).toString(16).padStart(64, '0')}`;
  return log([TRANSFER, padded(PAYER), padded(env.PAY_TO)], amount, logIndex, network);
};

const padded = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

const log = (topics: readonly string[], data: string, logIndex: number, { usdcLower } = BASE as PaymentNetwork) => ({
  address: usdcLower,
  topics,
  data,
  logIndex: `0x${logIndex.toString(16)}`,
  transactionIndex: '0x0',
  blockNumber: `0x${MINED.toString(16)}`,
  blockHash: block(MINED).hash,
  transactionHash: `0x${'00'.repeat(32)}`,
  removed: false,
});
