import type { ChainReader } from '../../../../src/payment/chain/chain.ts';
import type { PaymentRequirements } from '@x402/core/types';
import { vi } from 'vitest';
import * as z from 'zod';
import type { WorkOutcome } from '../../../../src/capabilities/capability.ts';
import type { SoldRow } from '../../../../src/capabilities/credit-packs.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { createSightings } from '../../../../src/payment/chain/chain-memory.ts';
import type { Facilitator } from '../../../../src/payment/facilitator/facilitator.ts';
import type { LedgerShard } from '../../../../src/payment/ledger/protocol.ts';
import { createChallenges } from '../../../../src/payment/rails/mpp/challenge.ts';
import { PAYER_PROOF_HEADER } from '../../../../src/payment/rails/payer-proof-header.ts';
import { type CredentialCarrier, getNetworkId } from '../../../../src/payment/rails/rail.ts';
import { BASE, POLYGON, type SaleNetwork, SOLANA } from '../../../../src/payment/terms/networks-data.ts';
import { readKeyNetwork } from '../../../../src/payment/ledger/payment-key.ts';
import { recoverAuthorizationSigner } from '../../../../src/payment/terms/authorization-signer.ts';
import type { PricedOffer } from '../../../../src/payment/terms/terms.ts';
import { createPaymentGuard } from '../../../../src/sales/failure-guard.ts';
import { type PurchaseAnswer, refusePayment } from '../../../../src/sales/answer.ts';
import { runOrUnavailable } from '../../../../src/sales/ledger-client.ts';
import { handlePurchase } from '../../../../src/sales/purchase.ts';
import type { ReportMetadata, ReportRecord } from '../../../../src/sales/reports/report-store.ts';
import { memoryLedger } from '../../../sales/model/memory-shards.ts';
import { newPayer, SALT } from '../../../sales/model/money.ts';
import { toolsOf } from '../../../sales/model/tools.ts';
import { PAY_TO } from '../../terms/offer-cases.ts';
import { openChain } from './chain.ts';
import type { RailCase } from './rail-case.ts';
import { openSvmChain } from './svm-chain.ts';
import { SVM_FEE_PAYER, SVM_PAY_TO, toSvmPayer } from './svm-parties.ts';

export const START_MS = 1_800_000_000_000;
export const PRICE = 60_000;
export const BODIES = ['{"of":"one"}', '{"of":"two"}'] as const;

/** What is bought, and how much it costs. */
export type Order = { capability: SoldRow['name']; body: string; microUsdc: number; engine: boolean };
export const ORDER: Order = { capability: 'check_health', body: BODIES[0], microUsdc: PRICE, engine: false };

/** A credential as a buyer holds it. `proof`: the payer's, beside it. */
export type Shown = { carrier: CredentialCarrier; text: string; proof?: string };

export type Tools = Parameters<typeof handlePurchase>[0];

export type BuyOptions = {
  order?: Partial<Order>;
  /** The address that the request comes from. */
  caller?: string;
  /** Changes what this purchase may touch. */
  change?: (tools: Tools) => Tools;
  offer?: Partial<PricedOffer>;
  row?: Partial<SoldRow>;
};

export const DONE: WorkOutcome = { ok: true, result: {}, warnings: [] };
/** What challenges of the shop are made with. */
export const CHALLENGE_SECRET = 'a-secret-of-challenges-of-32-chars';
export const REALM = 'sightline.test';
const realTimeout = globalThis.setTimeout;
let worlds = 0;

export type World = ReturnType<typeof openWorld>;

/**
 * A shop that sells by every rail: the real purchase over the real decisions of the ledger and real SQLite, a chain in memory, and
 * a facilitator that tells the truth about it. Time is the test's: call it between `useWorldClock` hooks.
 */
