import { inflateAtMost } from '../../net/inflate.ts';

/** How far into a document its charset declaration may be (HTML, 4.2.5.4). */
const META_BYTES = 1024;

/**
 * The text of a body. The charset is that of a byte order mark, else of the Content-Type header, else of a
 * `<meta charset>` within the first 1,024 bytes, else UTF-8; an unknown charset counts as UTF-8, broken bytes become U+FFFD.
 */
export function decodeBody(bytes: Uint8Array<ArrayBuffer>, contentType: string): string {
  const label = detectByteOrderMark(bytes) ?? findCharset(contentType) ?? findMetaCharset(bytes) ?? 'utf-8';
  return createDecoder(label).decode(bytes);
}

/** What a text takes in memory: two bytes a character as soon as one of them is outside of Latin-1. */
export const computeTextBytes = (text: string): number => text.length * (/[\u0100-\uFFFF]/.test(text) ? 2 : 1);

function detectByteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return undefined;
}

const findCharset = (text: string): string | undefined => /charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(text)?.[1];

/** A declaration in the document cannot be UTF-16: it was just read as ASCII (HTML, 13.2.3.2). */
function findMetaCharset(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, META_BYTES));
  const label = /<meta\s[^<>]{0,200}charset/i.test(head) ? findCharset(head) : undefined;
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function createDecoder(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder(); // The label names no charset.
    throw error;
  }
}

/** A gzip file inside a body (a sitemap.xml.gz) is read up to here, and no further than `MAX_RATIO` times its size. */
export const MAX_UNZIPPED_BYTES = 10 * 1024 * 1024;
const MAX_RATIO = 200;

export type Unzipped = { bytes: Uint8Array<ArrayBuffer>; truncated: boolean };

/**
 * The content of a body that is a gzip file by its first two bytes, whatever its headers say; any other body as it is. Of a
 * broken or cut archive, what came out before the break is all there is.
 * @param count hears of what came out; where it says no, nothing of it is kept
 */
export async function unzip(
  bytes: Uint8Array<ArrayBuffer>,
  count: (bytes: number) => boolean = () => true,
): Promise<Unzipped> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return { bytes, truncated: false };
  const limit = Math.min(MAX_UNZIPPED_BYTES, bytes.byteLength * MAX_RATIO);
  const content = await inflateAtMost(bytes, 'gzip', limit);
  // An archive that was not looked at must not be judged: it counts for more than there is.
  if (!count(content.end === 'busy' ? Number.POSITIVE_INFINITY : content.bytes.byteLength))
    return { bytes: new Uint8Array(), truncated: true };
  return { bytes: content.bytes, truncated: content.end !== 'whole' };
}
