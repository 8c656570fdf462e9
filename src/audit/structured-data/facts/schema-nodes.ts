import { isSlot } from '../../../lib/slots.ts';
import { isJsonRecord } from './json-document.ts';
import { isSubtype } from './schema-org.ts';

/** Bounds of one page's structured data. What lies beyond is not read, and `capped` says so. */
export const SCHEMA_LIMITS = { depth: 32, nodes: 5000, values: 50_000, textChars: 20_000, ids: 5000 } as const;

export type SchemaValue = string | number | boolean | SchemaNode;

/**
 * One object of the page's structured data. `types` and property names are short (`Organization`, `name`) when they are
 * schema.org's, whole otherwise. `id` is absolute, '' when there is none. Values of one property are a flat list.
 * `line` is where the block or item begins in the page.
 */
export type SchemaNode = {
  types: readonly string[];
  id: string;
  props: ReadonlyMap<string, readonly SchemaValue[]>;
  origin: 'json_ld' | 'microdata';
  line: number;
};

/** Every node of a page in document order, nested ones after their parent. */
export type SchemaGraph = {
  nodes: readonly SchemaNode[];
  byId: ReadonlyMap<string, readonly SchemaNode[]>;
  capped: boolean;
};

/** Collects nodes, and counts against `SCHEMA_LIMITS`. One builder serves all blocks of a page. */
export type NodeBuilder = {
  nodes: SchemaNode[];
  byId: Map<string, SchemaNode[]>;
  values: number;
  /** Texts that were passed over, since they have an open slot. */
  slots: number;
  capped: boolean;
};

export const createNodeBuilder = (): NodeBuilder => ({
  nodes: [],
  byId: new Map(),
  values: 0,
  slots: 0,
  capped: false,
});

/** `blankPrefix` keeps `_:b0` of one block apart from that of another; `baseUrl` resolves relative ids. */
export type NodeSource = { origin: SchemaNode['origin']; line: number; baseUrl: string; blankPrefix: string };

const VOCABULARY = /^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i;

/** The schema.org context makes these bare keys mean `@type` and `@id`. */
const ALIASES: ReadonlySet<string> = new Set(['type', 'id']);

/** `Organization` for `https://schema.org/Organization` and `schema:Organization`; any other name as it is. */
export const toShortName = (name: string): string => name.trim().replace(VOCABULARY, '');

/** Walks a JSON-LD value (arrays, `@graph`, `@list`, `@set`, `@reverse`, nested objects) and adds its nodes to `builder`. */
export function addNodes(builder: NodeBuilder, value: unknown, source: NodeSource): void {
  toValues(builder, value, source, 0);
}

/** The values that a JSON-LD value represents; objects become nodes of `builder`, references nodes with only an id. */
function toValues(builder: NodeBuilder, value: unknown, source: NodeSource, depth: number): SchemaValue[] {
  if (builder.values >= SCHEMA_LIMITS.values || depth > SCHEMA_LIMITS.depth) {
    builder.capped = true;
    return [];
  }
  builder.values += 1;
  if (typeof value === 'string') {
    if (!isSlot(value)) return [value.slice(0, SCHEMA_LIMITS.textChars)];
    builder.slots += 1;
    return [];
  }
  if (typeof value === 'number' || typeof value === 'boolean') return [value];
  if (Array.isArray(value)) return takeAll(builder, value, source, depth);
  return isJsonRecord(value) ? convertObjectValues(builder, value, source, depth) : [];
}

function takeAll(builder: NodeBuilder, items: readonly unknown[], source: NodeSource, depth: number): SchemaValue[] {
  const found: SchemaValue[] = [];
  for (const item of items) {
    if (builder.capped && builder.values >= SCHEMA_LIMITS.values) break;
    for (const each of toValues(builder, item, source, depth + 1)) found.push(each);
  }
  return found;
}

function convertObjectValues(
  builder: NodeBuilder,
  object: Readonly<Record<string, unknown>>,
  source: NodeSource,
  depth: number,
): SchemaValue[] {
  for (const holder of ['@value', '@list', '@set'] as const) {
    if (Object.hasOwn(object, holder)) return toValues(builder, object[holder], source, depth + 1);
  }
  const isNode = Object.keys(object).some((key) => key !== '@context' && key !== '@graph');
  const node = isNode ? addNode(builder, object, source, depth) : undefined;
  if (Object.hasOwn(object, '@graph')) toValues(builder, object['@graph'], source, depth + 1);
  return node === undefined ? [] : [node];
}

