import { describe, expect, test } from 'vitest';
import type { OutcomeStatus } from '../../../../src/audit/core/check.ts';
import {
  failure,
  html,
  notFound,
  SITE,
  type SiteAnswer,
  type SiteMap,
  text,
  xml,
} from '../../../support/audit/site-fetch.ts';
import { goodSite } from '../../../sites/good.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';

const sitemapXml = (body: string, root = 'urlset'): SiteAnswer =>
  xml(`<?xml version="1.0"?><${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${body}</${root}>`);

const entry = (loc: string): string => `<url><loc>${loc}</loc></url>`;

const bytesOf = async (body: string): Promise<Uint8Array<ArrayBuffer>> => {
  const zipped = new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(zipped).arrayBuffer());
};

describe('aeo.sitemap.exists', () => {
  const id = 'aeo.sitemap.exists';
  const without: SiteMap = { ...goodSite, '/robots.txt': notFound, '/sitemap.xml': notFound };
  testCheck(id, [
    ['one that robots.txt names passes', goodSite, 'pass', /5 entries/],
    [
      'one at the usual address passes',
      { ...without, '/sitemap.xml': sitemapXml(entry(`${SITE}/a`)) },
      'pass',
      /1 entries/,
    ],
    [
      'one at the second usual address passes',
      { ...without, '/sitemap_index.xml': sitemapXml(entry(`${SITE}/a`)) },
      'pass',
      /1 entries/,
    ],
    ['a list of addresses passes', { ...without, '/sitemap.xml': text(`${SITE}/a\n${SITE}/b\n`) }, 'pass', /2 entries/],
    ['none fails', without, 'fail', /No sitemap/],
    [
      'HTML at the address is none',
      { ...without, '/sitemap.xml': html('<!doctype html><p>Not found</p>') },
      'fail',
      /No sitemap/,
    ],
    ['other XML at the address is none', { ...without, '/sitemap.xml': xml('<rss></rss>') }, 'fail', /No sitemap/],
    ['a named one that is gone fails', { ...goodSite, '/sitemap.xml': notFound }, 'fail', /robots\.txt names/],
    [
      'an answer that may be a refusal of us is unknown',
      { ...without, '/sitemap.xml': text('slow down', { status: 429 }) },
      'unknown',
      /Not every place/,
    ],
    [
      'refusals everywhere are unknown',
      { ...without, '/sitemap.xml': text('no', { status: 403 }), '/sitemap_index.xml': text('no', { status: 503 }) },
      'unknown',
      /http_403/,
    ],
    [
      'no answer is unknown',
      { ...without, '/sitemap.xml': failure('timeout'), '/sitemap_index.xml': failure('timeout') },
      'unknown',
      /timeout/,
    ],
    [
      'no answer of one place is unknown',
      { ...without, '/sitemap.xml': failure('timeout') },
      'unknown',
      /could be read/,
    ],
  ]);

  test('a gzip file is read by its first bytes, whatever its media type', async () => {
    const body = await bytesOf(
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entry(`${SITE}/a`)}</urlset>`,
    );
    const map: SiteMap = {
      ...without,
      '/sitemap.xml': { status: 200, headers: { 'content-type': 'text/html' }, body },
    };
    expect(await judgeCheck(id, map)).toMatchObject({ status: 'pass', note: 'A sitemap with 1 entries is found.' });
  });
});

describe('aeo.sitemap.valid', () => {
  const id = 'aeo.sitemap.valid';
  const index = (...locs: string[]): SiteAnswer =>
    sitemapXml(locs.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join(''), 'sitemapindex');
  testCheck(id, [
    ['a sound file passes', goodSite, 'pass', /well formed/],
    [
      'a sound index with its first child passes',
      { ...goodSite, '/sitemap.xml': index(`${SITE}/s1.xml`), '/s1.xml': sitemapXml(entry(`${SITE}/a`)) },
      'pass',
      /well formed/,
    ],
    [
      'an index of an index fails',
      { ...goodSite, '/sitemap.xml': index(`${SITE}/s1.xml`), '/s1.xml': index(`${SITE}/s2.xml`) },
      'fail',
      /another index/,
    ],
    [
      '50,000 addresses pass',
      { ...goodSite, '/sitemap.xml': sitemapXml(entry(`${SITE}/a`).repeat(50_000)) },
      'pass',
      /well formed/,
    ],
    [
      '50,001 addresses fail',
      { ...goodSite, '/sitemap.xml': sitemapXml(entry(`${SITE}/a`).repeat(50_001)) },
      'fail',
      /more than 50,000/,
    ],
    [
      'a document type fails',
      {
        ...goodSite,
        '/sitemap.xml': xml(
          `<!DOCTYPE x [<!ENTITY a "b">]><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entry(`${SITE}/a`)}</urlset>`,
        ),
      },
      'fail',
      /document type/,
    ],
    [
      'another namespace fails',
      { ...goodSite, '/sitemap.xml': xml(`<urlset>${entry(`${SITE}/a`)}</urlset>`) },
      'fail',
      /namespace/,
    ],
    ['a bare ampersand fails', { ...goodSite, '/sitemap.xml': sitemapXml(entry(`${SITE}/a?b=1&c=2`)) }, 'fail', /&/],
    [
      'an open tag fails',
      { ...goodSite, '/sitemap.xml': sitemapXml(`<url><loc>${SITE}/a</url>`) },
      'fail',
      /not well formed/,
    ],
    ['a relative address fails', { ...goodSite, '/sitemap.xml': sitemapXml(entry('/a')) }, 'fail', /not absolute/],
    [
      'more than 50,000 addresses fail',
      { ...goodSite, '/sitemap.xml': sitemapXml(entry(`${SITE}/a`).repeat(50_001)) },
      'fail',
      /50,000/,
    ],
    [
      'an address of another host is partial',
      { ...goodSite, '/sitemap.xml': sitemapXml(entry('https://other.example/a')) },
      'partial',
      /another host/,
    ],
    ['an empty file is partial', { ...goodSite, '/sitemap.xml': sitemapXml('') }, 'partial', /lists nothing/],
    ['no sitemap is not applicable', { ...goodSite, '/sitemap.xml': notFound }, 'not_applicable', /no sitemap/],
  ]);

  test('a file elsewhere that robots.txt names may list the pages of this host', async () => {
    const map: SiteMap = {
      ...goodSite,
      '/robots.txt': text('Sitemap: https://cdn.example/s.xml'),
      'https://cdn.example/s.xml': sitemapXml(entry(`${SITE}/a`)),
    };
    expect((await judgeCheck(id, map)).status).toBe('pass');
  });

  test('a gzip bomb is cut and not judged as a whole', async () => {
    const body = await bytesOf(
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entry(`${SITE}/a`).repeat(40_000)}${' '.repeat(9_000_000)}</urlset>`,
    );
    const map: SiteMap = { ...goodSite, '/sitemap.xml': { status: 200, headers: {}, body } };
    expect(await judgeCheck(id, map)).toMatchObject({
      status: 'unknown',
      note: expect.stringContaining('larger than we read'),
    });
  });
});

describe('aeo.sitemap.robots-ref', () => {
  const id = 'aeo.sitemap.robots-ref';
  test.each<readonly [string, SiteMap, OutcomeStatus]>([
    ['a line that leads to a sitemap passes', goodSite, 'pass'],
    ['a dead line fails', { ...goodSite, '/sitemap.xml': notFound }, 'fail'],
    ['a sitemap without a line is partial', { ...goodSite, '/robots.txt': notFound }, 'partial'],
    ['neither is not applicable', { ...goodSite, '/robots.txt': notFound, '/sitemap.xml': notFound }, 'not_applicable'],
    ['no answer is unknown', { ...goodSite, '/sitemap.xml': failure('timeout') }, 'unknown'],
  ])('%s', async (_name, map, status) => {
    expect((await judgeCheck(id, map)).status).toBe(status);
  });
});
