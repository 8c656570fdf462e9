import { decodeBody } from '../../audit/core/decode.ts';

const DECLARES_CHARSET = /charset\s{0,9}=/i;
/** How far into a page its charset is declared (HTML, 4.2.5.4). */
const META_CHARS = 1024;

/**
 * The text of bytes: UTF-8, or what a byte order mark or a declared charset says. Strict: undefined when bytes are not
 * UTF-8 and nothing says what else they are, and when they hold NUL, which no text does.
 * @param contentType with its parameters, if it has some
 */
export function decodeText(bytes: Uint8Array, contentType: string): string | undefined {
  const text = strictly(markOf(bytes), bytes) ?? declared(bytes, contentType);
  return text === undefined || text.includes('\0') ? undefined : text;
}

function markOf([first, second]: Uint8Array): 'utf-16be' | 'utf-16le' | 'utf-8' {
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8';
}

function strictly(charset: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined; // Bytes of another charset, which is what this is asked for.
  }
}

function declared(bytes: Uint8Array, contentType: string): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, META_CHARS));
  const says = contentType.includes('html') ? contentType + head : contentType;
  return DECLARES_CHARSET.test(says) && !/charset\s{0,9}=\s{0,9}["']?utf-?8/i.test(says)
    ? decodeBody(new Uint8Array(bytes), contentType)
    : undefined;
}
