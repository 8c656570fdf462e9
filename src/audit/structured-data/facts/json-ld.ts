import { isSlot } from '../../../lib/slots.ts';
import { isJsonRecord } from './json-document.ts';
import type { JsonLdBlock, MicrodataItem, PageFacts } from '../../page/facts/page-facts.ts';
import { computePosition, type JsonFaultReason, parseRelaxedJson } from './relaxed-json.ts';
import {
  addNodes,
  createNodeBuilder,
  listTypeNames,
  type NodeBuilder,
  type NodeSource,
  registerNode,
  SCHEMA_LIMITS,
  type SchemaGraph,
  type SchemaNode,
  type SchemaValue,
  toAbsoluteId,
  toShortName,
} from './schema-nodes.ts';

/**
 * What a block's `@context` makes of bare names: `schema_org` and `prefix` (names written `schema:Name`) resolve to
 * schema.org, `near` means it but is not its name (`www.schema.org`, `schema.org/Person`), `foreign` is another
 * vocabulary, `missing` is none.
 */
export type ContextKind = 'schema_org' | 'prefix' | 'near' | 'foreign' | 'missing';

/** Contexts looked at in one array; more than these is no context but a flood. */
const MAX_CONTEXTS = 20;

const EXACT = /^https?:\/\/schema\.org(?:\/|\/docs\/jsonldcontext\.json(?:ld)?)?$/i;
const NEAR = /^(?:https?:)?(?:\/\/)?(?:www\.)?schema\.org(?:[/#?]|$)/i;

/** Kinds from best to worst: of several contexts of one value the best decides, of several values the worst. */
const ORDER: readonly ContextKind[] = ['schema_org', 'prefix', 'near', 'foreign', 'missing'];

const pick = (kinds: readonly ContextKind[], end: 0 | -1): ContextKind =>
  ORDER.filter((kind) => kinds.includes(kind)).at(end) ?? 'missing';

/** Reads one `@context` value: a string, an object with `@vocab` or prefixes, or an array of these. */
export function classifyContext(context: unknown): ContextKind {
  if (context === undefined || context === null) return 'missing';
  if (Array.isArray(context)) return pick(context.slice(0, MAX_CONTEXTS).map(classifySingleContext), 0);
  return classifySingleContext(context);
}

function classifySingleContext(context: unknown): ContextKind {
  if (typeof context === 'string') return classifyIri(context);
  if (!isJsonRecord(context)) return 'missing';
  const vocab = context['@vocab'];
  if (typeof vocab === 'string') return classifyIri(vocab);
  return Object.values(context).some((iri) => typeof iri === 'string' && EXACT.test(iri.trim())) ? 'prefix' : 'foreign';
}

function classifyIri(iri: string): ContextKind {
  const trimmed = iri.trim();
  if (EXACT.test(trimmed)) return 'schema_org';
  if (NEAR.test(trimmed)) return 'near';
  return trimmed === '' ? 'missing' : 'foreign';
}

/** The context of a whole block: the top-level object's, or the worst of a top-level array's members. */
export const classifyBlockContext = (value: unknown): ContextKind =>
  Array.isArray(value) ? pick(value.slice(0, MAX_CONTEXTS).map(classifyItemContext), -1) : classifyItemContext(value);

const classifyItemContext = (item: unknown): ContextKind =>
  isJsonRecord(item) ? classifyContext(item['@context']) : 'missing';

/** Names that a context itself defines: they are no misspelt schema.org names. */
export function listContextTerms(context: unknown): readonly string[] {
  const parts: readonly unknown[] = Array.isArray(context) ? context.slice(0, MAX_CONTEXTS) : [context];
  return parts.filter(isJsonRecord).flatMap((part) => Object.keys(part).filter((key) => !key.startsWith('@')));
}

/** What encloses the JSON of a block: old habits that strict consumers choke on. */
export type Wrapper = 'none' | 'html_comment' | 'cdata';

/** Where a block stops being JSON: page line, column from 1, and the text around it. */
export type BlockFault = {
  reason: JsonFaultReason | 'html_comment' | 'cdata';
  line: number;
  column: number;
  excerpt: string;
};

/**
 * One `application/ld+json` script. `parsed`: strict JSON. `wrapped`: strict JSON inside a comment or CDATA.
 * `broken`: no JSON; `types` and `author` were then read by a forgiving parser, for the report only, and give no nodes.
 * `cut`: longer than we read, or of nothing but open slots (`empty`), so not judged.
 */
export type SchemaBlock = {
  state: 'parsed' | 'wrapped' | 'broken' | 'cut';
  line: number;
  context: ContextKind;
  types: readonly string[];
  /** The author that a broken block seems to name, '' for none. */
  author?: string;
  fault?: BlockFault;
};

/** The page's structured data. `graph` holds nodes of readable blocks and of microdata; `terms` names that contexts define. */
export type JsonLd = {
  blocks: readonly SchemaBlock[];
  microdataItems: number;
  graph: SchemaGraph;
  terms: ReadonlySet<string>;
};

const WRAPPERS: readonly { kind: Wrapper; open: RegExp; close: RegExp }[] = [
  { kind: 'html_comment', open: /^<!--/, close: /(?:\/\/\s?)?-->$/ },
  { kind: 'cdata', open: /^(?:\/\/|\/\*)?\s?<!\[CDATA\[(?:\s?\*\/)?/i, close: /(?:\/\/|\/\*)?\s?\]\]>(?:\s?\*\/)?$/ },
];

/** Characters of the block shown on each side of a fault. */
const FAULT_CONTEXT_CHARS = 40;

/** Reads every JSON-LD block and microdata item of a page. Bounded by `SCHEMA_LIMITS`; linear in the page. */
export function parseJsonLd(page: Pick<PageFacts, 'jsonLd' | 'microdata' | 'baseUrl'>): JsonLd {
  const builder = createNodeBuilder();
  const terms = new Set<string>();
  const blocks = page.jsonLd.map((block, index) => {
    const source = { origin: 'json_ld', line: block.line, baseUrl: page.baseUrl, blankPrefix: `b${index}-` } as const;
    return readBlock(block, builder, source, terms);
  });
  addMicrodata(builder, page.microdata, page.baseUrl);
  const { nodes, byId, capped } = builder;
  return { blocks, microdataItems: page.microdata.length, graph: { nodes, byId, capped }, terms };
}

function readBlock(block: JsonLdBlock, builder: NodeBuilder, source: NodeSource, terms: Set<string>): SchemaBlock {
  const { line } = block;
  if (block.truncated) return { state: 'cut', line, context: 'missing', types: [] };
  const strict = parseStrictJson(block.text);
  if (strict) {
    const known = builder.nodes.length;
    const added = addBlock(strict.value, builder, source, terms);
    if (builder.nodes.length > known || !isSlot(block.text)) return { state: 'parsed', line, ...added };
    return { state: 'cut', line, context: 'missing', types: [], fault: buildBlockFault(block, 'empty', 0) };
  }
  const { kind, inner } = unwrapBlock(block.text.trim());
  const wrapped = kind === 'none' ? undefined : parseStrictJson(inner);
  if (wrapped && kind !== 'none') {
    const fault = buildBlockFault(block, kind, block.text.length - block.text.trimStart().length);
    return { state: 'wrapped', line, fault, ...addBlock(wrapped.value, builder, source, terms) };
  }
  return buildBrokenBlock(block, inner);
}

function parseStrictJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.trim()) as unknown };
  } catch {
    return undefined; // The fault is found again, with its place, by the forgiving parser.
  }
}

