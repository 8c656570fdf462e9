import { countOccurrences } from '../../../lib/numbers.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { readJsonLd } from '../../page/facts/derived.ts';
import { normaliseBrandName } from './brand-names.ts';
import type { JsonLd, SchemaBlock } from './json-ld.ts';
import { readFaqMarkup } from './faq.ts';
import { findBestOrganization } from './organization.ts';
import {
  hasValue,
  listNodesOfType,
  listPropertyNodes,
  listPropertyTexts,
  type SchemaGraph,
  type SchemaNode,
} from './schema-nodes.ts';
import { SCHEMA_ORG_VERSION } from './schema-org-data.ts';

/** Types listed at most; the rest is a number. */
const MAX_TYPES = 100;
const MAX_BLOCKS = 50;

/**
 * What `check_schema` reports beside its verdicts: the types of the start page with their counts, whether a FAQ and an
 * organisation are described, and each JSON-LD block with where it stops being JSON. `readable` is false when the page
 * could not be read: then nothing is known, which is not "none".
 */
export function buildSchemaFacts(snapshot: Snapshot): Readonly<Record<string, unknown>> {
  const artifact = readJsonLd(snapshot);
  if (artifact.state === 'failed') return { readable: false, reason: artifact.reason };
  const jsonLd = artifact.value;
  const counts = countNodeTypes(jsonLd);
  const faq = readFaqMarkup(jsonLd);
  const organization = findBestOrganization(jsonLd.graph);
  return {
    readable: true,
    types: counts.slice(0, MAX_TYPES).map(([type, count]) => ({ type, count })),
    distinct_types: counts.length,
    faq: faq.pages > 0,
    faq_questions: faq.questions.length,
    organization: organization !== undefined,
    organization_name: organization?.name ?? '',
    microdata_items: jsonLd.microdataItems,
    blocks: jsonLd.blocks.slice(0, MAX_BLOCKS).map(buildBlockFacts),
    errors: jsonLd.blocks.filter(({ state }) => state === 'broken' || state === 'wrapped').length,
    capped: jsonLd.graph.capped,
    vocabulary: `schema.org ${SCHEMA_ORG_VERSION}`,
  };
}

