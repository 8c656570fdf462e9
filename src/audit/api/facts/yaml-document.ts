import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  type YAMLMap,
} from 'yaml';
import { isSlot } from '../../../lib/slots.ts';
import { parseSiteJson } from '../../structured-data/facts/json-document.ts';

/**
 * Bounds of one document. What YAML costs goes with its tokens: a large description (1.5 million characters) has 234,000
 * and takes 0.4 s of processor time; hostile text has nearly one a character.
 */
export const YAML_DOCUMENT_LIMITS = {
  yamlChars: 4_000_000,
  yamlTokens: 300_000,
  jsonChars: 5_000_000,
  nodes: 200_000,
  depth: 100,
  aliases: 100,
} as const;

export type DocumentFault =
  | 'too_large'
  | 'too_deep'
  | 'too_many_tokens'
  | 'too_many_nodes'
  | 'too_many_aliases'
  | 'not_json'
  | 'not_yaml';

export type ParsedYamlDocument =
  | { ok: true; format: 'json' | 'yaml'; value: unknown }
  | { ok: false; reason: DocumentFault; message: string };

/** Faults that say something about our limits and nothing about the document. */
export const isOurLimit = (reason: DocumentFault): boolean => reason !== 'not_json' && reason !== 'not_yaml';

/**
 * Parses a JSON or YAML 1.2 text into plain data; never throws, and takes time linear in the text. Text that opens with a
 * brace or bracket is JSON. Aliases share one object and are never copied, so a value may hold one object many times:
 * walk it with a set of visited objects. Map keys that are no scalars are refused.
 */
