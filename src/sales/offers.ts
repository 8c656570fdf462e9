import bazaar from '../capabilities/bazaar.generated.json' with { type: 'json' };
import type { SoldRow } from '../capabilities/credit-packs.ts';
import { soldRoutes } from '../capabilities/sold-routes.ts';
import type { PayloadExtras } from '../payment/facilitator/facilitator.ts';
import { createChallenges } from '../payment/rails/mpp/challenge.ts';
import { type EvmSelling, listSellings, type SellingNetworks, type SvmSelling } from '../payment/terms/network-rows.ts';
import type { SaleNetwork } from '../payment/terms/networks-data.ts';
import {
  describeResource,
  type PaymentRequiredTemplate,
  prepareTemplate,
  type ServiceListing,
} from '../payment/terms/payment-required.ts';
import type { PricedOffer } from '../payment/terms/terms.ts';
import { isSoldOn } from '../payment/terms/sold-on.ts';
import { rememberByNetworks } from './sellers-nodes.ts';

/** A 402 and its challenges. */
type OpenTerms = { terms: PaymentRequiredTemplate } & Pick<PricedOffer, 'challenges'>;

/** An offer with its 402, and what a facilitator lists its route by. */
export type SoldOffer = {
  offer: PricedOffer;
  /** What is open without the networks that nothing is sold on now; undefined where none is left. */
  openWithout: (networkIds: ReadonlySet<string>) => OpenTerms | undefined;
  discovery: PayloadExtras;
};

/** From this amount (micro-USDC) on, a transfer needs a payer proof: any stranger can send a bare hash (rule P6). */
export const getProofThreshold = (seller: { proofFromMicroUsdc: number }, row: SoldRow): number =>
  row.forPayerOnly ? 0 : seller.proofFromMicroUsdc;

/** What is for sale on the network of `seller`; the 402 of each offers it on all of them. */
export const listOffers = (
  baseUrl: string,
  seller: OfferingSeller,
  networks: SellingNetworks & { ok: true },
): ReadonlyMap<string, SoldOffer> =>
  new Map(
    soldRoutes.map(({ row, path }) => [row.name, buildOffer(row, `${baseUrl}${path}`, seller, networks)] as const),
  );

const bazaarBlocks: Readonly<Record<string, unknown>> = bazaar;

/** What the challenges of a deployment are made with. */
type Challenging = { isOff: boolean; realm: string; secrets: readonly [string, ...string[]] };
type OfferingSeller = {
  network: SaleNetwork;
  transferMaxAgeS: number;
  confirmations: { small: number; large: number | 'safe' };
  proofFromMicroUsdc: number;
  proofSalt: string;
  listing: ServiceListing;
  challenging: Challenging;
};

/** A challenge names one network, so there is one for each that knows authorizations. */
function challengeFor(
  url: string,
  amountMicroUsdc: number,
  { isOff, realm, secrets }: Challenging,
  evm: readonly EvmSelling[],
): Pick<PricedOffer, 'challenges'> {
  if (isOff || evm.length === 0) return {};
  const accepted = evm.map(({ network: { chainId, usdc: currency }, payTo: recipient }) => ({
    realm,
    chainId,
    currency,
    recipient,
    amountMicroUsdc,
  }));
  return { challenges: createChallenges(secrets, url, accepted) };
}

function buildOffer(
  row: SoldRow,
  url: string,
  seller: OfferingSeller,
  networks: SellingNetworks & { ok: true },
): SoldOffer {
  const { name, summary, priceMicroUsdc, previous } = row;
  const challenges = challengeFor(url, priceMicroUsdc, seller.challenging, networks.evm);
  const offerOn = ({ payTo, network, ...selling }: EvmSelling | SvmSelling): PricedOffer => ({
    name,
    description: summary,
    url,
    payTo,
    network,
    // Without one no message of Solana fits the terms: a hand-made one for a row that is not offered there is refused, too.
    ...('feePayer' in selling && isSoldOn(network, row) ? { feePayer: selling.feePayer } : {}),
    amountMicroUsdc: priceMicroUsdc,
    ...(previous ? { previous: { amountMicroUsdc: previous.priceMicroUsdc, changedAtMs: previous.changedAtMs } } : {}),
    ...('chainId' in network ? challenges : {}),
  });
  const { transferMaxAgeS: maxAgeS, confirmations, proofSalt, listing } = seller;
  const transfer = { maxAgeS, confirmations, proofFromMicroUsdc: getProofThreshold(seller, row), proofSalt };
  const sellings = listSellings(networks).filter(({ network }) => isSoldOn(network, row));
  const [first] = sellings.map(offerOn);
  const own = listSellings(networks).find(({ network }) => network === seller.network);
  if (first === undefined || own === undefined) throw new TypeError('a seller has no network'); // It has at least one.
  const block = bazaarBlocks[name];
  const layOut = (closed: ReadonlySet<string>): OpenTerms | undefined => {
    const [head, ...others] = sellings.filter(({ network }) => !closed.has(network.id)).map(offerOn);
    if (head === undefined) return undefined;
    // A plain transfer is of the first network.
    const isTransferOpen = !closed.has(networks.first.network.id);
    const terms = prepareTemplate(head, { ...(isTransferOpen ? { transfer } : {}), bazaar: block, listing, others });
    if (closed.size === 0) return { terms, ...challenges };
    const open = networks.evm.filter(({ network }) => !closed.has(network.id));
    return { terms, ...challengeFor(url, priceMicroUsdc, seller.challenging, open) };
  };
  return {
    offer: offerOn(own),
    openWithout: rememberByNetworks(layOut),
    discovery: { resource: describeResource(first, listing), extensions: { bazaar: block } },
  };
}
