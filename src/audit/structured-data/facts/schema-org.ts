import { SCHEMA_ORG_PROPERTIES, SCHEMA_ORG_TYPES } from './schema-org-data.ts';

/** Names longer than this get no suggestion: comparing them costs time and is of no use. */
const MAX_COMPARED_CHARS = 48;
const MAX_TYPO_EDITS = 2;

const parentsByType: ReadonlyMap<string, readonly string[]> = new Map(
  SCHEMA_ORG_TYPES.trim()
    .split('\n')
    .map((line) => {
      const [name = '', parents = ''] = line.split(':');
      return [name, parents === '' ? [] : parents.split(',')];
    }),
);

const properties: ReadonlySet<string> = new Set(SCHEMA_ORG_PROPERTIES.trim().split('\n'));

/** Whether schema.org (any section: core, pending, meta, attic) has a type of this exact short name. */
export const isSchemaType = (name: string): boolean => parentsByType.has(name);

/** Whether schema.org has a property of this exact short name; `<name>-input` and `-output` annotate an action's property. */
export const isSchemaProperty = (name: string): boolean => properties.has(name.replace(/-(?:input|output)$/, ''));

/** Whether `type` is `ancestor` or one of its subtypes, by the bundled hierarchy. An unknown type is only itself. */
export function isSubtype(type: string, ancestor: string): boolean {
  const seen = new Set<string>();
  const open = [type];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === ancestor) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...(parentsByType.get(name) ?? []));
  }
  return false;
}

/**
 * The schema.org name closest to a misspelt one (same letters in other case, or at most two edits away), if any. Of several
 * as close, the one that only adds letters: "autor" is author, not actor.
 */
export function findNearestSchemaName(name: string, kind: 'type' | 'property'): string | undefined {
  if (name.length > MAX_COMPARED_CHARS) return undefined;
  let best: string | undefined;
  let bestEdits = Math.min(MAX_TYPO_EDITS, Math.floor(name.length / 3)) + 1;
  const lower = name.toLowerCase();
  for (const candidate of kind === 'type' ? parentsByType.keys() : properties) {
    if (Math.abs(candidate.length - name.length) > bestEdits) continue;
    const known = candidate.toLowerCase();
    const edits = editDistance(lower, known);
    const adds = best !== undefined && edits === bestEdits && hasLetters(known, lower) && !hasLetters(best, lower);
    if (edits < bestEdits || adds) [best, bestEdits] = [candidate, edits];
  }
  return best;
}

/** Whether `text` has these letters in this order, with others between them. */
function hasLetters(text: string, letters: string): boolean {
  let found = 0;
  for (const letter of text.toLowerCase()) if (letter === letters[found]) found += 1;
  return found === letters.length;
}

/** Edits between two names: insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swaps = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = swaps ? (before[column - 2] ?? Infinity) + 1 : Infinity;
      current.push(Math.min(replaced, swapped, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    [before, previous] = [previous, current];
  }
  return previous[b.length] ?? 0;
}