function addNode(
  builder: NodeBuilder,
  object: Readonly<Record<string, unknown>>,
  source: NodeSource,
  depth: number,
): SchemaNode | undefined {
  const props = new Map<string, SchemaValue[]>();
  const types = listTypeNames(object['@type'] ?? object['type']);
  const id = toAbsoluteId(object['@id'] ?? object['id'], source);
  const node: SchemaNode = { types, id, props, origin: source.origin, line: source.line };
  const { slots } = builder;
  if (!registerNode(builder, node)) return undefined;
  for (const [key, value] of Object.entries(object)) {
    if (key === '@reverse') toValues(builder, Object.values(isJsonRecord(value) ? value : {}), source, depth + 1);
    if (key.startsWith('@') || ALIASES.has(key)) continue;
    const name = toShortName(key);
    const values = toValues(builder, value, source, depth + 1);
    props.set(name, [...(props.get(name) ?? []), ...values]);
  }
  const saysNothing = builder.slots > slots && [...props.values()].every((values) => values.length === 0);
  if (saysNothing) forgetNode(builder, node);
  return saysNothing ? undefined : node;
}

/** A node of nothing but open slots is none. Its own nodes are gone already. */
function forgetNode({ nodes, byId }: NodeBuilder, node: SchemaNode): void {
  nodes.splice(nodes.lastIndexOf(node), 1);
  const others = byId.get(node.id)?.filter((other) => other !== node) ?? [];
  if (others.length > 0) byId.set(node.id, others);
  else byId.delete(node.id);
}

/** Adds a node to the builder; false when the page has too many. */
export function registerNode(builder: NodeBuilder, node: SchemaNode): boolean {
  if (builder.nodes.length >= SCHEMA_LIMITS.nodes) {
    builder.capped = true;
    return false;
  }
  builder.nodes.push(node);
  if (node.id === '') return true;
  const same = builder.byId.get(node.id);
  if (same) same.push(node);
  else builder.byId.set(node.id, [node]);
  return true;
}

/** Short names of a `@type` value: one string or a list of them. */
export function listTypeNames(value: unknown): readonly string[] {
  const names = (Array.isArray(value) ? value : [value]).filter((name): name is string => typeof name === 'string');
  return names
    .slice(0, SCHEMA_LIMITS.depth)
    .map((name) => toShortName(name).slice(0, 200))
    .filter((name) => name !== '');
}

export function toAbsoluteId(id: unknown, source: Pick<NodeSource, 'baseUrl' | 'blankPrefix'>): string {
  if (typeof id !== 'string' || id === '' || isSlot(id)) return '';
  if (id.startsWith('_:')) return `_:${source.blankPrefix}${id.slice(2)}`;
  return URL.canParse(id, source.baseUrl) ? new URL(id, source.baseUrl).href : id;
}

/** Nodes (one per id) of this schema.org type or a subtype of it. */
export function listNodesOfType(graph: SchemaGraph, type: string): readonly SchemaNode[] {
  const seen = new Set<string>();
  return graph.nodes.filter((node) => {
    if (!node.types.some((own) => isSubtype(own, type))) return false;
    if (node.id === '') return true;
    if (seen.has(node.id)) return false;
    seen.add(node.id);
    return true;
  });
}

/** Descriptions of one id that a lookup joins; a hostile page may describe one id thousands of times. */
const MAX_SAME_ID = 20;

/** All that the page says of this node: its own properties and those of other nodes with its id. */
const listDescriptions = (graph: SchemaGraph, node: SchemaNode): readonly SchemaNode[] =>
  node.id === '' ? [node] : (graph.byId.get(node.id) ?? [node]).slice(0, MAX_SAME_ID);

/** Values of a property, references followed to what the page says of their target. */
export const listPropertyValues = (graph: SchemaGraph, node: SchemaNode, property: string): readonly SchemaValue[] =>
  listDescriptions(graph, node).flatMap((each) => each.props.get(property) ?? []);

/** Nodes that a property points at, also by `@id`. */
export const listPropertyNodes = (graph: SchemaGraph, node: SchemaNode, property: string): readonly SchemaNode[] =>
  listPropertyValues(graph, node, property).filter((value) => typeof value === 'object');

/** Types of a node, together with those that other nodes of its id name. */
export const listTypes = (graph: SchemaGraph, node: SchemaNode): readonly string[] => [
  ...new Set(listDescriptions(graph, node).flatMap((each) => each.types)),
];

