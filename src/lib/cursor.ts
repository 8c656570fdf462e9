import { computeSha256Hex } from './digest.ts';

/** Characters of the hash that binds a cursor to its list. */
const SCOPE_CHARS = 16;
/** Furthest place that a cursor may name. */
const MAX_OFFSET = 1_000_000;

const FORM = /^([0-9a-f]{16})-([0-9a-z]{1,4})$/;

/**
 * Where the next page of a list begins, as text that callers pass back unchanged. It is no secret and opens
 * nothing: the route of the list decides who may read it.
 * @param scope names the list and its filters: the cursor is good for no other
 */
export const encodeCursor = async (scope: string, offset: number): Promise<string> =>
  `${await hashScope(scope)}-${offset.toString(36)}`;

/** The offset of a cursor that was made for this list; undefined for every other text. */
export async function decodeCursor(text: string, scope: string): Promise<number | undefined> {
  const [, hash, place] = FORM.exec(text) ?? [];
  if (hash === undefined || place === undefined || hash !== (await hashScope(scope))) return undefined;
  const offset = Number.parseInt(place, 36);
  return offset <= MAX_OFFSET ? offset : undefined;
}

const hashScope = async (scope: string): Promise<string> => (await computeSha256Hex(scope)).slice(0, SCOPE_CHARS);
