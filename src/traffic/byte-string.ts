/** Characters that one call of String.fromCharCode takes. */
const MAX_CODES = 8192;
const codes = new Uint16Array(MAX_CODES);

/**
 * The same text in memory of its own. A part of a text keeps the whole alive as long as the part lives, which for a line
 * of a log is a megabyte.
 */
export function copyText(text: string): string {
  if (text.length > MAX_CODES) return copyText(text.slice(0, MAX_CODES)) + copyText(text.slice(MAX_CODES));
  for (let at = 0; at < text.length; at += 1) codes[at] = text.charCodeAt(at);
  return String.fromCharCode(...codes.subarray(0, text.length));
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Byte strings have characters up to 255; what is beyond was decoded by someone else. */
const isDecoded = (text: string): boolean => {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0xff) return true;
  return false;
};

/** The text of a byte string in UTF-8; as it is where its bytes are none. In memory of its own. */
export function decodeByteString(text: string): string {
  if (isDecoded(text)) return copyText(text);
  try {
    return utf8.decode(Uint8Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)));
  } catch {
    return copyText(text);
  }
}
