import { describe, expect, test } from 'vitest';
import { classifyUserAgent } from '../../../src/traffic/agents/classify-agent.ts';
import { findAssistantReferral } from '../../../src/traffic/agents/referrals.ts';
import { compileRanges } from '../../../src/traffic/ranges/compile-ranges.ts';
import { verifyAddress } from '../../../src/traffic/ranges/verify.ts';
import { createRecord, type LogRecord } from '../../../src/traffic/record.ts';
import { formatTrafficLines, formatTrafficMarkdown } from '../../../src/traffic/report/traffic-lines.ts';
import { MAX_ADDRESSES_OF_AGENT } from '../../../src/traffic/tally/agent-tally.ts';
import { buildTrafficReport } from '../../../src/traffic/tally/build-traffic-report.ts';
import { MAX_PAGES_OF_AGENT } from '../../../src/traffic/tally/counts.ts';
import { createRobotsJudge } from '../../../src/traffic/tally/obedience.ts';
import { readSitemapPaths } from '../../../src/traffic/tally/sitemap-paths.ts';
import { createTally, MAX_TRAFFIC_PAGES, type TallyOptions } from '../../../src/traffic/tally/tally.ts';

const ranges = compileRanges([
  {
    owner: 'OpenAI',
    tokens: ['GPTBot'],
    source: 'https://openai.com/gptbot.json',
    date: '2026-01-01',
    prefixes: ['192.0.2.0/28'],
  },
]);
const GPTBOT = 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)';
const KIMI = 'Kimi-User/1.0';
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const START_MS = Date.UTC(2026, 10, 1);

type Given = Partial<LogRecord>;

function report(given: readonly Given[], options: TallyOptions & { robots?: string } = {}) {
  const isDisallowed = options.robots === undefined ? undefined : createRobotsJudge(options.robots);
  const verify = (token: string, address: string) => verifyAddress(ranges, token, address);
  const tally = createTally(
    { classify: classifyUserAgent, findReferral: findAssistantReferral, verify, isDisallowed },
    options,
  );
  const record = createRecord();
  for (const [at, one] of given.entries()) {
    const base = {
      address: '198.51.100.7',
      atMs: START_MS + at * 1000,
      method: 'GET',
      path: '/',
      status: 200,
      bytes: 10,
    };
    tally.count(Object.assign(record, { referrer: '', userAgent: GPTBOT, host: undefined }, base, one));
  }
  const unreadable = { too_long: 0, binary: 0, incomplete: 0, shape: 0 };
  const made = buildTrafficReport(tally, {
    rosterDate: '2026-11-26',
    rangesDate: '2026-01-01',
    files: [],
    lines: { read: given.length, other: 0, undated: 0, unreadable },
    hasRobots: isDisallowed !== undefined,
    sitemap: options.sitemap,
  });
  return { tally, made };
}

test('a list of addresses proves nothing: its first one is what the visitor wrote', () => {
  const { made } = report([{ address: '192.0.2.1, 198.51.100.7' }, { address: '192.0.2.1' }]);
  expect(made.agents.map(({ verification, requests }) => [verification, requests])).toEqual([
    ['verified', 1],
    ['claimed', 1],
  ]);
});

const repeat = (times: number, one: Given): readonly Given[] => Array.from({ length: times }, () => one);

test('an agent is counted by what its address proves, with statuses, errors, bytes and times', () => {
  const { made } = report([
    { address: '192.0.2.1', path: '/a' },
    { address: '192.0.2.2', path: '/a', status: 404 },
    { address: '192.0.2.2', path: '/b', status: 503, bytes: undefined },
    { address: '198.51.100.7', path: '/b' },
    { address: '10.0.0.1', path: '/b', status: undefined, atMs: undefined },
  ]);
  expect(made.agents.map(({ verification, requests }) => [verification, requests])).toEqual([
    ['verified', 3],
    ['claimed', 1],
    ['pretended', 1],
  ]);
  expect(made.agents[0]).toMatchObject({
    token: 'GPTBot',
    owner: 'OpenAI',
    class: 'training',
    addresses: 2,
    pages: 2,
    bytes: 20,
    statuses: { '2xx': 1, '4xx': 1, '5xx': 1, none: 0 },
    error_share: 0.6667,
    first_seen: '2026-11-01T00:00:00.000Z',
    last_seen: '2026-11-01T00:00:02.000Z',
    top_pages: [
      { path: '/a', requests: 2 },
      { path: '/b', requests: 1 },
    ],
    refused: { requests: 1, pages: [{ path: '/b', requests: 1, statuses: [503] }] },
  });
  expect(made.agents[1]).toMatchObject({ statuses: { none: 1 }, error_share: null, first_seen: null });
  expect(made.classes).toMatchObject([{ class: 'training', requests: 5, pages: 2 }]);
});

