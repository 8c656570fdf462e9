import * as z from 'zod';
import { readCapped } from '../facilitator/facilitator.ts';
import type { SvmNetwork } from '../terms/networks-data.ts';
import { ChainUnreachable } from './chain.ts';

/** A transaction that is on the chain, as far as a reconciliation has to know it. */
export type SvmTransaction = {
  /** In base58. */
  signature: string;
  /** The whole transaction, in base64. */
  wire: string;
  /** It was carried out; a failed one moved no token. */
  isGood: boolean;
  isFinal: boolean;
};

/**
 * What payments need to read from Solana. Every method throws ChainUnreachable when the chain cannot be read: that is doubt
 * (503), never a "no" (402).
 */
export interface SvmReader {
  /** Whether the node serves the chain that its network is named by: its first block begins so (rule P8). */
  isGenuine: () => Promise<boolean>;
  /** What a token account holds, in its smallest unit. An account that is not there holds nothing. */
  tokenBalance: (account: string) => Promise<bigint>;
  /** A transaction by its signature; undefined when the node does not know it. */
  transaction: (signature: string) => Promise<SvmTransaction | undefined>;
  /**
   * Signatures of the transactions that name an address, newest first, back to `sinceS` (Unix seconds). All of them: anyone can
   * name an address, and where there are more than are read the chain counts as unreadable.
   */
  signaturesOf: (address: string, sinceS: number) => Promise<readonly string[]>;
  /** Time of the newest final block, in Unix seconds. */
  finalTimeS: () => Promise<number>;
}

type SvmChainOptions = {
  rpcUrl: string;
  network: SvmNetwork;
  fetch: (input: string, init: RequestInit) => Promise<Response>;
  /** For one call. */
  timeoutMs: number;
};

/** Largest answer, in bytes: a transaction is 1,232 and what it did a few thousand. */
const MAX_REPLY_BYTES = 256 * 1024;
/** Transactions of one address in one answer, and answers that are read: beyond them what is looked for may still be. */
const MAX_SIGNATURES = 100;
const MAX_SIGNATURE_PAGES = 5;
/** The account is not there: `getTokenAccountBalance` has no other word for it. */
const NO_ACCOUNT = -32_602;

const reply = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number() }).optional(),
});
const balanceResult = z.object({ value: z.object({ amount: z.string().regex(/^\d{1,20}$/) }) });
const statusesResult = z.object({
  value: z.tuple([z.object({ confirmationStatus: z.string().nullish(), err: z.unknown() }).nullable()]),
});
const transactionResult = z
  .object({ transaction: z.tuple([z.string(), z.literal('base64')]), meta: z.object({ err: z.unknown() }).nullable() })
  .nullable();
const signaturesResult = z.array(z.object({ signature: z.string(), blockTime: z.number().nullish() }));

/** Reads Solana over JSON-RPC. Each call is made once; its address, which may hold a key, is in no message. */
export function createSvmReader(options: SvmChainOptions): SvmReader {
  const { rpcUrl, network, timeoutMs } = options;
  const call = async <T>(method: string, params: readonly unknown[], schema: z.ZodType<T>): Promise<T> => {
    const answer = await ask(method, params);
    const read = schema.safeParse(answer.result);
    if (answer.error !== undefined || !read.success) throw new ChainUnreachable(`${method}: no result`);
    return read.data;
  };
  const ask = async (method: string, params: readonly unknown[]): Promise<z.infer<typeof reply>> => {
    try {
      const response = await options.fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return reply.parse(JSON.parse((await readCapped(response, MAX_REPLY_BYTES)) ?? ''));
    } catch (error) {
      throw new ChainUnreachable(`${method}: ${error instanceof Error ? error.name : 'failed'}`);
    }
  };
  return {
    isGenuine: async () => {
      const hash = await call('getGenesisHash', [], z.string());
      return hash.startsWith(network.id.slice(network.id.indexOf(':') + 1));
    },
    tokenBalance: async (account) => {
      const answer = await ask('getTokenAccountBalance', [account, { commitment: 'confirmed' }]);
      if (answer.error?.code === NO_ACCOUNT) return 0n;
      const read = balanceResult.safeParse(answer.result);
      if (answer.error !== undefined || !read.success) throw new ChainUnreachable('getTokenAccountBalance: no result');
      return BigInt(read.data.value.amount);
    },
    transaction: async (signature) => {
      const { value } = await call(
        'getSignatureStatuses',
        [[signature], { searchTransactionHistory: true }],
        statusesResult,
      );
      const [status] = value;
      if (status === null) return undefined;
      const wanted = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
      const found = await call('getTransaction', [signature, wanted], transactionResult);
      if (found === null) return undefined; // Processed only, or the node behind this address lacks it.
      const isGood = (found.meta?.err ?? null) === null;
      return { signature, wire: found.transaction[0], isGood, isFinal: status.confirmationStatus === 'finalized' };
    },
    signaturesOf: async (address, sinceS) => {
      const recent: string[] = [];
      for (let page = 0; page < MAX_SIGNATURE_PAGES; page += 1) {
        const before = recent.at(-1);
        const wanted = { limit: MAX_SIGNATURES, commitment: 'confirmed', ...(before === undefined ? {} : { before }) };
        const found = await call('getSignaturesForAddress', [address, wanted], signaturesResult);
        const young = found.filter(({ blockTime }) => (blockTime ?? sinceS) >= sinceS);
        recent.push(...young.map(({ signature }) => signature));
        if (young.length < found.length || found.length < MAX_SIGNATURES) return recent;
      }
      throw new ChainUnreachable('getSignaturesForAddress: too many');
    },
    finalTimeS: async () => {
      const slot = await call('getSlot', [{ commitment: 'finalized' }], z.number());
      return call('getBlockTime', [slot], z.number());
    },
  };
}

/** A reader each of whose questions is counted. */
export function createCountedSvm(reader: SvmReader, count: () => void): SvmReader {
  const counted =
    <Given extends unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) =>
    (...given: Given): Promise<Answer> => {
      count();
      return ask(...given);
    };
  return {
    isGenuine: counted(reader.isGenuine),
    tokenBalance: counted(reader.tokenBalance),
    transaction: counted(reader.transaction),
    signaturesOf: counted(reader.signaturesOf),
    finalTimeS: counted(reader.finalTimeS),
  };
}
