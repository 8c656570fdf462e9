import { createSvmReader, type SvmReader } from '../../../src/payment/chain/svm-chain.ts';
import { SOLANA } from '../../../src/payment/terms/networks-data.ts';
import { bodyText } from '../terms/offer-cases.ts';

export type NodeTransaction = {
  signature: string;
  blockTime: number | null;
  /** In base64; without it the node lists the transaction and cannot show it. */
  wire?: string;
  isFailed?: boolean;
  /** Confirmed only. */
  isYoung?: boolean;
  /** As the node lists it. */
  memo?: string;
  /** Instead of an answer about it: an error, or one with so many characters of what it did. */
  error?: number;
  didChars?: number;
};

type Options = { limit: number; commitment: string; before?: string; minContextSlot?: number };

/** A node of Solana that answers what payments ask of it about one address, from a list with the newest transaction first. */
export class SvmNode {
  /** Names of the calls, in order. */
  readonly asked: string[] = [];
  /** The newest first. */
  transactions: NodeTransaction[] = [];
  /** By address; of any other, `transactions`. */
  histories: Record<string, NodeTransaction[]> = {};
  isSilent = false;
  /** Most lines of a list, whatever is asked for. */
  mostListed = 1_000;
  finalSlot = 1_000;
  finalTimeS = 0;
  /** Recent blocks that the chain still knows. */
  knownBlocks: ReadonlySet<string> = new Set();
  /** A cursor that the node behind the same address does not know: it lists nothing after it. */
  knowsCursors = true;
  /** Lists the newest, whatever cursor is given. */
  ignoresCursors = false;
  /** After each call: what happens meanwhile. */
  meanwhile: (method: string) => void = () => undefined;

  readonly reader: SvmReader = createSvmReader({
    rpcUrl: 'https://rpc.test/',
    network: SOLANA,
    timeoutMs: 1_000,
    fetch: async (_url, init) => {
      const { method, params } = JSON.parse(bodyText(init)) as { method: string; params: unknown[] };
      this.asked.push(method);
      if (this.isSilent) throw new TypeError('fetch failed');
      const answer = Response.json({ jsonrpc: '2.0', id: 1, ...this.#answer(method, params) });
      this.meanwhile(method);
      return answer;
    },
  });

  count(method: string): number {
    return this.asked.filter((name) => name === method).length;
  }

  #answer(method: string, params: unknown[]): { result: unknown } | { error: { code: number } } {
    switch (method) {
      case 'getSlot':
        return { result: this.finalSlot };
      case 'isBlockhashValid':
        return { result: { context: { slot: this.finalSlot }, value: this.knownBlocks.has(String(params[0])) } };
      case 'getBlockTime':
        return { result: this.finalTimeS };
      case 'getSignaturesForAddress':
        return this.#list(this.histories[String(params[0])] ?? this.transactions, params[1] as Options);
      case 'getSignatureStatuses': {
        const found = this.#find((params[0] as string[])[0]);
        return { result: { value: [found === undefined ? null : this.#describe(found)] } };
      }
      case 'getTransaction': {
        const found = this.#find(params[0]);
        if (found?.error !== undefined) return { error: { code: found.error } };
        if (found?.wire === undefined) return { result: null };
        const meta = { err: this.#describe(found).err, innerInstructions: 'z'.repeat(found.didChars ?? 0) };
        return { result: { transaction: [found.wire, 'base64'], meta } };
      }
      default:
        return { error: { code: -32_601 } };
    }
  }

  #find(signature: unknown): NodeTransaction | undefined {
    return [this.transactions, ...Object.values(this.histories)].flat().find((one) => one.signature === signature);
  }

  #describe({ isFailed, isYoung }: NodeTransaction) {
    return {
      confirmationStatus: isYoung === true ? 'confirmed' : 'finalized',
      err: isFailed === true ? { InstructionError: [2, 'x'] } : null,
    };
  }

  #list(
    history: readonly NodeTransaction[],
    { limit, commitment, before, minContextSlot = 0 }: Options,
  ): { result: unknown } | { error: { code: number } } {
    if (minContextSlot > this.finalSlot) return { error: { code: -32_016 } };
    const seen = history.filter(({ isYoung }) => commitment === 'confirmed' || isYoung !== true);
    const at =
      before === undefined || this.ignoresCursors ? 0 : seen.findIndex(({ signature }) => signature === before) + 1;
    if (before !== undefined && !this.ignoresCursors && (at === 0 || !this.knowsCursors)) return { result: [] };
    return {
      result: seen.slice(at, at + Math.min(limit, this.mostListed)).map((one) => ({
        signature: one.signature,
        blockTime: one.blockTime,
        memo: one.memo ?? null,
        ...this.#describe(one),
      })),
    };
  }
}

/** Transactions of others that name the payer, at one time. */
export const flood = (count: number, blockTime: number, wire: string): NodeTransaction[] =>
  Array.from({ length: count }, (_, at) => ({ signature: `flood-${blockTime}-${at}`, blockTime, wire }));
