import { audit, HTML, page, paths, type Reply, USUAL_PAGE } from '../entries.ts';
import { BODY, each, isFull, often, repeated, shape, type Shape } from '../shape.ts';

const TEXT = [['content-type', 'text/plain; charset=utf-8']] as const;
const JSON_TYPE = [['content-type', 'application/json']] as const;
const EVENTS = [['content-type', 'text/event-stream']] as const;
const CHUNK = 64 * 1024;

/** Chunks without end: whoever reads must stop. */
function* forever(piece: Uint8Array): Generator<Uint8Array> {
  for (;;) yield piece;
}
const endless = (text: string): Iterable<Uint8Array> => forever(Buffer.from(repeated(text, CHUNK)));
function* bytewise(text: string): Generator<Uint8Array> {
  for (const byte of Buffer.from(text)) yield Uint8Array.of(byte);
}
const coded = (coding: string, body: Reply['body']): Reply => ({
  headers: [...HTML, ['content-encoding', coding]],
  ...(body === undefined ? {} : { body }),
});
const REFUSED = { outcomes: ['encoding_refused'], served: 0 };
const header = (count: number, name: (index: number) => string, value: string): Reply => ({
  ...USUAL_PAGE,
  headers: [...HTML, ...Array.from({ length: count }, (_, index) => [name(index), value] as const)],
});
const bare = (status: number, name: string, value: string): Reply => ({ status, headers: [[name, value]], body: '' });
const moved = (location: string, status = 302): Reply => bare(status, 'location', location);
/** All that one audit reads, and the piece that shows it: each request that comes after it still takes one. */
const ALL_BYTES = { served: 25 * 1024 * 1024 + 60 * CHUNK };
const ENDLESS_SITE = [
  shape(
    'a body that never ends for every path',
    () => () => ({ headers: HTML, body: endless('<p>words of a page</p>') }),
    audit,
    { calls: 200_000_000, ...ALL_BYTES },
  ),
];
const TOO_MANY_HEADERS = { outcomes: ['connection_failed'], served: 0 };

/** What the wire itself can do: codings, headers, redirects, bodies without end. */
export const wire: readonly Shape[] = [
  shape('a body that never ends', () => page(endless('<p>x</p>')), audit),
  ...(isFull ? ENDLESS_SITE : []),
  shape('a body of chunks of one byte', () => page(bytewise(repeated('<p>x'))), audit),
  shape(
    'events that never end',
    () => () => ({ headers: EVENTS, body: endless('data: {"a":1}\n\n') }),
    audit,
    ALL_BYTES,
  ),
  shape('events of empty lines', () => () => ({ headers: EVENTS, body: endless('\n') }), audit, ALL_BYTES),
  shape(
    'a coding of brotli that inflates without end',
    () => page(endless('a'), [...HTML, ['content-encoding', 'br']]),
    audit,
  ),
  shape(
    'a coding of gzip that inflates without end',
    () => page(endless('a'), [...HTML, ['content-encoding', 'gzip']]),
    audit,
  ),
  shape('a coding of deflate', () => paths({ '/': coded('deflate', endless('a')) }), audit, REFUSED),
  shape('a coding of raw deflate', () => paths({ '/': coded('deflate-raw', endless('a')) }), audit, REFUSED),
  shape('a coding of zstd', () => paths({ '/': coded('zstd', endless('a')) }), audit, REFUSED),
  shape('a coding that nobody knows', () => paths({ '/': coded('x'.repeat(60_000), endless('a')) }), audit, REFUSED),
  shape('two codings', () => paths({ '/': coded('gzip, br', endless('a')) }), audit, REFUSED),
  shape('twenty thousand codings', () => paths({ '/': coded('gzip,'.repeat(12_000), endless('a')) }), audit, REFUSED),
  shape(
    'a hundred thousand headers',
    () => paths({ '/': header(100_000, (index) => `x-${index}`, 'a') }),
    audit,
    TOO_MANY_HEADERS,
  ),
  shape(
    'a header of 200 KB',
    () => paths({ '/': header(1, () => 'x-long', 'a'.repeat(200_000)) }),
    audit,
    TOO_MANY_HEADERS,
  ),
  shape(
    'five thousand cookies',
    () => paths({ '/': header(5_000, () => 'set-cookie', 'a=b; path=/; httponly') }),
    audit,
    TOO_MANY_HEADERS,
  ),
  shape(
    'links in a header of 60 KB',
    () => paths({ '/': header(1, () => 'link', '</a>; rel="x", '.repeat(4_000)) }),
    audit,
  ),
  shape('a link header that is never closed', () => paths({ '/': header(1, () => 'link', '<'.repeat(60_000)) }), audit),
  shape(
    'quotes in a link header',
    () => paths({ '/': header(1, () => 'link', `</a>; rel="${'\\"'.repeat(30_000)}`) }),
    audit,
  ),
  shape(
    'challenges in a header of 60 KB',
    () => () => bare(401, 'www-authenticate', 'Bearer a="b", '.repeat(4_000)),
    audit,
  ),
  shape(
    'a content type of 60 KB',
    () => paths({ '/': { ...USUAL_PAGE, headers: [['content-type', `text/html${'; a="b"'.repeat(8_000)}`]] } }),
    audit,
  ),
  shape(
    'robots tags in a header of 60 KB',
    () => paths({ '/': header(1, () => 'x-robots-tag', 'googlebot: noindex, '.repeat(3_000)) }),
    audit,
  ),
  shape('a Retry-After of 60 KB', () => () => bare(429, 'retry-after', '9'.repeat(60_000)), audit),
  shape(
    'a redirect that never ends',
    () =>
      ({ pathname }) =>
        moved(`${pathname}a`),
    audit,
    { outcomes: ['too_many_redirects'], requests: 6 },
  ),
  shape('a redirect to itself', () => () => moved('/'), audit, { outcomes: ['redirect_loop'], requests: 1 }),
  shape(
    'redirects to a new host each time',
    () =>
      ({ hostname }) =>
        moved(`https://a${hostname.length}.${hostname.slice(-60)}/`),
    audit,
    { requests: 60 },
  ),
  shape(
    'every path but the first redirects on',
    () => (url) => (url.pathname === '/' ? USUAL_PAGE : moved(`${url.pathname}a`)),
    audit,
  ),
  shape('a redirect to an address of 60 KB', () => () => moved(`/${'a'.repeat(60_000)}`), audit),
  shape('a redirect inside', () => () => moved('http://169.254.169.254/latest/'), audit, {
    outcomes: ['private_target'],
    requests: 1,
  }),
  shape(
    'links to half a million hosts that answer all',
    () =>
      ({ hostname, pathname }) =>
        hostname === 'hostile.example' && pathname === '/'
          ? {
              headers: HTML,
              body: each(often(5_000, 100_000), (index) => `<a href="https://h${index}.example/">source ${index}</a>`),
            }
          : { headers: HTML, body: '<p>x</p>' },
    audit,
  ),
  shape(
    'a body of 5 MB for every path',
    () =>
      ({ pathname }) => ({
        headers: pathname === '/' ? HTML : TEXT,
        body: repeated('words and more words\n', often(60_000, 5_000_000)),
      }),
    audit,
    { calls: 400_000_000 },
  ),
  shape(
    'JSON of 5 MB for every path',
    () =>
      ({ pathname }) =>
        pathname === '/' ? USUAL_PAGE : { headers: JSON_TYPE, body: `[${'{},'.repeat(BODY / 3)}{}]` },
    audit,
    { calls: 200_000_000 },
  ),
];
