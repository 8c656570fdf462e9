import { howToConfigure, isDemonstration } from '../models/port.ts';
import { ChainUnreachable } from '../payment/chain/chain.ts';
import type { IsGenuine } from '../payment/chain/first-blocks.ts';
import { buildProblem } from '../problems/codes.ts';
import type { ProblemInput } from '../problems/problem.ts';
import { creditPacks, type SoldRow } from '../capabilities/credit-packs.ts';
import { buildServiceListing } from '../capabilities/service.ts';
import { chooseEngines } from '../models/chosen-engines.ts';
import type { PanelChoice } from '../models/panel.ts';
import { MICRO_USDC_PER_USD, isWellKnownTestAccount, ZERO_ADDRESS } from '../payment/terms/constants.ts';
import {
  createFacilitatorBudget,
  type FacilitatorBudget,
  type PayloadExtras,
} from '../payment/facilitator/facilitator.ts';
import { selectPlacingSecret } from '../payment/ledger/placing.ts';
import { computePayerProofSalt } from '../payment/rails/transfer/payer-proof.ts';
import type { PaymentRequiredTemplate } from '../payment/terms/payment-required.ts';
import { findSaleNetwork, PAYMENT_NETWORKS, type SaleNetwork } from '../payment/terms/networks-data.ts';
import { getFirstNetwork, listSellings, resolveNetworks } from '../payment/terms/network-rows.ts';
import type { PricedOffer } from '../payment/terms/terms.ts';
import { listOffers, type SoldOffer } from './offers.ts';
import { judgeSellersNodes, refuseUnread } from './sellers-nodes.ts';
import { type ApiWorkerSettings, isClosedForSale } from './settings.ts';
import { loadServiceKeys } from '../statements/service-keys.ts';
import type { ResultSigner } from '../statements/signing-key.ts';

/** A deployment that can sell: everything about payment that does not change between requests. */
export type Seller = {
  /** Where it sells. A deployment on several networks is a seller on each: `on` has them all, this one included. */
  network: SaleNetwork;
  payTo: string;
  rpcUrl: string;
  facilitatorUrl: string;
  facilitatorAuthorization: string | undefined;
  facilitatorBudget: FacilitatorBudget;
  ledgerSecret: string;
  /** Names the shards of payments and the objects of measurements; see `selectPlacingSecret`. */
  placingSecret: string;
  paymentsSinceS: number;
  transferMaxAgeS: number;
  confirmations: { small: number; large: number | 'safe' };
  /** From this amount (micro-USDC) on, price or transfer, a payer proof is needed for what is not for its payer only. */
  proofFromMicroUsdc: number;
  proofSalt: string;
  /** Signs results and receipts; without it they are unsigned. */
  signing?: ResultSigner | undefined;
  /** By the operator's word nothing is sold now; what was sold is served all the same. */
  isClosed: boolean;
  /** By the name of the row: the catalogue's, the panels and the credit packs. */
  offers: ReadonlyMap<string, SoldOffer>;
  /** The seller on each network that is configured, by its name, the first one first. */
  on: ReadonlyMap<string, Seller>;
};

/** The first network that a deployment is paid on. */
export const getPaymentNetwork = getFirstNetwork;

/** So long clients wait before they ask again, in seconds: more than any of ours waits on its own. */
const CLOSED_RETRY_S = 600;
const SALES_CLOSED = buildProblem('capability_unavailable', {
  detail: 'Sales are closed by the operator. No payment is taken; what was bought can still be read',
  next: 'Try again later: the same payment stays good for as long as its own terms say.',
  retryAfterS: CLOSED_RETRY_S,
});

/** The secrets whose publish tokens are good: the one that makes them, and the one before it. */
export const listPublishSecrets = ({
  LEDGER_SECRET,
  LEDGER_SECRET_PREVIOUS,
}: Pick<ApiWorkerSettings, 'LEDGER_SECRET' | 'LEDGER_SECRET_PREVIOUS'>): readonly string[] =>
  [LEDGER_SECRET, LEDGER_SECRET_PREVIOUS].filter((secret) => secret !== undefined);

