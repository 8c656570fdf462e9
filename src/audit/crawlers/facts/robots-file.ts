import { rememberPerObject } from '../../../lib/memo.ts';
import type { Artifact } from '../../core/artifact.ts';
import {
  getExchangeLookup,
  type Exchange,
  type ExchangeLookup,
  type Snapshot,
  type SnapshotAnswer,
} from '../../core/snapshot.ts';
import { readTextFile } from '../../llms-txt/facts/llms-files.ts';
import { findChallenge } from '../../reach/facts/blocked-crawler.ts';
import { readExistence } from '../../reach/facts/existence.ts';
import { getPageFacts, isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { readPageFacts } from '../../reach/facts/site-files.ts';
import { readSitemapsArtifact } from '../../sitemaps/facts/sitemap.ts';
import { parseRobots, type RobotsFile, type RobotsVerdict, decideRobotsVerdict } from './robots.ts';

/** A file by which machines find their way: there by its answer, or named by the start page. `what` is in our words. */
export type CrawlerFile = { what: string; url: string };

/** Files that a page names for machines: relations, and the media types of alternates. */
const RELATIONS = new Set(['describedby', 'service-desc', 'api-catalog', 'ai-catalog']);
const ALTERNATES = /^(?:text\/markdown|application\/(?:rss\+xml|atom\+xml|feed\+json))\b/;
const MAX_NAMED = 20;

/** Artifact `crawlerFiles`: the sitemaps and the llms.txt that were found, and what the start page's head names. */
export function readCrawlerFiles(snapshot: Snapshot): Artifact<readonly CrawlerFile[]> {
  const find = getExchangeLookup(snapshot);
  const sitemaps = readSitemapsArtifact(snapshot);
  const tries = sitemaps.state === 'ready' ? sitemaps.value.tries : [];
  const llms = readTextFile(find('llms'), find('control'));
  const found = [
    ...tries.filter(({ state }) => state === 'found').map(({ exchange }) => ({ what: 'sitemap', url: exchange.url })),
    ...(llms.state === 'found' ? [{ what: 'llms.txt', url: llms.exchange.url }] : []),
    ...listNamedFiles(snapshot),
  ];
  const { host } = new URL(snapshot.url);
  return { state: 'ready', value: found.filter(({ url }) => new URL(url).host === host) };
}

function listNamedFiles(snapshot: Snapshot): readonly CrawlerFile[] {
  const page = readPageFacts(snapshot);
  if (page.state === 'failed') return [];
  return page.value.linkTags
    .filter(
      ({ rels, type, href }) =>
        /^https?:/.test(href) &&
        (rels.some((rel) => RELATIONS.has(rel)) || (rels.includes('alternate') && ALTERNATES.test(type))),
    )
    .slice(0, MAX_NAMED)
    .map(({ rels, href }) => ({
      what: `link rel=${rels.includes('alternate') ? 'alternate' : 'of a description'}`,
      url: href,
    }));
}

/**
 * What a site says by robots.txt. `absent`: 4xx, which allows all (RFC 9309, 2.3.1.3). `not_robots`: 2xx with HTML or
 * the catch-all page, so no rules. `unreachable`: 5xx, endless redirects or no answer in time, which forbids all (2.3.1.4);
 * `certain` is false when the fault may be ours.
 */
export type Robots = { exchange: Exchange } & (
  | { kind: 'file'; file: RobotsFile; answer: SnapshotAnswer }
  | { kind: 'absent' | 'not_robots'; answer: SnapshotAnswer }
  | { kind: 'unreachable'; certain: boolean; why: string }
);

/** Failures that a crawler would meet as well. */
const SITE_FAULTS = new Set(['too_many_redirects', 'redirect_loop', 'timeout']);

/** Artifact `robots`; failed when the fetch failed in a way that says nothing about the site. */
export const readRobotsFile = (snapshot: Snapshot): Artifact<Robots> =>
  findRobots(getExchangeLookup(snapshot), snapshot.url);

const getParsedRobots = rememberPerObject(({ body }: SnapshotAnswer): RobotsFile => parseRobots(body));

/** The same among the exchanges so far, for gatherers that follow what the file names. */
export function findRobots(find: ExchangeLookup, startUrl: string): Artifact<Robots> {
  const exchange = find('robots');
  if (!exchange) return { state: 'failed', reason: 'not_fetched', url: startUrl };
  const { answer } = exchange;
  if (!answer.ok) {
    if (!SITE_FAULTS.has(answer.reason)) return { state: 'failed', reason: answer.reason, url: exchange.url };
    const certain = answer.reason !== 'timeout';
    return toReadyArtifact({ exchange, kind: 'unreachable', certain, why: answer.reason });
  }
  const { status } = answer;
  if (status === 429) return { state: 'failed', reason: 'rate_limited', url: exchange.url };
  if (findChallenge(answer, () => countPageWords(answer)) !== undefined)
    return { state: 'failed', reason: 'challenged', url: exchange.url };
  if (status >= 500) return toReadyArtifact({ exchange, kind: 'unreachable', certain: true, why: `status ${status}` });
  if (status >= 300) return toReadyArtifact({ exchange, kind: 'absent', answer });
  const existence = readExistence(exchange, find('control'), 'text');
  if (existence.state === 'absent' && existence.reason !== 'empty')
    return toReadyArtifact({ exchange, kind: 'not_robots', answer });
  return toReadyArtifact({ exchange, kind: 'file', file: getParsedRobots(answer), answer });
}

const countPageWords = (answer: SnapshotAnswer): number => (isHtmlAnswer(answer) ? getPageFacts(answer).words : 0);

const toReadyArtifact = (value: Robots): Artifact<Robots> => ({ state: 'ready', value });

/** Whether an agent may fetch a URL of the site. `unknown` when robots.txt was unreachable and that may be our fault. */
export function decideRobotsAccess(robots: Robots, agent: string, url: string): RobotsVerdict | 'unknown' {
  if (robots.kind === 'file') return decideRobotsVerdict(robots.file, agent, url);
  if (robots.kind !== 'unreachable') return { allowed: true, named: false, rule: undefined };
  return robots.certain ? { allowed: false, named: false, rule: undefined } : 'unknown';
}
