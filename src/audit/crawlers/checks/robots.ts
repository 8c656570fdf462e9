import { parseMediaType } from '../../../lib/media-type.ts';
import { type CheckOutcome, defineCheck, type FactsOf, verdict } from '../../core/check.ts';
import { buildEvidence } from '../../core/evidence.ts';
import type { AiAgent } from '../facts/ai-agents-data.ts';
import { listSearchCrawlers, listUserFetchers } from '../facts/ai-agents.ts';
import { type Robots, decideRobotsAccess } from '../facts/robots-file.ts';
import type { RobotsVerdict } from '../facts/robots.ts';

/** A name that no group lists: it shows what the file says to an unknown crawler. */
const UNLISTED = 'unlisted-crawler';

/** How a verdict begins to list the search crawlers, and the fetchers, that robots.txt keeps out. */
export const KEPT_OUT_BY_ROBOTS = 'Kept out by robots.txt:';
export const REFUSED_BY_ROBOTS = 'Refused:';

/** Checks of robots.txt and what it lets AI agents read. */
export const robotsChecks = [
  defineCheck({
    id: 'aeo.robots.fetch',
    title: 'robots.txt is fetchable and is text',
    failureTitle: 'Serve robots.txt as text',
    weight: 3,
    grade: 'A',
    why: 'A robots.txt that cannot be reached means "disallow everything" to a crawler that follows the standard.',
    source: 'RFC 9309, sections 2.3.1.3 and 2.3.1.4',
    fix: 'Serve /robots.txt as text/plain with 200, or let it answer 404; never 5xx, HTML or a chain of redirects.',
    capabilities: ['check_health'],
    needs: ['robots'],
    judge: judgeFetch,
  }),
  defineCheck({
    id: 'aeo.robots.ai-search-bots',
    title: 'AI search crawlers may fetch the start page',
    failureTitle: 'Allow AI search crawlers in robots.txt',
    weight: 5,
    grade: 'A',
    why: 'A crawler that robots.txt keeps out leaves the page out of the index its assistant answers from; the vendors say so.',
    source:
      'RFC 9309, section 2.2; crawler pages of OpenAI, Anthropic, Perplexity, Microsoft, Google, Apple, Amazon, Meta and Mistral AI',
    fix: 'Give each blocked AI search crawler a group of its own with "Allow: /", or lift the rule that catches it.',
    capabilities: ['check_health'],
    gate: { caps: { aeo: 40 } },
    needs: ['robots'],
    judge: ({ robots }, site) => judgeSearchBots(robots, site.start.href),
  }),
  defineCheck({
    id: 'aeo.robots.user-fetchers',
    title: 'User-triggered fetchers are not refused',
    failureTitle: 'Allow fetchers that act for a user in robots.txt',
    scores: ['aeo', 'agent'],
    weight: 2,
    grade: 'A',
    why: 'When a person asks an assistant to read the page, this rule decides whether an assistant that obeys robots.txt may. Where some of them are shut out, the verdict is the share of those that are not.',
    source:
      'Vendor pages: Anthropic, Mistral AI, Amazon and DuckDuckGo document that theirs honour robots.txt; OpenAI, Perplexity, Google and Meta do not',
    fix: 'Allow the fetchers that the evidence names. Rules for ChatGPT-User, Perplexity-User, Google-Agent and Meta-ExternalFetcher have no documented effect and can go.',
    capabilities: ['check_health'],
    needs: ['robots'],
    judge: ({ robots }, site) => judgeUserFetchers(robots, site.start.href),
  }),
  defineCheck({
    id: 'aeo.robots.blanket-block',
    title: 'No blanket Disallow: / for every crawler',
    failureTitle: 'Remove the rule in robots.txt that shuts every crawler out',
    weight: 3,
    grade: 'A',
    why: 'A blanket block keeps out every crawler that the file does not name, including those that appear next year.',
    source: 'RFC 9309, section 2.2.1; 56 of 4,228 real robots.txt files block an unnamed crawler at /',
    fix: 'Remove "Disallow: /" under "User-agent: *" and list only the paths that are private.',
    capabilities: ['check_health'],
    needs: ['robots'],
    judge: ({ robots }, site) => judgeBlanket(robots, site.start.href),
  }),
];

