import { isMap, isScalar, isSeq, type Node, parseDocument, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import type { FilePosition } from './problem.ts';
import type { OverridesSource } from './source.ts';

/** Texts that need no quotes anywhere in a file, a flow list included. */
const PLAIN = /^[A-Za-z0-9_./$~+@%][A-Za-z0-9_./$~+@%-]*$/;

/** What older readers of YAML take for something else than a text: booleans, and numbers in more forms. */
const OLD_WORDS = /^(?:y|n|yes|no|on|off)$/i;
const NUMBER_LIKE = /^[-+.]?\d/;

/** A text as YAML: plain where that reads back as the same text, otherwise in double quotes. */
export function formatYamlScalar(value: string): string {
  if (OLD_WORDS.test(value) || NUMBER_LIKE.test(value)) return JSON.stringify(value);
  const { contents, errors } = parseDocument(PLAIN.test(value) ? value : '""', { prettyErrors: false, schema: 'core' });
  const isSame = errors.length === 0 && isScalar(contents) && contents.value === value;
  return isSame ? value : JSON.stringify(value);
}

const FLOW_SIGNS = /[,[\]{}]/;

/** A value as its file writes it, quotes included; one of several lines, or that a flow list would cut, in double quotes. */
export function readRawScalar(text: string, { node, value }: Text): string {
  const [start = 0, end = 0] = node.range ?? [];
  const raw = text.slice(start, end);
  return raw.includes('\n') || (node.type === 'PLAIN' && FLOW_SIGNS.test(raw)) ? JSON.stringify(value) : raw;
}

/** A key with its value in a mapping. */
export type YamlEntry = {
  key: string;
  keyNode: Scalar;
  /** Null when nothing follows the colon. */
  value: Node | null;
  /** Of the key. */
  place: FilePosition;
};

/** A value as text: `123` and `"123"` are the same. */
export type Text = { value: string; node: Scalar; place: FilePosition };

/** The entries of a mapping whose keys are plain texts, in their order. */
export function listMapEntries(source: OverridesSource, map: YAMLMap): readonly YamlEntry[] {
  return map.items.flatMap(({ key, value }) => {
    if (!isScalar(key) || !key.range) return [];
    const place = source.placeOf(key.range[0]);
    return [{ key: getScalarText(key), keyNode: key, value: (value as Node | null) ?? null, place }];
  });
}

export const findMapEntry = (source: OverridesSource, map: YAMLMap | undefined, key: string): YamlEntry | undefined =>
  map === undefined ? undefined : listMapEntries(source, map).find((entry) => entry.key === key);

/** A parsed scalar as text: numbers as they were written, '' for null. */
export const getScalarText = ({ value, source = '' }: Scalar): string => (value === null ? '' : source);

/** The value of an entry as text; undefined where it has none, or is no scalar. */
export function readEntryText(source: OverridesSource, entry: YamlEntry | undefined): Text | undefined {
  const node = entry?.value;
  return node && isScalar(node) ? asText(source, node) : undefined;
}

export function asText(source: OverridesSource, node: Scalar): Text | undefined {
  const value = getScalarText(node);
  return value === '' || !node.range ? undefined : { value, node, place: source.placeOf(node.range[0]) };
}

export const getYamlMap = (entry: YamlEntry | undefined): YAMLMap | undefined => {
  const node = entry?.value;
  return node && isMap(node) ? node : undefined;
};

export const findSequence = (entry: YamlEntry | undefined): YAMLSeq | undefined => {
  const node = entry?.value;
  return node && isSeq(node) ? node : undefined;
};

/** Nothing after the colon, `~`, `null` or `""`. */
export const isEmpty = ({ value }: YamlEntry): boolean =>
  value === null || (isScalar(value) && (value.value === null || value.value === ''));

/** Two spellings of a shell variable are one: `${NAME}` is `$NAME`. */
export const normaliseVariables = (text: string): string => text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, '$$$1');

/** Whether the text contains a shell variable, so that its final value is unknown. */
export const hasVariable = (text: string): boolean => text.includes('$');
