import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { audit, paths, type Reply } from '../entries.ts';
import { often, shape, type Shape } from '../shape.ts';

const MIB = 1024 * 1024;
const XML = [['content-type', 'application/xml']] as const;
const BINARY = [['content-type', 'application/gzip']] as const;
const zeros = (size: number): Buffer => Buffer.alloc(size);

/** An archive of zeros, made of members of 8 MiB, as gzip lets them follow each other. */
const bomb = (mebibytes: number): Buffer =>
  Buffer.concat(Array.from({ length: mebibytes / 8 }, () => gzipSync(zeros(8 * MIB), { level: 9 })));

const LOCS = Array.from({ length: 200 }, (_, index) => `<url><loc>https://hostile.example/${index}</loc></url>`).join(
  '',
);
const SITEMAP = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${LOCS}</urlset>`;

/** A header of gzip with the fields that its flags name. */
const header = (flags: number, ...fields: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3]), ...fields]);
const withHeader = (flags: number, ...fields: readonly Uint8Array[]): Buffer =>
  Buffer.concat([header(flags, ...fields), gzipSync(SITEMAP).subarray(10)]);

/** A site whose robots.txt names a sitemap that is this archive. */
const zipped = (body: Uint8Array, headers: Reply['headers'] = BINARY) =>
  paths({
    '/robots.txt': {
      headers: [['content-type', 'text/plain']],
      body: 'User-agent: *\nSitemap: https://hostile.example/s.xml.gz\n',
    },
    '/s.xml.gz': { headers, body },
  });

/** The first page itself is the archive. */
const start = (body: Uint8Array) => paths({ '/': { headers: BINARY, body } });

/** B2 and B3: what is inflated is read in slices, and no more is held than a slice makes. */
export const archives: readonly Shape[] = [
  shape('B3: a sitemap of 97 KB that is 100 MB', () => zipped(gzipSync(zeros(100 * MIB), { level: 9 })), audit),
  shape('a sitemap of many members that follow each other', () => zipped(bomb(often(96, 960))), audit),
  shape('a start page that is an archive', () => start(gzipSync(zeros(often(6, 64) * MIB), { level: 9 })), audit),
  shape(
    'an archive in an archive in an archive',
    () => zipped(gzipSync(gzipSync(gzipSync(zeros(64 * MIB), { level: 9 })))),
    audit,
  ),
  shape(
    'an archive in forty archives',
    () => zipped(Array.from({ length: 40 }).reduce<Buffer>((inner) => gzipSync(inner), gzipSync(SITEMAP))),
    audit,
  ),
  shape(
    'members of no bytes, 200,000 of them',
    () => zipped(Buffer.concat(Array.from({ length: often(5_000, 200_000) }, () => gzipSync('')))),
    audit,
  ),
  shape(
    'an archive with 64 KB of extra field',
    () => zipped(withHeader(4, Buffer.from([0xff, 0xff]), Buffer.alloc(65_535, 0x61))),
    audit,
  ),
  shape('an archive whose name never ends', () => zipped(header(8, Buffer.alloc(2 * MIB, 0x61))), audit),
  shape(
    'an archive with a name and a comment of 1 MB',
    () => zipped(withHeader(24, Buffer.alloc(MIB, 0x61), Buffer.of(0), Buffer.alloc(MIB, 0x62), Buffer.of(0))),
    audit,
  ),
  shape('an archive that is cut in the middle', () => zipped(bomb(96).subarray(0, 40_001)), audit),
  shape('an archive that is its two first bytes', () => zipped(Buffer.from([0x1f, 0x8b])), audit),
  shape(
    'an archive with garbage behind it',
    () => zipped(Buffer.concat([gzipSync(SITEMAP), Buffer.alloc(4 * MIB, 0x5a)])),
    audit,
  ),
  shape(
    'an archive of a broken checksum',
    () => zipped(Buffer.concat([bomb(64).subarray(0, -8), Buffer.alloc(8, 7)])),
    audit,
  ),
  shape('a body of deflate without a label', () => zipped(deflateSync(zeros(64 * MIB))), audit),
  shape('a body of raw deflate without a label', () => zipped(deflateRawSync(zeros(64 * MIB))), audit),
  shape(
    'every file of the site is a bomb',
    () => () => ({ headers: BINARY, body: gzipSync(zeros(often(MIB, 16 * MIB)), { level: 9 }) }),
    audit,
    { held: 6 * 9 * MIB }, // As many as are read at once.
  ),
  shape(
    'a bomb as robots.txt',
    () => paths({ '/robots.txt': { headers: [['content-type', 'text/plain']], body: gzipSync(zeros(64 * MIB)) } }),
    audit,
  ),
  shape(
    'a bomb as llms.txt',
    () => paths({ '/llms.txt': { headers: [['content-type', 'text/plain']], body: gzipSync(zeros(64 * MIB)) } }),
    audit,
  ),
  shape(
    'a bomb as a sitemap at the usual place',
    () => paths({ '/sitemap.xml': { headers: XML, body: gzipSync(zeros(64 * MIB)) } }),
    audit,
  ),
];
