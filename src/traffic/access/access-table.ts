import type { AiAgent } from '../../audit/crawlers/facts/ai-agents-data.ts';
import type { AgentReach, Edge } from '../../audit/crawlers/facts/edge.ts';
import type { Verification } from '../ranges/verify.ts';
import type { AgentTraffic } from '../tally/traffic-report.ts';
import type { AccessRow, AccessTable, AgentVisits } from './access-row.ts';
import { findConflicts } from './conflicts.ts';

/** What was counted of visits, from a log or by the site's own Worker. */
export type CountedVisits = {
  period: { first: string | null; last: string | null };
  /** No request of anyone was counted: then no agent is missing. */
  isEmpty?: boolean;
  agents: readonly Pick<
    AgentTraffic,
    'token' | 'verification' | 'requests' | 'statuses' | 'refused' | 'robots_txt' | 'last_seen'
  >[];
};

/** What an audit saw of a site. `declare`: what robots.txt says to an agent, whether or not a request was made under its name. */
export type SeenAccess = { edge: Edge; declare: (token: string) => Pick<AccessRow, 'declared' | 'named'> };

/**
 * Joins both for every agent of the roster that sends requests, in the order of the roster. Pure: the same look and counts give
 * the same table.
 */
export function buildAccessTable(
  { edge, declare }: SeenAccess,
  counted: CountedVisits,
  roster: readonly AiAgent[],
): AccessTable {
  const reaches = new Map(edge.reaches.map((reach) => [reach.agent.token, reach]));
  const seen = new Set(counted.agents.map(({ token }) => token));
  const provider = edge.provider?.name ?? null;
  const rows = roster
    .filter(({ token }) => reaches.has(token) || seen.has(token))
    .map((agent) => {
      const row = { ...buildRow(agent, reaches.get(agent.token), counted), ...declare(agent.token) };
      const about = { agent, provider: edge.provider, browser: edge.browser.state, isEmpty: counted.isEmpty === true };
      return { ...row, conflicts: findConflicts(row, about) };
    });
  return { period: counted.period, provider, rows };
}

function buildRow(
  { token, owner, class: kind }: AiAgent,
  reach: AgentReach | undefined,
  counted: CountedVisits,
): Omit<AccessRow, 'conflicts' | 'declared' | 'named'> {
  const visitsOf = (verification: Verification): AgentVisits | null => {
    const found = counted.agents.find((one) => one.token === token && one.verification === verification);
    if (found === undefined || found.requests === 0) return null;
    const { requests, statuses, refused, robots_txt: robots, last_seen: lastSeen } = found;
    return {
      requests,
      statuses,
      refused: refused.requests,
      disallowed: robots.disallowed?.requests ?? null,
      last_seen: lastSeen,
    };
  };
  return {
    token,
    owner,
    class: kind,
    observed: reach?.observed ?? 'not_asked',
    observed_why: reach?.why ?? 'not asked',
    came: { verified: visitsOf('verified'), claimed: visitsOf('claimed'), pretended: visitsOf('pretended') },
  };
}
