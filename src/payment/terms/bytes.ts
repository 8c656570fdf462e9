const encoder = new TextEncoder();

/** Standard base64 with padding of the UTF-8 bytes of `text`: the encoding of every x402 header. */
export function encodeTextAsBase64(text: string): string {
  return encodeBase64(encoder.encode(text));
}

export function encodeBase64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Text of a base64 value; undefined when it is not standard base64 or not UTF-8. */
export function decodeBase64Text(value: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined;
  try {
    const binary = atob(value);
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined; // A length that is no base64, or bytes that are no UTF-8.
  }
}
