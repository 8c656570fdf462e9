import { expect, test } from 'vitest';
import { detectProfile } from '../../../src/audit/core/profile.ts';
import { snapshotOf } from '../../support/audit/audit.ts';
import { SITE, type SiteMap, html, notFound, siteFetch } from '../../support/audit/site-fetch.ts';
import { shellAnswer } from '../../sites/poor.ts';
import { gatherSite } from '../../../src/audit/core/gather.ts';

const page = (body: string): SiteMap => ({ '/': html(`<html><body>${body}</body></html>`) });
const ld = (type: string): string =>
  `<script type="application/ld+json">{"@context":"https://schema.org","@type":"${type}","name":"x"}</script>`;

test.each([
  ['nothing', page('<p>Hi</p>'), 'content', /no sign/],
  ['articles', page(`${ld('BlogPosting')}<a href="/blog/a">a</a>`), 'content', /type Article/],
  ['a cart', page('<a href="/cart">Cart</a>'), 'commerce', /shopping cart/],
  [
    'a product in structured data with links to products',
    page(`${ld('Product')}<a href="/products/a">a</a>`),
    'commerce',
    /type Product/,
  ],
  [
    'software with prices',
    page(`${ld('SoftwareApplication')}<a href="/pricing">Pricing</a>`),
    'product',
    /link to pricing/,
  ],
  [
    'code and a reference of technical articles',
    page(`${ld('TechArticle')}<pre>a</pre><pre>b</pre><pre>c</pre>`),
    'docs',
    /blocks of code/,
  ],
  ['an API in structured data', page(`${ld('WebAPI')}<a href="/api/v1">API</a>`), 'api', /WebAPI/],
  ['one weak clue', page('<a href="/pricing">Pricing</a>'), 'content', /no sign/],
] as const)('%s', async (_name, map, name, why) => {
  const profile = detectProfile(await snapshotOf(map));
  expect(profile).toMatchObject({ name, given: false });
  expect(profile.rests_on.join('; ')).toMatch(why);
});

test.each([
  ['https://docs.acme.example/', 'docs'],
  ['https://api.acme.example/', 'api'],
  ['https://mcp.acme.example/', 'mcp'],
])('the host of %s is evidence for %s', async (url, name) => {
  const map: SiteMap = { [url]: html('<p>Hi</p>') };
  expect(detectProfile(await snapshotOf(map, { url })).name).toBe(name);
});

test('the path of documentation is evidence', async () => {
  expect(detectProfile(await snapshotOf({ '/docs/start': html('<p>x</p>') }, { url: `${SITE}/docs/start` })).name).toBe(
    'docs',
  );
});

test('the choice of the caller is not questioned', async () => {
  expect(detectProfile(await snapshotOf(page('<a href="/cart">Cart</a>')), 'mcp')).toEqual({
    name: 'mcp',
    rests_on: ['named by the caller'],
    given: true,
  });
});

test('a start page without HTML and a catch-all page are no sign', async () => {
  expect(detectProfile(await snapshotOf({ '/': notFound })).name).toBe('content');
  const snapshot = await gatherSite(`${SITE}/`, { fetch: siteFetch({}, { catchAll: shellAnswer }), clockMs: 0 });
  expect(detectProfile(snapshot).name).toBe('content');
});
