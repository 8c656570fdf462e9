import type { CheckOutcome } from '../../../../src/audit/core/check.ts';
import { gatherSite } from '../../../../src/audit/core/gather.ts';
import { judgeSite } from '../../../../src/audit/core/report.ts';
import { expect, test } from 'vitest';
import {
  AGENT_TABLE,
  guide,
  judgeAgentSite,
  LLMS,
  llmsFile,
  llmsServed,
  page,
  SHELL,
} from '../../../support/audit/agent-site.ts';
import { CLOCK_MS } from '../../../support/audit/audit.ts';
import {
  failure,
  json,
  markdown,
  notFound,
  SITE,
  type SiteAnswer,
  siteFetch,
  type SiteMap,
  text,
} from '../../../support/audit/site-fetch.ts';
import { testChecks } from '../../../support/audit/judge-check.ts';

testChecks<SiteMap>(
  {
    'agent.llms.links-described': [
      ['notes on all links pass', {}, 'pass', /100%/],
      ['notes on half are partial', llmsFile('# A\n## B\n- [x](/x): y\n- [z](/z)\n'), 'partial', /50%/],
      ['no notes fail', llmsFile('# A\n## B\n- [x](/x)\n'), 'fail', /0%/],
      ['no links are not applicable', llmsFile('# A\n'), 'not_applicable', /no links/],
    ],
    'agent.llms.links-resolve': [
      ['living links pass', {}, 'pass', /2 of 2/],
      ['a dead link of two fails', { '/prices': notFound }, 'fail', /1 of 2/],
      ['a 403 counts neither way', { '/prices': text('no', { status: 403 }) }, 'pass', /1 of 1.*1 link could not/],
      [
        'links that all time out are unknown',
        { '/prices': failure('timeout'), '/guide.md': failure('timeout') },
        'unknown',
        /None of 2/,
      ],
      ['no links are not applicable', llmsFile('# A\n'), 'not_applicable', /no links/],
      ['no file is not applicable', { '/llms.txt': notFound }, 'not_applicable', /no llms.txt/],
    ],
    'agent.llms.links-text': [
      ['Markdown and pages of words pass', {}, 'pass', /2 of 2/],
      ['JSON is text', { '/prices': json({ a: 1 }) }, 'pass', /2 of 2/],
      ['an empty page of two is partial', { '/prices': SHELL }, 'partial', /1 of 2/],
      [
        'files that are no text fail',
        { ...llmsFile('# A\n## B\n- [x](/x.pdf)\n'), '/x.pdf': llmsServed('application/pdf') },
        'fail',
        /0 of 1/,
      ],
      [
        'unreadable links are unknown',
        { '/prices': failure('timeout'), '/guide.md': failure('timeout') },
        'unknown',
        /No sampled/,
      ],
      ['dead links are not applicable', { '/prices': notFound, '/guide.md': notFound }, 'not_applicable', /resolves/],
    ],
    'agent.llms.coverage': [
      ['every page of the navigation passes', {}, 'pass', /1 of 1 page/],
      [
        'a Markdown variant covers its page',
        { '/': page('<nav><a href="/guide">G</a><a href="/prices/">P</a></nav>') },
        'pass',
        /2 of 2/,
      ],
      [
        'half of the navigation is partial',
        { '/': page('<nav><a href="/prices">P</a><a href="/jobs">J</a></nav>') },
        'partial',
        /1 of 2/,
      ],
      ['none of the navigation fails', { '/': page('<nav><a href="/jobs">J</a></nav>') }, 'fail', /0 of 1/],
      ['no navigation is not applicable', { '/': page('<p>Hello</p>') }, 'not_applicable', /links to no other page/],
      ['a start page that is no HTML is unknown', { '/': json({ a: 1 }) }, 'unknown', /not_html/],
    ],
    'agent.llms.same-site': [
      ['links to the own domain pass', llmsFile('# A\n## B\n- [x](https://docs.acme.example/x)\n'), 'pass', /1 of 1/],
      [
        'half elsewhere is partial',
        llmsFile('# A\n## B\n- [x](/x)\n- [y](https://other.example/)\n'),
        'partial',
        /1 of 2/,
      ],
      ['all elsewhere fails', llmsFile('# A\n## B\n- [y](https://other.example/)\n'), 'fail', /0 of 1/],
      [
        'profiles in sameAs, the booking host and the repository that the start page links to pass',
        {
          ...llmsFile(
            '# A\n## B\n- [f](https://www.facebook.com/acmeinn/)\n- [b](https://book.rooms.example/acme/en)\n- [g](https://github.com/acme/docs/blob/main/a.md)\n- [x](https://x.com/acme)\n',
          ),
          '/': page(
            '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Hotel","sameAs":["https://facebook.com/acmeinn","https://twitter.com/acme"]}</script><a href="https://book.rooms.example/acme">Book</a><a href="https://github.com/acme/cli">Source</a>',
          ),
        },
        'pass',
        /4 of 4/,
      ],
      [
        'another place of such a host counts as elsewhere',
        {
          ...llmsFile('# A\n## B\n- [g](https://github.com/other/docs)\n'),
          '/': page('<a href="https://github.com/acme/cli">Source</a>'),
        },
        'fail',
        /0 of 1/,
      ],
      [
        'a target that is no web address counts as elsewhere',
        llmsFile('# A\n## B\n- [y](javascript:x)\n'),
        'fail',
        /0 of 1/,
      ],
      ['no links are not applicable', llmsFile('# A\n'), 'not_applicable', /no links/],
    ],
  },
  AGENT_TABLE,
);

test('docs are held to 95% of their navigation', async () => {
  const nav = ['/guide', '/prices', '/a', '/b', '/c'].map((path) => `<a href="${path}">x</a>`).join('');
  const changes: SiteMap = {
    ...llmsFile('# A\n## B\n- [1](/guide)\n- [2](/prices)\n- [3](/a)\n- [4](/b)\n'),
    '/': page(`<nav>${nav}</nav>`),
  };
  expect((await judgeAgentSite('agent.llms.coverage', changes)).status).toBe('pass');
  expect((await judgeAgentSite('agent.llms.coverage', changes, 'docs')).status).toBe('partial');
});

test('a link that answers as every path of the site does is dead', async () => {
  const map: SiteMap = { '/': page('x'), '/llms.txt': markdown(LLMS), '/guide.md': guide, '/prices': SHELL };
  const judged = async (options: { catchAll?: SiteAnswer }): Promise<CheckOutcome | undefined> => {
    const fetch = siteFetch(map, options);
    const snapshot = await gatherSite(`${SITE}/`, { fetch, clockMs: CLOCK_MS, only: ['page', 'control', 'llms'] });
    return judgeSite(snapshot, {}).judged.find(({ check }) => check.id === 'agent.llms.links-resolve')?.outcome;
  };
  expect(await judged({})).toMatchObject({ status: 'pass' });
  expect(await judged({ catchAll: SHELL })).toMatchObject({
    status: 'fail',
    note: expect.stringMatching(/1 of 2/) as string,
  });
});
