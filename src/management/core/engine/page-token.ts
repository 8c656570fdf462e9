import { DAY_MS } from '../../../lib/time.ts';
import { hmac } from '@noble/hashes/hmac';
import { sha256 } from '@noble/hashes/sha2';
import { isObject, isText } from '../../../lib/json.ts';
import { vendorRefusals } from '../../../lib/refusal.ts';
import type { Call } from './operation.ts';
import type { ListCursor } from './stored-row.ts';

/** Lifetime of a page token. */
const TOKEN_LIFE_MS = 3 * DAY_MS;
const MAC_BYTES = 16;
/** Longest token that is looked at: two keys of 1,024 bytes with every character escaped. */
const MAX_TOKEN_CHARS = 20_000;
/** What may differ between the pages of one list. */
const FREE_PARAMETERS = new Set(['pageToken', 'maxResults', 'pageSize']);

/**
 * Seals and opens page tokens: base64url of cursor and time with an HMAC over tenant, method, path and query, so that
 * a token of another query, method or tenant is refused (rule K9).
 * @param secret the tenant's own; `nowMs` is real time, not the tenant's clock
 */
export function createPageTokens(call: Call, tenant: string, secret: string, nowMs: number) {
  const scope = JSON.stringify([tenant, call.method, sortEntries(call.path), sortEntries(call.query)]);
  const macOf = (payload: string): string =>
    encodeBase64Url(hmac(sha256, encodeUtf8(secret), encodeUtf8(`${scope}\n${payload}`)).slice(0, MAC_BYTES));
  return {
    seal: ({ sort, id, isLast }: ListCursor): string => {
      const payload = encodeBase64Url(
        encodeUtf8(JSON.stringify([sort, id, nowMs, ...(isLast === true ? [true] : [])])),
      );
      return `${payload}.${macOf(payload)}`;
    },
    open: (): ListCursor | undefined => {
      const token = call.query['pageToken'];
      if (!isText(token) || token === '') return undefined;
      const [payload = '', mac = '', ...rest] = token.slice(0, MAX_TOKEN_CHARS).split('.');
      const cursor = rest.length === 0 && isSame(mac, macOf(payload)) ? parseTokenPayload(payload) : undefined;
      if (cursor === undefined || nowMs - cursor.at > TOKEN_LIFE_MS) throw vendorRefusals.invalidInput('pageToken');
      const { sort, id, isLast } = cursor;
      return { sort, id, ...(isLast === true && { isLast }) };
    },
  };
}

function parseTokenPayload(payload: string): (ListCursor & { at: number }) | undefined {
  const bytes = Uint8Array.from(
    atob(payload.replaceAll('-', '+').replaceAll('_', '/')),
    (char) => char.codePointAt(0) ?? 0,
  );
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes)); // Ours: the MAC was right.
  if (!Array.isArray(value) || isObject(value)) return undefined;
  const [sort, id, at, isLast] = value as unknown[];
  return isText(sort) && isText(id) && typeof at === 'number' ? { sort, id, at, isLast: isLast === true } : undefined;
}

const sortEntries = (record: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(record)
    .filter(([name]) => !FREE_PARAMETERS.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Constant time: how long it takes does not reveal where the texts differ. */
function isSame(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < b.length; index += 1) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}

const encodeUtf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const encodeBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
