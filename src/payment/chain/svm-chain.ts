import * as z from 'zod';
import { readCapped } from '../facilitator/facilitator.ts';
import type { SvmNetwork } from '../terms/networks-data.ts';
import { ChainUnreachable } from './chain.ts';
import {
  AnswerTooLarge,
  type ListedSignatures,
  listSignatures,
  type SignatureSpan,
  signaturesResult,
} from './svm-signatures.ts';

/** A transaction that is on the chain, as far as a reconciliation has to know it. */
export type SvmTransaction = {
  /** In base58. */
  signature: string;
  /** The whole transaction, in base64. Empty where it is of a version that no payment has. */
  wire: string;
  /** It was carried out; a failed one moved no token. */
  isGood: boolean;
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
  /** A transaction by its signature; undefined when the node does not know it, or cannot show it. */
  transaction: (signature: string) => Promise<SvmTransaction | undefined>;
  /** Whether a transaction failed in a final block: then it stays so. */
  hasFailed: (signature: string) => Promise<boolean>;
  /** Transactions that name an address, the newest first. */
  signaturesOf: (address: string, span: SignatureSpan) => Promise<ListedSignatures>;
  finalBlock: () => Promise<FinalBlock>;
  /** Whether a message with this recent block can still be carried out, as of a final block that is no older than `slot`. */
  isBlockKnown: (blockhash: string, slot: number) => Promise<KnownBlock>;
}

/** `slot`: of the final block that was asked. */
export type KnownBlock = { isKnown: boolean; slot: number };

/** The newest final block, its time in Unix seconds. */
export type FinalBlock = { slot: number; timeS: number };

type SvmChainOptions = {
  rpcUrl: string;
  network: SvmNetwork;
  fetch: (input: string, init: RequestInit) => Promise<Response>;
  /** For one call. */
  timeoutMs: number;
};

/** Largest answer, in bytes. */
const MAX_REPLY_BYTES = 256 * 1024;
/**
 * Largest answer about one transaction, in bytes: itself at most 1,644 in base64, with what it did. That is 64 calls of
 * programs at most, each of 10 KiB that nodes write in base58, and logs of 10 KiB: no one can send one that is not read.
 */
const MAX_TRANSACTION_BYTES = 1024 * 1024;
/** Largest page, in bytes. Each line has a memo of up to 1 KiB, written in six times as much where it is control characters. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024;
/** The account is not there: `getTokenAccountBalance` has no other word for it. */
const NO_ACCOUNT = -32_602;
/** The transaction is of a version that was not asked for. */
const OTHER_VERSION = -32_015;
/** The node lists a transaction and does not have its block: not yet, no longer, or never. */
const WITHOUT_BLOCK: ReadonlySet<number> = new Set([-32_004, -32_007, -32_009, -32_011, -32_014]);

const reply = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number() }).optional(),
});
const balanceResult = z.object({ value: z.object({ amount: z.string().regex(/^\d{1,20}$/) }) });
const statusesResult = z.object({
  value: z.tuple([z.object({ confirmationStatus: z.string().nullish(), err: z.unknown() }).nullable()]),
});
const knownResult = z.object({ context: z.object({ slot: z.number() }), value: z.boolean() });
const transactionResult = z
  .object({ transaction: z.tuple([z.string(), z.literal('base64')]), meta: z.object({ err: z.unknown() }).nullable() })
  .nullable();

/** Reads Solana over JSON-RPC. Each call is made once; its address, which may hold a key, is in no message. */
export function createSvmReader(options: SvmChainOptions): SvmReader {
  const { ask, call } = createCalls(options);
  const { network } = options;
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
      const wanted = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
      const answer = await ask('getTransaction', [signature, wanted], MAX_TRANSACTION_BYTES);
      const code = answer.error?.code;
      if (code === OTHER_VERSION) return { signature, wire: '', isGood: true };
      if (code !== undefined && WITHOUT_BLOCK.has(code)) return undefined;
      const read = transactionResult.safeParse(answer.result);
      if (code !== undefined || !read.success) throw new ChainUnreachable('getTransaction: no result');
      const found = read.data;
      if (found === null) return undefined; // Processed only, or the node behind this address lacks it.
      return { signature, wire: found.transaction[0], isGood: (found.meta?.err ?? null) === null };
    },
    hasFailed: async (signature) => {
      const wanted = [[signature], { searchTransactionHistory: true }];
      const { value } = await call('getSignatureStatuses', wanted, statusesResult);
      return value[0]?.confirmationStatus === 'finalized' && (value[0].err ?? null) !== null;
    },
    signaturesOf: (address, span) =>
      listSignatures(span, (page) =>
        call('getSignaturesForAddress', [address, page], signaturesResult, MAX_PAGE_BYTES),
      ),
    finalBlock: async () => {
      const slot = await call('getSlot', [{ commitment: 'finalized' }], z.number());
      return { slot, timeS: await call('getBlockTime', [slot], z.number()) };
    },
    isBlockKnown: async (blockhash, slot) => {
      const wanted = { commitment: 'finalized', minContextSlot: slot };
      const { context, value } = await call('isBlockhashValid', [blockhash, wanted], knownResult);
      return { isKnown: value, slot: context.slot };
    },
  };
}

/** `ask`: what the node answers, be it an error; `call`: its result. */
function createCalls(options: SvmChainOptions) {
  const ask = async (
    method: string,
    params: readonly unknown[],
    maxBytes = MAX_REPLY_BYTES,
  ): Promise<z.infer<typeof reply>> => {
    try {
      const response = await options.fetch(options.rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        redirect: 'manual',
        signal: AbortSignal.timeout(options.timeoutMs),
      });
      const text = await readCapped(response, maxBytes);
      if (text !== undefined) return reply.parse(JSON.parse(text));
    } catch (error) {
      throw new ChainUnreachable(`${method}: ${error instanceof Error ? error.name : 'failed'}`);
    }
    throw new AnswerTooLarge(`${method}: over ${maxBytes} bytes`);
  };
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
  return { ask, call };
}

/** A reader each of whose calls to the node is counted. */
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
    hasFailed: counted(reader.hasFailed),
    isBlockKnown: counted(reader.isBlockKnown),
    signaturesOf: (address, span) => reader.signaturesOf(address, { ...span, onPage: count }),
    finalBlock: () => {
      count(); // The slot, and its time.
      return counted(reader.finalBlock)();
    },
  };
}
