import type { Gather, Gatherer, Plan } from '../../core/artifact.ts';
import type { Exchange } from '../../core/snapshot.ts';
import { parityAgents } from '../facts/ai-agents.ts';
import { prepareAgentFile } from '../../agent-files/gather/agent-files.ts';
import { prepareControl } from '../../page/gather/page.ts';
import { classifyHost } from '../../../net/address.ts';
import { MAX_TEXT_BYTES } from '../../agent-files/facts/agent-places.ts';
import { findRobots } from '../facts/robots-file.ts';
import { listRslDeclarations, RSL_ROLE, RSL_TYPE } from '../facts/rsl.ts';
import { isSameOwner } from '../../reach/facts/urls.ts';

/** RFC 9309, 2.5: a parser reads at least 500 KiB. What follows is cut. */
export const ROBOTS_BYTES = 500 * 1024;

/** The robots.txt of the start URL's origin. */
export const readRobots = (gather: Gather): Promise<Exchange> =>
  gather.read('robots', {
    url: new URL('/robots.txt', gather.start).href,
    headers: { accept: 'text/plain,*/*;q=0.8' },
    maxBytes: ROBOTS_BYTES,
  });

/** Reads robots.txt. */
export const gatherRobots: Gatherer = async (gather) => {
  await readRobots(gather);
};

/** Reads the start page as a browser and as three AI fetchers announce themselves, one after the other in fixed order. */
export const gatherUserAgents: Gatherer = async (gather) => {
  for (const [index, agent] of parityAgents.entries()) {
    const headers = { 'user-agent': agent.userAgent, accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };
    await gather.read(`user-agent:${index}`, { url: gather.start.href, headers });
  }
};

/** llms.txt as the checks of agent files ask for it, so that a whole audit makes the request once. At most one of its own. */
export const planCrawlerFiles: Plan = async (gather) => [
  prepareAgentFile(gather, 'llms'),
  await prepareControl(gather),
];

/** The first licence of RSL that the site declares; a private site sends us to no stranger. */
export const planRsl: Plan = (gather) => {
  const robots = findRobots(gather.find, gather.start.href);
  const declared = listRslDeclarations(gather.find, robots.state === 'ready' ? robots.value : undefined);
  const url = declared.find((one) => one.url !== undefined)?.url;
  if (url === undefined) return [];
  const isLocal = classifyHost(gather.start.hostname).kind !== 'public';
  if (isLocal && !isSameOwner(new URL(url), gather.start)) return [];
  const headers = { accept: `${RSL_TYPE}, application/xml;q=0.9, text/xml;q=0.8` };
  return [{ role: RSL_ROLE, target: { url, headers, maxBytes: MAX_TEXT_BYTES } }];
};

/** The directory of keys with which bots of the site sign their requests. */
export const planSignatureDirectory: Plan = (gather) => [prepareAgentFile(gather, 'signature-directory')];
