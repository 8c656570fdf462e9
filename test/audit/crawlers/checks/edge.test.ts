import { describe, expect, test } from 'vitest';
import { judgeSite, reportOn } from '../../../../src/audit/core/report.ts';
import { computeScore } from '../../../../src/audit/core/scores.ts';
import { edgeProviders } from '../../../../src/audit/crawlers/facts/edge-providers-data.ts';
import { findProvider } from '../../../../src/audit/crawlers/facts/edge.ts';
import { fixFor, auditedOf } from '../../../support/audit/fixes.ts';
import { snapshotOf } from '../../../support/audit/audit.ts';
import {
  CLOUDFLARE,
  edgeOfCloudflare,
  edgeOnAds,
  forbidden,
  page,
  refuseAgents,
  THIRTEEN,
} from '../../../support/audit/edge-sites.ts';
import { auditCheck, judgeCheck, judgeChecks, testCheck } from '../../../support/audit/judge-check.ts';
import { failure, html, type SiteAnswer, type SiteMap, text } from '../../../support/audit/site-fetch.ts';

const CAVEAT = /A User-Agent is not an address/;
const shutTo = (names: readonly string[], answer: SiteAnswer = forbidden): SiteMap => ({
  '/': refuseAgents(names, answer),
});

describe('aeo.reach.edge-policy', () => {
  const id = 'aeo.reach.edge-policy';
  testCheck(id, [
    ['an open site passes', { '/': page }, 'pass', /get in as a browser does/],
    ['a refusal of Googlebot fails', shutTo(['Googlebot']), 'fail', /multi-purpose crawlers Googlebot/],
    ['a refusal of Bingbot fails', shutTo(['bingbot']), 'fail', /Bingbot/],
    ['a refusal of one fetcher is partial', shutTo(['Perplexity-User']), 'partial', /user fetchers Perplexity-User/],
    ['a refusal of Applebot is partial', shutTo(['Applebot']), 'partial', /Applebot/],
    ['a price is a refusal', shutTo(['Claude-User'], text('pay', { status: 402 })), 'partial', /Claude-User/],
    [
      'a challenge that only its header shows is one',
      shutTo(['Claude-SearchBot'], html('x', { headers: { 'cf-mitigated': 'challenge' } })),
      'partial',
      /Claude-SearchBot/,
    ],
    ['a refusal of training alone passes', shutTo(['GPTBot', 'ClaudeBot', 'CCBot']), 'pass', /GPTBot, for training/],
    ['an agent that no vendor documents costs nothing', shutTo(['PetalBot', 'Kimi-User']), 'pass'],
    ['429 is no refusal: we ask under many names', shutTo(['Applebot'], text('x', { status: 429 })), 'pass', /Unknown/],
    ['one 503 is of the moment', shutTo(['Applebot'], text('x', { status: 503 })), 'pass', /Unknown.*Applebot/],
    [
      'a 503 for several and not for a browser is a rule',
      shutTo(['Applebot', 'Perplexity-User', 'Claude-User'], text('x', { status: 503 })),
      'partial',
      /Applebot/,
    ],
    [
      'no answer for one is unknown for that one',
      shutTo(['Applebot'], failure('timeout')),
      'pass',
      /Unknown.*Applebot/,
    ],
    [
      'a refusal that names our address says nothing',
      shutTo(['Applebot'], html('Your IP has been blocked', { status: 403 })),
      'pass',
      /Unknown.*Applebot/,
    ],
    ['a browser that gets nothing leaves it open', shutTo(['Windows NT']), 'unknown', /we were blocked/],
    ['every reader refused is the finding', { '/': forbidden }, 'fail', /a browser included \(status 403\)/],
  ]);

  test('each verdict says what a User-Agent is not', async () => {
    const verdicts = [{ '/': page }, shutTo(['Googlebot']), shutTo(['Applebot']), { '/': forbidden }];
    for (const site of verdicts) expect((await judgeCheck(id, site)).note).toMatch(CAVEAT);
  });

  test('names the provider and the setting of today, and not the one that went away', async () => {
    const { note } = await judgeCheck(id, edgeOfCloudflare);
    expect(note).toMatch(/Claude-User|ChatGPT-User/);
    expect(note).toMatch(/Googlebot, Bingbot, Applebot/);
    expect(note).toContain('Cloudflare is in front');
    expect(note).toContain('Search, Agent and Training');
    expect(note).toContain('The page has ads');
    expect(note).not.toMatch(/block ai bots/i);
  });

  test('asks for one page with ads, and says what holds there', async () => {
    const { outcome, requests } = await auditCheck(id, edgeOnAds);
    expect(outcome).toMatchObject({ status: 'fail', note: expect.stringContaining('On a page with ads') as string });
    expect(outcome.note).toContain('Claude-User');
    const asked = requests.filter(({ url, headers }) => url.endsWith('/ads') && headers?.['user-agent'] !== undefined);
    expect(asked).toHaveLength(4);
  });

  test('agents are asked for the first KiB, each once, and under their own names', async () => {
    const { requests } = await auditCheck(id, { '/': page });
    const asked = requests.filter(
      ({ headers, maxBytes }) => headers?.['user-agent'] !== undefined && maxBytes === 1024,
    );
    const agents = asked.map(({ headers }) => headers?.['user-agent'] ?? '');
    expect(new Set(agents).size).toBe(agents.length);
    expect(agents.length).toBeGreaterThan(15);
    for (const name of ['Googlebot', 'bingbot', 'Applebot', 'ChatGPT-User', 'MistralAI-Index', 'Amzn-User'])
      expect(agents.filter((agent) => agent.includes(name))).toHaveLength(1);
  });

  test('agents of one owner and class that robots.txt treats alike share a request', async () => {
    const asked = async (robots: string): Promise<readonly string[]> => {
      const { requests } = await auditCheck(id, { '/': page, '/robots.txt': text(robots) });
      return requests.map(({ headers }) => headers?.['user-agent'] ?? '').filter((agent) => /Google-/.test(agent));
    };
    expect(await asked('User-agent: *\nAllow: /\n')).toHaveLength(1);
    expect(await asked('User-agent: Google-GeminiNotebook\nDisallow: /\n')).toHaveLength(2);
  });
});

