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
  /** Transactions that name an address, the newest first. */
  signaturesOf: (address: string, span: SignatureSpan) => Promise<ListedSignatures>;
  finalBlock: () => Promise<FinalBlock>;
}

/** The newest final block, its time in Unix seconds. */
export type FinalBlock = { slot: number; timeS: number };

/** Which transactions of an address are wanted: those between two times, in Unix seconds. */
export type SignatureSpan = {
  sinceS: number;
  untilS?: number | undefined;
  /** Most answers of the node that are read, of SIGNATURES_A_PAGE each. */
  pages: number;
  /** Only final transactions are wanted, by a node that knows this slot as final; without it, confirmed ones as well. */
  finalSlot?: number | undefined;
};

/** `isWhole`: no other transaction is in the span, as the node has it. */
export type ListedSignatures = { signatures: readonly string[]; isWhole: boolean };

type SvmChainOptions = {
  rpcUrl: string;
  network: SvmNetwork;
  fetch: (input: string, init: RequestInit) => Promise<Response>;
  /** For one call. */
  timeoutMs: number;
};

/** Largest answer, in bytes: a transaction is 1,232 and what it did a few thousand. */
const MAX_REPLY_BYTES = 256 * 1024;
/** Most that a node lists at once. */
export const SIGNATURES_A_PAGE = 1_000;
/** Largest page, in bytes: each line has a memo, which is mostly short. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024;
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
  const call = async <T>(
    method: string,
    params: readonly unknown[],
    schema: z.ZodType<T>,
    maxBytes = MAX_REPLY_BYTES,
  ): Promise<T> => {
    const answer = await ask(method, params, maxBytes);
    const read = schema.safeParse(answer.result);
    if (answer.error !== undefined || !read.success) throw new ChainUnreachable(`${method}: no result`);
    return read.data;
  };
  const ask = async (
    method: string,
    params: readonly unknown[],
    maxBytes = MAX_REPLY_BYTES,
  ): Promise<z.infer<typeof reply>> => {
    try {
      const response = await options.fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return reply.parse(JSON.parse((await readCapped(response, maxBytes)) ?? ''));
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
    signaturesOf: (address, span) =>
      listSignatures(span, (page) =>
        call('getSignaturesForAddress', [address, page], signaturesResult, MAX_PAGE_BYTES),
      ),
    finalBlock: async () => {
      const slot = await call('getSlot', [{ commitment: 'finalized' }], z.number());
      return { slot, timeS: await call('getBlockTime', [slot], z.number()) };
    },
  };
}

/** Turns the pages of a list back to the beginning of the span. A transaction without a time may be in it. */
async function listSignatures(
  { sinceS, untilS = Number.POSITIVE_INFINITY, pages, finalSlot }: SignatureSpan,
  readPage: (options: object) => Promise<z.infer<typeof signaturesResult>>,
): Promise<ListedSignatures> {
  const commitment =
    finalSlot === undefined ? { commitment: 'confirmed' } : { commitment: 'finalized', minContextSlot: finalSlot };
  const signatures: string[] = [];
  let before: { before?: string } = {};
  for (let page = 0; page < pages; page += 1) {
    const listed = await readPage({ limit: SIGNATURES_A_PAGE, ...commitment, ...before });
    for (const { signature, blockTime } of listed)
      if ((blockTime ?? sinceS) >= sinceS && (blockTime ?? sinceS) <= untilS) signatures.push(signature);
    const last = listed.at(-1);
    if ((last?.blockTime ?? sinceS) < sinceS) return { signatures, isWhole: true };
    // A node that does not know where to go on lists nothing: that is no end.
    if (last === undefined) return { signatures, isWhole: page === 0 };
    if (listed.length < SIGNATURES_A_PAGE) return { signatures, isWhole: true };
    before = { before: last.signature };
  }
  return { signatures, isWhole: false };
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
    finalBlock: counted(reader.finalBlock),
  };
}
