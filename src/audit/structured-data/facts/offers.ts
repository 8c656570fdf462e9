import { hasValue, nodesAt, nodesOfType, type SchemaGraph, type SchemaNode, textsAt } from './schema-nodes.ts';

/** Products and offers looked at; a page of more is a catalogue. */
const MAX_PRODUCTS = 50;
const MAX_OFFERS = 50;

export type Priced = { node: SchemaNode; prices: readonly string[]; currency: boolean; availability: boolean };

/** A product (or its variant group) with all that its offers say. */
export type ProductFacts = {
  node: SchemaNode;
  name: boolean;
  image: boolean;
  identified: boolean;
  offers: readonly Priced[];
};

/** Properties that hold an amount, on an offer or on its price specification. */
const PRICES = ['price', 'lowPrice', 'highPrice'] as const;

/** The products that structured data describes, with their offers; nested offers and price specifications are followed. */
export function productsOf(graph: SchemaGraph): readonly ProductFacts[] {
  return nodesOfType(graph, 'Product')
    .slice(0, MAX_PRODUCTS)
    .map((node) => ({
      node,
      name: hasValue(graph, node, 'name'),
      image: hasValue(graph, node, 'image'),
      identified: IDENTIFIERS.some((property) => hasValue(graph, node, property)),
      offers: offersAt(graph, node),
    }));
}

const IDENTIFIERS = ['gtin', 'gtin8', 'gtin12', 'gtin13', 'gtin14', 'isbn', 'mpn', 'sku', 'brand'] as const;

function offersAt(graph: SchemaGraph, node: SchemaNode): readonly Priced[] {
  const direct = nodesAt(graph, node, 'offers');
  const variants = nodesAt(graph, node, 'hasVariant').flatMap((variant) => nodesAt(graph, variant, 'offers'));
  return [...direct, ...variants].slice(0, MAX_OFFERS).map((offer) => priced(graph, offer));
}

/** Offers that belong to no product, e.g. of a service. */
export function looseOffers(graph: SchemaGraph): readonly Priced[] {
  const offers = nodesOfType(graph, 'Offer').slice(0, MAX_OFFERS);
  return offers.map((offer) => priced(graph, offer)).filter(({ prices }) => prices.length > 0);
}

function priced(graph: SchemaGraph, offer: SchemaNode): Priced {
  const within = [offer, ...nodesAt(graph, offer, 'priceSpecification'), ...nodesAt(graph, offer, 'offers')];
  const says = (property: string): boolean => within.some((node) => hasValue(graph, node, property));
  return {
    node: offer,
    prices: within.flatMap((node) => PRICES.flatMap((property) => textsAt(graph, node, property))),
    currency: says('priceCurrency'),
    availability: says('availability'),
  };
}