export function parseJsonOrYaml(text: string): ParsedYamlDocument {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (!/^\s*[{[]/u.test(body)) return parseYaml(body);
  if (body.length > YAML_DOCUMENT_LIMITS.jsonChars)
    return refuseDocument('too_large', `has over ${YAML_DOCUMENT_LIMITS.jsonChars} characters`);
  const parsed = parseSiteJson(body);
  return parsed.ok ? { ok: true, format: 'json', value: parsed.value } : refuseDocument('not_json', parsed.message);
}

const refuseDocument = (reason: DocumentFault, message: string): ParsedYamlDocument & { ok: false } => ({
  ok: false,
  reason,
  message,
});

function parseYaml(text: string): ParsedYamlDocument {
  if (text.length > YAML_DOCUMENT_LIMITS.yamlChars)
    return refuseDocument('too_large', `has over ${YAML_DOCUMENT_LIMITS.yamlChars} characters of YAML`);
  const reading: YamlReadState = { nodes: 0, aliases: 0, anchors: new Map() };
  let document: Document | undefined;
  try {
    document = parseFirstDocument(text, reading);
  } catch (error) {
    if (error instanceof RangeError) return refuseDocument('too_deep', 'is nested too deeply to read');
    throw error;
  }
  if (reading.fault) return refuseDocument(reading.fault, FAULTS[reading.fault]);
  const fault = document?.errors[0];
  if (fault) return refuseDocument('not_yaml', describeYamlFault(text, fault.pos[0]));
  const value = toPlainValue(document?.contents, reading, 0);
  return reading.fault ? refuseDocument(reading.fault, FAULTS[reading.fault]) : { ok: true, format: 'yaml', value };
}

/** The first document of a stream; none if the text has too many tokens, of which no more are read then. */
function parseFirstDocument(text: string, reading: YamlReadState): Document | undefined {
  const composer = new Composer({ uniqueKeys: false, logLevel: 'silent', prettyErrors: false, schema: 'core' });
  const [document] = composer.compose(listBoundedTokens(text, reading), true, text.length);
  return document;
}

/** Ends at the first error too: what follows one is hostile as a rule, and costs the most. */
function* listBoundedTokens(text: string, reading: YamlReadState): Generator<CST.Token> {
  const parser = new Parser();
  let tokens = 0;
  for (const lexeme of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > YAML_DOCUMENT_LIMITS.yamlTokens) {
      reading.fault = 'too_many_tokens';
      return;
    }
    for (const token of parser.next(lexeme)) {
      yield token;
      if (token.type === 'error') return;
    }
  }
  yield* parser.end();
}

/** The place of a fault; the parser's own message may quote the text. */
function describeYamlFault(text: string, position: number): string {
  const before = text.slice(0, position).split('\n');
  return `is not valid YAML (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}

const FAULTS: Readonly<Record<DocumentFault, string>> = {
  too_large: 'is too large',
  too_many_tokens: `has over ${YAML_DOCUMENT_LIMITS.yamlTokens} tokens of YAML`,
  too_deep: `is nested deeper than ${YAML_DOCUMENT_LIMITS.depth} levels`,
  too_many_nodes: `has over ${YAML_DOCUMENT_LIMITS.nodes} nodes`,
  too_many_aliases: `has over ${YAML_DOCUMENT_LIMITS.aliases} aliases`,
  not_json: 'is not valid JSON',
  not_yaml: 'has a map key that is no scalar, or an alias without an anchor before it',
};

type YamlReadState = { nodes: number; aliases: number; anchors: Map<string, unknown>; fault?: DocumentFault };

/** The plain value of a node, with every bound checked; once `reading.fault` is set the value means nothing. */
function toPlainValue(node: unknown, reading: YamlReadState, depth: number): unknown {
  reading.nodes += 1;
  if (reading.nodes > YAML_DOCUMENT_LIMITS.nodes) reading.fault ??= 'too_many_nodes';
  if (depth > YAML_DOCUMENT_LIMITS.depth) reading.fault ??= 'too_deep';
  if (reading.fault) return undefined;
  if (isAlias(node)) return resolveAlias(node, reading);
  const value = convertNodeContent(node, reading, depth);
  const anchor = isScalar(node) || isSeq(node) || isMap(node) ? node.anchor : undefined;
  if (anchor !== undefined) reading.anchors.set(anchor, value);
  return value;
}

function convertNodeContent(node: unknown, reading: YamlReadState, depth: number): unknown {
  if (isScalar(node)) return node.value;
  if (isSeq(node))
    return node.items.map((item) => toPlainValue(item, reading, depth + 1)).filter((item) => !isSlotValue(item));
  return isMap(node) ? toPlainMap(node, reading, depth) : null;
}

/** A text with an open slot is not there. */
const isSlotValue = (value: unknown): boolean => typeof value === 'string' && isSlot(value);

/** An alias inside its own anchor finds nothing, so no value holds itself. */
function resolveAlias(alias: Alias, reading: YamlReadState): unknown {
  reading.aliases += 1;
  if (reading.aliases > YAML_DOCUMENT_LIMITS.aliases) reading.fault ??= 'too_many_aliases';
  if (!reading.anchors.has(alias.source)) reading.fault ??= 'not_yaml';
  return reading.anchors.get(alias.source);
}

function toPlainMap(map: YAMLMap, reading: YamlReadState, depth: number): Readonly<Record<string, unknown>> {
  const own = new Map<string, unknown>();
  const merged: unknown[] = [];
  for (const pair of map.items) {
    const key = toPlainValue(pair.key, reading, depth + 1);
    if (typeof key === 'object' && key !== null) reading.fault ??= 'not_yaml';
    const value = toPlainValue(pair.value, reading, depth + 1);
    if (key === '<<') merged.push(value);
    else if (!isSlotValue(value) && !isSlotValue(key)) own.set(String(key), value);
    if (reading.fault) break;
  }
  // `fromEntries` defines own members, so that a key such as `__proto__` stays data.
  return Object.fromEntries([...listMergedEntries(merged.flat(), reading), ...own]);
}

/** Members that merge keys bring in. They are copied, so each counts as a node: aliases of one large map must not multiply it. */
function listMergedEntries(
  values: readonly unknown[],
  reading: YamlReadState,
): readonly (readonly [string, unknown])[] {
  const members: (readonly [string, unknown])[] = [];
  for (const value of values) {
    if (reading.fault) break;
    for (const member of typeof value === 'object' && value !== null ? Object.entries(value) : []) members.push(member);
    if (reading.nodes + members.length > YAML_DOCUMENT_LIMITS.nodes) reading.fault = 'too_many_nodes';
  }
  reading.nodes += members.length;
  return members;
}
