import type { Download } from '../../../search/search-object.ts';
import type { AnsweredPieces } from '../../core/conventions/response-data.ts';
import { SEARCH_HEADERS } from './envelope.ts';

/** Types that a client is told as they are; whatever a browser could run is only bytes. */
const SAFE_TYPES: ReadonlyMap<string, string> = new Map([
  ['text/plain', 'text/plain; charset=utf-8'],
  ['text/markdown', 'text/markdown; charset=utf-8'],
  ['text/csv', 'text/csv; charset=utf-8'],
  ['application/json', 'application/json'],
  ['application/pdf', 'application/pdf'],
]);
/** The same in another charset, as the file was sent. */
const SAFE_IN_CHARSET = /^text\/(?:plain|markdown|csv); charset=[\w.:-]{1,40}$/;
const MAX_NAME_CHARS = 128;

/** The raw content of an item. It is foreign: to be saved and never shown, run, or taken for something else. */
export const answeredDownload = ({ type, key, bytes }: Extract<Download, { ok: true }>): AnsweredPieces => ({
  status: 200,
  headers: {
    'content-type': SAFE_TYPES.get(type) ?? (SAFE_IN_CHARSET.test(type) ? type : 'application/octet-stream'),
    'content-disposition': `attachment; filename*=UTF-8''${encodedName(key)}`,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    ...SEARCH_HEADERS,
  },
  body: [bytes],
});

/** The last part of a key, as a parameter of RFC 8187 has it. */
function encodedName(key: string): string {
  const name = key.slice(key.lastIndexOf('/') + 1).slice(0, MAX_NAME_CHARS) || 'item';
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*!]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
