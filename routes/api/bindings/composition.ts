import type { FetchLimits } from '../../../src/net/fetch-budget.ts';
import type { GuardedFetch } from '../../../src/net/fetched.ts';
import type { AuditRoom } from '../../../src/net/held-bytes.ts';
import { formatBotUserAgent, createGuardedFetch, type GuardedFetchOptions } from '../../../src/net/guarded-fetch.ts';
import { type ChainReader, createSilentChain } from '../../../src/payment/chain/chain.ts';
import { TRUST_OBJECT } from '../../../src/payment/facilitator/trust.ts';
import { createFacilitator, type Facilitator } from '../../../src/payment/facilitator/facilitator.ts';
import { computeSha256Hex } from '../../../src/lib/digest.ts';
import { MICRO_USDC_PER_USD } from '../../../src/payment/terms/constants.ts';
import type { LedgerShard } from '../../../src/payment/ledger/protocol.ts';
import { PLACING_OBJECT, type PlacingMemory, requirePlacing } from '../../../src/payment/ledger/placing.ts';
import { computeShardName } from '../../../src/payment/ledger/payment-key.ts';
import {
  type AccountCodes,
  createAccountCodes,
  createSightings,
  type Sightings,
} from '../../../src/payment/chain/chain-memory.ts';
import { createUnverifiedChecks } from '../../../src/payment/facilitator/unverified-checks.ts';
import { createSvmReader, type SvmReader } from '../../../src/payment/chain/svm-chain.ts';
import { createChainReader } from '../../../src/payment/chain/viem-chain.ts';
import type { AppContext, AppOptions } from '../context.ts';
import { logLine, traceStep } from '../../shared/telemetry.ts';
import { recordCreditPledge } from '../../../src/sales/credit-accounts.ts';
import { createRequestSigner } from '../../../src/bot/sign-request.ts';
import { createBoundBrowser } from './browser.ts';
import { createCreditAccounts } from './credit-account.ts';
import { getAuthorizationStore } from './people-store.ts';
import { registerCreditCall } from './console/console-counters.ts';
import { getAnswerEngines } from './engine.ts';
import type { ApiWorkerSettings } from '../../../src/sales/settings.ts';
import type { Env } from './env.ts';
import { chooseOrderEngines, computeOrderUsd } from '../../../src/sales/order-engines.ts';
import { createMeasurer, runObjectName } from '../../../src/sales/measurement.ts';
import type { VisibilityRunObject } from '../../../src/visibility/run/run.ts';
import { createLedgerClient, reach } from '../../../src/sales/ledger-client.ts';
import { publishSold } from '../../../src/sales/reports/published-store.ts';
import { reportStore } from '../../../src/sales/reports/report-store.ts';
import type { PaymentNetwork, SaleNetwork } from '../../../src/payment/terms/networks-data.ts';
import { getPaymentNetwork, type Seller } from '../../../src/sales/seller.ts';
import {
  type EngineMeterTool,
  type PurchaseFollower,
  type PurchaseTools,
  type SalesPorts,
  type TrustMemory,
  createTrustTool,
} from '../../../src/sales/tools.ts';
import { createTargetEntrance, createTargetPlaces } from './target-places.ts';

/** Memory of this isolate: it saves calls and guards load, and nothing about money rests on it. */
/** By network: an address that is a contract on one may be a key on another, and a hash is of one chain. */
const memories = new Map<string, ChainMemory>();
type ChainMemory = { accountCodes: AccountCodes; sightings: Sightings };
const unverifiedChecks = createUnverifiedChecks();
const placed: PlacingMemory = new Set();
/** Until it has asked, an isolate reads receipts. */
const trustMemory: TrustMemory = { isDistrusted: true, askedAtMs: Number.NEGATIVE_INFINITY };
/** A call to the RPC while a buyer waits. */
const RPC_TIMEOUT_MS = 5_000;
/** The one object that counts engine money which is not paid yet. */
export const ENGINE_METER_NAME = 'engine-meter';

/** One request as the steps of a purchase know it, whichever door it came through. */
export type RequestScope = {
  env: Env;
  settings: ApiWorkerSettings;
  requestId: string;
  /** Keeps the Worker alive until the promise settles. */
  waitUntil: (promise: Promise<unknown>) => void;
};

/** The scope of a request that came by HTTP. */
export const buildRequestScope = (c: AppContext): RequestScope => ({
  env: c.env,
  settings: c.get('settings'),
  requestId: c.get('requestId'),
  waitUntil: (promise) => c.executionCtx.waitUntil(promise),
});

/** Counts what is read for an audit; see `AuditRoom`. */
export type ReadBudget = { hold: (bytes: number) => boolean };