describe('robots.txt', () => {
  const robots = 'User-agent: GPTBot\nDisallow: /private/\n';

  test('read before the first page or not, by time and not by place', () => {
    const before = [
      { path: '/a', atMs: START_MS + 5000 },
      { path: '/robots.txt', atMs: START_MS },
    ];
    expect(report(before).made.agents[0]?.robots_txt).toEqual({
      requests: 1,
      before_first_page: true,
      disallowed: null,
    });
    const after = [{ path: '/a' }, { path: '/robots.txt' }];
    expect(report(after).made.agents[0]?.robots_txt.before_first_page).toBe(false);
    expect(report([{ path: '/robots.txt' }]).made.agents[0]?.robots_txt.before_first_page).toBeNull();
  });

  test('requests against the given file are counted; it is itself always allowed', () => {
    const { made } = report(
      [{ path: '/robots.txt' }, { path: '/private/x?y=1' }, { path: '/private/app.js' }, { path: '/a' }],
      { robots },
    );
    expect(made.agents[0]?.robots_txt.disallowed).toEqual({
      requests: 2,
      pages: [
        { path: '/private/app.js', requests: 1 },
        { path: '/private/x', requests: 1 },
      ],
    });
    expect(
      report([{ path: '/private/x', userAgent: KIMI }], { robots }).made.agents[0]?.robots_txt.disallowed?.requests,
    ).toBe(0);
  });
});

test('llms.txt and Markdown copies are pages of their own kind, assets are none', () => {
  const { made } = report([{ path: '/llms.txt' }, { path: '/a.md' }, { path: '/a.css' }, { path: '/feed.xml' }]);
  expect(made.agents[0]).toMatchObject({ requests: 4, pages: 2, llms_txt: 1, markdown: 1 });
});

describe('people', () => {
  test('pages that no agent asked for are those of five requests and more; who pretends to be an agent is none', () => {
    const { made } = report([
      ...repeat(5, { userAgent: CHROME, path: '/loved' }),
      ...repeat(4, { userAgent: CHROME, path: '/rare' }),
      ...repeat(5, { userAgent: CHROME, path: '/shared' }),
      ...repeat(9, { userAgent: CHROME, path: '/gone', status: 404 }),
      { path: '/shared', address: '192.0.2.1' },
      { path: '/loved', address: '198.51.100.7' },
    ]);
    expect(made.unread_pages.by_people).toEqual({ count: 1, pages: [{ path: '/loved', requests: 5 }] });
    expect(made.classes.find((one) => one.class === 'person')?.top_pages.map(({ path }) => path)).toEqual([
      '/loved',
      '/shared',
    ]);
  });

  test('referrals of assistants count people and their landing pages, small cells are left out', () => {
    const from = { userAgent: CHROME, referrer: 'https://chatgpt.com/' };
    const { made } = report([
      ...repeat(6, { ...from, path: '/a' }),
      ...repeat(2, { ...from, path: '/b' }),
      ...repeat(3, { ...from, path: '/logo.png' }),
      { ...from, referrer: 'https://claude.ai/' },
      { path: '/a', referrer: 'https://chatgpt.com/' },
    ]);
    expect(made.referrals).toEqual([
      { assistant: 'ChatGPT', requests: 8, landing_pages: [{ path: '/a', requests: 6 }], small_pages: 1 },
      { assistant: 'Claude', requests: null, landing_pages: [], small_pages: 1 },
    ]);
  });
});

test('the sitemap: addresses that no agent asked for, as they are listed', () => {
  const sitemap = readSitemapPaths(
    'https://example.com/a\nhttps://example.com/items/123456\nhttps://example.com/items/123457\n',
  );
  const { made } = report(
    [
      { path: '/items/123456', address: '192.0.2.1' },
      { path: '/a', userAgent: CHROME },
    ],
    {
      sitemap: sitemap?.paths,
    },
  );
  expect(made.unread_pages.of_sitemap).toEqual({ addresses: 3, unasked: 2, pages: ['/a', '/items/{id}'] });
  expect(
    readSitemapPaths('<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></sitemapindex>'),
  ).toBeUndefined();
});

