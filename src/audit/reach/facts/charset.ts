import { countUtf8Bytes } from '../../../lib/utf8.ts';
import type { SnapshotAnswer } from '../../core/snapshot.ts';

/** The first bytes of a document, which must contain its own declaration (HTML, 4.2.5.4). */
const META_BYTES = 1024;

/** How a page says in which charset it is; `name` lower case. */
export type DeclaredCharset = { name: string; from: 'header' | 'meta' | 'byte order mark' };

/** The declaration that decides (header, else meta within the first 1,024 bytes, else a mark before the text), or undefined. */
export function findDeclaredCharset({
  headers,
  body,
  bodyBytes,
  truncated,
}: SnapshotAnswer): DeclaredCharset | undefined {
  const header = findCharsetLabel(headers['content-type'] ?? '');
  if (header !== undefined) return { name: header, from: 'header' };
  const start = body.slice(0, META_BYTES);
  const tag = [...start.matchAll(/<meta\s[^<>]{1,400}>/gi)].find(([text]) => findCharsetLabel(text) !== undefined);
  const meta =
    tag && countUtf8Bytes(start.slice(0, tag.index + tag[0].length)) <= META_BYTES
      ? findCharsetLabel(tag[0])
      : undefined;
  if (meta !== undefined) return { name: meta, from: 'meta' };
  // Decoding drops the mark of three bytes, which the size still counts.
  const marked = !truncated && bodyBytes - countUtf8Bytes(body) === 3;
  return marked ? { name: 'utf-8', from: 'byte order mark' } : undefined;
}

const findCharsetLabel = (text: string): string | undefined =>
  /charset\s{0,9}=\s{0,9}["']?([\w.:-]{1,40})/i.exec(text)?.[1]?.toLowerCase();

/** Replacement characters, and the pairs that accents and quotation marks of UTF-8 turn into when read as Windows-1252. */
const BROKEN = /\uFFFD|[ÃÂ][\u0080-\u00bf]|â€[\u0080-\u00bf™œ˜“”¢¦š]|ï»¿/g;

/** More broken characters than this are not counted. */
const MAX_COUNTED = 1000;
const AROUND_CHARS = 30;

/** Counts broken characters in a text (at most 1,000), with the first of them and what is around it. */
export function countBrokenCharacters(text: string): { count: number; excerpt: string } {
  let count = 0;
  let excerpt = '';
  for (const { index } of text.matchAll(BROKEN)) {
    if (count === 0) excerpt = text.slice(Math.max(0, index - AROUND_CHARS), index + AROUND_CHARS);
    count += 1;
    if (count === MAX_COUNTED) break;
  }
  return { count, excerpt };
}
