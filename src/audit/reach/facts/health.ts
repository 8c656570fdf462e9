import type { Artifact } from '../../core/artifact.ts';
import type { Site } from '../../core/site.ts';
import type { Snapshot } from '../../core/snapshot.ts';
import { ROSTER_DATE } from '../../crawlers/facts/ai-agents.ts';
import { type Robots, readRobotsFile, decideRobotsAccess } from '../../crawlers/facts/robots-file.ts';
import { readStart } from './site-files.ts';
import { readSitemapsArtifact } from '../../sitemaps/facts/sitemap.ts';

/** The crawlers a summary names first, then the ones it adds. */
const NAMED = ['GPTBot', 'ClaudeBot', 'PerplexityBot'];
const ALSO = ['OAI-SearchBot', 'Claude-SearchBot', 'Google-Extended'];

/** Facts of `check_health`: availability, robots.txt, what it lets each AI crawler do, and the sitemap. */
export function buildHealthFacts(snapshot: Snapshot, site: Site): Readonly<Record<string, unknown>> {
  const start = readStart(snapshot);
  const robots = readRobotsFile(snapshot);
  const url = start.state === 'ready' ? start.value.answer.url : site.start.href;
  return {
    available: start.state === 'ready' ? start.value.answer.status >= 200 && start.value.answer.status < 300 : null,
    status: start.state === 'ready' ? start.value.answer.status : null,
    final_url: url,
    robots_txt: buildRobotsFact(robots),
    ai_crawlers: Object.fromEntries([...NAMED, ...ALSO].map((agent) => [agent, buildAccessFact(robots, agent, url)])),
    crawlers_as_of: ROSTER_DATE,
    sitemap: buildSitemapFact(snapshot),
  };
}

function buildRobotsFact(robots: Artifact<Robots>): Readonly<Record<string, unknown>> {
  if (robots.state === 'failed') return { state: 'unknown', reason: robots.reason };
  const { value } = robots;
  if (value.kind === 'unreachable') return { state: 'unreachable', reason: value.why };
  const found = { state: value.kind, status: value.answer.status };
  return value.kind === 'file'
    ? { ...found, groups: value.file.groups.length, sitemaps: value.file.sitemaps.map(({ url }) => url) }
    : found;
}

function buildAccessFact(robots: Artifact<Robots>, agent: string, url: string): Readonly<Record<string, unknown>> {
  const verdict = robots.state === 'ready' ? decideRobotsAccess(robots.value, agent, new URL(url).href) : 'unknown';
  if (verdict === 'unknown') return { access: 'unknown' };
  return {
    access: verdict.allowed ? 'allowed' : 'blocked',
    named: verdict.named,
    ...(verdict.rule ? { line: verdict.rule.line } : {}),
  };
}

function buildSitemapFact(snapshot: Snapshot): Readonly<Record<string, unknown>> {
  const sitemaps = readSitemapsArtifact(snapshot);
  if (sitemaps.state === 'failed') return { state: 'unknown', reason: sitemaps.reason };
  const found = sitemaps.value.tries.find((one) => one.state === 'found');
  if (!found) return { state: sitemaps.value.tries.some((one) => one.state === 'failed') ? 'unknown' : 'absent' };
  return {
    state: 'found',
    url: found.exchange.url,
    kind: found.file?.kind,
    urls: sitemaps.value.urls.length,
    named_in_robots: sitemaps.value.named,
  };
}