/** Types of readable nodes, the most frequent first, then by name. */
function countNodeTypes({ graph }: JsonLd): readonly (readonly [string, number])[] {
  const counts = countOccurrences(graph.nodes.flatMap((node) => node.types));
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

const buildBlockFacts = ({ state, line, context, types, fault }: SchemaBlock): Readonly<Record<string, unknown>> => ({
  state,
  line,
  context,
  types,
  ...(fault ? { error: { reason: fault.reason, line: fault.line, column: fault.column } } : {}),
});

/** IdReferences of a page's JSON-LD by `@id`: `local` must be described here, `elsewhere` is another page's business. */
export type IdReferences = {
  local: readonly { id: string; line: number; resolved: boolean }[];
  elsewhere: number;
};

/**
 * Objects that hold an `@id` and nothing else. One that resolves in the graph, a blank node, a name that is no URL, and a
 * fragment of this very page are `local`; an address of another page or site is not.
 * @see https://www.w3.org/TR/json-ld11/#node-identifiers
 */
export function listIdReferences(graph: SchemaGraph, pageUrls: readonly string[]): IdReferences {
  const own = new Set(pageUrls.map((url) => url.split('#')[0] ?? url));
  const bare = graph.nodes.filter(
    ({ id, types, props, origin }) => origin === 'json_ld' && id !== '' && types.length === 0 && props.size === 0,
  );
  const unique = [...new Map(bare.map(({ id, line }) => [id, { id, line }])).values()];
  const judged = unique.map(({ id, line }) => ({ id, line, resolved: isDescribed(graph, id) }));
  const local = judged.filter(({ id, resolved }) => resolved || isLocal(id, own));
  return { local, elsewhere: judged.length - local.length };
}

const isDescribed = (graph: SchemaGraph, id: string): boolean =>
  (graph.byId.get(id) ?? []).some(({ types, props }) => types.length > 0 || props.size > 0);

function isLocal(id: string, own: ReadonlySet<string>): boolean {
  if (id.startsWith('_:') || !URL.canParse(id)) return true;
  const [page = '', fragment] = id.split('#');
  return fragment !== undefined && own.has(page);
}

/** Two nodes that claim to be one thing and differ in what they say of it. */
export type NodeConflict = {
  type: string;
  property: string;
  values: readonly [string, string];
  lines: readonly [number, number];
};

/** Nodes of one kind that are compared; more of them are a list of different things. */
const MAX_COMPARED = 30;
/** Without an address, this many nodes of one kind may be meant to describe the page; more are a list. */
const MAX_NAMELESS = 3;

type Kind = {
  type: string;
  property: string;
  identity: readonly string[];
  says: (graph: SchemaGraph, node: SchemaNode) => readonly string[];
  /** Whether two nodes of which one has no identity are the same thing. */
  alike: (graph: SchemaGraph, one: SchemaNode, other: SchemaNode) => boolean;
};

const KINDS: readonly Kind[] = [
  {
    type: 'Organization',
    property: 'name',
    identity: ['url'],
    says: (graph, node) => listPropertyTexts(graph, node, 'name').map(normaliseBrandName),
    alike: () => true,
  },
  {
    type: 'Article',
    property: 'headline',
    identity: ['url', 'mainEntityOfPage'],
    says: (graph, node) => listPropertyTexts(graph, node, 'headline').map(normaliseBrandName),
    alike: () => true,
  },
  {
    type: 'Product',
    property: 'price',
    identity: ['sku', 'gtin', 'gtin13', 'mpn', 'url'],
    says: (graph, node) =>
      listPropertyNodes(graph, node, 'offers').flatMap((offer) =>
        ['price', 'lowPrice']
          .flatMap((name) => listPropertyTexts(graph, offer, name))
          .map((price) => String(Number(price))),
      ),
    alike: (graph, one, other) =>
      buildNameKey(graph, one) !== '' && buildNameKey(graph, one) === buildNameKey(graph, other),
  },
];

const buildNameKey = (graph: SchemaGraph, node: SchemaNode): string =>
  normaliseBrandName(listPropertyTexts(graph, node, 'name')[0] ?? '');

/**
 * Compares the top-level nodes of a page that are Organizations, Articles or Products, each kind with itself.
 * @returns how many could be compared (0: no kind occurs twice) and the pairs that contradict each other.
 */
export function findNodeConflicts(graph: SchemaGraph): { compared: number; conflicts: readonly NodeConflict[] } {
  const nested = new Set(
    graph.nodes.flatMap((node) => [...node.props.values()].flat()).filter((value) => typeof value === 'object'),
  );
  const groups = KINDS.map((kind) => ({
    kind,
    nodes: listNodesOfType(graph, kind.type)
      .filter((node) => !nested.has(node))
      .slice(0, MAX_COMPARED),
  })).filter(({ nodes }) => nodes.length > 1);
  const conflicts = groups.flatMap(({ kind, nodes }) =>
    nodes.flatMap((one, index) =>
      nodes.slice(index + 1).flatMap((other) => listPairConflicts(graph, kind, [one, other], nodes.length)),
    ),
  );
  return { compared: groups.reduce((sum, { nodes }) => sum + nodes.length, 0), conflicts };
}

function listPairConflicts(
  graph: SchemaGraph,
  kind: Kind,
  [one, other]: readonly [SchemaNode, SchemaNode],
  all: number,
): readonly NodeConflict[] {
  if (!isSameThing(graph, kind, [one, other], all)) return [];
  const [a, b] = [kind.says(graph, one), kind.says(graph, other)];
  const [first, second] = [a[0] ?? '', b[0] ?? ''];
  if (first === '' || second === '' || a.some((value) => b.includes(value))) return [];
  return [{ type: kind.type, property: kind.property, values: [first, second], lines: [one.line, other.line] }];
}

/** By an identity that both state; else, where one states none, by what the kind goes by. */
function isSameThing(
  graph: SchemaGraph,
  kind: Kind,
  [one, other]: readonly [SchemaNode, SchemaNode],
  all: number,
): boolean {
  const both = kind.identity.filter((name) => hasValue(graph, one, name) && hasValue(graph, other, name));
  if (both.length > 0)
    return both.every((name) =>
      listPropertyTexts(graph, one, name).some((value) =>
        listPropertyTexts(graph, other, name).map(normaliseNodeUrl).includes(normaliseNodeUrl(value)),
      ),
    );
  return all <= MAX_NAMELESS && kind.alike(graph, one, other);
}

const normaliseNodeUrl = (url: string): string => (url.split('#')[0] ?? url).replace(/\/$/, '').toLowerCase();
