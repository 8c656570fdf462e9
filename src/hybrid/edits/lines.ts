import { isCollection, isMap, isPair, isScalar, isSeq, type Node } from 'yaml';
import type { OverridesSource } from '../core/source.ts';
import type { YamlEntry } from '../core/tree.ts';

/** Offset of the first character of the line that contains `at`. */
export const findLineStart = ({ text }: Pick<OverridesSource, 'text'>, at: number): number =>
  text.lastIndexOf('\n', at - 1) + 1;

/** Offset after the end of the line that contains `at`, including its line break. */
export function findLineEnd({ text }: Pick<OverridesSource, 'text'>, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

const BOM = '\uFEFF';

/** Text before the key on its line: spaces and list dashes. */
export const getKeyPrefix = (source: OverridesSource, { keyNode }: YamlEntry): string => {
  const at = keyNode.range?.[0] ?? 0;
  return source.text.slice(findLineStart(source, at), at).replace(BOM, '');
};

/** How far the key is indented, in characters. */
const getKeyColumn = (source: OverridesSource, entry: YamlEntry): number => getKeyPrefix(source, entry).length;

/** After the last character of what an entry says: no comment, no line break. */
export const findContentEnd = (source: OverridesSource, { keyNode, value }: YamlEntry): number =>
  Math.max(keyNode.range?.[1] ?? 0, value === null ? 0 : findNodeEnd(source.text, value));

function findNodeEnd(text: string, node: Node): number {
  if (isScalar(node)) return withoutBreaks(text, node.range?.[1] ?? 0, node.range?.[0] ?? 0);
  if (!isCollection(node) || node.flow === true) return node.range?.[1] ?? 0;
  const last = node.items.at(-1);
  const start = node.range?.[0] ?? 0;
  if (isMap(node) && isPair(last)) {
    const parts = [last.key, last.value].filter((part) => part !== null) as Node[];
    return Math.max(start, ...parts.map((part) => findNodeEnd(text, part)));
  }
  return isSeq(node) && last ? Math.max(start, findNodeEnd(text, last as Node)) : start;
}

/** A block of text reaches over the line break, and over blank lines that it keeps. */
function withoutBreaks(text: string, end: number, start: number): number {
  let at = end;
  while (at > start && (text[at - 1] === '\n' || text[at - 1] === '\r')) at -= 1;
  return at;
}

/** Where lines of an entry begin and end, line breaks included. */
export type Lines = { start: number; end: number };

/**
 * The lines of an entry: from that of its key to the last one of its value, and further over comments that are indented
 * deeper than the key. Comments at its indentation and blank lines around it are not its own.
 */
export function findEntryLines(source: OverridesSource, entry: YamlEntry): Lines {
  const column = getKeyColumn(source, entry);
  let end = findLineEnd(source, findContentEnd(source, entry));
  let at = end;
  while (at < source.end) {
    const next = findLineEnd(source, at);
    const line = source.text.slice(at, next);
    const content = line.trimStart();
    if (content.startsWith('#') && line.length - content.length > column) end = next;
    else if (content !== '') break;
    at = next;
  }
  return { start: findLineStart(source, entry.keyNode.range?.[0] ?? 0), end };
}
