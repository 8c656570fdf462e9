import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { parseJson } from '../../structured-data/facts/json-document.ts';

/** Bounds of one document. YAML costs far more to read than JSON, hence its own, smaller size. */
export const DOCUMENT_LIMITS = {
  yamlChars: 200_000,
  jsonChars: 5_000_000,
  nodes: 200_000,
  depth: 100,
  aliases: 100,
} as const;

export type DocumentFault = 'too_large' | 'too_deep' | 'too_many_nodes' | 'too_many_aliases' | 'not_json' | 'not_yaml';

export type ParsedDocument =
  | { ok: true; format: 'json' | 'yaml'; value: unknown }
  | { ok: false; reason: DocumentFault; message: string };

/** Faults that say something about our limits and nothing about the document. */
export const isOurLimit = (reason: DocumentFault): boolean => reason !== 'not_json' && reason !== 'not_yaml';

/**
 * Parses a JSON or YAML 1.2 text into plain data; never throws, and takes time linear in the text. Text that opens with a
 * brace or bracket is JSON. Aliases share one object and are never copied, so a value may hold one object many times:
 * walk it with a set of visited objects. Map keys that are no scalars are refused.
 */
export function parseJsonOrYaml(text: string): ParsedDocument {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (!/^\s*[{[]/u.test(body)) return parseYaml(body);
  if (body.length > DOCUMENT_LIMITS.jsonChars)
    return refused('too_large', `has over ${DOCUMENT_LIMITS.jsonChars} characters`);
  const parsed = parseJson(body);
  return parsed.ok ? { ok: true, format: 'json', value: parsed.value } : refused('not_json', parsed.message);
}

const refused = (reason: DocumentFault, message: string): ParsedDocument & { ok: false } => ({
  ok: false,
  reason,
  message,
});

function parseYaml(text: string): ParsedDocument {
  if (text.length > DOCUMENT_LIMITS.yamlChars)
    return refused('too_large', `has over ${DOCUMENT_LIMITS.yamlChars} characters of YAML`);
  let document: Document;
  try {
    document = parseDocument(text, { uniqueKeys: false, logLevel: 'silent', prettyErrors: false, schema: 'core' });
  } catch (error) {
    if (error instanceof RangeError) return refused('too_deep', 'is nested too deeply to read');
    throw error;
  }
  const [fault] = document.errors;
  if (fault) return refused('not_yaml', yamlFault(text, fault.pos[0]));
  const reading: Reading = { nodes: 0, aliases: 0, anchors: new Map() };
  const value = plain(document.contents, reading, 0);
  return reading.fault ? refused(reading.fault, FAULTS[reading.fault]) : { ok: true, format: 'yaml', value };
}

/** The place of a fault; the parser's own message may quote the text. */
function yamlFault(text: string, position: number): string {
  const before = text.slice(0, position).split('\n');
  return `is not valid YAML (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}

const FAULTS: Readonly<Record<DocumentFault, string>> = {
  too_large: 'is too large',
  too_deep: `is nested deeper than ${DOCUMENT_LIMITS.depth} levels`,
  too_many_nodes: `has over ${DOCUMENT_LIMITS.nodes} nodes`,
  too_many_aliases: `has over ${DOCUMENT_LIMITS.aliases} aliases`,
  not_json: 'is not valid JSON',
  not_yaml: 'has a map key that is no scalar, or an alias without an anchor before it',
};

type Reading = { nodes: number; aliases: number; anchors: Map<string, unknown>; fault?: DocumentFault };

/** The plain value of a node, with every bound checked; once `reading.fault` is set the value means nothing. */
function plain(node: unknown, reading: Reading, depth: number): unknown {
  reading.nodes += 1;
  if (reading.nodes > DOCUMENT_LIMITS.nodes) reading.fault ??= 'too_many_nodes';
  if (depth > DOCUMENT_LIMITS.depth) reading.fault ??= 'too_deep';
  if (reading.fault) return undefined;
  if (isAlias(node)) return aliased(node, reading);
  const value = contentOf(node, reading, depth);
  const anchor = isScalar(node) || isSeq(node) || isMap(node) ? node.anchor : undefined;
  if (anchor !== undefined) reading.anchors.set(anchor, value);
  return value;
}

function contentOf(node: unknown, reading: Reading, depth: number): unknown {
  if (isScalar(node)) return node.value;
  if (isSeq(node)) return node.items.map((item) => plain(item, reading, depth + 1));
  return isMap(node) ? plainMap(node, reading, depth) : null;
}

/** An alias inside its own anchor finds nothing, so no value holds itself. */
function aliased(alias: Alias, reading: Reading): unknown {
  reading.aliases += 1;
  if (reading.aliases > DOCUMENT_LIMITS.aliases) reading.fault ??= 'too_many_aliases';
  if (!reading.anchors.has(alias.source)) reading.fault ??= 'not_yaml';
  return reading.anchors.get(alias.source);
}

function plainMap(map: YAMLMap, reading: Reading, depth: number): Readonly<Record<string, unknown>> {
  const own = new Map<string, unknown>();
  const merged: unknown[] = [];
  for (const pair of map.items) {
    const key = plain(pair.key, reading, depth + 1);
    if (typeof key === 'object' && key !== null) reading.fault ??= 'not_yaml';
    const value = plain(pair.value, reading, depth + 1);
    if (key === '<<') merged.push(value);
    else own.set(String(key), value);
    if (reading.fault) break;
  }
  // `fromEntries` defines own members, so that a key such as `__proto__` stays data.
  return Object.fromEntries([...mergedEntries(merged.flat(), reading), ...own]);
}

/** Members that merge keys bring in. They are copied, so each counts as a node: aliases of one large map must not multiply it. */
function mergedEntries(values: readonly unknown[], reading: Reading): readonly (readonly [string, unknown])[] {
  const members: (readonly [string, unknown])[] = [];
  for (const value of values) {
    if (reading.fault) break;
    for (const member of typeof value === 'object' && value !== null ? Object.entries(value) : []) members.push(member);
    if (reading.nodes + members.length > DOCUMENT_LIMITS.nodes) reading.fault = 'too_many_nodes';
  }
  reading.nodes += members.length;
  return members;
}
