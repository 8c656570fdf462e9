import { recoverAddress } from 'viem';
import {
  type ChainReader,
  ChainUnreachable,
  type Receipt,
  type UsdcEvent,
} from '../../../../src/payment/chain/chain.ts';
import type { SignedAuthorization } from '../../../../src/payment/terms/authorization.ts';
import { type Payer, word } from '../../../sales/model/money.ts';
import { PAY_TO } from '../../terms/offer-cases.ts';

/** What a payer of these tests holds, in micro-USDC, unless a test says otherwise. */
const START_MICRO_USDC = 1_000_000_000n;
const FIRST_BLOCK = 1_000n;

type Hex = `0x${string}`;
export type TestChain = ReturnType<typeof openChain>;

const transferOf = (from: string, value: bigint, to: string = PAY_TO): UsdcEvent => ({
  name: 'Transfer',
  logIndex: 0,
  removed: false,
  from,
  to: to.toLowerCase(),
  value,
});

/**
 * A chain in memory. Each transaction is a block of its own; blocks are final at once, unless `lag` says how many of the newest
 * are not safe yet. `seed` keeps hashes of different worlds apart.
 */
export function openChain(nowS: () => number, seed: string) {
  const receipts = new Map<string, Receipt>();
  const times = new Map<bigint, number>();
  const hashes = new Map<bigint, string>();
  /** Of a cancelled nonce: `cancelled`. */
  const used = new Map<string, string>();
  const balances = new Map<string, bigint>();
  const wallets = new Map<string, Payer>();
  const state = { isDown: false, height: FIRST_BLOCK, lag: 0n, safeS: undefined as number | undefined, reads: 0 };

  const balanceOf = (address: string): bigint => balances.get(address) ?? START_MICRO_USDC;
  const blockOf = (number: bigint) => ({
    number,
    hash: hashes.get(number) ?? word(`${seed} block ${number}`),
    timestampS: times.get(number) ?? nowS() - 60,
  });
  const mine = (events: readonly UsdcEvent[], atS = nowS(), status: Receipt['status'] = 'success'): string => {
    state.height += 1n;
    const number = state.height;
    const hash = word(`${seed} transaction ${number}`);
    times.set(number, atS);
    const numbered = events.map((event, logIndex) => ({ ...event, logIndex }));
    const block = blockOf(number);
    receipts.set(hash, { hash, status, blockNumber: number, blockHash: block.hash, events: numbered });
    for (const event of events)
      if (event.name === 'Transfer') balances.set(event.from, balanceOf(event.from) - event.value);
    return hash;
  };
  const read = async <T>(answer: () => T | Promise<T>): Promise<T> => {
    await Promise.resolve();
    state.reads += 1;
    if (state.isDown) throw new ChainUnreachable('the test says so');
    return answer();
  };
  const reader: ChainReader = {
    receipt: (hash) => read(() => receipts.get(hash) ?? 'not_found'),
    block: (ref) =>
      read(() => {
        if (typeof ref === 'bigint') return blockOf(ref);
        if (ref === 'latest') return { ...blockOf(state.height), timestampS: nowS() };
        return { ...blockOf(state.height - state.lag), timestampS: state.safeS ?? nowS() };
      }),
    authorizationState: (_from, nonce) => read(() => used.has(nonce)),
    authorizationTransaction: (_from, nonce) =>
      read(() => (used.get(nonce) === 'cancelled' ? undefined : used.get(nonce))),
    authorizationCancelled: (_from, nonce) => read(() => used.get(nonce) === 'cancelled'),
    balanceOf: (address) => read(() => balanceOf(address)),
    hasCode: (address) => read(() => wallets.has(address)),
    isContractSignatureValid: (address, hash, signature) => read(() => isOwners(wallets.get(address), hash, signature)),
    isWrappedSignatureValid: () => read(() => false),
  };

  return {
    state,
    reader,
    mine,
    isUsed: (nonce: string): boolean => used.has(nonce),
    cancel: (nonce: string): void => void used.set(nonce, 'cancelled'),
    setBalance: (address: string, microUsdc: bigint): void => void balances.set(address, microUsdc),
    balanceOf,
    addWallet: (payer: Payer): void => void wallets.set(payer.address, payer),
    /** Blocks on top of all that is mined. */
    confirm: (blocks: bigint): void => void (state.height += blocks),
    /** A payer sends money by itself. */
    send: (
      from: string,
      microUsdc: number,
      { to = PAY_TO, atS = nowS() }: { to?: string; atS?: number } = {},
    ): string => mine([transferOf(from, BigInt(microUsdc), to)], atS),
    /** Several payers, or one several times, in one transaction. */
    sendTogether: (payments: readonly { from: string; microUsdc: number }[]): string =>
      mine(payments.map(({ from, microUsdc }) => transferOf(from, BigInt(microUsdc)))),
    /** Settles an authorization; undefined where USDC would revert. */
    settle({ from, to, value, validBefore, nonce }: SignedAuthorization): string | undefined {
      if (used.has(nonce) || BigInt(nowS()) >= validBefore || balanceOf(from) < value) return undefined;
      const authorized: UsdcEvent = { name: 'AuthorizationUsed', logIndex: 0, removed: false, authorizer: from, nonce };
      const hash = mine([authorized, transferOf(from, value, to)]);
      used.set(nonce, hash);
      return hash;
    },
    /** The block of a transaction is replaced by another, and the transaction is gone. */
    reorg(hash: string): void {
      const receipt = receipts.get(hash);
      if (receipt === undefined) throw new RangeError('no such transaction');
      hashes.set(receipt.blockNumber, word(`${seed} other ${receipt.blockNumber}`));
      receipts.delete(hash);
    },
    /** A transaction is mined again, and fails. */
    revert(hash: string): void {
      const receipt = receipts.get(hash);
      if (receipt === undefined) throw new RangeError('no such transaction');
      receipts.set(hash, { ...receipt, status: 'reverted', events: [] });
    },
    /** What came to us from an address, in micro-USDC. */
    receivedFrom: (address: string): number =>
      [...receipts.values()]
        .flatMap(({ events }) => events)
        .reduce(
          (sum, event) =>
            event.name === 'Transfer' && event.from === address && event.to === PAY_TO
              ? sum + Number(event.value)
              : sum,
          0,
        ),
  };
}

/** Wallets of these tests take what their owner's key has signed. */
const isOwners = async (payer: Payer | undefined, hash: Hex, signature: Hex): Promise<boolean> =>
  payer !== undefined &&
  (await recoverAddress({ hash, signature: signature.slice(0, SIGNATURE_CHARS) as Hex })) === payer.account.address;

/** `0x` and 65 bytes: what a key makes. */
const SIGNATURE_CHARS = 132;
