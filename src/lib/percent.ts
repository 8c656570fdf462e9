/** A text without percent-encoding (RFC 3986, 2.1); undefined where it has a `%` that encodes nothing. */
export function decodePercent(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // `%` without two digits after it, or bytes that are not UTF-8.
  }
}
