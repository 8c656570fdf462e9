import { aiAgents } from '../../../src/audit/crawlers/facts/ai-agents-data.ts';
import { readEdge } from '../../../src/audit/crawlers/facts/edge.ts';
import type { CapabilityName } from '../../../src/capabilities/capability-name.ts';
import { parseSiteKey } from '../../../src/capabilities/published/site-key.ts';
import { parseRecording } from '../../../src/capabilities/recording.ts';
import { formatIsoTimestamp } from '../../../src/lib/time.ts';
import { readAtMost } from '../../../src/net/read-body.ts';
import { reportStore } from '../../../src/sales/report-store.ts';
import type { HostAccess } from '../../../src/traffic/access/access-row.ts';
import { buildAccessTable } from '../../../src/traffic/access/access-table.ts';
import { readWorkerCounts } from '../../../src/traffic/access/counted-by-worker.ts';
import type { CrawlerReport } from '../../../src/traffic/edge/crawler-report.ts';
import { listBought } from './reports.ts';
import type { AccountVisit } from './visit.ts';

/** Reports of the account that are looked through, and those of them whose site is asked for. */
const MAX_LISTED = 50;
const MAX_DESCRIBED = 20;
/** Bytes of what a report was made from that a page reads: more takes longer than a page may. */
export const MAX_ACCESS_BYTES = 2 * 1_024 * 1_024;

/** Those that ask a site under the names of agents. */
const withAgents: readonly string[] = [
  'full_audit',
  'full_report',
  'fix_pack',
  'score_aeo',
  'compare',
] satisfies CapabilityName[];

/** What the newest report of the account saw of a host, beside what its Worker counted. */
export async function readHostAccess(visit: AccountVisit, counted: CrawlerReport): Promise<HostAccess> {
  const store = reportStore(visit.c.env.REPORTS, Date.now);
  const bought = await listBought(visit, { limit: MAX_LISTED });
  if (bought === undefined) return { state: 'unread' };
  const described = await Promise.all(
    bought
      .filter(({ capability }) => withAgents.includes(capability))
      .slice(0, MAX_DESCRIBED)
      .map(async ({ reportId }) => ({ reportId, about: await store.describe(reportId) })),
  );
  const key = parseSiteKey(counted.host);
  const newest = described.find(({ about }) => about?.site !== undefined && about.site === key);
  if (newest?.about === undefined) return { state: 'none' };
  const { reportId, about } = newest;
  const stream = await store.snapshot(reportId);
  if (stream === undefined) return { state: 'unread' };
  const bytes = await readAtMost(stream, MAX_ACCESS_BYTES);
  if (bytes === undefined) return { state: 'too_large', report_id: reportId };
  const read = parseRecording(new TextDecoder().decode(bytes));
  if (!read.ok) return { state: 'unread' };
  const { snapshots } = read.recording;
  const own = snapshots.find(({ url }) => new URL(url).hostname === counted.host) ?? snapshots[0];
  const edge = own && readEdge(own);
  if (edge?.state !== 'ready') return { state: 'unread' };
  return {
    state: 'ready',
    report_id: reportId,
    audited_at: formatIsoTimestamp(about.storedAtMs),
    table: buildAccessTable(edge.value, readWorkerCounts(counted), aiAgents),
  };
}