export function openWorld({ network }: Pick<RailCase, 'network'> = { network: BASE }) {
  worlds += 1;
  const name = `world ${worlds}`;
  const now = (): number => Date.now();
  const nowS = (): number => Math.floor(now() / 1000);
  const evm = openChain(nowS, name);
  const svm = openSvmChain(nowS, evm.state);
  /** The other EVM network, where nothing happens unless a test of several networks makes it. */
  const other = openChain(nowS, `${name} elsewhere`);
  const chains = new Map([
    [BASE.id, network === POLYGON ? other : evm],
    [POLYGON.id, network === POLYGON ? evm : other],
  ] as const);
  const isOnSolana = (id: string | undefined): boolean => id === SOLANA.id;
  const chainOf = (id: string | undefined) => chains.get(id === POLYGON.id ? POLYGON.id : BASE.id) ?? evm;
  /** Money of the payers of a test, on whichever chain its rail moves it. */
  const chain = {
    ...evm,
    setBalance: (address: string, microUsdc: bigint): void =>
      (address.startsWith('0x') ? evm : svm).setBalance(address, microUsdc),
    receivedFrom: (address: string): number => (address.startsWith('0x') ? evm : svm).receivedFrom(address),
  };
  const reports = new Map<string, ReportRecord>();
  const logged: Record<string, unknown>[] = [];
  const ledger = memoryLedger({
    now,
    paidOn: (key) => {
      const id = readKeyNetwork(key);
      return isOnSolana(id)
        ? { chain: neverAsked, svm: svm.reader, payTo: SVM_PAY_TO }
        : { chain: chainOf(id).reader, payTo: PAY_TO };
    },
    dropped: (id) => void reports.delete(id),
    log: (line) => void logged.push({ ...line }),
  });
  const calls = { verify: 0, settle: 0, work: 0 };
  const sightings = createSightings();
  const background: Promise<unknown>[] = [];
  const facilitator: Facilitator = {
    async verify(payment, requirements) {
      calls.verify += 1;
      if (!('authorization' in payment)) return svm.facilitator.verify(payment, requirements);
      const { authorization, signature } = payment;
      const on = chainOf(requirements.network);
      const signer = await recoverAuthorizationSigner(authorization, signature, requireNetwork(requirements));
      if (signer !== authorization.from) return { kind: 'refused', reason: 'invalid_exact_evm_signature' };
      if (on.isUsed(authorization.nonce)) return { kind: 'refused', reason: 'invalid_exact_evm_nonce_already_used' };
      const isCovered = on.balanceOf(authorization.from) >= authorization.value;
      return isCovered
        ? { kind: 'valid', payer: authorization.from }
        : { kind: 'refused', reason: 'insufficient_funds' };
    },
    async settle(payment, requirements) {
      calls.settle += 1;
      if (!('authorization' in payment)) return svm.facilitator.settle(payment, requirements);
      const { authorization } = payment;
      const transaction = chainOf(requirements.network).settle(authorization);
      return transaction === undefined
        ? { kind: 'refused', reason: 'transaction_failed' }
        : { kind: 'settled', transaction, payer: authorization.from };
    },
  };
  /** What the next works come to; then they are done. */
  const works: (() => Promise<WorkOutcome>)[] = [];
  const run = async (): Promise<WorkOutcome> => {
    calls.work += 1;
    return (await works.shift()?.()) ?? DONE;
  };

  function buildTools(caller: string, on: SaleNetwork): Tools {
    const tools = toolsOf({
      caller,
      now,
      chain: isOnSolana(on.id) ? neverAsked : chainOf(on.id).reader,
      shardOf: (text) => Promise.resolve(ledger.shardOf(text)),
      sightings,
      salt: SALT,
      payTo: payToOn(on),
      verify: facilitator.verify,
      settle: facilitator.settle,
      waitUntil: (promise) => void background.push(promise),
      reports: {
        put: async (reportId: string, json: string, about: ReportMetadata) =>
          void reports.set(reportId, { json, storedAtMs: now(), ...about }),
        get: async (reportId: string) => reports.get(reportId),
        delete: async (reportId: string) => void reports.delete(reportId),
      },
    });
    const seller = {
      ...tools.seller,
      network: on,
      on: new Map(SOLD_ON.map(({ id }) => [id, {} as Tools['seller']])), // Only its names are read.
      confirmations: { small: 1, large: 'safe' as const },
      proofFromMicroUsdc: 5_000_000,
    };
    const guard = createPaymentGuard(caller, { limit: async () => ({ success: true }) }, now);
    const node = isOnSolana(on.id) ? { svm: svm.reader } : {};
    return { ...tools, ...node, seller, guard, facilitator, log: (line) => void logged.push(line) };
  }

  /** One request with a credential, from its arrival to its answer. */
  async function buy(shown: Shown, options: BuyOptions = {}): Promise<PurchaseAnswer> {
    const order = { ...ORDER, ...options.order };
    const parsed = await shown.carrier.parse(shown.text);
    const named = parsed.ok ? getNetworkId(parsed.payment) : undefined;
    const on = SOLD_ON.find(({ id }) => id === named) ?? BASE; // As `selectSeller` does.
    const tools = buildTools(options.caller ?? `${name} ${worlds}`, on);
    const url = buildUrl(order.capability);
    const request = new Request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(shown.proof === undefined ? {} : { [PAYER_PROOF_HEADER]: shown.proof }),
      },
      body: order.body,
    });
    const row: SoldRow = {
      name: order.capability,
      priceMicroUsdc: order.microUsdc,
      summary: 'What the table sells',
      body: z.strictObject({ of: z.string() }),
      result: z.strictObject({}),
      worstCaseS: 30,
      engineBacked: order.engine,
      run,
      ...options.row,
    };
    const changed = options.change?.(tools) ?? tools;
    const sale = {
      row,
      offer: { ...buildOffer(order, on), ...options.offer },
      presented: shown,
      parsed,
      policy: allowPublicOnly(),
      engines: () => ({ ok: false as const, detail: 'none' }),
    };
    const answer = await runOrUnavailable(
      () => handlePurchase(changed, request, sale),
      refusePayment('ledger_unavailable'),
    );
    await changed.guard.ended(answer);
    return answer;
  }

  return {
    name,
    network,
    now,
    nowS,
    chain,
    chainOf,
    svm,
    buildOffer: (order: Pick<Order, 'capability' | 'microUsdc'>) => buildOffer(order, network),
    reports,
    ledger,
    logged,
    calls,
    works,
    background,
    facilitator,
    newPayer: (who: string, isContract = false) => {
      const payer = newPayer(`${name} ${who}`, isContract, worlds);
      if (isContract) evm.addWallet(payer);
      return isOnSolana(network.id) ? toSvmPayer(payer) : payer;
    },
    buy: (shown: Shown, options?: BuyOptions) => drive(buy(shown, options)),
    /** The same, not waited for. */
    begin: buy,
    /** Lets time pass, with the ledger's alarm at its end. */
    async pass(ms: number): Promise<void> {
      await vi.advanceTimersByTimeAsync(ms);
      await drive(ledger.alarm());
    },
    stateOf: (text: string, key: string) => ledger.stateOf(text, key),
    /** Another ledger in front of the same shards: what a purchase meets when they fail. */
    withLedger:
      (change: (shard: LedgerShard) => LedgerShard) =>
      (tools: Tools): Tools => ({
        ...tools,
        shardOf: async (text) => {
          const { shard, ledger: found } = await tools.shardOf(text);
          return { shard, ledger: change(found) };
        },
      }),
  };
}

