import { describe, expect, test } from 'vitest';
import { computeScore } from '../../../../src/audit/core/scores.ts';
import { judgeSite } from '../../../../src/audit/core/report.ts';
import { snapshotOf } from '../../../support/audit/audit.ts';
import {
  failure,
  html,
  markdown,
  notFound,
  redirect,
  SITE,
  type SiteAnswer,
  type SiteMap,
  text,
} from '../../../support/audit/site-fetch.ts';
import { goodSite } from '../../../sites/good.ts';
import { judgeCheck, type Row, testCheck } from '../../../support/audit/judge-check.ts';

const robots = (answer: SiteAnswer): SiteMap => ({ ...goodSite, '/robots.txt': answer });

const rules = (body: string): SiteAnswer => text(body);

describe('aeo.robots.fetch', () => {
  const id = 'aeo.robots.fetch';
  testCheck(
    id,
    [
      ['text passes', rules('User-agent: *\nDisallow:\n'), 'pass', /text\/plain/],
      ['an empty file passes', rules(''), 'pass', /text\/plain/],
      ['404 passes', notFound, 'pass', /may read everything/],
      ['403 is partial', text('no', { status: 403 }), 'partial', /403/],
      ['HTML is partial', html('<!doctype html><p>Hi</p>'), 'partial', /no robots\.txt/],
      ['another media type is partial', markdown('User-agent: *\nDisallow:\n'), 'partial', /not served as text/],
      ['500 fails', text('x', { status: 500 }), 'fail', /all is forbidden/],
      ['no answer in time fails', failure('timeout'), 'fail', /timeout/],
      ['endless redirects fail', redirect('/robots.txt'), 'fail', /too_many_redirects/],
      ['429 is unknown', text('x', { status: 429 }), 'unknown', /rate_limited/],
      [
        'a bot challenge is unknown',
        html('no', { status: 403, headers: { 'cf-mitigated': 'challenge' } }),
        'unknown',
        /challenged/,
      ],
      ['no connection is unknown', failure('connection_failed'), 'unknown', /connection_failed/],
    ],
    { site: robots },
  );
});

describe('aeo.robots.ai-search-bots', () => {
  const id = 'aeo.robots.ai-search-bots';
  testCheck(
    id,
    [
      ['no rules pass', notFound, 'pass', /all 9/],
      ['rules for training bots pass', rules('User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n'), 'pass', /all 9/],
      ...['MistralAI-Index', 'Amzn-SearchBot', 'meta-webindexer'].map((bot): Row<SiteAnswer> => [
        `a block of ${bot} is partial`,
        rules(`User-agent: ${bot}\nDisallow: /\n`),
        'partial',
        new RegExp(bot, 'i'),
        { value: 0.889 },
      ]),
      ...['MistralAI-User', 'DuckAssistBot', 'PetalBot'].map((bot): Row<SiteAnswer> => [
        `a block of ${bot} takes nothing from search`,
        rules(`User-agent: ${bot}\nDisallow: /\n`),
        'pass',
        /all 9/,
      ]),
      ['one blocked bot is partial', rules('User-agent: PerplexityBot\nDisallow: /\n'), 'partial', /PerplexityBot/],
      [
        'a bot that is let in past a blanket block is partial',
        rules('User-agent: *\nDisallow: /\n\nUser-agent: OAI-SearchBot\nAllow: /\n'),
        'partial',
        /Claude-SearchBot/,
      ],
      ['all blocked fails', rules('User-agent: *\nDisallow: /\n'), 'fail', /keeps all 9 AI search crawlers/],
      [
        '500 fails: all must assume they are blocked',
        text('x', { status: 500 }),
        'fail',
        /unreachable, which keeps all 9/,
      ],
      ['no answer in time is unknown', failure('timeout'), 'unknown', /in time/],
      ['HTML for robots.txt sets no rules', html('<!doctype html>Disallow: /'), 'pass', /all 9/],
    ],
    { site: robots },
  );

  test('its value is the share of bots that may read, and its evidence names the rule', async () => {
    const outcome = await judgeCheck(
      id,
      robots(rules('User-agent: PerplexityBot\nUser-agent: Bingbot\nDisallow: /\n')),
    );
    expect(outcome.value).toBe(0.778);
    expect(outcome.evidence[0]).toMatchObject({
      url: `${SITE}/robots.txt`,
      status: 200,
      line: 3,
      excerpt: 'PerplexityBot: Disallow: /',
    });
  });

  test.each([
    ['fires when every AI search bot is blocked', 'User-agent: *\nDisallow: /\n', true],
    ['stays off while one may read', 'User-agent: *\nDisallow: /\n\nUser-agent: Applebot\nAllow: /\n', false],
  ])('the gate %s', async (_name, body, fired) => {
    const { judged } = judgeSite(await snapshotOf(robots(rules(body))));
    const { gates, score } = computeScore('aeo', judged);
    expect(gates.some((gate) => gate.id === id)).toBe(fired);
    expect(score <= 40).toBe(fired);
  });
});

describe('aeo.robots.user-fetchers', () => {
  const id = 'aeo.robots.user-fetchers';
  testCheck(
    id,
    [
      ['no rules pass', notFound, 'pass', /may read/],
      [
        'a rule without effect passes and is named',
        rules('User-agent: ChatGPT-User\nDisallow: /\n'),
        'pass',
        /ChatGPT-User have no documented effect/,
      ],
      [
        'a block of Claude-User costs its share',
        rules('User-agent: Claude-User\nDisallow: /\n'),
        'partial',
        /Refused: Claude-User/,
        { value: 0.75 },
      ],
      [
        'a fetcher that reads a page for a person is none of the search crawlers',
        rules('User-agent: MistralAI-User\nDisallow: /\n'),
        'partial',
        /Refused: MistralAI-User/,
      ],
      [
        'a block of all that obey fails',
        rules(
          'User-agent: Claude-User\nUser-agent: MistralAI-User\nUser-agent: Amzn-User\nUser-agent: DuckAssistBot\nDisallow: /\n',
        ),
        'fail',
        /DuckAssistBot/,
      ],
      ['no answer in time is unknown', failure('timeout'), 'unknown', /in time/],
    ],
    { site: robots },
  );
});

describe('aeo.robots.blanket-block', () => {
  const id = 'aeo.robots.blanket-block';
  testCheck(
    id,
    [
      ['no rules pass', notFound, 'pass', /does not name/],
      ['blocks of named bots pass', rules('User-agent: GPTBot\nDisallow: /\n'), 'pass', /does not name/],
      ['Disallow: / for * fails', rules('User-agent: *\nDisallow: /\n'), 'fail', /may not fetch/],
      [
        'an Allow for the start page outweighs it',
        rules('User-agent: *\nDisallow: /\nAllow: /$\n'),
        'pass',
        /does not name/,
      ],
    ],
    { site: robots },
  );
});
