import type { CrawlerReport } from '../edge/crawler-report.ts';
import type { CountedVisits } from './access-table.ts';

/**
 * What the owner's Worker counted, as the table takes it. It verifies by its network and knows no robots.txt: no agent is
 * pretended, and requests to what is forbidden are not counted apart.
 */
export const readWorkerCounts = ({ from, to, agents }: CrawlerReport): CountedVisits => ({
  period: { first: from, last: to },
  agents: agents.map(
    ({ agent, verification, requests, statuses, refused, robots_txt: robots, last_seen: lastSeen }) => ({
      token: agent,
      verification,
      requests,
      statuses: { ...statuses, none: 0 },
      refused: { requests: refused, pages: [] },
      robots_txt: { requests: robots, before_first_page: null, disallowed: null },
      last_seen: lastSeen,
    }),
  ),
});
