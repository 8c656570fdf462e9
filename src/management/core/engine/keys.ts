import { vendorRefusals } from '../../../lib/refusal.ts';

/** Longest id, name and sort value, in bytes of UTF-8 (rule K9). */
export const MAX_KEY_BYTES = 1_024;
/** Longest stored body, in bytes: a row of SQLite in a Durable Object holds 2 MB with all its columns. */
export const MAX_STORED_BODY_BYTES = 1_900_000;

const encoder = new TextEncoder();

/** Whether a text can be an id, a name or a sort value: not too long, and whole characters only. */
export const isKey = (text: string): boolean =>
  text.length <= MAX_KEY_BYTES && measureUtf8Bytes(text) <= MAX_KEY_BYTES && text.isWellFormed();

/** @throws Refusal for a text that cannot be one. `what` names it to the caller */
export function requireKey(text: string, what: string): void {
  if (!isKey(text)) throw vendorRefusals.invalidInput(what);
}

/** @throws Refusal for a body that no row can hold */
export function requireRoom(json: string): void {
  if (json.length * 3 > MAX_STORED_BODY_BYTES && measureUtf8Bytes(json) > MAX_STORED_BODY_BYTES)
    throw vendorRefusals.limitExceeded('The resource is too large');
}

/** Bytes of a text in UTF-8. */
export const measureUtf8Bytes = (text: string): number => encoder.encode(text).length;
