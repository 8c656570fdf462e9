import { describe, expect, test } from 'vitest';
import { lintRobots } from '../../../../src/audit/crawlers/facts/robots-lint.ts';
import { failure, html, notFound, SITE, type SiteMap, text } from '../../../support/audit/site-fetch.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';
import { withRobots } from '../../../support/audit/pages.ts';

describe('aeo.robots.syntax', () => {
  const id = 'aeo.robots.syntax';
  const group = 'User-agent: *\nDisallow: /cart\n';
  testCheck(id, [
    ['a plain file passes', withRobots(`${group}Sitemap: ${SITE}/sitemap.xml\n`), 'pass', /Every line/],
    ['comments and blank lines pass', withRobots(`# hi\n\n${group} # end\n`), 'pass', /Every line/],
    ['a byte order mark passes', withRobots(`\uFEFF${group}`), 'pass', /Every line/],
    [
      'Windows and old Mac line ends pass',
      withRobots('User-agent: *\r\nDisallow: /a\rAllow: /b\r\n'),
      'pass',
      /Every line/,
    ],
    ['an empty Disallow passes', withRobots('User-agent: *\nDisallow:\n'), 'pass', /Every line/],
    ['a wildcard path passes', withRobots('User-agent: *\nDisallow: *.pdf$\n'), 'pass', /Every line/],
    ['an empty file passes', withRobots(''), 'pass', /Every line/],
    [
      'documented extensions pass',
      withRobots(
        `User-agent: *\nContent-Signal: search=yes, ai-train=no\nContent-Usage: train-ai=n\nCrawl-delay: 5\nRequest-rate: 1/5\nVisit-time: 0600-0845\nClean-param: ref /\nAllow: /\n\nAgentmap: ${SITE}/agents.json\nSchemamap: ${SITE}/s.xml\nLicense: ${SITE}/license.xml\nHost: acme.example\n`,
      ),
      'pass',
      /Every line/,
    ],
    ['a key that nobody knows is partial', withRobots(`${group}Frobnicate: yes\n`), 'partial', /known to no crawler/],
    [
      'a rule before any group fails',
      withRobots('Disallow: /a\nUser-agent: *\nDisallow:\n'),
      'fail',
      /before any User-agent/,
    ],
    ['a missing colon fails', withRobots('User-agent: *\nDisallow /a\n'), 'fail', /no "key: value"/],
    ['Disalow fails', withRobots('User-agent: *\nDisalow: /a\n'), 'fail', /misspelt/],
    ['Useragent fails', withRobots('Useragent: *\n'), 'fail', /misspelt/],
    ['User agent with a space fails', withRobots('User agent: *\n'), 'fail', /misspelt/],
    ['Site-map fails', withRobots(`${group}Site-map: ${SITE}/s.xml`), 'fail', /misspelt/],
    ['a path without a slash fails', withRobots('User-agent: *\nDisallow: cart\n'), 'fail', /neither/],
    ['a whole URL as path fails', withRobots(`User-agent: *\nDisallow: ${SITE}/cart\n`), 'fail', /neither/],
    ['a User-agent without a name fails', withRobots('User-agent:\nDisallow: /a\n'), 'fail', /names no crawler/],
    ['a relative sitemap fails', withRobots(`${group}Sitemap: /sitemap.xml\n`), 'fail', /absolute/],
    ['Noindex fails', withRobots(`${group}Noindex: /a\n`), 'fail', /no longer read/],
    ['a no-break space behind a path fails', withRobots('User-agent: *\nDisallow: /a\u00A0\n'), 'fail', /looks like a/],
    ['one before a key fails', withRobots('User-agent: *\n\u00A0Disallow: /a\n'), 'fail', /looks like a/],
    ['one behind a name fails', withRobots('User-agent: *\u00A0# all\nDisallow: /a\n'), 'fail', /looks like a/],
    [
      'one inside a path or a comment passes',
      withRobots('User-agent: *\nDisallow: /a\u00A0b #\u00A0c\n'),
      'pass',
      /Every/,
    ],
    ['one alone in a line passes', withRobots(`${group}\u00A0\n`), 'pass', /Every line/],
    ['a NUL byte fails', withRobots('User-agent: *\nDisallow: /a\u0000b\n'), 'fail', /NUL/],
    ['a NUL byte far down fails', withRobots(`${group}${'# filler\n'.repeat(1000)}Disallow: /\u0000\n`), 'fail', /NUL/],
    ['500 KiB pass', withRobots(`${group}${'#'.repeat(500 * 1024 - group.length)}`), 'pass', /Every line/],
    ['a byte more fails', withRobots(`${group}${'#'.repeat(500 * 1024 - group.length + 1)}`), 'fail', /500 KiB/],
    ['no file is not applicable', withRobots(notFound), 'not_applicable', /no robots/],
    ['HTML is not applicable', withRobots(html('<!doctype html><p>x</p>')), 'not_applicable', /no robots/],
    ['500 is unknown', withRobots(text('x', { status: 500 })), 'unknown', /could not be read/],
    ['no connection is unknown', withRobots(failure('connection_failed')), 'unknown', /connection_failed/],
  ]);

  test('its evidence names line and text', async () => {
    const { evidence } = await judgeCheck(id, withRobots('User-agent: *\nDisallow: /a\n\nDisalow: /b\n'));
    expect(evidence).toMatchObject([{ url: `${SITE}/robots.txt`, line: 4, excerpt: 'Disalow: /b' }]);
  });

  test('a hostile file gives at most 100 flags', () => {
    expect(lintRobots('x\n'.repeat(200_000), false)).toHaveLength(100);
  });
});

