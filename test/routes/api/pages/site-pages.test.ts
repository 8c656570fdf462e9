import { env, exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { listCapabilityPaths } from '../../../../src/web/capability/address.ts';
import { buildSiteTexts } from '../../../../src/web/start/site-texts.ts';

const paths = buildSiteTexts({ identities: [] }).map(({ path }) => path);

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
  expect(own).toEqual(['/', ...listCapabilityPaths(), ...paths].map((path) => `${env.BASE_URL}${path}`));
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
