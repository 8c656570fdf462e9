import { type CheckOutcome, defineCheck, type FactsOf, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import {
  hasValue,
  listNodesOfType,
  listProducts,
  listPropertyNodes,
  type SchemaGraph,
  type SchemaNode,
} from '../facts/schema-nodes.ts';

/** Checks of what merchant listings ask of a product that is sold. */
export const merchantChecks = [
  defineCheck({
    id: 'geo.commerce.merchant',
    title: 'Products that are sold say GTIN, returns and shipping',
    failureTitle: 'State GTIN, returns and shipping of products',
    weight: 2,
    grade: 'B',
    why: 'Merchant listings and shopping assistants match a product by its GTIN and compare what returns and delivery cost. Google takes a policy of the organization for all its products. Judged is a Product with a priced offer; each of the three is a third.',
    source: 'https://developers.google.com/search/docs/appearance/structured-data/merchant-listing',
    read: '2026-11-23',
    fix: 'Add gtin (or brand with mpn) to the Product, hasMerchantReturnPolicy to its offer or the organization, and shippingDetails to the offer.',
    capabilities: ['check_schema'],
    needs: ['start', 'jsonLd'],
    judge: judgeMerchant,
  }),
];

const GTINS = ['gtin', 'gtin8', 'gtin12', 'gtin13', 'gtin14', 'isbn'];

type Merchant = { node: SchemaNode; missing: readonly string[] };

function judgeMerchant({ start, jsonLd: { graph } }: FactsOf<'start' | 'jsonLd'>): CheckOutcome {
  const sold = listProducts(graph).filter(({ offers }) => offers.some(({ prices }) => prices.length > 0));
  const merchants = sold.map(({ node, offers }): Merchant => {
    const priced = offers.map((offer) => offer.node);
    return {
      node,
      missing: [
        ...(isIdentified(graph, node) ? [] : ['gtin (or brand with mpn)']),
        ...(hasPolicy(graph, priced) ? [] : ['hasMerchantReturnPolicy']),
        ...(priced.some((offer) => hasValue(graph, offer, 'shippingDetails')) || hasShipping(graph)
          ? []
          : ['shippingDetails']),
      ],
    };
  });
  const [best] = merchants.toSorted((a, b) => a.missing.length - b.missing.length);
  if (!best) return verdict.notApplicable('No Product with a priced offer.');
  const evidence = buildEvidence(start.exchange, { line: best.node.line, excerpt: best.node.types.join(', ') });
  if (best.missing.length === 0) return verdict.pass('GTIN, return policy and shipping are there.', evidence);
  const note = `Missing: ${best.missing.join(', ')}.`;
  return best.missing.length === 3
    ? verdict.fail(note, evidence)
    : verdict.partial(Math.round((1000 * (3 - best.missing.length)) / 3) / 1000, note, evidence);
}

const isIdentified = (graph: SchemaGraph, node: SchemaNode): boolean =>
  GTINS.some((name) => hasValue(graph, node, name)) || (hasValue(graph, node, 'brand') && hasValue(graph, node, 'mpn'));

/** A policy of the offer, of its seller, or of the organization of the page. */
const hasPolicy = (graph: SchemaGraph, offers: readonly SchemaNode[]): boolean =>
  [
    ...offers,
    ...offers.flatMap((offer) => listPropertyNodes(graph, offer, 'seller')),
    ...listOrganizations(graph),
  ].some((node) => hasValue(graph, node, 'hasMerchantReturnPolicy'));

const hasShipping = (graph: SchemaGraph): boolean =>
  listOrganizations(graph).some((node) => hasValue(graph, node, 'hasShippingService'));

const listOrganizations = (graph: SchemaGraph): readonly SchemaNode[] => listNodesOfType(graph, 'Organization');
