const FORM = /^[A-Za-z0-9_-]*$/;

/** Base64url without padding (RFC 4648, section 5). */
export const encodeBase64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** Whether a text is spelt so. */
export const isBase64url = (text: string): boolean => FORM.test(text);

/** The bytes of such a text; undefined when it is none. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!FORM.test(text) || text.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
}
