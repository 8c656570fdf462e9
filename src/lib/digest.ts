const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const encoder = new TextEncoder();

/** Lower-case hex without prefix. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte] ?? '';
  return text;
}

/** Unpredictable bytes as lower-case hex. */
export const generateRandomHex = (bytes: number): string => toHex(crypto.getRandomValues(new Uint8Array(bytes)));

/** SHA-256 of the UTF-8 bytes of `text`, as 64 lower-case hex digits. */
export async function computeSha256Hex(text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text))));
}

type ImportedKey = ReturnType<typeof crypto.subtle.importKey>;

/** The secret of a deployment does not change while it runs, so one imported key is kept. */
let imported: { secret: string; key: ImportedKey } | undefined;

/** HMAC-SHA-256 of the UTF-8 bytes of `text` under the UTF-8 bytes of `secret`. 32 bytes. */
export async function computeHmacSha256(secret: string, text: string): Promise<Uint8Array> {
  if (imported?.secret !== secret) imported = { secret, key: importKey(secret) };
  return new Uint8Array(await crypto.subtle.sign('HMAC', await imported.key, encoder.encode(text)));
}

const importKey = (secret: string): ImportedKey =>
  crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);

/** Whether two texts are the same, in a time that depends on their lengths alone. For secrets, hash both first. */
export function isSameText(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let index = 0; index < left.length; index += 1) {
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index); // Past the end of `right`: NaN, which counts as 0.
  }
  return difference === 0;
}
