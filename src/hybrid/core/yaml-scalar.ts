import { isScalar, parseDocument } from 'yaml';
import type { Text } from './tree.ts';

/** Texts that need no quotes anywhere in a file, a flow list included. */
const PLAIN = /^[A-Za-z0-9_./$~+@%][A-Za-z0-9_./$~+@%-]*$/;

/** What older readers of YAML take for something else than a text: booleans, and numbers in more forms. */
const OLD_WORDS = /^(?:y|n|yes|no|on|off)$/i;
const NUMBER_LIKE = /^[-+.]?\d/;

/** A text as YAML: plain where that reads back as the same text, otherwise in double quotes. */
export function yamlScalar(value: string): string {
  if (OLD_WORDS.test(value) || NUMBER_LIKE.test(value)) return JSON.stringify(value);
  const { contents, errors } = parseDocument(PLAIN.test(value) ? value : '""', { prettyErrors: false, schema: 'core' });
  const isSame = errors.length === 0 && isScalar(contents) && contents.value === value;
  return isSame ? value : JSON.stringify(value);
}

const FLOW_SIGNS = /[,[\]{}]/;

/** A value as its file writes it, quotes included; one of several lines, or that a flow list would cut, in double quotes. */
export function rawOf(text: string, { node, value }: Text): string {
  const [start = 0, end = 0] = node.range ?? [];
  const raw = text.slice(start, end);
  return raw.includes('\n') || (node.type === 'PLAIN' && FLOW_SIGNS.test(raw)) ? JSON.stringify(value) : raw;
}
