import { isObject, type Json, type JsonObject } from './json.ts';

/** Most paths of one selection of members, and how deep one may go (rule K9). */
export const MAX_MASK_PATHS = 100;
export const MAX_MASK_DEPTH = 10;

/** What of a value is wanted: all of it, or members by name, where `*` is every member. */
export type Mask = { readonly whole: boolean; readonly names: ReadonlyMap<string, Mask> };

/** In a selection: every member. */
export const ANY_NAME = '*';

type Node = { whole: boolean; names: Map<string, Node>; depth: number };

/** A selection, or the part of its text that is wrong. */
export type ParsedMask = { ok: true; mask: Mask } | { ok: false; what: string };

/** Leaves the parser; no one outside sees it. */
class MaskFault extends Error {
  readonly what: string;
  constructor(what: string) {
    super('a selection that cannot be read');
    this.what = what;
  }
}

/**
 * Parses a selection of members: `a,b/c(d,e),*`. `/` descends into objects and into the items of lists; so does `.`.
 * Spaces around names are ignored.
 */
export function parseMask(text: string): ParsedMask {
  try {
    return { ok: true, mask: readMask(text) };
  } catch (error) {
    if (error instanceof MaskFault) return { ok: false, what: error.what };
    throw error;
  }
}

function readMask(text: string): Mask {
  const root: Node = { whole: false, names: new Map(), depth: 0 };
  const bases: Node[] = [];
  let [base, at] = [root, root];
  let expected: 'name' | 'end of path' | 'end of group' = 'name';
  let paths = 0;
  const refuse = (what: string): never => {
    throw new MaskFault(what);
  };
  const endPath = (): void => {
    if (expected === 'name') refuse(text);
    if (expected === 'end of group') return;
    at.whole = true;
    paths += 1;
    if (paths > MAX_MASK_PATHS) refuse(text);
  };
  for (const [token] of text.matchAll(/[,()/.]|[^,()/.\s]+/g)) {
    if (token === ',') {
      endPath();
      [at, expected] = [base, 'name'];
    } else if (token === ')') {
      endPath();
      base = bases.pop() ?? refuse(text);
      expected = 'end of group';
    } else if (token === '(' || token === '/' || token === '.') {
      if (expected !== 'end of path') refuse(text);
      if (token === '(') {
        bases.push(base);
        base = at;
      }
      expected = 'name';
    } else {
      if (expected !== 'name' || at.depth === MAX_MASK_DEPTH) refuse(token);
      at = ensureChildNode(at, token);
      expected = 'end of path';
    }
  }
  endPath();
  return bases.length === 0 ? root : refuse(text);
}

function ensureChildNode(node: Node, name: string): Node {
  const known = node.names.get(name);
  if (known !== undefined) return known;
  const made: Node = { whole: false, names: new Map(), depth: node.depth + 1 };
  node.names.set(name, made);
  return made;
}

/** The part of a body that a mask selects. Objects of which nothing is selected stay as `{}`, scalars below are left out. */
export function applyFields(mask: Mask, body: JsonObject): JsonObject {
  const part = selectMaskedPart([mask], body);
  return isObject(part) ? part : {};
}

function selectMaskedPart(masks: readonly Mask[], value: Json): Json | undefined {
  if (masks.some(({ whole }) => whole)) return value;
  if (Array.isArray(value))
    return value.map((item) => selectMaskedPart(masks, item)).filter((part) => part !== undefined);
  if (!isObject(value)) return undefined;
  const members: [string, Json][] = [];
  const [first] = masks;
  for (const [name, member] of Object.entries(value)) {
    const inner =
      masks.length === 1 && first !== undefined
        ? getMasksForName(name, first.names)
        : masks.flatMap(({ names }) => getMasksForName(name, names));
    const part = inner.length === 0 ? undefined : selectMaskedPart(inner, member);
    if (part !== undefined) members.push([name, part]);
  }
  return Object.fromEntries(members);
}

function getMasksForName(name: string, names: Mask['names']): readonly Mask[] {
  const [named, any] = [names.get(name), names.get(ANY_NAME)];
  if (named === undefined) return any === undefined ? [] : [any];
  return any === undefined ? [named] : [named, any];
}
