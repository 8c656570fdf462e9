/** The limits of what callers name (rule K9). */
export const MAX_ID_BYTES = 1_024;
export const MAX_MASK_PATHS = 100;
export const MAX_MASK_DEPTH = 10;
/** Of a query, filter or mask, in characters. */
export const MAX_LONG_TEXT_CHARS = 20_000;

/** `quota_config` as JSON spells it: `quotaConfig`. */
export const toCamelCase = (name: string): string =>
  name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/**
 * The name under which a table knows what was sent as `name`: unchanged or, where only that is known, in camel case
 * (the vendor's gRPC clients send snake case). Undefined for a name that the table lacks.
 */
export function findKnownName(table: object, name: string): string | undefined {
  if (Object.hasOwn(table, name)) return name;
  const camel = toCamelCase(name);
  return Object.hasOwn(table, camel) ? camel : undefined;
}

/** Names that no object of ours may have, because assigning to them does not make a member. */
export const isForbiddenName = (name: string): boolean => name === '__proto__';

/** Bytes of a text in UTF-8. */
export const countUtf8Bytes = (text: string): number => new TextEncoder().encode(text).byteLength;

/** The text of bytes, without a byte order mark; undefined when they are no UTF-8: nothing is made up for what is broken. */
export function decodeUtf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Whether a text fits into so many bytes; a very long one is refused without encoding it. */
export const isWithinBytes = (text: string, limit: number): boolean =>
  text.length <= limit && countUtf8Bytes(text) <= limit;
