import { expect, test } from 'vitest';
import { html, SITE } from '../../../support/audit/site-fetch.ts';
import { pageOf, prose } from '../../../support/audit/pages.ts';
import { judgeCheck, judgeChecks, testChecks } from '../../../support/audit/judge-check.ts';

const code = (language: string, count = 1): string => `<pre><code${language}>let a</code></pre>`.repeat(count);

const TS = ' class="language-ts"';

const panel = (content: string): string => `<div role="tabpanel">${content}</div>`;

const main = (content: string, words = 220): string => pageOf(`<main><h1>Lamps</h1>${prose(words)}${content}</main>`);

testChecks<string>(
  {
    'agent.docs.code-language': [
      ['four of five blocks pass', pageOf(code(TS, 4) + code('')), 'pass', /4 of 5/],
      ['half of them are partial', pageOf(code(TS) + code('')), 'partial', /1 of 2/, { value: 0.5 }],
      ['none fails', pageOf(code('', 3)), 'fail', /0 of 3/],
      ['data-lang names a language', pageOf(code(' data-lang="sh"')), 'pass', /1 of 1/],
      ['a pre without code is no block', pageOf('<pre>  /\\_/\\  </pre>'), 'not_applicable', /no blocks/],
      ['code in a sentence is no block', pageOf('<p><code>x</code></p>'), 'not_applicable', /no blocks/],
    ],
    'agent.docs.tabs': [
      [
        'panels with text pass, hidden or not',
        pageOf(panel('a') + '<p role="tabpanel" hidden>b</p>'),
        'pass',
        /2 of 2/,
      ],
      ['a panel with an image passes', pageOf(panel('<img src="/a" alt="">')), 'pass', /1 of 1/],
      ['one empty panel of two fails', pageOf(panel('a') + panel(' ')), 'fail', /1 of 2/],
      ['tabs without panels are not applicable', pageOf('<a role="tab">a</a>'), 'not_applicable', /no tab panels/],
    ],
    'agent.docs.single-fetch': [
      ['a page with its content passes', main(''), 'pass', /no frame or include/],
      [
        'a frame of the site in the text is partial',
        main('<iframe src="/part"></iframe>'),
        'partial',
        /1 part/,
        { value: 0.5 },
      ],
      ['a frame instead of the text fails', main('<iframe src="/part"></iframe>', 20), 'fail', /1 part/],
      ['an include on load fails', main('<div hx-get="/p" hx-trigger="load"></div>', 20), 'fail', /1 part/],
      [
        'a video of another site passes',
        main('<iframe src="https://www.youtube.com/embed/x"></iframe>'),
        'pass',
        /no frame or include/,
      ],
      [
        'a hidden frame passes',
        main('<iframe src="/sso" width="0" height="0"></iframe>'),
        'pass',
        /no frame or include/,
      ],
      [
        'a frame in the footer passes',
        `${main('')}<footer><iframe src="/map"></iframe></footer>`,
        'pass',
        /no frame or include/,
      ],
      ['a frame without an address passes', main('<iframe srcdoc="x"></iframe>'), 'pass', /no frame or include/],
      ['a page without content is not applicable', pageOf('<p>Soon</p>'), 'not_applicable', /fewer than 60/],
    ],
    'agent.sec.mixed': [
      ['https passes', pageOf('<script src="/a.js"></script>'), 'pass', /Nothing that browsers block/],
      ['a script over http fails', pageOf('<script src="http://a.example/a.js"></script>'), 'fail', /1 part/],
      [
        'a style sheet over http fails',
        pageOf('', '<link rel="stylesheet" href="http://a.example/s.css">'),
        'fail',
        /1 part/,
      ],
      ['a frame over http fails', pageOf('<iframe src="http://a.example/"></iframe>'), 'fail', /1 part/],
      [
        'an image over http is upgraded by browsers alone',
        pageOf('<img src="http://a.example/i.png">'),
        'partial',
        /1 image or media file/,
      ],
      [
        'a policy that upgrades passes',
        pageOf(
          '<script src="http://a.example/a.js"></script>',
          '<meta http-equiv="Content-Security-Policy" content="default-src https:; upgrade-insecure-requests">',
        ),
        'pass',
        /upgrade/,
      ],
      [
        'a style sheet that an inline one imports fails',
        pageOf('', '<style>@import url("http://a.example/s.css");</style>'),
        'fail',
        /1 part/,
      ],
      [
        'a font of an inline style sheet fails',
        pageOf('', '<style>@font-face { font-family: x; src: local("x"), url(http://a.example/x.woff2) }</style>'),
        'fail',
        /1 part/,
      ],
      ['a form over http is partial', pageOf('<form action="http://acme.example/s"><input></form>'), 'partial', /warn/],
      ['the same machine passes', pageOf('<script src="http://localhost:3000/a.js"></script>'), 'pass', /Nothing/],
      [
        'a host that only begins alike fails',
        pageOf('<script src="http://localhost.example/a.js"></script>'),
        'fail',
        /1 part/,
      ],
      [
        'a link over http is not loaded',
        pageOf('<a href="http://a.example/">x</a>'),
        'not_applicable',
        /loads no script/,
      ],
    ],
  },
  { seen: 200 },
);

test('a page over http and a private host have no mixed content', async () => {
  const page = html(pageOf('<script src="http://a.example/a.js"></script>'));
  for (const origin of ['http://acme.example', 'https://localhost:8443']) {
    const outcome = await judgeCheck('agent.sec.mixed', { '/': page }, { at: `${origin}/` });
    expect(outcome.status).toBe('not_applicable');
  }
});

test('mixed content of any page that was read is found', async () => {
  const map = {
    '/': html(pageOf('<a href="/lamps">Lamps</a>')),
    '/lamps': html(pageOf('<script src="http://a.example/a.js"></script>')),
  };
  const { judged } = await judgeChecks('agent.sec.mixed', map, { only: ['page', 'sample'] });
  expect(judged[0]?.outcome).toMatchObject({ status: 'fail', evidence: [{ url: `${SITE}/lamps` }] });
});

test('a header that upgrades passes', async () => {
  const page = html(pageOf('<script src="http://a.example/a.js"></script>'), {
    headers: { 'content-security-policy': "script-src 'self'; Upgrade-Insecure-Requests" },
  });
  expect(await judgeCheck('agent.sec.mixed', { '/': page })).toMatchObject({ status: 'pass' });
});
