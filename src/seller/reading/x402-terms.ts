import { isObject, type JsonObject, parseJson, toObjects } from '../../lib/json.ts';
import { decodeBase64Text } from '../../payment/terms/bytes.ts';
import { MAX_JUDGED_WAYS } from '../limits.ts';
import { decodeJsonText } from './decode.ts';

/** Terms of x402. `body`: the object of the JSON body where it has terms too. */
export type X402Terms = {
  version: number;
  carrier: 'header' | 'body';
  header: string | undefined;
  value: JsonObject;
  body: JsonObject | undefined;
  accepts: readonly JsonObject[];
};

/** `broken`: a header or body that means to be terms and cannot be read. */
export type X402Reading = { state: 'read'; terms: X402Terms } | { state: 'none' } | { state: 'broken'; why: string };

/** Reads the terms of a 402: version 2 has them in `PAYMENT-REQUIRED`, version 1 in the body. */
export function readX402Terms(headers: Readonly<Record<string, string>>, bytes: Uint8Array): X402Reading {
  const header = headers['payment-required'];
  const given = decodeJsonText(bytes);
  const body = isObject(given) && Array.isArray(given['accepts']) ? given : undefined;
  if (header !== undefined) {
    const text = decodeBase64Text(header.trim());
    if (text === undefined) return { state: 'broken', why: 'PAYMENT-REQUIRED is not padded base64 of UTF-8 text' };
    const value = parseJson(text);
    if (!isObject(value)) return { state: 'broken', why: 'PAYMENT-REQUIRED holds no JSON object' };
    return { state: 'read', terms: buildTerms(value, 'header', header, body) };
  }
  if (body === undefined) return { state: 'none' };
  return { state: 'read', terms: buildTerms(body, 'body', undefined, body) };
}

const buildTerms = (
  value: JsonObject,
  carrier: X402Terms['carrier'],
  header: string | undefined,
  body: JsonObject | undefined,
): X402Terms => ({
  version: typeof value['x402Version'] === 'number' ? value['x402Version'] : 0,
  carrier,
  header,
  value,
  body,
  accepts: toObjects(value['accepts']).slice(0, MAX_JUDGED_WAYS),
});

/** The amount of one way to pay, which version 1 calls another name. */
export const getAskedAmount = (way: JsonObject): unknown => way['amount'] ?? way['maxAmountRequired'];
