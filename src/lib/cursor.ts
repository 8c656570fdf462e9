import { decodeBase64url, encodeBase64url } from './base64url.ts';
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

/** Longest place of a list that is kept by places instead of offsets, in characters. */
const MAX_PLACE_CHARS = 200;
const PLACE_FORM = /^([0-9a-f]{16})-([A-Za-z0-9_-]{1,300})$/;

/** The same for a list whose next page begins after a place of its own, such as a time and an id. */
export const encodePlaceCursor = async (scope: string, place: string): Promise<string> =>
  `${await hashScope(scope)}-${encodeBase64url(new TextEncoder().encode(place))}`;

/** The place of a cursor that was made for this list; undefined for every other text. */
export async function decodePlaceCursor(text: string, scope: string): Promise<string | undefined> {
  const [, hash, encoded] = PLACE_FORM.exec(text) ?? [];
  if (hash === undefined || encoded === undefined || hash !== (await hashScope(scope))) return undefined;
  const bytes = decodeBase64url(encoded);
  const place = bytes && new TextDecoder().decode(bytes);
  return place !== undefined && place.length <= MAX_PLACE_CHARS ? place : undefined;
}
