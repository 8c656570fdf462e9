import { decodeBase64url, encodeBase64url } from '../../../lib/base64url.ts';
import { formatCanonicalJson, type JsonObject, isObject, parseJson } from '../../../lib/json.ts';
import { decodeUtf8Text } from '../../../lib/utf8.ts';

const encoder = new TextEncoder();

/** JSON with sorted keys as base64url without padding: how the scheme `Payment` writes objects into headers. */
export const encodeJson = (value: object): string => encodeBase64url(encoder.encode(formatCanonicalJson(value)));

/** The object of such a text; undefined when it holds none. */
export function decodeJson(text: string): JsonObject | undefined {
  const bytes = decodeBase64url(text);
  const json = bytes === undefined ? undefined : decodeUtf8Text(bytes);
  const value = json === undefined ? undefined : parseJson(json);
  return isObject(value) ? value : undefined;
}