/** Made sellers, never pending ones: a request must not wait for another request's promise, which may never settle. */
const known = new WeakMap<ApiWorkerSettings, { seller: Seller | undefined }>();

/**
 * The seller of these settings, computed once per isolate; undefined when something is missing or unsafe, which is
 * 503 `not_configured` (rule P8): no payee, a payee whose key everyone knows, or, outside the local stack, no
 * PAYMENTS_SINCE (older transfers would be sold), or an RPC or facilitator that is not https or is this machine.
 */
export async function getSeller(settings: ApiWorkerSettings, local: boolean): Promise<Seller | undefined> {
  const before = known.get(settings);
  if (before) return before.seller;
  const seller = await makeSeller(settings, local);
  const first = known.get(settings) ?? { seller }; // All use the budget of the first.
  known.set(settings, first);
  return first.seller;
}

async function makeSeller(settings: ApiWorkerSettings, local: boolean): Promise<Seller | undefined> {
  const { BASE_URL, LEDGER_SECRET: ledgerSecret } = settings;
  const networks = resolveNetworks(settings);
  if (!networks.ok || !ledgerSecret) return undefined;
  if (!local && settings.PAYMENTS_SINCE === undefined) return undefined;
  if (listSellings(networks).some((selling) => findConfigurationFault(selling, local))) return undefined;
  const fromUsd = settings.REQUIRE_PAYER_PROOF_ABOVE_USD;
  const shared = {
    ledgerSecret,
    placingSecret: selectPlacingSecret({ ...settings, LEDGER_SECRET: ledgerSecret }),
    paymentsSinceS: settings.PAYMENTS_SINCE ?? 0,
    transferMaxAgeS: settings.TRANSFER_MAX_AGE_S,
    confirmations: { small: settings.TRANSFER_CONFIRMATIONS, large: settings.CONFIRMATIONS_ABOVE_1_USD },
    proofFromMicroUsdc: Math.min(
      fromUsd === undefined ? PAYER_ONLY_FROM : Math.round(fromUsd * MICRO_USDC_PER_USD),
      PAYER_ONLY_FROM,
    ),
    proofSalt: await computePayerProofSalt(settings.BASE_URL),
    signing: (await loadServiceKeys(settings)).signer,
    isClosed: isClosedForSale(settings),
  };
  const { LEDGER_SECRET_PREVIOUS: before } = settings;
  const challenging = {
    isOff: settings.MPP === 'off',
    realm: new URL(BASE_URL).hostname,
    secrets: before === undefined ? ([ledgerSecret] as const) : ([ledgerSecret, before] as const),
  };
  const createBudget = () => createFacilitatorBudget(() => Date.now(), settings.FACILITATOR_CALLS_PER_S);
  const budgets = new Map<string, FacilitatorBudget>();
  const on = new Map<string, Seller>();
  for (const selling of listSellings(networks)) {
    const budget = budgets.get(selling.facilitatorUrl) ?? createBudget();
    budgets.set(selling.facilitatorUrl, budget);
    const seller = { ...shared, ...selling, facilitatorBudget: budget };
    const seen = { ...seller, listing: buildServiceListing(BASE_URL), challenging };
    on.set(selling.network.id, { ...seller, offers: listOffers(BASE_URL, seen, networks), on });
  }
  return on.get(networks.first.network.id);
}

/** The networks that a deployment is paid on, and who is paid there; the first one alone where nothing is sold. */
export function listPaidOn(
  settings: ApiWorkerSettings,
): readonly { network: SaleNetwork; payTo: string | undefined }[] {
  const networks = resolveNetworks(settings);
  if (!networks.ok) return [{ network: getFirstNetwork(settings), payTo: settings.PAY_TO }];
  // The first payee is spelt as its setting is.
  return listSellings(networks).map(({ network, payTo }) => ({
    network,
    payTo: payTo === networks.first.payTo ? settings.PAY_TO : payTo,
  }));
}

/**
 * The seller that a payment for this network is judged by. Where a network is not configured, or not any more, it is one that
 * asks no node and sells nothing: what was sold there is still its buyer's. Undefined for a network that is none of ours.
 */
