import { describe, expect, test } from 'vitest';
import { html, markdown, notFound, SITE, type SiteMap, text } from '../../../support/audit/site-fetch.ts';
import { judgeCheck, testCheck } from '../../../support/audit/judge-check.ts';
import { onePage, withRobots, words } from '../../../support/audit/pages.ts';

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
    'MistralAI-Training',
  ];
  const group = (bots: readonly string[], rule: string): string =>
    `${bots.map((bot) => `User-agent: ${bot}\n`).join('')}${rule}\n`;
  testCheck(id, [
    ['all blocked by name passes', withRobots(group(BOTS, 'Disallow: /')), 'pass', /8 of 8/],
    ['all allowed by name passes', withRobots(group(BOTS, 'Allow: /')), 'pass', /8 of 8/],
    [
      'Content-Signal for all passes',
      withRobots('User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n'),
      'pass',
      /8 of 8/,
    ],
    [
      'Content-Usage for all passes',
      withRobots('User-agent: *\nContent-Usage: train-ai=n\nAllow: /\n'),
      'pass',
      /8 of 8/,
    ],
    [
      'the Content-Usage header passes',
      { ...withRobots(notFound), '/': html(words(5), { headers: { 'content-usage': 'train-ai=y' } }) },
      'pass',
      /header/,
    ],
    ['half by name is partial', withRobots(group(BOTS.slice(0, 4), 'Disallow: /')), 'partial', /4 of 8/],
    [
      'a signal just above the next group belongs to its own',
      withRobots('User-agent: *\nAllow: /\nContent-Signal: ai-train=no\nUser-agent: Bingbot\nAllow: /\n'),
      'pass',
      /8 of 8/,
    ],
    [
      'a signal without training is partial',
      withRobots('User-agent: *\nContent-Signal: search=yes\nAllow: /\n'),
      'partial',
      /0 of 8/,
    ],
    [
      'a signal in the group of another crawler is partial',
      withRobots('User-agent: Bingbot\nContent-Signal: ai-train=no\nAllow: /\n\nUser-agent: *\nAllow: /\n'),
      'partial',
      /0 of 8/,
    ],
    [
      'a blanket block is partial: nothing is said of training',
      withRobots('User-agent: *\nDisallow: /\n'),
      'partial',
      /0 of 8/,
    ],
    ['no file is partial', withRobots(notFound), 'partial', /0 of 8/],
    ['500 is unknown', withRobots(text('x', { status: 500 })), 'unknown', /could not be read/],
  ]);

  test('left to * is worth a half, half by name three quarters', async () => {
    expect((await judgeCheck(id, withRobots(notFound))).value).toBe(0.5);
    const half = await judgeCheck(id, withRobots(group(BOTS.slice(0, 4), 'Disallow: /')));
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
      withRobots('User-agent: *\nDisallow: /cart\n', page(css)),
      'pass',
      /1 of 1/,
    ],
    ['no robots.txt passes', withRobots(notFound, page(css)), 'pass', /1 of 1/],
    ['a blocked style sheet fails', withRobots(rule, page(css)), 'fail', /0 of 1/],
    ['a blocked script in the head fails', withRobots(rule, page(script(''))), 'fail', /0 of 1/],
    [
      'a rule for another crawler passes',
      withRobots('User-agent: GPTBot\nDisallow: /assets/\n', page(css)),
      'pass',
      /1 of 1/,
    ],
    [
      'a rule for Googlebot fails',
      withRobots('User-agent: Googlebot\nDisallow: /assets/\n', page(css)),
      'fail',
      /0 of 1/,
    ],
    [
      'an async script beside the content is not applicable',
      withRobots(rule, page(script('async'))),
      'not_applicable',
      /needs no/,
    ],
    [
      'a module beside the content is not applicable',
      withRobots(rule, page(script('type="module"'))),
      'not_applicable',
      /needs no/,
    ],
    [
      'the module of an empty shell fails',
      withRobots(rule, page(script('type="module"'), '<div id="root"></div>')),
      'fail',
      /0 of 1/,
    ],
    [
      'assets of another host are not applicable',
      withRobots('User-agent: *\nDisallow: /\n', page('<link rel="stylesheet" href="https://cdn.example/a.css">')),
      'not_applicable',
      /needs no/,
    ],
    ['500 is unknown', withRobots(text('x', { status: 500 }), page(css)), 'unknown', /could not be read/],
  ]);

  test('its evidence names the asset and the rule', async () => {
    const { evidence } = await judgeCheck(id, withRobots(rule, page(css)));
    expect(evidence).toMatchObject([
      { url: `${SITE}/`, excerpt: `${SITE}/assets/a.css` },
      { url: `${SITE}/robots.txt`, line: 2, excerpt: 'Disallow: /assets/' },
    ]);
  });
});

describe('aeo.robots.discovery-files-allowed', () => {
  const id = 'aeo.robots.discovery-files-allowed';
  const sitemap = text(`${SITE}/a\n`);
  const site = (rules: string, more: SiteMap): SiteMap => ({ ...withRobots(rules), '/sitemap.xml': notFound, ...more });
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
