import type { PageFacts } from '../../audit/page/facts/page-facts.ts';
import { getJsonLd } from '../../audit/structured-data/facts/json-ld.ts';
import { findBestOrganization } from '../../audit/structured-data/facts/organization.ts';
import {
  listLooseOffers,
  listMainProducts,
  listNodesOfType,
  listPropertyNodes,
  listPropertyTexts,
  type SchemaGraph,
  type SchemaNode,
} from '../../audit/structured-data/facts/schema-nodes.ts';
import { cleanSiteText, normaliseOwnUrl } from './safe-site.ts';

/**
 * What a site may state in a form that programs read: `name` and `legal_name` of the organisation, the year it was
 * `founded`, its `address`, the `area` it serves, how to `contact` it, a `price` with currency, the `price_page`, the
 * `author` of a page and the day of its last change, `modified`.
 */
export const ownFactKinds = [
  'name',
  'legal_name',
  'founded',
  'address',
  'area',
  'contact',
  'price',
  'price_page',
  'author',
  'modified',
] as const;

export type OwnFactKind = (typeof ownFactKinds)[number];

/** A fact and the page that states it. */
export type OwnFact = { kind: OwnFactKind; text: string; from: string };

const MAX_FACT_CHARS = 120;
/** Prices that are named one by one: more of them are a catalogue. */
const MAX_PRICES = 3;
const MAX_AREAS = 5;

/** What the structured data and the links of a page state. */
export function listOwnFacts(page: PageFacts, from: string, start: URL): readonly OwnFact[] {
  const { graph } = getJsonLd(page);
  const organization = findBestOrganization(graph)?.node;
  const stated: readonly (readonly [OwnFactKind, string | undefined])[] = [
    ...(organization ? listOrganizationFacts(graph, organization) : []),
    ['contact', listContacts(page, graph, organization)],
    ['price', describePrices(graph)],
    ['price_page', findPricePage(page, start)],
    ['author', findAuthor(graph)],
    ['modified', findModifiedDay(graph)],
  ];
  return stated.flatMap(([kind, given]) => {
    const text = kind === 'price_page' ? (given ?? '') : cleanSiteText(given ?? '', MAX_FACT_CHARS);
    return text === '' || text.endsWith('…') ? [] : [{ kind, text, from }];
  });
}

type Stated = readonly (readonly [OwnFactKind, string | undefined])[];

function listOrganizationFacts(graph: SchemaGraph, node: SchemaNode): Stated {
  const getFirst = (property: string): string | undefined => listPropertyTexts(graph, node, property)[0];
  const founded = /^(\d{4})(?:-\d{2}(?:-\d{2})?)?$/u.exec(getFirst('foundingDate') ?? '');
  return [
    ['name', getFirst('name')],
    ['legal_name', getFirst('legalName')],
    ['founded', founded?.[1]],
    ['address', formatAddress(graph, node)],
    ['area', listAreas(graph, node)],
  ];
}

const ADDRESS_PARTS = ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry'] as const;

/** `Hafenweg 4, 20457, Hamburg, DE`: the parts as they are stated, in this order. */
function formatAddress(graph: SchemaGraph, node: SchemaNode): string | undefined {
  const [place] = listPropertyNodes(graph, node, 'address');
  if (place === undefined) return listPropertyTexts(graph, node, 'address')[0];
  return ADDRESS_PARTS.flatMap((part) => listNames(graph, place, part).slice(0, 1)).join(', ');
}

/** Texts of a property, or the names of the nodes there. */
const listNames = (graph: SchemaGraph, node: SchemaNode, property: string): readonly string[] => {
  const nodes = listPropertyNodes(graph, node, property);
  return nodes.length > 0
    ? nodes.flatMap((one) => listPropertyTexts(graph, one, 'name').slice(0, 1))
    : listPropertyTexts(graph, node, property);
};

const listAreas = (graph: SchemaGraph, node: SchemaNode): string =>
  listNames(graph, node, 'areaServed').slice(0, MAX_AREAS).join(', ');

const EMAIL = /^[\w.+-]{1,64}@[\w.-]{1,190}\.[a-z]{2,24}$/iu;
const TELEPHONE = /^\+?[\d().\s-]{5,24}$/u;

/** The address and the number by which customers reach the owner: of its structured data, else of a link. */
function listContacts(page: PageFacts, graph: SchemaGraph, organization: SchemaNode | undefined): string {
  const nodes = [...listNodesOfType(graph, 'ContactPoint'), ...(organization ? [organization] : [])];
  const find = (property: string, scheme: RegExp, form: RegExp): string | undefined =>
    [
      ...nodes.flatMap((node) => listPropertyTexts(graph, node, property)),
      ...page.anchors.flatMap(({ rawHref, hidden }) => (hidden === undefined ? [rawHref.trim()] : [])),
    ]
      .map((text) => (scheme.test(text) ? (text.replace(scheme, '').split('?')[0] ?? '') : text))
      .find((text) => form.test(text));
  const email = find('email', /^mailto:/iu, EMAIL);
  const telephone = find('telephone', /^tel:/iu, TELEPHONE);
  return [email, telephone].filter((text) => text !== undefined).join(', ');
}

/** `9.00 EUR (Basic), 19.00 EUR (Team)`: amounts and currencies as they are stated. Nothing for a catalogue. */
function describePrices(graph: SchemaGraph): string | undefined {
  const offers = [
    ...listMainProducts(graph).flatMap(({ node, offers: own }) => own.map((offer) => ({ offer, about: node }))),
    ...listLooseOffers(graph).map((offer) => ({ offer, about: undefined })),
  ];
  const priced = offers.flatMap(({ offer, about }) => {
    const currency = listPropertyTexts(graph, offer.node, 'priceCurrency')[0] ?? '';
    const amount = listPropertyTexts(graph, offer.node, 'price')[0] ?? '';
    if (!/^[A-Z]{3}$/u.test(currency) || !/^\d{1,9}(?:[.,]\d{1,3})?$/u.test(amount)) return [];
    const named = [offer.node, ...(about ? [about] : [])].flatMap((node) => listPropertyTexts(graph, node, 'name'));
    return [{ amount: `${amount} ${currency}`, name: named[0] ?? '' }];
  });
  if (priced.length === 0 || priced.length > MAX_PRICES) return undefined;
  return priced.map(({ amount, name }) => (name === '' ? amount : `${amount} (${name})`)).join(', ');
}

const PRICE_PATH = /\/(?:pricing|prices|plans|preise|tarifs|precios|prezzi|prijzen)(?:\.html?)?\/?$/iu;

function findPricePage(page: PageFacts, start: URL): string | undefined {
  const own = page.anchors.flatMap(({ href }) => normaliseOwnUrl(href, start) ?? []);
  return own.find((href) => PRICE_PATH.test(new URL(href).pathname));
}

function findAuthor(graph: SchemaGraph): string | undefined {
  const works = [...listNodesOfType(graph, 'Article'), ...listNodesOfType(graph, 'WebPage')];
  return works.flatMap((work) => listNames(graph, work, 'author')).find((name) => !/^(?:https?:|_:|#)/iu.test(name));
}

function findModifiedDay(graph: SchemaGraph): string | undefined {
  const works = [...listNodesOfType(graph, 'Article'), ...listNodesOfType(graph, 'WebPage')];
  return works
    .flatMap((work) => listPropertyTexts(graph, work, 'dateModified'))
    .flatMap((text) => /^\d{4}-\d{2}-\d{2}/u.exec(text)?.[0] ?? [])[0];
}
