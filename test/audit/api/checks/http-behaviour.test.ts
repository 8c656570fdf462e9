import { describe, expect, test } from 'vitest';
import { judgeSite } from '../../../../src/audit/core/report.ts';
import { a2aCard, LLMS, openApi, page, SHELL } from '../../../support/audit/agent-site.ts';
import { snapshotOf } from '../../../support/audit/audit.ts';
import {
  failure,
  html,
  json,
  markdown,
  redirect,
  SITE,
  type SiteAnswer,
  type SiteMap,
  text,
} from '../../../support/audit/site-fetch.ts';
import { auditCheck, judgeCheck, testChecks } from '../../../support/audit/judge-check.ts';
import { CARD } from '../../../support/audit/api-pages.ts';

const BODY = '<!doctype html><title>Acme</title><p>Anvils';

const home = (headers: Readonly<Record<string, string>> = {}): SiteAnswer => html(BODY, { headers });

const head = (answer: SiteAnswer): SiteMap => ({ '/': home(), 'HEAD /': answer });

/** A page with an ETag that answers `changed` when the tag comes back. */
const revalidated = (changed: SiteAnswer, headers = { etag: 'W/"a1"' }): SiteMap => ({
  '/': (request) =>
    Object.keys(request.headers ?? {}).some((name) => name.startsWith('if-')) ? changed : home(headers),
});

const unchanged: SiteAnswer = { status: 304, headers: { etag: 'W/"a1"' }, body: '' };

const cached = (value: string): { headers: Record<string, string> } => ({
  headers: value === '' ? {} : { 'cache-control': value },
});

const robots = (value: string): SiteAnswer => text('User-agent: *\nAllow: /\n', cached(value));

const open = { headers: { 'access-control-allow-origin': '*' } };