/** What of this Worker the services that sell work with. */
export function createSalesPorts(scope: RequestScope, options: AppOptions): SalesPorts {
  const { env, settings, requestId, waitUntil } = scope;
  const log = (event: Record<string, unknown>): void => logLine({ request_id: requestId, ...event });
  return {
    settings,
    local: options.local,
    engines: () => getAnswerEngines(env, options),
    openChain: (rpcUrl) =>
      createChainReader({ rpcUrl, timeoutMs: RPC_TIMEOUT_MS, network: getPaymentNetwork(settings) }),
    isGenuine: ({ rpcUrl, network }) => openNode(rpcUrl, network).isGenuine(),
    toolsOf: (seller, given) => createPurchaseTools(scope, options, seller, given),
    policy: options.policy(env),
    credits: createCreditAccounts(env, log),
    registerCreditCall: (capability, microUsdc) => registerCreditCall(env, log, capability, microUsdc),
    failedPayments: env.FAILED_PAYMENT_LIMIT,
    now: Date.now,
    waitUntil,
  };
}

/** Binds one request's purchase to the Worker: the only place where bindings, clock and global fetch meet the steps. */
function createPurchaseTools(
  scope: RequestScope,
  options: AppOptions,
  seller: Seller,
  { watcher, signal, room }: PurchaseFollower & { room: AuditRoom },
): PurchaseTools {
  const { env, settings, requestId } = scope;
  const places = createTargetPlaces(env, requestId, 'paid');
  const authorization = seller.facilitatorAuthorization;
  const log = (event: Record<string, unknown>): void => logLine({ request_id: requestId, ...event });
  const step: PurchaseTools['timed'] = (name, work) => traceStep(requestId, name, 'INTERNAL', work);
  return {
    seller,
    shardOf: async (text) => {
      await reach(log, 'placing', () =>
        requirePlacing(seller.placingSecret, () => env.PAYMENT_LEDGER.getByName(PLACING_OBJECT), placed, log),
      );
      const shard = await computeShardName(seller.placingSecret, text);
      const stub = env.PAYMENT_LEDGER.getByName(shard) as unknown as LedgerShard; // The class implements it.
      const ledger = createLedgerClient(stub, log);
      return { shard, ledger: { ...ledger, claim: (request) => step('claim', () => ledger.claim(request)) } };
    },
    reports: reportStore(env.REPORTS, Date.now),
    facilitator: traceFacilitator(
      requestId,
      createFacilitator({
        url: seller.facilitatorUrl,
        fetch: (input, init) => fetch(input, init),
        budget: seller.facilitatorBudget,
        ...(authorization === undefined ? {} : { authHeaders: async () => ({ authorization }) }),
      }),
    ),
    trust: createTrustTool(() => env.PAYMENT_LEDGER.getByName(TRUST_OBJECT), trustMemory, { now: Date.now, log }),
    facilitatorIsBusy: () => seller.facilitatorBudget.isTight(),
    chain: openSellersChain(seller),
    svm: openSvm(seller),
    ...getMemory(seller.network),
    unverifiedChecks,
    measurerOf: async (paymentKey, { row, input, fingerprint }) => {
      const configured = getAnswerEngines(env, options);
      const chosen = configured.ok ? chooseOrderEngines(configured.engines, row, input) : configured;
      if (!chosen.ok) return undefined;
      const object = await runObjectName(seller.placingSecret, paymentKey, fingerprint);
      const open = (name: string) => env.VISIBILITY_RUN.getByName(name) as unknown as VisibilityRunObject; // The class implements it.
      const { engines } = chosen;
      const all = configured.ok ? configured.engines : engines;
      return createMeasurer(object, { open, settings, engines, configured: all, capability: row.name });
    },
    meter: createEngineMeterTool(env, options, settings, log),
    publish: (reportId) => publishSold(env.REPORTS, reportId, Date.now),
    room,
    topUp: (payer, pledge) => recordCreditPledge(createCreditAccounts(env, log), log, payer, pledge),
    isShutOut: (payer) => reach(log, 'isWalletShutOut', () => getAuthorizationStore(env).isWalletShutOut(payer)),
    ...(watcher === undefined ? {} : { watcher }),
    ...(signal === undefined ? {} : { signal }),
    work: {
      newRewriter: () => new HTMLRewriter(),
      atTarget: createTargetEntrance(places),
      guardedFetch: (_url, limits) => {
        const { hold } = room;
        // With limits of its own it reads parts of a page, which come from anywhere: no site moves by them.
        return limits === undefined
          ? createWorkerFetch(env, settings, options, {}, { mayMoveTo: places.mayMoveTo, hold })
          : createWorkerFetch(env, settings, options, limits, { hold });
      },
      ...(env.BROWSER === undefined ? {} : { openBrowser: createBoundBrowser(env.BROWSER) }),
    },
    now: Date.now,
    waitUntil: scope.waitUntil,
    timed: step,
    log,
  };
}

