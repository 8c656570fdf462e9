import { blockContext, contextTerms, type ContextKind } from './json-ld-context.ts';
import { isObject } from './json-document.ts';
import type { JsonLdBlock, MicrodataItem, PageFacts } from '../../page/facts/page-facts.ts';
import { parseRelaxedJson, position, type JsonFaultReason } from './relaxed-json.ts';
import {
  absoluteId,
  addNodes,
  nodeBuilder,
  type NodeBuilder,
  type NodeSource,
  register,
  type SchemaGraph,
  type SchemaNode,
  type SchemaValue,
  SCHEMA_LIMITS,
  shortName,
  typeNames,
} from './schema-nodes.ts';

/** What stands around the JSON of a block: old habits that strict consumers choke on. */
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
 * `broken`: no JSON; `types` were then read by a forgiving parser, for the report only, and give no nodes.
 * `cut`: longer than we read, so not judged.
 */
export type SchemaBlock = {
  state: 'parsed' | 'wrapped' | 'broken' | 'cut';
  line: number;
  context: ContextKind;
  types: readonly string[];
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
  const builder = nodeBuilder();
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
  const strict = strictJson(block.text);
  if (strict) return { state: 'parsed', line, ...addBlock(strict.value, builder, source, terms) };
  const { kind, inner } = unwrapped(block.text.trim());
  const wrapped = kind === 'none' ? undefined : strictJson(inner);
  if (wrapped && kind !== 'none') {
    const fault = faultAt(block, kind, block.text.length - block.text.trimStart().length);
    return { state: 'wrapped', line, fault, ...addBlock(wrapped.value, builder, source, terms) };
  }
  return brokenBlock(block, inner);
}

function strictJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.trim()) as unknown };
  } catch {
    return undefined; // The fault is found again, with its place, by the forgiving parser.
  }
}

function unwrapped(text: string): { kind: Wrapper; inner: string } {
  const wrapper = WRAPPERS.find(({ open }) => open.test(text));
  if (!wrapper) return { kind: 'none', inner: text };
  return { kind: wrapper.kind, inner: text.replace(wrapper.open, '').replace(wrapper.close, '') };
}

function brokenBlock(block: JsonLdBlock, inner: string): SchemaBlock {
  const { value, fault } = parseRelaxedJson(inner);
  const from = inner === '' ? 0 : Math.max(0, block.text.indexOf(inner));
  // Strict JSON always has a fault here; the fallback holds for nesting that only `JSON.parse` gives up on.
  const placed = faultAt(block, fault?.reason ?? 'too_deep', from + (fault?.offset ?? 0));
  const seen = nodeBuilder();
  addNodes(seen, value, { origin: 'json_ld', line: block.line, baseUrl: 'about:blank', blankPrefix: '' });
  return { state: 'broken', line: block.line, context: blockContext(value), types: typesIn(seen.nodes), fault: placed };
}

function faultAt(block: JsonLdBlock, reason: BlockFault['reason'], offset: number): BlockFault {
  const place = position(block.text, offset);
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
    if (isObject(item)) for (const term of contextTerms(item['@context'])) terms.add(term);
    if (blockContext(item) !== 'foreign') addNodes(builder, item, source);
  }
  return { context: blockContext(value), types: typesIn(builder.nodes.slice(before)) };
}

const typesIn = (nodes: readonly SchemaNode[]): readonly string[] => [...new Set(nodes.flatMap((node) => node.types))];

/** Microdata items as nodes; items of other vocabularies keep their whole type. */
function addMicrodata(builder: NodeBuilder, items: readonly MicrodataItem[], baseUrl: string): void {
  const props = items.map(() => new Map<string, SchemaValue[]>());
  const nodes = items.map((item, index): SchemaNode => ({
    types: typeNames(item.types),
    id: absoluteId(item.id, { baseUrl, blankPrefix: 'm-' }),
    props: props[index] ?? new Map<string, SchemaValue[]>(),
    origin: 'microdata',
    line: item.line,
  }));
  items.forEach((item, index) => {
    const own = props[index];
    for (const { name, value, item: child } of item.props) {
      const inner = child === undefined ? undefined : nodes[child];
      const key = shortName(name);
      own?.set(key, [...(own.get(key) ?? []), inner ?? value.slice(0, SCHEMA_LIMITS.textChars)]);
    }
  });
  for (const node of nodes) if (!register(builder, node)) return;
}

const read = new WeakMap<object, JsonLd>();

/** The structured data of a page, parsed once per page: several artifacts look at it. */
export function jsonLdOf(page: PageFacts): JsonLd {
  const known = read.get(page) ?? parseJsonLd(page);
  read.set(page, known);
  return known;
}