function unwrapBlock(text: string): { kind: Wrapper; inner: string } {
  const wrapper = WRAPPERS.find(({ open }) => open.test(text));
  if (!wrapper) return { kind: 'none', inner: text };
  return { kind: wrapper.kind, inner: text.replace(wrapper.open, '').replace(wrapper.close, '') };
}

function buildBrokenBlock(block: JsonLdBlock, inner: string): SchemaBlock {
  const { value, fault } = parseRelaxedJson(inner);
  const from = inner === '' ? 0 : Math.max(0, block.text.indexOf(inner));
  // Strict JSON always has a fault here; the fallback holds for nesting that only `JSON.parse` gives up on.
  const placed = buildBlockFault(block, fault?.reason ?? 'too_deep', from + (fault?.offset ?? 0));
  const seen = createNodeBuilder();
  addNodes(seen, value, { origin: 'json_ld', line: block.line, baseUrl: 'about:blank', blankPrefix: '' });
  return {
    state: 'broken',
    line: block.line,
    context: classifyBlockContext(value),
    types: listNodeTypes(seen.nodes),
    author: findAuthorName(seen.nodes),
    fault: placed,
  };
}

function findAuthorName(nodes: readonly SchemaNode[]): string {
  const [author] = nodes.flatMap(({ props }) => props.get('author') ?? []);
  const name = typeof author === 'object' ? author.props.get('name')?.[0] : author;
  return typeof name === 'string' ? name.trim() : '';
}

