const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** Most texts fit: memory of their own for each would lie outside of the heap until the next large collection. */
const SCRATCH_BYTES = 4_096;
const MAX_UTF8_BYTES_OF_CHAR = 3;
const scratch = new Uint8Array(SCRATCH_BYTES);

/**
 * The same text in memory of its own. A part of a text keeps the whole alive as long as the part lives, which for a line
 * of a log is a quarter of a megabyte.
 */
export function copyText(text: string): string {
  if (text.length * MAX_UTF8_BYTES_OF_CHAR > SCRATCH_BYTES) return decoder.decode(encoder.encode(text));
  return decoder.decode(scratch.subarray(0, encoder.encodeInto(text, scratch).written));
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const LAST_ASCII = 0x7f;
const LAST_BYTE = 0xff;

/**
 * The text of a byte string in UTF-8; as it is where its bytes are none, or where it has characters that are no bytes and
 * so were decoded before. In memory of its own.
 */
export function decodeByteString(text: string): string {
  let highest = 0;
  for (let at = 0; at < text.length; at += 1) highest = Math.max(highest, text.charCodeAt(at));
  if (highest <= LAST_ASCII || highest > LAST_BYTE) return copyText(text);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  try {
    return utf8.decode(bytes);
  } catch {
    return copyText(text);
  }
}
