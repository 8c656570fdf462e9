const encoder = new TextEncoder();

/** Bytes of a text in UTF-8. */
export const countUtf8Bytes = (text: string): number => encoder.encode(text).byteLength;

/** Whether a text fits into so many bytes of UTF-8; a very long one is refused without encoding it. */
export const isWithinBytes = (text: string, limit: number): boolean =>
  text.length <= limit && countUtf8Bytes(text) <= limit;

/** The text of bytes, without a byte order mark; undefined when they are no UTF-8: nothing is made up for what is broken. */
export function decodeUtf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}