export function selectSeller(first: Seller, networkId: string | undefined): Seller | undefined {
  const configured = networkId === undefined ? first : first.on.get(networkId);
  if (configured !== undefined) return configured;
  const network = findSaleNetwork(networkId ?? '');
  // What was bought with USDC of a test network is never served where real money pays.
  if (network?.kind !== first.network.kind) return undefined;
  return { ...first, network, rpcUrl: '', facilitatorUrl: '', isClosed: true };
}

/** Whether a seller is one of a network that is configured. */
export const isConfigured = ({ on, network }: Pick<Seller, 'on' | 'network'>): boolean => on.has(network.id);

/**
 * What is bought only by its payer costs at least this (micro-USDC). A transfer of as much may be meant for it, so its bare
 * hash buys nothing else either: an onlooker would spend the top-up before its payer proves it (rules P6, P9).
 */
const PAYER_ONLY_FROM = Math.min(
  ...creditPacks.filter((row) => row.forPayerOnly).map(({ priceMicroUsdc }) => priceMicroUsdc),
);

export type PaymentConfiguration = {
  payTo: string | undefined;
  facilitatorUrl: string | undefined;
  rpcUrl: string | undefined;
  /** An EVM network where none is named. */
  network?: SaleNetwork;
};

/**
 * Why payments cannot be taken with these settings; undefined when they can (rule P8). Outside the local stack both
 * services must be reached by https and not on loopback: else a leftover test chain would be believed.
 * @param local composed by the local entries only, never from a variable.
 */
export function findConfigurationFault(settings: PaymentConfiguration, local: boolean): string | undefined {
  const { payTo, facilitatorUrl, rpcUrl, network = PAYMENT_NETWORKS['eip155:8453'] } = settings;
  const isEvm = 'chainId' in network; // The form of other addresses is judged where they are read.
  if (!payTo || (isEvm && !/^0x[0-9a-fA-F]{40}$/.test(payTo))) return 'PAY_TO is not set to an address';
  if (payTo === ZERO_ADDRESS) return 'PAY_TO is the zero address';
  if (isWellKnownTestAccount(payTo)) return 'PAY_TO is a test account whose key everyone knows';
  return findUrlFault('FACILITATOR_URL', facilitatorUrl, local) ?? findUrlFault('RPC_URL', rpcUrl, local);
}

function findUrlFault(name: string, value: string | undefined, local: boolean): string | undefined {
  if (!value || !URL.canParse(value)) return `${name} is not set to a URL`;
  const { protocol, hostname } = new URL(value);
  if (local) return undefined;
  if (protocol !== 'https:') return `${name} is not https`;
  return isLoopback(hostname) ? `${name} is on loopback` : undefined;
}