testChecks({
  'agent.http.head': [
    ['the same status and type pass', head(home()), 'pass', /status and the media type/],
    [
      'no length is needed',
      head({ status: 200, headers: { 'content-type': 'text/html' }, body: '' }),
      'pass',
      /media type/,
    ],
    [
      'no type is partial',
      head({ status: 200, headers: {}, body: '' }),
      'partial',
      /not its media type/,
      { value: 0.5 },
    ],
    ['another type is partial', head(text('')), 'partial', /not its media type/, { value: 0.5 }],
    ['405 is partial', head(text('', { status: 405 })), 'partial', /405/, { value: 0.5 }],
    ['501 is partial', head(text('', { status: 501 })), 'partial', /501/, { value: 0.5 }],
    ['404 fails', head(text('', { status: 404 })), 'fail', /404 where GET is answered 200/],
    ['403 may be meant for us', head(text('', { status: 403 })), 'unknown', /403/],
    ['500 is unknown', head(text('', { status: 500 })), 'unknown', /500/],
    ['a timeout is unknown', head(failure('timeout')), 'unknown', /timeout/],
    ['a start page that fails is not applicable', { '/': text('gone', { status: 410 }) }, 'not_applicable', /success/],
  ],
  'agent.http.conditional': [
    ['304 for a weak ETag passes', revalidated(unchanged), 'pass', /304/],
    [
      '304 for Last-Modified passes',
      revalidated(unchanged, { 'last-modified': 'Sat, 21 Nov 2026 06:00:00 GMT' } as never),
      'pass',
      /304/,
    ],
    [
      'a page that ignores its own tag is partial',
      { '/': home({ etag: '"a"' }) },
      'partial',
      /still answers 200/,
      { value: 0.5 },
    ],
    ['no validator fails', { '/': home() }, 'fail', /neither ETag nor Last-Modified/],
    ['a tag that no header can carry is none', { '/': home({ etag: '"\u00e9\u0001"' }) }, 'fail', /neither/],
    ['a refusal is unknown', revalidated(text('', { status: 429 })), 'unknown', /429/],
    ['a timeout is unknown', revalidated(failure('timeout')), 'unknown', /timeout/],
    ['a start page that fails is not applicable', { '/': text('gone', { status: 410 }) }, 'not_applicable', /success/],
  ],
  'agent.http.cache': [
    ['an hour passes', { '/': home(), '/robots.txt': robots('public, max-age=3600') }, 'pass', /minute to a day/],
    ['a day passes', { '/': home(), '/robots.txt': robots('max-age=86400') }, 'pass', /minute to a day/],
    ['eight days fail', { '/': home(), '/robots.txt': robots('max-age=691200') }, 'fail', /seven days: robots.txt/],
    [
      'two days are partial',
      { '/': home(), '/robots.txt': robots('max-age=172800') },
      'partial',
      /robots.txt/,
      { value: 0.5 },
    ],
    ['no lifetime is partial', { '/': home(), '/robots.txt': robots('') }, 'partial', /robots.txt/, { value: 0.5 }],
    [
      'no-store is partial',
      { '/': home(), '/robots.txt': robots('no-store, max-age=3600') },
      'partial',
      /robots.txt/,
      { value: 0.5 },
    ],
    [
      'one good file of two is three quarters',
      { '/': home(), '/robots.txt': robots('max-age=3600'), '/llms.txt': markdown(LLMS) },
      'partial',
      /a day: llms.txt/,
      { value: 0.75 },
    ],
    [
      'the card of an agent is judged too',
      { '/': home(), '/robots.txt': robots('max-age=3600'), [CARD]: json(a2aCard(), cached('max-age=31536000')) },
      'fail',
      /the agent card/,
    ],
    ['no file is not applicable', { '/': home() }, 'not_applicable', /no discovery file/],
    [
      'a place that times out is unknown',
      { '/': home(), '/robots.txt': failure('connection_failed') },
      'unknown',
      /could not be read/,
    ],
  ],
  'agent.http.cors': [
    ['a star passes', { '/': home(), '/llms.txt': markdown(LLMS, open) }, 'pass', /every origin/],
    ['no header fails', { '/': home(), '/llms.txt': markdown(LLMS) }, 'fail', /llms.txt/],
    [
      'one of two is partial',
      { '/': home(), '/llms.txt': markdown(LLMS, open), '/openapi.json': json(openApi()) },
      'partial',
      /the API description/,
      { value: 0.5 },
    ],
    [
      'a star with credentials fails',
      {
        '/': home(),
        '/llms.txt': markdown(LLMS, { headers: { ...open.headers, 'access-control-allow-credentials': 'true' } }),
      },
      'fail',
      /credentials/,
    ],
    [
      'a server that decides by Origin is not judged',
      { '/': home(), '/llms.txt': markdown(LLMS, { headers: { vary: 'Accept, Origin' } }) },
      'unknown',
      /Origin header/,
    ],
    [
      'robots.txt alone is not applicable',
      { '/': home(), '/robots.txt': robots('') },
      'not_applicable',
      /no discovery/,
    ],
    [
      'a place that times out is unknown',
      { '/': home(), '/llms.txt': failure('timeout') },
      'unknown',
      /could not be read/,
    ],
  ],
  'agent.http.link-headers': [
    [
      'a description that is there passes',
      { '/': home({ link: '</openapi.json>; rel="service-desc"' }), '/openapi.json': json(openApi()) },
      'pass',
      /service-desc that is there/,
    ],
    [
      'one living link among dead ones passes',
      {
        '/': home({ link: '</.well-known/api-catalog>; rel="api-catalog", </openapi.json>; rel="service-desc"' }),
        '/openapi.json': json(openApi()),
      },
      'pass',
      /service-desc/,
    ],
    [
      'a site with an API and no header fails',
      { '/': home(), '/openapi.json': json(openApi()) },
      'fail',
      /does not say so/,
    ],
    [
      'a header about other things fails',
      { '/': home({ link: '</style.css>; rel="preload"' }), '/openapi.json': json(openApi()) },
      'fail',
      /does not say so/,
    ],
    [
      'a dead target fails',
      { '/': home({ link: '</.well-known/api-catalog>; rel="api-catalog"' }), '/openapi.json': json(openApi()) },
      'fail',
      /leads nowhere/,
    ],
    [
      'a target that nothing else reads is unknown',
      { '/': home({ link: '</manual>; rel="service-doc"' }), '/openapi.json': json(openApi()) },
      'unknown',
      /not read/,
    ],
    [
      'a site of pages is not applicable',
      { '/': home({ link: '</x>; rel="service-desc-not"' }) },
      'not_applicable',
      /Nothing/,
    ],
  ],
  'agent.http.rate-limit': [
    ['none met is not applicable', { '/': home() }, 'not_applicable', /No request/],
    [
      'seconds pass',
      { '/': text('slow', { status: 429, headers: { 'retry-after': '120' } }) },
      'pass',
      /1 of 1 answer/,
    ],
    [
      'a date passes',
      { '/': text('later', { status: 503, headers: { 'retry-after': 'Sat, 21 Nov 2026 06:00:00 GMT' } }) },
      'pass',
      /1 of 1/,
    ],
    ['silence fails', { '/': text('slow', { status: 429 }) }, 'fail', /0 of 1/],
    ['words fail', { '/': text('slow', { status: 503, headers: { 'retry-after': 'soon' } }) }, 'fail', /0 of 1/],
  ],
});

