import { aiAgents } from '../../audit/crawlers/facts/ai-agents-data.ts';
import { createDeclaredReader, readEdge } from '../../audit/crawlers/facts/edge.ts';
import type { CapabilityName } from '../../capabilities/capability-name.ts';
import { parseSiteKey } from '../../capabilities/published/site-key.ts';
import { parseRecording } from '../../capabilities/recording.ts';
import { formatIsoTimestamp } from '../../lib/time.ts';
import { readAtMost } from '../../net/read-body.ts';
import type { CrawlerReport } from '../edge/crawler-report.ts';
import type { HostAccess } from './access-row.ts';
import { buildAccessTable, type CountedVisits } from './access-table.ts';

/** Reports of an account that are looked through, and those of them whose site is asked for. */
const MAX_LISTED = 50;
const MAX_DESCRIBED = 20;
/** Bytes of what a report was made from that a page reads: more takes longer than a page may. */
const MAX_ACCESS_BYTES = 2 * 1_024 * 1_024;

/** Those that ask a site under the names of agents. */
const withAgents: readonly string[] = [
  'full_audit',
  'full_report',
  'fix_pack',
  'score_aeo',
  'compare',
] satisfies CapabilityName[];

/** The reports of an account, as it lists them and as they are stored. */
export type AccountReports = {
  /** Newest first; undefined where they cannot be read now. */
  list: (limit: number) => Promise<readonly { reportId: string; capability: string }[] | undefined>;
  describe: (reportId: string) => Promise<{ site?: string | undefined; storedAtMs: number } | undefined>;
  snapshot: (reportId: string) => Promise<ReadableStream<Uint8Array> | undefined>;
};

/** What the newest report of an account saw of a host, beside what its Worker counted. */
export async function readHostAccess(reports: AccountReports, counted: CrawlerReport): Promise<HostAccess> {
  const bought = await reports.list(MAX_LISTED);
  if (bought === undefined) return { state: 'unread' };
  const described = await Promise.all(
    bought
      .filter(({ capability }) => withAgents.includes(capability))
      .slice(0, MAX_DESCRIBED)
      .map(async ({ reportId }) => ({ reportId, about: await reports.describe(reportId) })),
  );
  const key = parseSiteKey(counted.host);
  const newest = described.find(({ about }) => about?.site !== undefined && about.site === key);
  if (newest?.about === undefined) return { state: 'none' };
  const { reportId, about } = newest;
  const stream = await reports.snapshot(reportId);
  if (stream === undefined) return { state: 'unread' };
  const bytes = await readAtMost(stream, MAX_ACCESS_BYTES);
  if (bytes === undefined) return { state: 'too_large', report_id: reportId };
  const read = parseRecording(new TextDecoder().decode(bytes));
  if (!read.ok) return { state: 'unread' };
  const { snapshots } = read.recording;
  const own = snapshots.find(({ url }) => new URL(url).hostname === counted.host) ?? snapshots[0];
  if (own === undefined) return { state: 'unread' };
  const edge = readEdge(own);
  if (edge.state !== 'ready') return { state: 'unread' };
  return {
    state: 'ready',
    report_id: reportId,
    audited_at: formatIsoTimestamp(about.storedAtMs),
    table: buildAccessTable(
      { edge: edge.value, declare: createDeclaredReader(own) },
      readWorkerCounts(counted),
      aiAgents,
    ),
  };
}

/**
 * What the owner's Worker counted, as the table takes it. It verifies by its network and knows no robots.txt: no agent is
 * pretended, and requests to what is forbidden are not counted apart.
 */
const readWorkerCounts = ({ from, to, agents }: CrawlerReport): CountedVisits => ({
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
