import { isJsonRecord } from '../../audit/structured-data/facts/json-document.ts';
import { getJsonLd } from '../../audit/structured-data/facts/json-ld.ts';
import type { PageFacts } from '../../audit/page/facts/page-facts.ts';
import { parseRelaxedJson } from '../../audit/structured-data/facts/relaxed-json.ts';
import { isSubtype } from '../../audit/structured-data/facts/schema-org.ts';
import { listTypeNames } from '../../audit/structured-data/facts/schema-nodes.ts';
import { formatJsonForHtml } from '../../lib/safe-text.ts';

/** A JSON object that a fix may change. */
export type Node = Record<string, unknown>;

/**
 * One JSON-LD script of the page; `value` is undefined when it cannot be read without loss, and is then left alone.
 * `faulty`: strict readers refuse it as it is.
 */
export type ModelBlock = { value: unknown; text: string; faulty: boolean; changed: boolean };

/** The JSON-LD of a page as data to change: its blocks in order, and nodes that will form a new block. */
export type JsonLdModel = { blocks: ModelBlock[]; added: Node[] };

/** Nodes and nesting that are looked at in all blocks of a page. */
const MAX_NODES = 5000;
const MAX_DEPTH = 32;

/** Reads the blocks; a block with faults of notation is read as what it was meant to be. */
export function readJsonLdModel(page: PageFacts): JsonLdModel {
  const known = getJsonLd(page).blocks;
  const blocks = page.jsonLd.map(({ text, truncated }, index) => {
    const faulty = known[index]?.state === 'broken' || known[index]?.state === 'wrapped';
    const read = truncated ? undefined : parseRelaxedJson(unwrapBlock(text));
    const value = read?.complete === true ? copyPlainly(read.value) : undefined;
    return { value, text, faulty, changed: false };
  });
  return { blocks, added: [] };
}

/** Every object with a type or an id, parents first, nodes to be added last. */
export function listNodes(model: JsonLdModel): readonly Node[] {
  const found: Node[] = [];
  const visit = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH || found.length >= MAX_NODES) return;
    if (Array.isArray(value)) for (const item of value) visit(item, depth + 1);
    if (!isNode(value)) return;
    if (value['@type'] !== undefined || value['@id'] !== undefined) found.push(value);
    for (const item of Object.values(value)) visit(item, depth + 1);
  };
  for (const { value } of model.blocks) visit(value, 0);
  for (const node of model.added) visit(node, 0);
  return found;
}

/** Nodes of this schema.org type or a subtype of it. */
export const findNodesByType = (model: JsonLdModel, type: string): readonly Node[] =>
  listNodes(model).filter((node) => listTypeNames(node['@type']).some((own) => isSubtype(own, type)));

/** Changes a node and marks its block, so that it is written again. */
export function changeNode(model: JsonLdModel, node: Node, change: (node: Node) => void): void {
  const block = model.blocks.find(({ value }) => hasNode(value, node, 0));
  change(node);
  if (block) block.changed = true;
}

/** Sets properties that the node lacks; what is there stays. A faulty block around it is repaired on the way. */
export function fillNode(model: JsonLdModel, node: Node, properties: Readonly<Node>): void {
  const block = model.blocks.find(({ faulty, value }) => faulty && hasNode(value, node, 0));
  if (block) block.changed = true;
  const missing = Object.entries(properties).filter(([name, value]) => value !== undefined && isEmpty(node[name]));
  if (missing.length > 0) changeNode(model, node, (target) => Object.assign(target, Object.fromEntries(missing)));
}

/** The blocks to write again, by their index, as the content of their script elements. */
export function listChangedBlocks({ blocks }: JsonLdModel): ReadonlyMap<number, string> {
  return new Map(
    blocks.flatMap(({ changed, value, text }, index) =>
      changed && value !== undefined ? [[index, formatInStyle(text, value)] as const] : [],
    ),
  );
}

/** The script element that holds the added nodes; undefined when there are none. */
export function buildAddedScript({ added }: JsonLdModel): string | undefined {
  const [first] = added;
  if (!first) return undefined;
  const context = 'https://schema.org';
  const value = added.length === 1 ? { '@context': context, ...first } : { '@context': context, '@graph': added };
  return `<script type="application/ld+json">\n${formatJsonForHtml(value)}\n</script>`;
}

const isNode = (value: unknown): value is Node => isJsonRecord(value);

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

function hasNode(value: unknown, node: Node, depth: number): boolean {
  if (value === node) return true;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  return Object.values(value).some((item) => hasNode(item, node, depth + 1));
}

/** HTML comments and CDATA sections around a block: habits of the last century that strict readers refuse. */
const unwrapBlock = (text: string): string =>
  text
    .trim()
    .replace(/^(?:<!--|(?:\/\/|\/\*)?\s?<!\[CDATA\[(?:\s?\*\/)?)/i, '')
    .replace(/(?:(?:\/\/\s?)?-->|(?:\/\/|\/\*)?\s?\]\]>(?:\s?\*\/)?)$/, '');

/** The tolerant reader makes objects without a prototype; a name such as `__proto__` stays an own property. */
const copyPlainly = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null') as unknown;

/** A block that was written on one line is written on one line again. */
function formatInStyle(text: string, value: unknown): string {
  const json = formatJsonForHtml(value);
  return text.trim().includes('\n') ? `\n${json}\n` : json.replaceAll(/\n */g, '');
}