describe('requests about HTTP', () => {
  test('the page is asked with HEAD and again with both validators, where its redirects ended', async () => {
    const tags = { etag: '"a"', 'last-modified': 'Sat, 21 Nov 2026 06:00:00 GMT' };
    const { requests, outcome } = await auditCheck('agent.http.conditional', {
      '/': redirect('/en/'),
      '/en/': home(tags),
    });
    const [head2, replay] = [requests.find(({ method }) => method === 'HEAD'), requests.at(-1)];
    expect(head2?.url).toBe(`${SITE}/en/`);
    expect(replay).toMatchObject({
      url: `${SITE}/en/`,
      headers: { 'if-none-match': '"a"', 'if-modified-since': tags['last-modified'] },
    });
    expect(requests).toHaveLength(3);
    expect(outcome.status).toBe('partial');
  });

  test('an address that lost a secret is not asked again: the start URL is', async () => {
    const map: SiteMap = { '/': redirect('/in?token=s3cr3t'), '/in?token=s3cr3t': home({ etag: '"a"' }) };
    const { requests } = await auditCheck('agent.http.head', map);
    expect(requests.map(({ url }) => url)).toEqual([`${SITE}/`, `${SITE}/`, `${SITE}/`]);
  });

  test('a page without validators is not asked again', async () => {
    const { requests } = await auditCheck('agent.http.conditional', { '/': home() });
    expect(requests.map(({ method = 'GET' }) => method)).toEqual(['GET', 'HEAD']);
  });

  test('every exchange of the site is looked at for 429 and 503, those of strangers are not', async () => {
    const map: SiteMap = {
      '/': page('x'),
      '/robots.txt': text('slow', { status: 429 }),
      '/llms.txt': markdown('# A\n## B\n- [x](https://other.example/)\n'),
      'https://other.example/': text('slow', { status: 503 }),
    };
    const judged = judgeSite(await snapshotOf(map), {}).judged;
    const found = judged.find(({ check }) => check.id === 'agent.http.rate-limit')?.outcome;
    expect(found).toMatchObject({ status: 'fail', note: expect.stringMatching(/0 of 1 answer/) as string });
    expect(found?.evidence).toMatchObject([{ url: `${SITE}/robots.txt`, status: 429 }]);
  });

  test('a site that answers every path with one page has no discovery file', async () => {
    for (const id of ['agent.http.cache', 'agent.http.cors', 'agent.http.link-headers'])
      expect((await judgeCheck(id, { '/': SHELL }, { catchAll: SHELL })).status).toBe('not_applicable');
  });
});