describe('a server that refuses thirteen agents and lets in the three that were asked for before', () => {
  const site: SiteMap = shutTo(THIRTEEN);

  test('fails both checks, and the scores are capped', async () => {
    const { judged } = judgeSite(await snapshotOf(site));
    const of = (id: string) => judged.find(({ check }) => check.id === id)?.outcome;
    expect(of('aeo.reach.ua-parity')).toMatchObject({ status: 'partial' });
    expect(of('aeo.reach.ua-parity')?.note).toMatch(/Googlebot/);
    expect(of('aeo.reach.ua-parity')?.value).toBeLessThan(0.6);
    expect(of('aeo.reach.edge-policy')?.status).toBe('fail');
    expect(of('aeo.reach.robots-vs-edge')?.status).toBe('partial');
    expect(computeScore('aeo', judged)).toMatchObject({
      gates: expect.arrayContaining([{ id: 'aeo.reach.edge-policy', cap: 25 }]) as unknown,
    });
    expect(computeScore('aeo', judged).score).toBeLessThanOrEqual(25);
    const agentCap = computeScore('agent', judged).gates.find(({ id }) => id === 'aeo.reach.ua-parity')?.cap ?? 100;
    expect(agentCap).toBeGreaterThan(40);
    expect(agentCap).toBeLessThan(75);
  });

  test('everything is asked within the requests of one audit', async () => {
    const snapshot = await snapshotOf(site);
    const made = snapshot.exchanges.filter(({ sameAs }) => sameAs === undefined);
    expect(made.length).toBeLessThanOrEqual(60);
    expect(made.filter(({ answer }) => !answer.ok && answer.reason === 'budget_exhausted')).toEqual([]);
  });
});

describe('one refused name', () => {
  test('costs a share and caps in proportion, not everything', async () => {
    const { judged } = judgeSite(await snapshotOf(shutTo(['PerplexityBot'])));
    const score = computeScore('agent', judged);
    const cap = score.gates.find(({ id }) => id === 'aeo.reach.ua-parity')?.cap;
    expect(cap).toBeGreaterThan(90);
    expect(cap).toBeLessThan(100);
  });
});

describe('aeo.reach.robots-vs-edge', () => {
  const id = 'aeo.reach.robots-vs-edge';
  const withRobots = (names: readonly string[], robots: string): SiteMap => ({
    ...shutTo(names),
    '/robots.txt': text(robots),
  });
  testCheck(id, [
    ['an open site passes', { '/': page }, 'pass', /get in/],
    ['an agent that is invited and refused', shutTo(['Applebot']), 'partial', /refused at the edge: Applebot/],
    [
      'both say no to it',
      withRobots(['Applebot'], 'User-agent: Applebot\nDisallow: /\n'),
      'pass',
      /that robots.txt allows get in/,
    ],
    ['forbidden and let in all the same is no fault', withRobots([], 'User-agent: Applebot\nDisallow: /\n'), 'pass'],
    [
      'training that is named and refused counts',
      withRobots(['GPTBot'], 'User-agent: GPTBot\nAllow: /\n'),
      'partial',
      /GPTBot/,
    ],
    ['training that nothing names does not', withRobots(['GPTBot'], 'User-agent: *\nAllow: /\n'), 'pass'],
    [
      'a file for crawlers that is refused',
      { '/': page, '/llms.txt': text('no', { status: 403 }), '/robots.txt': text('User-agent: *\nAllow: /\n') },
      'partial',
      /llms\.txt/,
    ],
    ['a browser is refused too', { '/': forbidden }, 'unknown', CAVEAT],
  ]);

  test('a host that answers 403 for what it lacks refuses no file', async () => {
    const site = { '/': page, '/robots.txt': text('User-agent: *\nAllow: /\n') };
    expect((await judgeCheck(id, site, { catchAll: text('no', { status: 403 }) })).status).toBe('pass');
  });
});

