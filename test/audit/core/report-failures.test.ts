import { describe, expect, test } from 'vitest';
import type { CheckOutcome, OutcomeStatus } from '../../../src/audit/core/check.ts';
import { gatherSite } from '../../../src/audit/core/gather.ts';
import { getStartOutcome } from '../../../src/audit/core/join-pages.ts';
import { judgeSite } from '../../../src/audit/core/report.ts';
import type { CheckResult } from '../../../src/audit/core/scores.ts';
import type { FetchTarget, Fetched, GuardedFetch } from '../../../src/net/fetched.ts';
import { CLOCK_MS } from '../../support/audit/audit.ts';
import { SITE, siteFetch } from '../../support/audit/site-fetch.ts';
import { good } from '../truth/sites/good.ts';
import { mcpOpen } from '../truth/sites/mcp/mcp-open.ts';
import { mcpProtected } from '../truth/sites/mcp/mcp-protected.ts';
import type { TruthSite } from '../truth/truth-site.ts';
import { isFull, sampleRows } from '../../support/runner/budget.ts';

const FAILURES = ['timeout', '403', '429', '503'] as const;
type Failure = (typeof FAILURES)[number];
type Fall = { id: string; from: OutcomeStatus; to: OutcomeStatus; how: Failure; url: string; note: string };

/** Verdicts that one failed request may make worse, since the rule of the check is about such answers. */
const ALLOWED: readonly { id: string; how: readonly Failure[]; why: string }[] = [
  { id: 'aeo.reach.http-200', how: ['503'], why: 'It asks for status 200; a 5xx of the site itself is none.' },
  { id: 'aeo.reach.http-errors-in-sample', how: ['503'], why: 'It counts the pages that do not answer 200.' },
  { id: 'aeo.reach.soft-404', how: ['403'], why: 'Stores of objects answer so for what they lack.' },
  { id: 'aeo.reach.ua-parity', how: ['403', '429', '503'], why: 'It looks for refusals of one User-Agent alone.' },
  { id: 'aeo.reach.edge-policy', how: ['403'], why: 'It looks for refusals of one User-Agent alone.' },
  { id: 'aeo.reach.robots-vs-edge', how: ['403'], why: 'It looks for refusals of what robots.txt allows.' },
  { id: 'aeo.robots.fetch', how: ['timeout', '403', '503'], why: 'RFC 9309, 2.3.1.3 and 2.3.1.4 rule these answers.' },
  { id: 'aeo.robots.ai-search-bots', how: ['503'], why: 'RFC 9309, 2.3.1.4: a 5xx closes the site to crawlers.' },
  { id: 'aeo.robots.blanket-block', how: ['503'], why: 'RFC 9309, 2.3.1.4: a 5xx closes the site to crawlers.' },
  { id: 'aeo.robots.user-fetchers', how: ['503'], why: 'RFC 9309, 2.3.1.4: a 5xx closes the site to crawlers.' },
  { id: 'aeo.robots.training-choice', how: ['403'], why: 'RFC 9309, 2.3.1.3: a 403 counts as no rules.' },
  { id: 'agent.http.rate-limit', how: ['429', '503'], why: 'It asks whether these answers say when to come back.' },
  { id: 'agent.llms.exists', how: ['503'], why: 'Its rule in the catalogue counts a 5xx as no file.' },
  { id: 'agent.llms.links-resolve', how: ['503'], why: 'Its rule counts refusals as unknown, and a 5xx as dead.' },
  { id: 'mcp.auth.bad-token', how: ['403'], why: 'MCP wants 401 for a token that is not valid.' },
  { id: 'mcp.endpoint.cors', how: ['403'], why: 'Browsers take a refused preflight as no leave.' },
];

const isAllowed = ({ id, how }: Fall): boolean => ALLOWED.some((row) => row.id === id && row.how.includes(how));

const keyOf = ({ method, url, headers, body, maxBytes }: FetchTarget): string =>
  JSON.stringify([method ?? 'GET', url, headers, body, maxBytes]);