function buildBlockFault(block: JsonLdBlock, reason: BlockFault['reason'], offset: number): BlockFault {
  const place = computePosition(block.text, offset);
  const around = block.text.slice(Math.max(0, offset - FAULT_CONTEXT_CHARS), offset + FAULT_CONTEXT_CHARS);
  return {
    reason,
    line: block.line + place.line - 1,
    column: place.column,
    excerpt: around.replace(/\s+/g, ' ').trim(),
  };
}

/** Adds the nodes of a readable block, unless its context says that its names are another vocabulary's. */
function addBlock(
  value: unknown,
  builder: NodeBuilder,
  source: NodeSource,
  terms: Set<string>,
): Pick<SchemaBlock, 'context' | 'types'> {
  const before = builder.nodes.length;
  for (const item of Array.isArray(value) ? value : [value]) {
    if (isJsonRecord(item)) for (const term of listContextTerms(item['@context'])) terms.add(term);
    if (classifyBlockContext(item) !== 'foreign') addNodes(builder, item, source);
  }
  return { context: classifyBlockContext(value), types: listNodeTypes(builder.nodes.slice(before)) };
}

const listNodeTypes = (nodes: readonly SchemaNode[]): readonly string[] => [
  ...new Set(nodes.flatMap((node) => node.types)),
];

/** Microdata items as nodes; items of other vocabularies keep their whole type. */
function addMicrodata(builder: NodeBuilder, items: readonly MicrodataItem[], baseUrl: string): void {
  const props = items.map(() => new Map<string, SchemaValue[]>());
  const nodes = items.map((item, index): SchemaNode => ({
    types: listTypeNames(item.types),
    id: toAbsoluteId(item.id, { baseUrl, blankPrefix: 'm-' }),
    props: props[index] ?? new Map<string, SchemaValue[]>(),
    origin: 'microdata',
    line: item.line,
  }));
  items.forEach((item, index) => {
    const own = props[index];
    for (const { name, value, item: child } of item.props) {
      const inner = child === undefined ? undefined : nodes[child];
      const key = toShortName(name);
      own?.set(key, [...(own.get(key) ?? []), inner ?? value.slice(0, SCHEMA_LIMITS.textChars)]);
    }
  });
  for (const node of nodes) if (!registerNode(builder, node)) return;
}

const read = new WeakMap<object, JsonLd>();

/** The structured data of a page, parsed once per page: several artifacts look at it. */
export function getJsonLd(page: PageFacts): JsonLd {
  const known = read.get(page) ?? parseJsonLd(page);
  read.set(page, known);
  return known;
}
