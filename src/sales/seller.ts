import bazaar from '../capabilities/bazaar.generated.json' with { type: 'json' };
import { catalog } from '../capabilities/catalog.ts';
import { creditPacks, packPath, type SoldRow } from '../capabilities/credit-packs.ts';
import { findConfigurationFault } from '../payment/terms/configuration.ts';
import { MICRO_USDC_PER_USD } from '../payment/terms/constants.ts';
import { createFacilitatorBudget, type FacilitatorBudget } from '../payment/facilitator/facilitator.ts';
import { computePayerProofSalt } from '../payment/terms/payer-proof.ts';
import { type PaymentRequiredTemplate, prepareTemplate } from '../payment/terms/payment-required.ts';
import type { PricedOffer } from '../payment/terms/requirements.ts';
import type { ApiWorkerSettings } from './settings.ts';

/** A deployment that can sell: everything about payment that does not change between requests. */
export type Seller = {
  payTo: string;
  rpcUrl: string;
  facilitatorUrl: string;
  facilitatorAuthorization: string | undefined;
  facilitatorBudget: FacilitatorBudget;
  ledgerSecret: string;
  paymentsSinceS: number;
  transferMaxAgeS: number;
  confirmations: { small: number; large: number | 'safe' };
  /** From this amount (micro-USDC) on, price or transfer, a payer proof is needed for what is not for its payer only. */
  proofFromMicroUsdc: number;
  proofSalt: string;
  /** By the name of the row: the catalogue's and the credit packs. */
  offers: ReadonlyMap<string, { offer: PricedOffer; terms: PaymentRequiredTemplate }>;
};

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
    payTo,
    rpcUrl,
    facilitatorUrl,
    facilitatorAuthorization: settings.FACILITATOR_AUTHORIZATION,
    facilitatorBudget: createFacilitatorBudget(() => Date.now(), settings.FACILITATOR_CALLS_PER_S),
    ledgerSecret,
    paymentsSinceS: settings.PAYMENTS_SINCE ?? 0,
    transferMaxAgeS: settings.TRANSFER_MAX_AGE_S,
    confirmations: { small: settings.TRANSFER_CONFIRMATIONS, large: settings.CONFIRMATIONS_ABOVE_1_USD },
    proofFromMicroUsdc: Math.min(
      fromUsd === undefined ? PAYER_ONLY_FROM : Math.round(fromUsd * MICRO_USDC_PER_USD),
      PAYER_ONLY_FROM,
    ),
    proofSalt: await computePayerProofSalt(settings.BASE_URL),
  };
  const { BASE_URL } = settings;
  const offers = new Map([
    ...catalog.map((row) => [row.name, buildOffer(row, `${BASE_URL}/api/agent/${row.name}`, seller)] as const),
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
    amountMicroUsdc: priceMicroUsdc,
    ...(previous ? { previous: { amountMicroUsdc: previous.priceMicroUsdc, changedAtMs: previous.changedAtMs } } : {}),
  };
  const { transferMaxAgeS: maxAgeS, confirmations, proofSalt } = seller;
  const transfer = { maxAgeS, confirmations, proofFromMicroUsdc: getProofThreshold(seller, row), proofSalt };
  return { offer, terms: prepareTemplate(offer, { transfer, bazaar: bazaarBlocks[name] }) };
}
