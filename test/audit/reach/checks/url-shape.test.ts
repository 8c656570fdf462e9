import { describe, expect, test } from 'vitest';
import { findUrlFault } from '../../../../src/audit/reach/facts/urls.ts';
import { html, notFound, SITE, type SiteMap } from '../../../support/audit/site-fetch.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';
import { onePage } from '../../../support/audit/pages.ts';

describe('aeo.url.readable', () => {
  const id = 'aeo.url.readable';
  const site = (...paths: string[]): SiteMap => ({
    '/robots.txt': notFound,
    '/': html(paths.map((path) => `<a href="${path}">x</a>`).join('')),
    ...Object.fromEntries(paths.map((path) => [path, html('<p>x</p>')])),
  });
  testCheck(id, [
    ['words with hyphens pass', site('/oak-racks', '/prices/2026'), 'pass', /2 of 2/],
    ['four of five pass', site('/a', '/b', '/c', '/d', '/E_F'), 'pass', /4 of 5/],
    ['half is partial', site('/a', '/B'), 'partial', /1 of 2.*upper-case/],
    ['one of three fails', site('/a', '/B', '/c?id=7'), 'fail', /1 of 3/],
    ['the root alone is not applicable', site(), 'not_applicable', /Only the root/],
  ]);

  test('a start page with a path is judged itself', async () => {
    const map = { '/Oak_Racks': html('<p>x</p>'), '/robots.txt': notFound };
    expect(await judgeCheck(id, map, { at: `${SITE}/Oak_Racks` })).toMatchObject({
      status: 'fail',
      note: expect.stringMatching(/0 of 1/),
    });
  });

  test.each([
    ['/oak-racks', undefined],
    ['/blog/2026/10/oak', undefined],
    ['/search?q=oak', undefined],
    ['/%E6%A9%A1%E6%9C%A8', undefined],
    ['/%C3%9Cber-uns', 'upper_case'],
    ['/100%', undefined],
    [`/${'a'.repeat(100)}`, 'long'],
    [`/${'a-'.repeat(40)}`, undefined],
    ['/Oak', 'upper_case'],
    ['/oak_racks', 'separator'],
    ['/oak%20racks', 'separator'],
    ['/oak?sid=1', 'session'],
    ['/oak;jsessionid=1A2B', 'session'],
    ['/?p=123', 'query_id'],
    ['/node?id=abc', undefined],
    ['/p/8f3a9c0d11223344', 'opaque'],
    ['/p/123e4567-e89b-12d3-a456-426614174000', 'opaque'],
    ['/p/a1b2c3d4e5f6g7h8i9j0k1', 'opaque'],
    ['/internationalisation', undefined],
  ])('%s: %s', (path, fault) => {
    expect(findUrlFault(new URL(path, SITE))).toBe(fault);
  });
});

describe('aeo.archive.presence', () => {
  testCheck('aeo.archive.presence', [
    ['no third party is asked: never judged', onePage(''), 'not_applicable', /not asked/],
  ]);
});
