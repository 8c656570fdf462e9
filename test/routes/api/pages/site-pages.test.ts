import { env, exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { listCapabilityPaths } from '../../../../src/web/capability/address.ts';
import { buildSiteTexts } from '../../../../src/web/start/site-texts.ts';

const paths = ['/prices', ...buildSiteTexts({ identities: [] }).map(({ path }) => path)];
/** What the service says of itself; its status is of the minute, so it is not listed. */
const ABOUT_PAGES = ['/changelog', '/deprecations', '/sandbox'];
/** What a reader of the start page waits for, in bytes that are sent. */
const MAX_FIRST_LOOK_BYTES = 100_000;

/** Requests by many callers: the free limit is not what is tested here. */
let caller = 0;
function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  caller = (caller + 1) % 250;
  const sent = { 'cf-connecting-ip': `198.51.101.${caller}`, ...headers };
  return exports.default.fetch(new Request(`${env.BASE_URL}${path}`, { headers: sent }));
}

test.each(['/', ...paths])('%s is a page for people and Markdown for models, under one policy', async (path) => {
  const page = await get(path, { accept: 'text/html' });
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers.get('vary')).toContain('Accept');
  expect(page.headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  const html = await page.text();
  expect(html).toContain(`<link rel="canonical" href="${env.BASE_URL}${path}"`);
  expect(html).not.toContain('noindex');
  const markdown = await get(path, { accept: 'text/markdown' });
  expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  const copy = await get(path === '/' ? '/index.md' : `${path}.md`);
  expect(copy.headers.get('link')).toBe(`<${env.BASE_URL}${path}>; rel="canonical"`);
  expect(await copy.text()).toBe(await markdown.text());
});

test('the sitemap lists the pages that search engines may show, each of which is there', async () => {
  const answer = await get('/sitemap.xml');
  expect(answer.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  const listed = [...(await answer.text()).matchAll(/<loc>([^<]+)<\/loc><lastmod>\d{4}-\d\d-\d\d<\/lastmod>/g)];
  const found = listed.map(([, url = '']) => url);
  // Pages of the documentation follow where it is built: test/e2e/documents/docs-site.test.ts asks for them.
  const own = found.filter((url) => !url.startsWith(`${env.BASE_URL}/docs/`));
  expect(own).toEqual(
    ['/', ...listCapabilityPaths(), ...paths, ...ABOUT_PAGES].map((path) => `${env.BASE_URL}${path}`),
  );
  for (const url of own) expect((await get(new URL(url).pathname, { accept: 'text/html' })).status).toBe(200);
});

test('a long document is zipped for who takes that, with a tag of its own', async () => {
  const plain = await get('/', { accept: 'text/html', 'accept-encoding': 'identity, gzip;q=0' });
  const zipped = await get('/', { accept: 'text/html', 'accept-encoding': 'br, gzip' });
  expect([plain.headers.get('content-encoding'), zipped.headers.get('content-encoding')]).toEqual([null, 'gzip']);
  for (const answer of [plain, zipped])
    expect(answer.headers.get('vary')).toBe('Accept, Accept-Language, Cookie, Accept-Encoding');
  const tags = [plain, zipped].map((answer) => answer.headers.get('etag') ?? '');
  expect(new Set(tags).size).toBe(2);
  const again = await get('/', { accept: 'text/html', 'accept-encoding': 'gzip', 'if-none-match': tags[1] ?? '' });
  const other = await get('/', { accept: 'text/html', 'accept-encoding': 'gzip', 'if-none-match': tags[0] ?? '' });
  expect([again.status, other.status]).toEqual([304, 200]);
});

const gzip = async (text: string): Promise<number> => {
  const zipped = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return (await new Response(zipped).arrayBuffer()).byteLength;
};

test.each(['/', '/prices'])('the first look at %s is at most 100 KB: the page and all that it loads', async (path) => {
  const html = await (await get(path, { accept: 'text/html' })).text();
  const loaded = [
    ...html.matchAll(/<(?:link rel="(?:stylesheet|icon)" href|script type="module" src|img src)="([^"]+)"/g),
  ];
  const files = new Set(loaded.map(([, address = '']) => address));
  expect(files.size).toBeGreaterThan(3);
  let bytes = await gzip(html);
  for (const file of files) {
    const answer = await get(file);
    expect([file, answer.status]).toEqual([file, 200]);
    bytes += await gzip(await answer.text());
  }
  expect(bytes).toBeLessThanOrEqual(MAX_FIRST_LOOK_BYTES);
});

test('the page is in the language of the reader, and its Markdown is in English', async () => {
  for (const path of ['/', '/prices']) {
    const german = await get(path, { accept: 'text/html', 'accept-language': 'de-CH, en;q=0.5' });
    expect(german.headers.get('vary')).toContain('Accept-Language');
    expect(await german.text()).toContain('<html lang="de">');
    const copy = path === '/' ? '/index.md' : `${path}.md`;
    const plain = await (await get(copy)).text();
    expect(await (await get(copy, { 'accept-language': 'de' })).text()).toBe(plain);
    expect(plain).not.toContain('Preise');
  }
});

test('the example is a whole report that search engines are to leave out, judged by this version', async () => {
  const start = await (await get('/', { accept: 'text/html' })).text();
  const page = await get('/example');
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).toContain('<meta name="robots" content="noindex"');
  const gauges = (text: string): readonly string[] =>
    [...text.matchAll(/\d+ of 100, grade [A-F]/g)].map(([found]) => found);
  expect(gauges(start)).toHaveLength(4);
  expect(gauges(html)).toEqual(expect.arrayContaining([...gauges(start)]));
  expect((await get('/web/example.json')).status).toBe(200);
});
