import { describe, expect, test } from 'vitest';
import { lintRobots } from '../../../../src/audit/crawlers/facts/robots-lint.ts';
import {
  SITE,
  type SiteAnswer,
  type SiteMap,
  failure,
  html,
  markdown,
  notFound,
  text,
} from '../../../support/audit/site-fetch.ts';
import { onePage, words } from '../../../support/audit/pages.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';

const robots = (body: string | SiteAnswer, page: SiteMap = onePage(words(10))): SiteMap => ({
  ...page,
  '/robots.txt': typeof body === 'string' ? text(body) : body,
});

describe('aeo.robots.syntax', () => {
  const id = 'aeo.robots.syntax';
  const group = 'User-agent: *\nDisallow: /cart\n';
  testCheck(id, [
    ['a plain file passes', robots(`${group}Sitemap: ${SITE}/sitemap.xml\n`), 'pass', /Every line/],
    ['comments and blank lines pass', robots(`# hi\n\n${group} # end\n`), 'pass', /Every line/],
    ['a byte order mark passes', robots(`\uFEFF${group}`), 'pass', /Every line/],
    [
      'Windows and old Mac line ends pass',
      robots('User-agent: *\r\nDisallow: /a\rAllow: /b\r\n'),
      'pass',
      /Every line/,
    ],
    ['an empty Disallow passes', robots('User-agent: *\nDisallow:\n'), 'pass', /Every line/],
    ['a wildcard path passes', robots('User-agent: *\nDisallow: *.pdf$\n'), 'pass', /Every line/],
    ['an empty file passes', robots(''), 'pass', /Every line/],
    [
      'documented extensions pass',
      robots(
        `User-agent: *\nContent-Signal: search=yes, ai-train=no\nContent-Usage: train-ai=n\nCrawl-delay: 5\nRequest-rate: 1/5\nVisit-time: 0600-0845\nClean-param: ref /\nAllow: /\n\nAgentmap: ${SITE}/agents.json\nSchemamap: ${SITE}/s.xml\nLicense: ${SITE}/license.xml\nHost: acme.example\n`,
      ),
      'pass',
      /Every line/,
    ],
    ['a key that nobody knows is partial', robots(`${group}Frobnicate: yes\n`), 'partial', /known to nobody/],
    [
      'a rule before any group fails',
      robots('Disallow: /a\nUser-agent: *\nDisallow:\n'),
      'fail',
      /before any User-agent/,
    ],
    ['a missing colon fails', robots('User-agent: *\nDisallow /a\n'), 'fail', /no "key: value"/],
    ['Disalow fails', robots('User-agent: *\nDisalow: /a\n'), 'fail', /misspelt/],
    ['Useragent fails', robots('Useragent: *\n'), 'fail', /misspelt/],
    ['User agent with a space fails', robots('User agent: *\n'), 'fail', /misspelt/],
    ['Site-map fails', robots(`${group}Site-map: ${SITE}/s.xml`), 'fail', /misspelt/],
    ['a path without a slash fails', robots('User-agent: *\nDisallow: cart\n'), 'fail', /neither/],
    ['a whole URL as path fails', robots(`User-agent: *\nDisallow: ${SITE}/cart\n`), 'fail', /neither/],
    ['a User-agent without a name fails', robots('User-agent:\nDisallow: /a\n'), 'fail', /names nobody/],
    ['a relative sitemap fails', robots(`${group}Sitemap: /sitemap.xml\n`), 'fail', /absolute/],
    ['Noindex fails', robots(`${group}Noindex: /a\n`), 'fail', /no longer read/],
    ['a NUL byte fails', robots('User-agent: *\nDisallow: /a\u0000b\n'), 'fail', /NUL/],
    ['a NUL byte far down fails', robots(`${group}${'# filler\n'.repeat(1000)}Disallow: /\u0000\n`), 'fail', /NUL/],
    ['500 KiB pass', robots(`${group}${'#'.repeat(500 * 1024 - group.length)}`), 'pass', /Every line/],
    ['a byte more fails', robots(`${group}${'#'.repeat(500 * 1024 - group.length + 1)}`), 'fail', /500 KiB/],
    ['no file is not applicable', robots(notFound), 'not_applicable', /no robots/],
    ['HTML is not applicable', robots(html('<!doctype html><p>x</p>')), 'not_applicable', /no robots/],
    ['500 is unknown', robots(text('x', { status: 500 })), 'unknown', /could not be read/],
    ['no connection is unknown', robots(failure('connection_failed')), 'unknown', /connection_failed/],
  ]);

  test('its evidence names line and text', async () => {
    const { evidence } = await judgeCheck(id, robots('User-agent: *\nDisallow: /a\n\nDisalow: /b\n'));
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
      robots(`${all}User-agent: GPTBot\nDisallow: /private/\n`),
      'pass',
      /1 of 1/,
    ],
    ['a group that forbids everything passes', robots(`${all}User-agent: GPTBot\nDisallow: /\n`), 'pass', /1 of 1/],
    [
      'a group shared with * passes',
      robots('User-agent: *\nUser-agent: GPTBot\nDisallow: /private/\n'),
      'pass',
      /1 of 1/,
    ],
    [
      'an Allow as precise as the rule passes',
      robots(`${all}User-agent: GPTBot\nAllow: /private/\n`),
      'pass',
      /1 of 1/,
    ],
    [
      'a blanket block that a group lifts is a choice',
      robots('User-agent: *\nDisallow: /\n\nUser-agent: OAI-SearchBot\nAllow: /\n'),
      'pass',
      /1 of 1/,
    ],
    [
      'and so it is where the group only keeps a part closed',
      robots('User-agent: *\nDisallow: /\n\nUser-agent: OAI-SearchBot\nDisallow: /x\n'),
      'pass',
      /1 of 1/,
    ],
    ['a group that allows everything fails', robots(`${all}User-agent: GPTBot\nAllow: /\n`), 'fail', /0 of 1/],
    ['a group with an empty Disallow fails', robots(`${all}User-agent: GPTBot\nDisallow:\n`), 'fail', /0 of 1/],
    [
      'a group of Crawl-delay alone fails, even below a blanket block',
      robots('User-agent: *\nDisallow: /\n\nUser-agent: GPTBot\nCrawl-delay: 5\n'),
      'fail',
      /0 of 1/,
    ],
    [
      'one of two is partial',
      robots(`${all}User-agent: GPTBot\nDisallow: /private/\n\nUser-agent: ClaudeBot\nDisallow: /x\n`),
      'partial',
      /1 of 2/,
    ],
    [
      'a wildcard rule is compared by what it matches',
      robots('User-agent: *\nDisallow: /*.pdf$\n\nUser-agent: GPTBot\nDisallow: /*.pdf\n'),
      'pass',
      /1 of 1/,
    ],
    [
      'a group for another crawler is not applicable',
      robots(`${all}User-agent: SemrushBot\nAllow: /\n`),
      'not_applicable',
      /No AI agent/,
    ],
    [
      'nothing forbidden is not applicable',
      robots('User-agent: *\nAllow: /\n\nUser-agent: GPTBot\nAllow: /\n'),
      'not_applicable',
      /forbids nothing/,
    ],
    ['no file is not applicable', robots(notFound), 'not_applicable', /no robots/],
    ['500 is unknown', robots(text('x', { status: 500 })), 'unknown', /could not be read/],
  ]);

  test('its evidence names the line of the rule and that of the group', async () => {
    const { evidence, value } = await judgeCheck(
      id,
      robots(`${all}User-agent: GPTBot\nAllow: /\n\nUser-agent: CCBot\nDisallow: /\n`),
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
    robots(`User-agent: ${agent}\nCrawl-delay: ${value}\nDisallow: /x\n`);
  testCheck(id, [
    ['10 seconds pass', delay('10'), 'pass', /10 seconds/],
    ['a fraction passes', delay('0.5'), 'pass', /0\.5/],
    ['30 seconds are partial', delay('30'), 'partial', /30/],
    ['31 seconds fail', delay('31'), 'fail', /31/],
    [
      'the longest of several counts',
      robots('User-agent: GPTBot\nCrawl-delay: 1\nDisallow: /a\n\nUser-agent: *\nCrawl-delay: 99\nDisallow: /b\n'),
      'fail',
      /99/,
    ],
    ['a word is partial', delay('slow'), 'partial', /no number/],
    [
      'a delay for another crawler is not applicable',
      robots('User-agent: SemrushBot\nCrawl-delay: 60\nDisallow: /x\n\nUser-agent: *\nDisallow: /y\n'),
      'not_applicable',
      /no Crawl-delay/,
    ],
    ['none is not applicable', robots('User-agent: *\nDisallow: /x\n'), 'not_applicable', /no Crawl-delay/],
    ['no file is not applicable', robots(notFound), 'not_applicable', /no robots/],
  ]);
});

describe('aeo.robots.training-choice', () => {
  const id = 'aeo.robots.training-choice';
  const BOTS = [
    'GPTBot',
    'ClaudeBot',
    'Google-Extended',
    'Applebot-Extended',
    'CCBot',
    'Meta-ExternalAgent',
    'Amazonbot',
    'Bytespider',
  ];
  const group = (bots: readonly string[], rule: string): string =>
    `${bots.map((bot) => `User-agent: ${bot}\n`).join('')}${rule}\n`;
  testCheck(id, [
    ['all blocked by name passes', robots(group(BOTS, 'Disallow: /')), 'pass', /8 of 8/],
    ['all allowed by name passes', robots(group(BOTS, 'Allow: /')), 'pass', /8 of 8/],
    [
      'Content-Signal for all passes',
      robots('User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n'),
      'pass',
      /8 of 8/,
    ],
    ['Content-Usage for all passes', robots('User-agent: *\nContent-Usage: train-ai=n\nAllow: /\n'), 'pass', /8 of 8/],
    [
      'the Content-Usage header passes',
      { ...robots(notFound), '/': html(words(5), { headers: { 'content-usage': 'train-ai=y' } }) },
      'pass',
      /header/,
    ],
    ['half by name is partial', robots(group(BOTS.slice(0, 4), 'Disallow: /')), 'partial', /4 of 8/],
    [
      'a signal just above the next group belongs to its own',
      robots('User-agent: *\nAllow: /\nContent-Signal: ai-train=no\nUser-agent: Bingbot\nAllow: /\n'),
      'pass',
      /8 of 8/,
    ],
    [
      'a signal without training is partial',
      robots('User-agent: *\nContent-Signal: search=yes\nAllow: /\n'),
      'partial',
      /0 of 8/,
    ],
    [
      'a signal in the group of another crawler is partial',
      robots('User-agent: Bingbot\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: *\nAllow: /\n'),
      'partial',
      /0 of 8/,
    ],
    [
      'a blanket block is partial: nothing is said of training',
      robots('User-agent: *\nDisallow: /\n'),
      'partial',
      /0 of 8/,
    ],
    ['no file is partial', robots(notFound), 'partial', /0 of 8/],
    ['500 is unknown', robots(text('x', { status: 500 })), 'unknown', /could not be read/],
  ]);

  test('left to * is worth a half, half by name three quarters', async () => {
    expect((await judgeCheck(id, robots(notFound))).value).toBe(0.5);
    const half = await judgeCheck(id, robots(group(BOTS.slice(0, 4), 'Disallow: /')));
    expect(half.value).toBe(0.75);
    expect(half.evidence[0]).toMatchObject({ line: 5, excerpt: 'GPTBot: denied by its own group' });
  });
});

describe('aeo.robots.blocks-render-assets', () => {
  const id = 'aeo.robots.blocks-render-assets';
  const rule = 'User-agent: *\nDisallow: /assets/\n';
  const css = '<link rel="stylesheet" href="/assets/a.css">';
  const script = (attributes: string): string => `<script src="/assets/a.js" ${attributes}></script>`;
  const page = (head: string, body = words(100)): SiteMap => onePage(body, head);
  testCheck(id, [
    [
      'a style sheet that may be fetched passes',
      robots('User-agent: *\nDisallow: /cart\n', page(css)),
      'pass',
      /1 of 1/,
    ],
    ['no robots.txt passes', robots(notFound, page(css)), 'pass', /1 of 1/],
    ['a blocked style sheet fails', robots(rule, page(css)), 'fail', /0 of 1/],
    ['a blocked script in the head fails', robots(rule, page(script(''))), 'fail', /0 of 1/],
    [
      'a rule for another crawler passes',
      robots('User-agent: GPTBot\nDisallow: /assets/\n', page(css)),
      'pass',
      /1 of 1/,
    ],
    ['a rule for Googlebot fails', robots('User-agent: Googlebot\nDisallow: /assets/\n', page(css)), 'fail', /0 of 1/],
    [
      'an async script beside the content is not applicable',
      robots(rule, page(script('async'))),
      'not_applicable',
      /needs no/,
    ],
    [
      'a module beside the content is not applicable',
      robots(rule, page(script('type="module"'))),
      'not_applicable',
      /needs no/,
    ],
    [
      'the module of an empty shell fails',
      robots(rule, page(script('type="module"'), '<div id="root"></div>')),
      'fail',
      /0 of 1/,
    ],
    [
      'assets of another host are not applicable',
      robots('User-agent: *\nDisallow: /\n', page('<link rel="stylesheet" href="https://cdn.example/a.css">')),
      'not_applicable',
      /needs no/,
    ],
    ['500 is unknown', robots(text('x', { status: 500 }), page(css)), 'unknown', /could not be read/],
  ]);

  test('its evidence names the asset and the rule', async () => {
    const { evidence } = await judgeCheck(id, robots(rule, page(css)));
    expect(evidence).toMatchObject([
      { url: `${SITE}/`, excerpt: `${SITE}/assets/a.css` },
      { url: `${SITE}/robots.txt`, line: 2, excerpt: 'Disallow: /assets/' },
    ]);
  });
});

describe('aeo.robots.discovery-files-allowed', () => {
  const id = 'aeo.robots.discovery-files-allowed';
  const sitemap = text(`${SITE}/a\n`);
  const site = (rules: string, more: SiteMap): SiteMap => ({ ...robots(rules), '/sitemap.xml': notFound, ...more });
  testCheck(id, [
    [
      'a sitemap that may be fetched passes',
      site('User-agent: *\nDisallow: /x\n', { '/sitemap.xml': sitemap }),
      'pass',
      /1 file /,
    ],
    [
      'no robots.txt passes',
      { ...site('', { '/llms.txt': markdown('# Acme\n') }), '/robots.txt': notFound },
      'pass',
      /1 file /,
    ],
    [
      'a forbidden sitemap fails',
      site('User-agent: *\nDisallow: /*.xml$\n', { '/sitemap.xml': sitemap }),
      'fail',
      /1 of 1/,
    ],
    [
      'a forbidden llms.txt fails',
      site('User-agent: *\nDisallow: /llms.txt\n', { '/llms.txt': markdown('# Acme\n') }),
      'fail',
      /1 of 1/,
    ],
    [
      'one of two forbidden fails',
      site('User-agent: *\nDisallow: /llms.txt\n', { '/llms.txt': markdown('# Acme\n'), '/sitemap.xml': sitemap }),
      'fail',
      /1 of 2/,
    ],
    [
      'a rule for ClaudeBot fails',
      site('User-agent: ClaudeBot\nDisallow: /llms.txt\n', { '/llms.txt': markdown('# Acme\n') }),
      'fail',
      /1 of 1/,
    ],
    [
      'a Markdown copy that the page links counts',
      {
        ...onePage('', '<link rel="alternate" type="text/markdown" href="/index.md">'),
        '/robots.txt': text('User-agent: *\nDisallow: /*.md$\n'),
      },
      'fail',
      /1 of 1/,
    ],
    [
      'ClaudeBot kept out of everything is a choice',
      site('User-agent: ClaudeBot\nDisallow: /\n', { '/sitemap.xml': sitemap }),
      'pass',
      /1 file /,
    ],
    [
      'everybody kept out is not applicable',
      site('User-agent: *\nDisallow: /\n', { '/sitemap.xml': sitemap }),
      'not_applicable',
      /start page too/,
    ],
    [
      'a forbidden file that is not there is not applicable',
      site('User-agent: *\nDisallow: /llms.txt\n', {}),
      'not_applicable',
      /no file/,
    ],
    [
      'HTML for llms.txt is no file',
      site('User-agent: *\nDisallow: /llms.txt\n', { '/llms.txt': html('<!doctype html><p>x</p>') }),
      'not_applicable',
      /no file/,
    ],
  ]);
});