/** The calls that go out to the facilitator, each with a span. */
const traceFacilitator = (requestId: string, facilitator: Facilitator): Facilitator => ({
  verify: (...given) => traceStep(requestId, 'verify', 'CLIENT', () => facilitator.verify(...given)),
  settle: (...given) => traceStep(requestId, 'settle', 'CLIENT', () => facilitator.settle(...given)),
});

/** A guarded fetch of its own for URLs that a stranger named: audits, client metadata documents. */
export const createWorkerFetch = (
  env: Env,
  settings: ApiWorkerSettings,
  options: AppOptions,
  limits: Partial<FetchLimits>,
  more: Pick<GuardedFetchOptions, 'signal' | 'mayMoveTo' | 'hold'> = {},
): GuardedFetch =>
  createGuardedFetch({
    fetch: (url, init) => fetch(url, init),
    policy: options.policy(env),
    clock: Date.now,
    userAgent: formatBotUserAgent(settings.BASE_URL),
    sign: createRequestSigner(settings, settings.BASE_URL, Date.now),
    limits,
    ...more,
  });

/** The one object that counts engine money which is not paid yet. What it is asked about stays a secret of its own. */
function createEngineMeterTool(
  env: Env,
  options: AppOptions,
  settings: ApiWorkerSettings,
  log: (event: Record<string, unknown>) => void,
): EngineMeterTool {
  const inMicroUsd = (usd: number): number => Math.round(usd * MICRO_USDC_PER_USD);
  const limitMicroUsd = inMicroUsd(settings.UNPAID_ENGINE_USD_PER_HOUR);
  const meter = () => env.ENGINE_METER.getByName(ENGINE_METER_NAME);
  return {
    reserve: (key, { row, input }, isPrepaid) =>
      reach(log, 'meter.reserve', async () => {
        const configured = getAnswerEngines(env, options);
        const chosen = configured.ok ? chooseOrderEngines(configured.engines, row, input) : configured;
        const usd = chosen.ok ? computeOrderUsd(chosen.engines, input) : settings.ANSWER_ENGINE_USD_PER_RUN;
        const limit = isPrepaid ? Number.MAX_SAFE_INTEGER : limitMicroUsd;
        return meter().reserve(await computeSha256Hex(key), inMicroUsd(usd), limit);
      }),
    paid: (key) => reach(log, 'meter.paid', async () => meter().paid(await computeSha256Hex(key))),
  };
}

/** By address: a deployment has one for each network that it sells on. */
const readers = new Map<string, { network: PaymentNetwork; chain: ChainReader }>();
/** More addresses than an isolate's settings ever name. */
const MAX_READERS = 8;

/** One reader per isolate and node: it checks the chain id once. */
export function getChainReader(rpcUrl: string, network: PaymentNetwork): ChainReader {
  const known = readers.get(rpcUrl);
  if (known?.network === network) return known.chain;
  if (readers.size >= MAX_READERS) readers.clear();
  const chain = createChainReader({ rpcUrl, network, timeoutMs: RPC_TIMEOUT_MS });
  readers.set(rpcUrl, { network, chain });
  return chain;
}

const openNode = (rpcUrl: string, network: SaleNetwork) =>
  'chainId' in network
    ? createChainReader({ rpcUrl, network, timeoutMs: RPC_TIMEOUT_MS })
    : createSvmReader({ rpcUrl, network, timeoutMs: RPC_TIMEOUT_MS, fetch: (input, init) => fetch(input, init) });

/** A reader of Solana, where that is the network of the seller's payments. */
const openSvm = ({ rpcUrl, network, on }: Seller): SvmReader | undefined =>
  !('chainId' in network) && on.has(network.id)
    ? createSvmReader({ rpcUrl, network, timeoutMs: RPC_TIMEOUT_MS, fetch: (input, init) => fetch(input, init) })
    : undefined;

/** The chain that a seller's payments are on; one that answers nothing where its network is not configured (any more). */
const openSellersChain = ({ rpcUrl, network, on }: Seller): ChainReader =>
  on.has(network.id) && 'chainId' in network ? getChainReader(rpcUrl, network) : createSilentChain(network.id);

function getMemory({ id }: SaleNetwork): ChainMemory {
  const memory = memories.get(id) ?? { accountCodes: createAccountCodes(), sightings: createSightings() };
  memories.set(id, memory);
  return memory;
}