/** Host names as `URL` writes them: it turns every spelling of 127.0.0.1 into this one. */
const isLoopback = (hostname: string): boolean =>
  /^(127\.|0\.0\.0\.0$|\[::1?\]$|\[::ffff:7f)/.test(hostname) || /(^|\.)localhost\.?$/.test(hostname);

/** What decides whether a row can be sold here. */
export type OfferPorts = {
  settings: ApiWorkerSettings;
  /** Only the entry of the local stack sets it. */
  local: boolean;
  /** The answer engines of this deployment, or what is missing for one. */
  engines: () => PanelChoice;
  openChain: (rpcUrl: string) => { isRealBase: () => Promise<boolean> };
  isGenuine: IsGenuine;
  now: () => number;
  /** Keeps the Worker alive until the promise settles. */
  waitUntil: (promise: Promise<unknown>) => void;
};

/** By RPC: whether its chain is the one where USDC is money. A deployment has one, and a chain keeps its first block. */
const realBase = new Map<string, boolean>();

/**
 * Why nothing can be measured now, before any payment is looked at: no engine is configured, or one that is not an AI
 * model is configured where real money flows (rule P8: the chain's first block decides, never a variable).
 */
async function refuseMissingEngine(
  { settings, engines, openChain }: OfferPorts,
  { engineCount = 1 }: SoldRow,
): Promise<ProblemInput | undefined> {
  const choice = engines();
  if (!choice.ok)
    return buildProblem('engine_not_configured', {
      detail: choice.detail,
      howToConfigure,
    });
  const chosen = chooseEngines(choice.engines, { count: engineCount });
  if (!chosen.ok) return buildProblem('engine_not_configured', { detail: chosen.detail, howToConfigure });
  const demonstration = choice.engines.find(isDemonstration);
  if (demonstration === undefined) return undefined;
  const isReal = await isRealBase(settings.RPC_URL, openChain);
  if (isReal === undefined)
    return buildProblem('capability_unavailable', {
      detail: 'The chain cannot be read',
    });
  if (!isReal) return undefined;
  const detail = `The ${demonstration.kind} engine is for demonstrations: it is not sold for real money`;
  return buildProblem('engine_not_configured', { detail, howToConfigure });
}

/** Undefined where this cannot be determined now. */
async function isRealBase(
  rpcUrl: string | undefined,
  openChain: OfferPorts['openChain'],
): Promise<boolean | undefined> {
  if (rpcUrl === undefined) return undefined;
  const found = realBase.get(rpcUrl);
  if (found !== undefined) return found;
  try {
    const isReal = await openChain(rpcUrl).isRealBase();
    realBase.set(rpcUrl, isReal);
    return isReal;
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
    return undefined;
  }
}

/** A row that can be sold: its offer, its terms, and, where nothing new is sold now, why. */
export type OfferedSale = {
  seller: Seller;
  row: SoldRow;
  offer: PricedOffer;
  terms: PaymentRequiredTemplate;
  discovery: PayloadExtras;
  /** Networks on which nothing new is sold now: their nodes did not show that they serve them. */
  unread: ReadonlySet<string>;
  closed?: ProblemInput;
  /** Adds to the body of the answer, once it is sold, what is known only then and is for its buyer: not to a repeat. */
  afterSale?: (body: string) => Promise<string>;
};

export type SaleOutcome = { ok: true; sale: OfferedSale } | { ok: false; problem: ProblemInput };

/** What of a row can be sold here now, by the settings and the answer engine; nothing about any payment is looked at. */
export async function buildOfferedSale(ports: OfferPorts, row: SoldRow): Promise<SaleOutcome> {
  const seller = await getSeller(ports.settings, ports.local);
  const nodes = seller && (await judgeSellersNodes(ports, seller));
  if (nodes?.ok === false) return nodes;
  const isClosed = seller?.isClosed === true;
  const unmeasured = row.engineBacked && !isClosed ? await refuseMissingEngine(ports, row) : undefined;
  const sold = seller?.offers.get(row.name);
  if (!seller || !nodes || !sold) {
    const closed = isClosed ? SALES_CLOSED : unmeasured;
    return { ok: false, problem: closed ?? refuseUnconfigured(ports.settings) };
  }
  const { unread } = nodes;
  const open = sold.openWithout(unread);
  const laidOut = open ?? sold.openWithout(new Set());
  if (laidOut === undefined) throw new TypeError('a row has no terms'); // It is offered on the first network at least.
  const { terms, challenges } = laidOut;
  const unsold = unmeasured ?? (open === undefined ? refuseUnread(unread) : undefined);
  const closed = isClosed ? SALES_CLOSED : unsold;
  const { challenges: _all, ...unchallenged } = sold.offer;
  const offer = { ...unchallenged, ...(challenges === undefined ? {} : { challenges }) };
  const { discovery } = sold;
  return { ok: true, sale: { seller, row, offer, terms, discovery, unread, ...(closed ? { closed } : {}) } };
}

/** Why nothing is configured is said only of the list of networks: it names no value. */
function refuseUnconfigured(settings: ApiWorkerSettings): ProblemInput {
  const networks = settings.PAYMENT_NETWORKS === undefined ? undefined : resolveNetworks(settings);
  return networks?.ok === false && networks.detail.startsWith('PAYMENT_NETWORKS')
    ? buildProblem('not_configured', { detail: networks.detail })
    : buildProblem('not_configured');
}