function judgeFetch({ robots }: FactsOf<'robots'>): CheckOutcome {
  const { exchange } = robots;
  if (robots.kind === 'unreachable')
    return verdict.fail(
      `robots.txt is unreachable (${robots.why}): crawlers must assume that all is forbidden.`,
      buildEvidence(exchange),
    );
  const { status } = robots.answer;
  const header = robots.answer.headers['content-type'] ?? '';
  const evidence = buildEvidence(exchange, { header: 'content-type', excerpt: header });
  if (robots.kind === 'not_robots')
    return verdict.partial(0.5, 'The answer is no robots.txt but the page of any path, so it sets no rules.', evidence);
  if (robots.kind === 'absent') {
    if (status === 404 || status === 410)
      return verdict.pass(`No robots.txt (${status}): crawlers may read everything.`, buildEvidence(exchange));
    return verdict.partial(
      0.5,
      `robots.txt answers ${status}, which counts as no rules; say 404 or serve a file.`,
      buildEvidence(exchange),
    );
  }
  if (parseMediaType(header) === 'text/plain') return verdict.pass('robots.txt answers 200 as text/plain.', evidence);
  return verdict.partial(0.5, 'robots.txt holds rules but is not served as text/plain.', evidence);
}

type Access = { agent: string; decision: RobotsVerdict };

/** Verdicts for several agents, or that robots.txt could not be reached for a reason that may be ours. */
function decideAgentAccess(robots: Robots, agents: readonly string[], url: string): readonly Access[] | 'unknown' {
  const found = agents.flatMap((agent) => {
    const decision = decideRobotsAccess(robots, agent, url);
    return decision === 'unknown' ? [] : [{ agent, decision }];
  });
  return found.length === agents.length ? found : 'unknown';
}

const judgeUnreachableRobots = (robots: Robots): CheckOutcome =>
  verdict.unknown('robots.txt gave no answer in time.', buildEvidence(robots.exchange));

function listRuleEvidence(robots: Robots, blocked: readonly Access[]): ReturnType<typeof buildEvidence>[] {
  if (blocked.length === 0) return [buildEvidence(robots.exchange)];
  return blocked.map(({ agent, decision: { rule } }) => {
    const what = rule ? `${rule.allow ? 'Allow' : 'Disallow'}: ${rule.pattern}` : 'unreachable';
    return buildEvidence(robots.exchange, { excerpt: `${agent}: ${what}`, ...(rule ? { line: rule.line } : {}) });
  });
}

const listTokens = (agents: readonly AiAgent[]): readonly string[] => agents.map(({ token }) => token);

function judgeSearchBots(robots: Robots, url: string): CheckOutcome {
  const access = decideAgentAccess(robots, listTokens(listSearchCrawlers()), url);
  if (access === 'unknown') return judgeUnreachableRobots(robots);
  const blocked = access.filter(({ decision }) => !decision.allowed);
  const evidence = listRuleEvidence(robots, blocked);
  if (blocked.length === 0)
    return verdict.pass(
      `By robots.txt, all ${access.length} AI search crawlers of the roster may fetch the start page.`,
      evidence,
    );
  if (blocked.length === access.length)
    return verdict.fail(
      `${robots.kind === 'unreachable' ? 'robots.txt is unreachable, which' : 'robots.txt'} keeps all ${access.length} AI search crawlers of the roster out of the start page.`,
      evidence,
    );
  const value = Math.round((1000 * (access.length - blocked.length)) / access.length) / 1000;
  return verdict.partial(value, `${KEPT_OUT_BY_ROBOTS} ${blocked.map(({ agent }) => agent).join(', ')}.`, evidence);
}

function judgeUserFetchers(robots: Robots, url: string): CheckOutcome {
  const agents = listUserFetchers();
  const access = decideAgentAccess(robots, listTokens(agents), url);
  if (access === 'unknown') return judgeUnreachableRobots(robots);
  const obeys = new Set(listTokens(agents.filter(({ obeysRobots }) => obeysRobots)));
  const blocked = access.filter(({ decision }) => !decision.allowed);
  const effective = blocked.filter(({ agent }) => obeys.has(agent));
  const idle = blocked.filter(({ agent }) => !obeys.has(agent)).map(({ agent }) => agent);
  const aside = idle.length > 0 ? ` The rules against ${idle.join(', ')} have no documented effect.` : '';
  const evidence = listRuleEvidence(robots, blocked);
  if (effective.length === 0)
    return verdict.pass(`Fetchers that obey robots.txt may read the start page.${aside}`, evidence);
  const note = `${REFUSED_BY_ROBOTS} ${effective.map(({ agent }) => agent).join(', ')}.${aside}`;
  if (effective.length === obeys.size) return verdict.fail(note, evidence);
  return verdict.partial(Math.round((1000 * (obeys.size - effective.length)) / obeys.size) / 1000, note, evidence);
}

function judgeBlanket(robots: Robots, url: string): CheckOutcome {
  const access = decideAgentAccess(robots, [UNLISTED], url);
  if (access === 'unknown') return judgeUnreachableRobots(robots);
  const blocked = access.filter(({ decision }) => !decision.allowed);
  if (blocked.length === 0)
    return verdict.pass(
      'A crawler that robots.txt does not name may fetch the start page.',
      buildEvidence(robots.exchange),
    );
  return verdict.fail(
    'Crawlers that robots.txt does not name may not fetch the start page.',
    listRuleEvidence(robots, blocked),
  );
}
