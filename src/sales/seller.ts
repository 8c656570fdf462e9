import { howToConfigure, isDemonstration } from '../models/port.ts';
import { ChainUnreachable } from '../payment/chain/chain.ts';
import { buildProblem } from '../problems/codes.ts';
import type { ProblemInput } from '../problems/problem.ts';
import bazaar from '../capabilities/bazaar.generated.json' with { type: 'json' };
import { catalog } from '../capabilities/catalog.ts';
import { creditPacks, packPath, type SoldRow } from '../capabilities/credit-packs.ts';
import { formatPanelPath, panels } from '../capabilities/panels.ts';
import { chooseEngines } from '../models/chosen-engines.ts';
import type { PanelChoice } from '../models/panel.ts';
import { MICRO_USDC_PER_USD, isWellKnownTestAccount, ZERO_ADDRESS } from '../payment/terms/constants.ts';
import { createFacilitatorBudget, type FacilitatorBudget } from '../payment/facilitator/facilitator.ts';
import { selectPlacingSecret } from '../payment/ledger/placing.ts';
import { computePayerProofSalt } from '../payment/rails/transfer/payer-proof.ts';
import { type PaymentRequiredTemplate, prepareTemplate } from '../payment/terms/payment-required.ts';
import { BASE, PAYMENT_NETWORKS, type PaymentNetwork } from '../payment/terms/networks-data.ts';
import type { PricedOffer } from '../payment/terms/terms.ts';
import { type ApiWorkerSettings, isClosedForSale } from './settings.ts';

/** A deployment that can sell: everything about payment that does not change between requests. */
export type Seller = {
  network: PaymentNetwork;
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
  /** By the operator's word nothing is sold now; what was sold is served all the same. */
  isClosed: boolean;
  /** By the name of the row: the catalogue's, the panels and the credit packs. */
  offers: ReadonlyMap<string, { offer: PricedOffer; terms: PaymentRequiredTemplate }>;
};

/** The network that a deployment is paid on. */
export const getPaymentNetwork = ({ PAYMENT_NETWORK }: Pick<ApiWorkerSettings, 'PAYMENT_NETWORK'>): PaymentNetwork =>
  PAYMENT_NETWORKS[PAYMENT_NETWORK ?? BASE.id];

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
  const { PAY_TO: payTo, RPC_URL: rpcUrl, FACILITATOR_URL: facilitatorUrl, LEDGER_SECRET: ledgerSecret } = settings;
  if (!payTo || !rpcUrl || !facilitatorUrl || !ledgerSecret) return undefined;
  if (!local && settings.PAYMENTS_SINCE === undefined) return undefined;
  if (findConfigurationFault({ payTo, rpcUrl, facilitatorUrl }, local)) return undefined;
  const fromUsd = settings.REQUIRE_PAYER_PROOF_ABOVE_USD;
  const seller = {
    network: getPaymentNetwork(settings),
    payTo,
    rpcUrl,
    facilitatorUrl,
    facilitatorAuthorization: settings.FACILITATOR_AUTHORIZATION,
    facilitatorBudget: createFacilitatorBudget(() => Date.now(), settings.FACILITATOR_CALLS_PER_S),
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
    isClosed: isClosedForSale(settings),
  };
  const { BASE_URL } = settings;
  const offers = new Map([
    ...catalog.map((row) => [row.name, buildOffer(row, `${BASE_URL}/api/agent/${row.name}`, seller)] as const),
    ...panels.map((row) => [row.name, buildOffer(row, `${BASE_URL}${formatPanelPath(row)}`, seller)] as const),
    ...creditPacks.map((row) => [row.name, buildOffer(row, `${BASE_URL}${packPath(row)}`, seller)] as const),
  ]);
  return { ...seller, offers };
}

/**
 * What is bought only by its payer costs at least this (micro-USDC). A transfer of as much may be meant for it, so its bare
 * hash buys nothing else either: an onlooker would spend the top-up before its payer proves it (rules P6, P9).
 */
const PAYER_ONLY_FROM = Math.min(
  ...creditPacks.filter((row) => row.forPayerOnly).map(({ priceMicroUsdc }) => priceMicroUsdc),
);

/** From this amount (micro-USDC) on, a transfer needs a payer proof: any stranger can send a bare hash (rule P6). */
export const getProofThreshold = (seller: Pick<Seller, 'proofFromMicroUsdc'>, row: SoldRow): number =>
  row.forPayerOnly ? 0 : seller.proofFromMicroUsdc;

const bazaarBlocks: Readonly<Record<string, unknown>> = bazaar;

function buildOffer(row: SoldRow, url: string, seller: Omit<Seller, 'offers'>) {
  const { name, summary, priceMicroUsdc, previous } = row;
  const offer: PricedOffer = {
    name,
    description: summary,
    url,
    payTo: seller.payTo,
    network: seller.network,
    amountMicroUsdc: priceMicroUsdc,
    ...(previous ? { previous: { amountMicroUsdc: previous.priceMicroUsdc, changedAtMs: previous.changedAtMs } } : {}),
  };
  const { transferMaxAgeS: maxAgeS, confirmations, proofSalt } = seller;
  const transfer = { maxAgeS, confirmations, proofFromMicroUsdc: getProofThreshold(seller, row), proofSalt };
  return { offer, terms: prepareTemplate(offer, { transfer, bazaar: bazaarBlocks[name] }) };
}

export type PaymentConfiguration = {
  payTo: string | undefined;
  facilitatorUrl: string | undefined;
  rpcUrl: string | undefined;
};

/**
 * Why payments cannot be taken with these settings; undefined when they can (rule P8). Outside the local stack both
 * services must be reached by https and not on loopback: else a leftover test chain would be believed.
 * @param local composed by the local entries only, never from a variable.
 */
export function findConfigurationFault(settings: PaymentConfiguration, local: boolean): string | undefined {
  const { payTo, facilitatorUrl, rpcUrl } = settings;
  if (!payTo || !/^0x[0-9a-fA-F]{40}$/.test(payTo)) return 'PAY_TO is not set to an address';
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
  closed?: ProblemInput;
  /** Adds to the body of the answer, once it is sold, what is known only then and is for its buyer: not to a repeat. */
  afterSale?: (body: string) => Promise<string>;
};

export type SaleOutcome = { ok: true; sale: OfferedSale } | { ok: false; problem: ProblemInput };

/** What of a row can be sold here now, by the settings and the answer engine; nothing about any payment is looked at. */
export async function buildOfferedSale(ports: OfferPorts, row: SoldRow): Promise<SaleOutcome> {
  const seller = await getSeller(ports.settings, ports.local);
  const isClosed = seller?.isClosed === true;
  const unmeasured = row.engineBacked && !isClosed ? await refuseMissingEngine(ports, row) : undefined;
  const closed = isClosed ? SALES_CLOSED : unmeasured;
  const terms = seller?.offers.get(row.name);
  if (seller && terms) return { ok: true, sale: { seller, row, ...terms, ...(closed ? { closed } : {}) } };
  return { ok: false, problem: closed ?? buildProblem('not_configured') };
}