describe('agent.pay.charged-fetchers', () => {
  const id = 'agent.pay.charged-fetchers';
  const pay = text('pay', { status: 402, headers: { 'crawler-price': 'USD 0.01' } });
  testCheck(id, [
    ['nobody is charged', { '/': page }, 'pass', /None of/],
    ['a user fetcher is charged', shutTo(['ChatGPT-User'], pay), 'fail', /ChatGPT-User/],
    ['a search crawler is charged', shutTo(['Amzn-SearchBot'], pay), 'partial', /Amzn-SearchBot/],
    ['charging for training is a choice', shutTo(['GPTBot'], pay), 'pass'],
    ['a browser is refused too', { '/': forbidden }, 'unknown', CAVEAT],
  ]);
});

describe('who stands in front', () => {
  const answerOf = (headers: Readonly<Record<string, string>>, body = '', status = 403) => ({
    ok: true as const,
    url: 'https://acme.example/',
    status,
    headers,
    body,
    bodyBytes: body.length,
    sha256: '',
    truncated: false,
    redirects: [],
  });
  test.each<[name: string, headers: Record<string, string>, body?: string]>([
    ['Cloudflare', CLOUDFLARE],
    ['Cloudflare', {}, 'error code: 1020'],
    ['AWS WAF', { 'x-amzn-waf-action': 'challenge', 'x-amz-cf-id': 'x' }],
    ['Amazon CloudFront', { via: '1.1 abc.cloudfront.net (CloudFront)', 'x-amz-cf-pop': 'FRA2' }],
    ['Akamai', { server: 'AkamaiGHost' }],
    ['Akamai', {}, 'Access Denied. Reference&#32;&#35;18.2f'],
    ['Vercel', { 'x-vercel-id': 'fra1::abc' }],
    ['Fastly', { via: '1.1 varnish', 'x-served-by': 'cache-fra-1' }],
    ['Imperva', {}, '<iframe src="/_Incapsula_Resource?x"></iframe>'],
    ['Netlify', { 'x-nf-request-id': '01' }],
    ['Azure Front Door', { 'x-azure-ref': '0abc' }],
    ['DataDome', { 'x-datadome': 'protected' }],
  ])('%s by %j %s', (name, headers, body = '') => {
    expect(findProvider([answerOf(headers, body)])?.name).toBe(name);
  });

  test('a plain server is nobody, and words of a page are no sign', () => {
    expect(findProvider([answerOf({ server: 'nginx' })])).toBeUndefined();
    expect(findProvider([answerOf({ server: 'nginx' }, 'We wrote about error code: 1020', 200)])).toBeUndefined();
  });

  test('the setting of each is an instruction with a source and a day, and none names a switch that went away', () => {
    for (const { setting, source, read } of edgeProviders) {
      expect(setting).toMatch(/\.$/);
      expect(setting).not.toMatch(/block ai bots/i);
      expect(source).toMatch(/^https:\/\//);
      expect(new Date(read).toISOString().slice(0, 10)).toBe(read);
    }
  });
});

describe('the fix', () => {
  test('is an instruction for the provider, asked for under the name that is refused, and no diff', async () => {
    const fix = await fixFor('aeo.reach.edge-policy', await auditedOf(edgeOfCloudflare));
    expect(fix.instructions).toContain('Search and Agent to allow');
    expect(fix.diff).toBeUndefined();
    expect(fix.content).toBeUndefined();
    expect(JSON.stringify(fix)).not.toMatch(/block ai bots/i);
    expect(fix.verify.command).toMatch(/Googlebot|ChatGPT-User|bingbot|Applebot|Claude-User/);
  });
});

test('a challenge for everybody is a report with the one verdict, and names the provider', async () => {
  const challenge = html('<title>Just a moment...</title>', {
    status: 403,
    headers: { ...CLOUDFLARE, 'cf-mitigated': 'challenge' },
  });
  const { snapshot } = await judgeChecks('aeo.', {}, { catchAll: challenge });
  const report = await reportOn(snapshot, { scores: ['aeo'] });
  if (!report.ok || !('scores' in report)) throw new Error('no report');
  const rows = report.scores.aeo?.checks.filter(({ status }) => status !== 'unknown' && status !== 'not_applicable');
  expect(rows?.map(({ id }) => id)).toEqual(['aeo.reach.edge-policy']);
  expect(rows?.[0]?.note).toContain('Cloudflare is in front');
  expect(report.warnings.join(' ')).toContain('the one verdict');
});
