import { DEFAULT_PAGES } from '../../core/limits.ts';
import { MAX_SAMPLE } from '../../core/sample.ts';
import type { Gather, Gatherer, Plan, Wanted } from '../../core/artifact.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { readControl } from '../../page/gather/page.ts';
import { PAGE_ACCEPT } from '../../page/gather/page-target.ts';
import { isHtmlAnswer } from '../../reach/facts/html-page.ts';
import { aiAgents } from '../facts/ai-agents-data.ts';
import { findRefusal } from '../facts/edge.ts';
import {
  ADS_AGENTS,
  buildAdsRole,
  buildEdgeRole,
  EDGE_BYTES,
  type EdgeRequest,
  hasAds,
  isCompared,
  isFirst,
  planEdgeRequests,
} from '../facts/edge-plan.ts';
import { findRobots } from '../facts/robots-file.ts';
import { gatherUserAgents, readRobots } from './crawlers.ts';

/** The most requests that the rest of the roster takes. */
export const MAX_EDGE_REST = 24;

const prepareAs = (role: string, url: string, userAgent: string): Wanted => ({
  role,
  target: { url, headers: { 'user-agent': userAgent, accept: PAGE_ACCEPT }, maxBytes: EDGE_BYTES },
});

const prepareAgent = ({ start }: Gather, request: EdgeRequest): Wanted =>
  prepareAs(buildEdgeRole(request), start.href, request.asked.userAgent ?? '');

const askAgent = (gather: Gather, request: EdgeRequest): Promise<Exchange> => {
  const { role, target } = prepareAgent(gather, request);
  return gather.read(role, target);
};

/** The requests that the comparison of whole pages does not make already. */
async function planRequests(gather: Gather): Promise<readonly EdgeRequest[]> {
  await Promise.all([readRobots(gather), readControl(gather)]);
  const robots = findRobots(gather.find, gather.start.href);
  const plan = planEdgeRequests(robots.state === 'ready' ? robots.value : undefined, gather.start.href);
  return plan.filter((request) => !isCompared(request));
}

const isRefused = ({ answer }: Exchange): boolean => answer.ok && findRefusal(answer) !== undefined;

/**
 * Asks for the start page as two agents of the roster more. Where one of those asked so far is refused although a browser
 * is let in, all others are asked at once: their answers decide a score then, and the room for them must not go elsewhere.
 */
export const gatherEdge: Gatherer = async (gather) => {
  const [plan] = await Promise.all([planRequests(gather), gatherUserAgents(gather)]);
  const [browser, ...compared] = [0, 1, 2, 3].flatMap((index) => gather.find(`user-agent:${index}`) ?? []);
  const seen = [...compared];
  for (const request of plan.filter(isFirst)) seen.push(await askAgent(gather, request));
  const isBrowserServed = browser?.answer.ok === true && !isRefused(browser);
  if (!isBrowserServed || !seen.some(isRefused)) return;
  for (const request of plan.filter((one) => !isFirst(one))) await askAgent(gather, request);
};

/**
 * The start page as the rest of the roster, in its order, while there is room for requests. A caller who asked for more
 * pages than usual keeps half of the room for them.
 */
export const planEdgeRest: Plan = async (gather) => {
  const browser = gather.find('user-agent:0');
  if (browser === undefined || isRefused(browser)) return [];
  const plan = (await planRequests(gather)).filter((request) => gather.find(buildEdgeRole(request)) === undefined);
  // Each may be redirected as the others were, and every redirect takes of the same room.
  const cost = 1 + Math.max(0, ...[0, 1, 2, 3].map((index) => countRedirects(gather.find(`user-agent:${index}`))));
  const room = Math.floor((gather.maxPages > DEFAULT_PAGES ? gather.room() / 2 : gather.room()) / cost);
  return plan
    .slice(0, Math.min(room, MAX_EDGE_REST))
    .map((request) => ({ ...prepareAgent(gather, request), ifRoom: true }));
};

const countRedirects = (exchange: Exchange | undefined): number => exchange?.answer.redirects.length ?? 0;

/** The first sampled page with ads as one agent of each class, unless the start page has some itself. */
export const planEdgeAds: Plan = (gather) => {
  const start = gather.find('page')?.answer;
  if (start?.ok !== true || hasAds(start.body)) return [];
  const url = findPageWithAds(gather);
  if (url === undefined) return [];
  return ADS_AGENTS.flatMap((token) => {
    const userAgent = aiAgents.find((agent) => agent.token === token)?.userAgent;
    return userAgent === undefined
      ? []
      : [{ ...prepareAs(buildAdsRole(token), url, userAgent), ifRoom: true } as const];
  });
};

function findPageWithAds(gather: Gather): string | undefined {
  for (let index = 0; index < MAX_SAMPLE; index += 1) {
    const page = gather.find(`sample:${index}`);
    const answer = page?.answer;
    if (answer?.ok === true && answer.status === 200 && isHtmlAnswer(answer) && hasAds(answer.body)) return page?.url;
  }
  return undefined;
}