export const buildUrl = (capability: string): string => `https://sightline.test/api/agent/${capability}`;

/** A deployment of these tests sells on all of them. */
const SOLD_ON: readonly SaleNetwork[] = [BASE, POLYGON, SOLANA];
const payToOn = ({ id }: SaleNetwork): string => (id === SOLANA.id ? SVM_PAY_TO : PAY_TO);
const requireNetwork = ({ network }: PaymentRequirements) => (network === POLYGON.id ? POLYGON : BASE);

/** Solana is asked by its own reader. */
const neverAsked = new Proxy({} as ChainReader, {
  get: (_reader, method) => () => Promise.reject(new TypeError(`no EVM chain is asked here: ${String(method)}`)),
});

const buildOffer = (
  { capability, microUsdc }: Pick<Order, 'capability' | 'microUsdc'>,
  on: SaleNetwork,
): PricedOffer => ({
  name: capability,
  description: 'What the table sells',
  url: buildUrl(capability),
  payTo: payToOn(on),
  network: on,
  amountMicroUsdc: microUsdc,
  ...(on === SOLANA
    ? { feePayer: SVM_FEE_PAYER }
    : { challenges: createChallenges([CHALLENGE_SECRET], buildUrl(capability), []) }),
});

/** Waits for work on a clock that stands still: first for what needs no time, then time moves for those that sleep. */
export async function drive<T>(work: Promise<T>): Promise<T> {
  const state = { isDone: false };
  const watched = work.finally(() => {
    state.isDone = true;
  });
  watched.catch(() => undefined); // Whoever waits for `watched` below meets the failure.
  for (let round = 0; round < 400 && !state.isDone; round += 1) {
    for (let turns = 0; turns < 40 && !state.isDone; turns += 1) await takeTurn(turns);
    if (!state.isDone) await vi.advanceTimersByTimeAsync(500);
  }
  if (!state.isDone) throw new Error('nothing moves any more');
  return watched;
}

/** Lets everything get as far as it gets without time. */
export async function settleDown(): Promise<void> {
  for (let turns = 0; turns < 40; turns += 1) await takeTurn(turns);
}

/** Digests are made by other threads: after some turns those are waited for. */
const takeTurn = (turns: number): Promise<void> =>
  new Promise((resolve) => void (turns < 10 ? setImmediate(resolve) : realTimeout(resolve, 1)));

/** The clock of a world, for `beforeEach` and `afterEach`. */
export const startClock = (): void => {
  vi.useFakeTimers({
    now: START_MS + worlds * 7_200_000,
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
};
export const stopClock = (): void => void vi.useRealTimers();

/** A gate in a step: nothing passes before it is opened. */
export function makeGate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** The work of the next purchase finds nothing there. */
export const failWork = (world: World): void =>
  void world.works.push(async () => ({ ok: false, reason: 'target_unreachable', detail: 'x' }));

/** The code of a refusal, or `sold`. */
export const codeOf = (answer: PurchaseAnswer): string => {
  if (answer.kind === 'sold') return 'sold';
  return answer.kind === 'pay_anew' ? answer.reason : answer.problem.code;
};