describe.each([good, mcpOpen, mcpProtected].map((site) => [site.name, site] as const))(
  'one request of an audit that fails: %s',
  (_name, site) => {
    test('makes no verdict worse but those whose rule is about such an answer', async () => {
      const falls = await fallsOf(site);
      expect(falls.filter((fall) => !isAllowed(fall))).toEqual([]);
    }, 120_000);
  },
);

test.runIf(isFull)(
  'every exception is needed',
  async () => {
    const falls = (await Promise.all([good, mcpOpen, mcpProtected].map(fallsOf))).flat();
    const needed = (id: string, how: Failure): boolean => falls.some((fall) => fall.id === id && fall.how === how);
    expect(ALLOWED.flatMap(({ id, how }) => how.filter((one) => !needed(id, one)).map((one) => [id, one]))).toEqual([]);
  },
  120_000,
);

const known = new Map<TruthSite, Promise<readonly Fall[]>>();

function fallsOf(site: TruthSite): Promise<readonly Fall[]> {
  const running = known.get(site) ?? findFalls(site);
  known.set(site, running);
  return running;
}

/** What gets worse when one request fails: in `npm test` each request of an audit in one way, in turn; in the soak in every way. */
async function findFalls(site: TruthSite): Promise<readonly Fall[]> {
  const whole = fixtureFetch(site);
  const before = await outcomesOf(site, whole);
  const falls: Fall[] = [];
  for (const [turn, target] of whole.requests.entries()) {
    for (const how of sampleRows(FAILURES, FAILURES.length, turn)) {
      const plain = fixtureFetch(site);
      const failing: GuardedFetch = (asked) =>
        keyOf(asked) === keyOf(target) ? Promise.resolve(failed(asked, how)) : plain(asked);
      const after = await outcomesOf(site, failing);
      for (const [id, now] of after) {
        for (const [was, { status: to, note, value }] of listComparable(before.get(id), now))
          if (isWorse(was, { status: to, value }))
            falls.push({ id, from: was.status, to, how, url: `${target.method ?? 'GET'} ${target.url}`, note });
      }
    }
  }
  return falls;
}

/** The outcomes of a check; page by page where it is judged on each, since without the sitemap other pages are read. */
function listComparable(was: CheckResult | undefined, now: CheckResult): readonly [CheckOutcome, CheckOutcome][] {
  if (was === undefined) return [];
  if (was.pages === undefined || now.pages === undefined) return [[getStartOutcome(was), getStartOutcome(now)]];
  const earlier = new Map(was.pages.map(({ url, outcome }) => [url, outcome]));
  return now.pages.flatMap(({ url, outcome }): [CheckOutcome, CheckOutcome][] => {
    const before = earlier.get(url);
    return before === undefined ? [] : [[before, outcome]];
  });
}

/** A fault where there was none; a partial verdict over fewer files may move, since it is a share of what was read. */
const isWorse = (was: CheckOutcome, now: Pick<CheckOutcome, 'status' | 'value'>): boolean =>
  (now.status === 'fail' && was.status !== 'fail') ||
  (now.status === 'partial' && was.status !== 'partial' && was.status !== 'fail');

const fixtureFetch = (site: TruthSite) =>
  siteFetch(site.map, site.catchAll === undefined ? {} : { catchAll: site.catchAll });

async function outcomesOf(site: TruthSite, fetch: GuardedFetch): Promise<ReadonlyMap<string, CheckResult>> {
  const snapshot = await gatherSite(SITE + (site.path ?? '/'), { fetch, clockMs: CLOCK_MS });
  const { judged } = judgeSite(snapshot, site.profile === undefined ? {} : { profile: site.profile });
  return new Map(judged.map((one) => [one.check.id, one]));
}

function failed({ url, method }: FetchTarget, how: Failure): Fetched {
  if (how === 'timeout')
    return { ok: false, reason: 'timeout', detail: 'no answer in time', redirects: [], elapsedMs: 15_000 };
  const body = method === 'HEAD' ? '' : '<!doctype html><title>Sorry</title><h1>Sorry</h1>';
  return {
    ok: true,
    url,
    status: Number(how),
    headers: { 'content-type': 'text/html' },
    bytes: new TextEncoder().encode(body),
    truncated: false,
    redirects: [],
    elapsedMs: 1,
  };
}
