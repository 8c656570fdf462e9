import type { PageFacts } from '../../audit/page/facts/page-facts.ts';
import { getJsonLd } from '../../audit/structured-data/facts/json-ld.ts';
import { findBestOrganization } from '../../audit/structured-data/facts/organization.ts';
import {
  listLooseOffers,
  listMainProducts,
  listPropertyNodes,
  listPropertyTexts,
  type SchemaGraph,
  type SchemaNode,
} from '../../audit/structured-data/facts/schema-nodes.ts';
import { isSameOwner } from '../../audit/reach/facts/urls.ts';
import { cleanSiteText, normaliseOwnUrl } from './safe-site.ts';

/**
 * What a site may state in a form that programs read: the `legal_name` of its own organisation, the year it was `founded`,
 * its `address`, the `area` it serves, how to `contact` it; a `price` with currency, and the `price_page`.
 */
export type OwnFactKind = 'legal_name' | 'founded' | 'address' | 'area' | 'contact' | 'price' | 'price_page';

/** A fact and the page that states it. `about`: the name of what a price is of. */
export type OwnFact = { kind: OwnFactKind; text: string; from: string; about?: string };

const MAX_FACT_CHARS = 120;
/** Prices that are named one by one: more of them are a catalogue. */
const MAX_PRICES = 3;
const MAX_AREAS = 5;

/** What the structured data and the links of a page state. */
export function listOwnFacts(page: PageFacts, from: string, start: URL): readonly OwnFact[] {
  const { graph } = getJsonLd(page);
  const organization = findOwnOrganization(graph, { isStart: from === start.href, start });
  const pricePage = findPricePage(page, start);
  return [
    ...(organization ? listOrganizationFacts(graph, organization) : []).flatMap(([kind, given]) => {
      const text = cleanFact(given);
      return text === '' ? [] : [{ kind, text, from }];
    }),
    ...listPrices(graph).flatMap(({ about: named, text: given }) => {
      const [about, text] = [cleanFact(named), cleanFact(given)];
      return about === '' || text === '' ? [] : [{ kind: 'price' as const, text, from, about }];
    }),
    ...(pricePage === undefined ? [] : [{ kind: 'price_page' as const, text: pricePage, from }]),
  ];
}

/** A fact as a file may say it, whole or not at all. */
function cleanFact(given: string | undefined): string {
  const text = cleanSiteText(given ?? '', MAX_FACT_CHARS);
  return text.endsWith('…') ? '' : text;
}

/**
 * The best described organisation that is the site's own: its address is of the site, or it has none, the start page
 * describes it, and not as a part of something else, such as the author of a review.
 */
function findOwnOrganization(
  graph: SchemaGraph,
  { isStart, start }: { isStart: boolean; start: URL },
): SchemaNode | undefined {
  const parts = new Set(graph.nodes.flatMap(({ props }) => [...props.values()].flat()));
  const isOwn = (node: SchemaNode): boolean => {
    const urls = listPropertyTexts(graph, node, 'url');
    if (urls.length === 0) return isStart && !parts.has(node);
    return urls.every((url) => URL.canParse(url, start.href) && isSameOwner(new URL(url, start.href), start));
  };
  return findBestOrganization({ ...graph, nodes: graph.nodes.filter(isOwn) })?.node;
}

type Stated = readonly (readonly [OwnFactKind, string | undefined])[];

function listOrganizationFacts(graph: SchemaGraph, node: SchemaNode): Stated {
  const getFirst = (property: string): string | undefined => listPropertyTexts(graph, node, property)[0];
  const founded = /^(\d{4})(?:-\d{2}(?:-\d{2})?)?$/u.exec(getFirst('foundingDate') ?? '');
  return [
    ['legal_name', getFirst('legalName')],
    ['founded', founded?.[1]],
    ['address', formatAddress(graph, node)],
    ['area', listAreas(graph, node)],
    ['contact', listContacts(graph, node)],
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

/** Points of contact for others than customers: the press, investors, applicants. */
const CUSTOMER_CONTACT = /customer|support|service|help|client|kunde|assist|soporte|suporte|klant|サポート|お客様/iu;

/** The address and the number by which customers reach the organisation, as its own structured data says. */
function listContacts(graph: SchemaGraph, organization: SchemaNode): string {
  const points = listPropertyNodes(graph, organization, 'contactPoint').filter((point) => {
    const types = listPropertyTexts(graph, point, 'contactType');
    return types.length === 0 || types.some((type) => CUSTOMER_CONTACT.test(type));
  });
  const find = (property: string, scheme: RegExp, form: RegExp): string | undefined =>
    [...points, organization]
      .flatMap((node) => listPropertyTexts(graph, node, property))
      .map((text) => (scheme.test(text) ? (text.replace(scheme, '').split('?')[0] ?? '') : text))
      .find((text) => form.test(text));
  const email = find('email', /^mailto:/iu, EMAIL);
  const telephone = find('telephone', /^tel:/iu, TELEPHONE);
  return [email, telephone].filter((text) => text !== undefined).join(', ');
}

/** What is sold, and for how much. */
type StatedPrice = { about: string; text: string };

/**
 * What is sold here, each with its price: `9.00 EUR (Basic), 19.00 EUR (Team)`, amounts and currencies as they are stated.
 * A price of something without a name is none, and a catalogue has none.
 */
function listPrices(graph: SchemaGraph): readonly StatedPrice[] {
  const getName = (node: SchemaNode | undefined): string =>
    node === undefined ? '' : (listPropertyTexts(graph, node, 'name')[0] ?? '');
  const offers = [
    ...listMainProducts(graph).flatMap(({ node, offers: own }) =>
      own.map((offer) => ({ offer: offer.node, of: node })),
    ),
    ...listLooseOffers(graph).map(({ node }) => ({ offer: node, of: findOffered(graph, node) })),
  ];
  const priced = offers.flatMap(({ offer, of }) => {
    const currency = listPropertyTexts(graph, offer, 'priceCurrency')[0] ?? '';
    const amount = listPropertyTexts(graph, offer, 'price')[0] ?? '';
    if (!/^[A-Z]{3}$/u.test(currency) || !/^\d{1,9}(?:[.,]\d{1,3})?$/u.test(amount)) return [];
    const [item, label] = [getName(of), getName(offer)];
    const isLabelled = label !== '' && item !== '' && label !== item;
    return [{ about: item || label, text: `${amount} ${currency}${isLabelled ? ` (${label})` : ''}` }];
  });
  if (priced.length > MAX_PRICES) return [];
  return [...new Set(priced.map(({ about }) => about))].map((about) => {
    const own = priced.filter((one) => one.about === about);
    return { about, text: own.map(({ text }) => text).join(', ') };
  });
}

/** What an offer is of, where it says so itself or something has it among its offers: a service, a program. */
const findOffered = (graph: SchemaGraph, offer: SchemaNode): SchemaNode | undefined =>
  listPropertyNodes(graph, offer, 'itemOffered')[0] ??
  graph.nodes.find((node) => listPropertyNodes(graph, node, 'offers').includes(offer));

const PRICE_PATH = /\/(?:pricing|prices|plans|preise|tarifs|precios|prezzi|prijzen)(?:\.html?)?\/?$/iu;

function findPricePage(page: PageFacts, start: URL): string | undefined {
  const own = page.anchors.flatMap(({ href }) => normaliseOwnUrl(href, start) ?? []);
  return own.find((href) => PRICE_PATH.test(new URL(href).pathname));
}
