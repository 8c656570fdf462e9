/** A text without percent-encoding (RFC 3986, 2.1); undefined where it has a `%` that encodes nothing. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // `%` without two digits after it, or bytes that are not UTF-8.
  }
}

/** A text without percent-encoding; as it is where it has a `%` that encodes nothing, which is then meant as itself. */
export const decodePercentOrKeep = (text: string): string => decodePercent(text) ?? text;

/** The UTF-8 bytes of a text, each percent-encoded. */
export const encodePercent = (text: string): string =>
  [...new TextEncoder().encode(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