/** Non-empty texts of a property; a number is its digits; of a node its id, which is how links are written. */
export function listPropertyTexts(graph: SchemaGraph, node: SchemaNode, property: string): readonly string[] {
  const values = listPropertyValues(graph, node, property);
  return values
    .map((value) => (typeof value === 'object' ? value.id : String(value)).trim())
    .filter((text) => text !== '');
}

/** Whether a property says anything: a non-empty text, a number, or a node with an id, a type or a property. */
export const hasValue = (graph: SchemaGraph, node: SchemaNode, property: string): boolean =>
  listPropertyValues(graph, node, property).some((value) =>
    typeof value === 'object'
      ? value.id !== '' || value.types.length > 0 || value.props.size > 0
      : String(value).trim() !== '',
  );

/** Products and offers looked at; a page of more is a catalogue. */
const MAX_PRODUCTS = 50;
const MAX_OFFERS = 50;

export type Priced = { node: SchemaNode; prices: readonly string[]; currency: boolean; availability: boolean };

/** A product (or its variant group) with all that its offers say. */
type ProductFacts = {
  node: SchemaNode;
  name: boolean;
  image: boolean;
  identified: boolean;
  offers: readonly Priced[];
};

/** Properties that hold an amount, on an offer or on its price specification. */
const PRICES = ['price', 'lowPrice', 'highPrice'] as const;

/** The products that structured data describes, with their offers; nested offers and price specifications are followed. */
export function listProducts(graph: SchemaGraph): readonly ProductFacts[] {
  return listNodesOfType(graph, 'Product')
    .slice(0, MAX_PRODUCTS)
    .map((node) => ({
      node,
      name: hasValue(graph, node, 'name'),
      image: hasValue(graph, node, 'image'),
      identified: IDENTIFIERS.some((property) => hasValue(graph, node, property)),
      offers: listOffers(graph, node),
    }));
}

/** Where a node about something else names a product: its paywall, what it reviews, mentions or is about. */
const PASSING = ['isPartOf', 'itemReviewed', 'about', 'mentions', 'hasPart', 'isRelatedTo', 'isSimilarTo', 'subjectOf'];

/** The products that are the matter of the page: not those that another node only names in passing. */
export function listMainProducts(graph: SchemaGraph): readonly ProductFacts[] {
  const passing = new Set(
    graph.nodes.flatMap((node) => PASSING.flatMap((property) => listPropertyNodes(graph, node, property))),
  );
  return listProducts(graph).filter(
    ({ node, offers }) => !passing.has(node) && (offers.length > 0 || !node.props.has('productID')),
  );
}

const IDENTIFIERS = ['gtin', 'gtin8', 'gtin12', 'gtin13', 'gtin14', 'isbn', 'mpn', 'sku', 'brand'] as const;

function listOffers(graph: SchemaGraph, node: SchemaNode): readonly Priced[] {
  const direct = listPropertyNodes(graph, node, 'offers');
  const variants = listPropertyNodes(graph, node, 'hasVariant').flatMap((variant) =>
    listPropertyNodes(graph, variant, 'offers'),
  );
  return [...direct, ...variants].slice(0, MAX_OFFERS).map((offer) => buildPricedOffer(graph, offer));
}

/** Offers that belong to no product, e.g. of a service. */
export function listLooseOffers(graph: SchemaGraph): readonly Priced[] {
  const owned = new Set(listProducts(graph).flatMap(({ offers }) => offers.map(({ node }) => node)));
  const offers = listNodesOfType(graph, 'Offer')
    .filter((offer) => !owned.has(offer))
    .slice(0, MAX_OFFERS);
  return offers.map((offer) => buildPricedOffer(graph, offer)).filter(({ prices }) => prices.length > 0);
}

function buildPricedOffer(graph: SchemaGraph, offer: SchemaNode): Priced {
  const within = [
    offer,
    ...listPropertyNodes(graph, offer, 'priceSpecification'),
    ...listPropertyNodes(graph, offer, 'offers'),
  ];
  const says = (property: string): boolean => within.some((node) => hasValue(graph, node, property));
  return {
    node: offer,
    prices: within.flatMap((node) => PRICES.flatMap((property) => listPropertyTexts(graph, node, property))),
    currency: says('priceCurrency'),
    availability: says('availability'),
  };
}
