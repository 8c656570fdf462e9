import { type Json, parseJson } from '../../lib/json.ts';
import { decodeUtf8Text } from '../../lib/utf8.ts';

/** The JSON value of UTF-8 bytes; undefined for anything else. */
export function decodeJsonText(bytes: Uint8Array): Json | undefined {
  const text = decodeUtf8Text(bytes);
  return text === undefined ? undefined : parseJson(text);
}