describe('aeo.robots.group-shadowing', () => {
  const id = 'aeo.robots.group-shadowing';
  const all = 'User-agent: *\nDisallow: /private/\n\n';
  testCheck(id, [
    [
      'a group that repeats the rule passes',
      withRobots(`${all}User-agent: GPTBot\nDisallow: /private/\n`),
      'pass',
      /1 of 1/,
    ],
    ['a group that forbids everything passes', withRobots(`${all}User-agent: GPTBot\nDisallow: /\n`), 'pass', /1 of 1/],
    [
      'a group shared with * passes',
      withRobots('User-agent: *\nUser-agent: GPTBot\nDisallow: /private/\n'),
      'pass',
      /1 of 1/,
    ],
    [
      'an Allow as precise as the rule passes',
      withRobots(`${all}User-agent: GPTBot\nAllow: /private/\n`),
      'pass',
      /1 of 1/,
    ],
    [
      'a blanket block that a group lifts is a choice',
      withRobots('User-agent: *\nDisallow: /\n\nUser-agent: OAI-SearchBot\nAllow: /\n'),
      'pass',
      /1 of 1/,
    ],
    [
      'and so it is where the group only keeps a part closed',
      withRobots('User-agent: *\nDisallow: /\n\nUser-agent: OAI-SearchBot\nDisallow: /x\n'),
      'pass',
      /1 of 1/,
    ],
    ['a group that allows everything fails', withRobots(`${all}User-agent: GPTBot\nAllow: /\n`), 'fail', /0 of 1/],
    ['a group with an empty Disallow fails', withRobots(`${all}User-agent: GPTBot\nDisallow:\n`), 'fail', /0 of 1/],
    [
      'a group of Crawl-delay alone, above the group of another agent, depends on the parser',
      withRobots('User-agent: GPTBot\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /private/\n'),
      'partial',
      /For 1 other it depends on the parser/,
      { value: 0.5 },
    ],
    [
      'a Sitemap line between rules changes nothing',
      withRobots(`${all}User-agent: GPTBot\nDisallow: /private/\nSitemap: https://acme.example/s.xml\n`),
      'pass',
      /1 of 1/,
    ],
    [
      'a group of an agent that is no AI agent is not counted',
      withRobots(`${all}User-agent: SemrushBot # not GPTBot\nCrawl-delay: 5\n# User-agent: GPTBot\n`),
      'not_applicable',
      /No AI agent/,
    ],
    [
      'a group of Crawl-delay alone fails, even below a blanket block',
      withRobots('User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nCrawl-delay: 5\n'),
      'fail',
      /0 of 1/,
    ],
    [
      'one of two is partial',
      withRobots(`${all}User-agent: GPTBot\nDisallow: /private/\n\nUser-agent: ClaudeBot\nDisallow: /x\n`),
      'partial',
      /1 of 2/,
    ],
    [
      'a wildcard rule is compared by what it matches',
      withRobots('User-agent: *\nDisallow: /*.pdf$\n\nUser-agent: GPTBot\nDisallow: /*.pdf\n'),
      'pass',
      /1 of 1/,
    ],
    [
      'a group for another crawler is not applicable',
      withRobots(`${all}User-agent: SemrushBot\nAllow: /\n`),
      'not_applicable',
      /No AI agent/,
    ],
    [
      'nothing forbidden is not applicable',
      withRobots('User-agent: *\nAllow: /\n\nUser-agent: GPTBot\nAllow: /\n'),
      'not_applicable',
      /forbids nothing/,
    ],
    ['no file is not applicable', withRobots(notFound), 'not_applicable', /no robots/],
    ['500 is unknown', withRobots(text('x', { status: 500 })), 'unknown', /could not be read/],
  ]);

  test('its evidence names the line of the rule and that of the group', async () => {
    const { evidence, value } = await judgeCheck(
      id,
      withRobots(`${all}User-agent: GPTBot\nAllow: /\n\nUser-agent: CCBot\nDisallow: /\n`),
    );
    expect(value).toBe(0.5);
    expect(evidence).toMatchObject([
      { line: 2, excerpt: '*: Disallow: /private/' },
      { line: 4, excerpt: 'GPTBot: a group without this rule' },
    ]);
  });
});

describe('aeo.robots.crawl-delay', () => {
  const id = 'aeo.robots.crawl-delay';
  const delay = (value: string, agent = '*'): SiteMap =>
    withRobots(`User-agent: ${agent}\nCrawl-delay: ${value}\nDisallow: /x\n`);
  testCheck(id, [
    ['10 seconds pass', delay('10'), 'pass', /10 seconds/],
    ['a fraction passes', delay('0.5'), 'pass', /0\.5/],
    ['30 seconds are partial', delay('30'), 'partial', /30/],
    ['31 seconds fail', delay('31'), 'fail', /31/],
    [
      'the longest of several counts',
      withRobots('User-agent: GPTBot\nCrawl-delay: 1\nDisallow: /a\n\nUser-agent: *\nCrawl-delay: 99\nDisallow: /b\n'),
      'fail',
      /99/,
    ],
    ['a word is partial', delay('slow'), 'partial', /no number/],
    [
      'a delay for another crawler is not applicable',
      withRobots('User-agent: SemrushBot\nCrawl-delay: 60\nDisallow: /x\n\nUser-agent: *\nDisallow: /y\n'),
      'not_applicable',
      /no Crawl-delay/,
    ],
    ['none is not applicable', withRobots('User-agent: *\nDisallow: /x\n'), 'not_applicable', /no Crawl-delay/],
    ['no file is not applicable', withRobots(notFound), 'not_applicable', /no robots/],
  ]);
});