test('time, host and part of the site choose; what the log does not say is left out and counted', () => {
  const { made } = report(
    [
      { host: 'www.example.com', path: '/shop/a', atMs: START_MS },
      { host: 'WWW.example.com', path: '/shop/a', atMs: START_MS + 1 },
      { host: 'other.example', path: '/shop/a', atMs: START_MS },
      { path: '/shop/a', atMs: START_MS },
      { host: 'www.example.com', path: '/blog', atMs: START_MS },
      { host: 'www.example.com', path: '/shop/a', atMs: undefined },
      { host: 'www.example.com', path: '/shop/a', atMs: START_MS + 1000 },
    ],
    { sinceMs: START_MS, untilMs: START_MS + 1000, hosts: ['www.example.com'], root: '/shop/' },
  );
  expect(made.lines).toMatchObject({ requests: 2, left_out: { time: 2, host: 2, root: 1 } });
  expect(made.hosts).toBe('several');
});

test('memory has limits, and what is beyond them is counted', () => {
  const many = Array.from({ length: MAX_ADDRESSES_OF_AGENT + 10 }, (_, at) => ({
    address: `198.51.${Math.floor(at / 256)}.${at % 256}`,
    path: `/page/${Array.from(String(at), (digit) => 'abcdefghij'.charAt(Number(digit))).join('')}`,
    userAgent: KIMI,
  }));
  const { made } = report(many);
  expect(made.agents[0]).toMatchObject({
    addresses: MAX_ADDRESSES_OF_AGENT,
    addresses_capped: true,
    pages: MAX_PAGES_OF_AGENT,
  });
  expect(made.agents[0]?.pages_beyond).toBeGreaterThan(0);
});

describe('more made-up paths than pages are counted', () => {
  const word = (at: number): string => Array.from(String(at), (digit) => 'abcdefghij'.charAt(Number(digit))).join('');
  const made = (given: Given): readonly Given[] =>
    Array.from({ length: MAX_TRAFFIC_PAGES + 1 }, (_, at) => ({ ...given, path: `/${word(at)}` }));
  const visits: readonly Given[] = [
    { path: '/robots.txt' },
    { path: '/private/a', status: 403 },
    { path: '/llms.txt' },
    { path: '/notes.md' },
  ];
  const counted = {
    robots_txt: { requests: 1, before_first_page: true, disallowed: { requests: 1 } },
    refused: { requests: 1 },
    llms_txt: 1,
    markdown: 1,
  };
  const robots = 'User-agent: *\nDisallow: /private/\n';

  test('by a scanner, or by a browser that finds nothing: agents keep their pages', () => {
    const scanned = [...made({ userAgent: 'scanner/1.0', status: 404 }), ...made({ userAgent: CHROME, status: 404 })];
    const [agent] = report([...scanned, ...visits], { robots }).made.agents;
    expect(agent).toMatchObject(counted);
    expect(agent).toMatchObject({ pages: 3, pages_beyond: 0, refused: { pages: [{ path: '/private/a' }] } });
  });

  test('by who pretends to be an agent: what others did is counted still', () => {
    const [, agent] = report([...made({ userAgent: KIMI }), ...visits], { robots }).made.agents;
    expect(agent).toMatchObject({ token: 'GPTBot', ...counted, pages: 0, pages_beyond: 3 });
  });
});

test('no address, query or User-Agent is in a report, and its text is harmless', () => {
  const hostile = '/x\u001B[31m|`<script>alert(1)</script>\u202E';
  const { made } = report([
    { address: '192.0.2.1', path: `${hostile}?secret=1` },
    ...repeat(5, { userAgent: CHROME, address: '198.51.100.200', path: '/mail/anna@example.com' }),
  ]);
  const [json, text, markdown] = [
    JSON.stringify(made),
    formatTrafficLines(made).join('\n'),
    formatTrafficMarkdown(made),
  ];
  for (const one of [json, text, markdown])
    expect(one).not.toMatch(/192\.0\.2\.1|198\.51\.100|secret|anna|Chrome\/142|Mozilla/);
  for (const one of [text, markdown]) for (const steering of ['\u001B', '\u202E']) expect(one).not.toContain(steering);
  expect(markdown).not.toMatch(/(?<!`[^`\n]{0,80})<script>/);
});
