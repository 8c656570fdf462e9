import { aiAgents } from '../../audit/crawlers/facts/ai-agents-data.ts';
import { createDeclaredReader, readEdge } from '../../audit/crawlers/facts/edge.ts';
import { readRobotsFile } from '../../audit/crawlers/facts/robots-file.ts';
import type { Snapshot } from '../../audit/core/snapshot.ts';
import type { AccessTable } from '../../traffic/access/access-row.ts';
import { buildAccessTable } from '../../traffic/access/access-table.ts';
import { findStartHost } from '../../monitors/subject/start-host.ts';
import { createRobotsJudge } from '../../traffic/tally/obedience.ts';
import { type CommandFailure, isFailure, refuseCommand } from '../core/failure.ts';
import type { SayNote } from '../core/output.ts';
import { EXIT } from '../core/usage.ts';
import { countLogs } from './count-logs.ts';
import { describeSiteLogs, type LogsSettings } from './read-options.ts';

/**
 * What an audited site declares to each agent and answered under its name, and what logs say of its visits. Where a log names
 * hosts, only requests of the site's own count, which are the one that was typed and the one that its start page redirects
 * to; obedience is judged by the robots.txt that the audit read.
 */
export async function buildCrawlerAccess(
  snapshot: Snapshot,
  logs: readonly string[],
  sayNote: SayNote,
): Promise<AccessTable | CommandFailure> {
  const typed = new URL(snapshot.url).hostname;
  const hosts = [...new Set([typed, findStartHost(snapshot) ?? typed])];
  const counted = await countLogs(logs, describeSiteLogs(hosts, readJudge(snapshot)), { asksNames: false, sayNote });
  if (isFailure(counted)) return counted;
  const { requests, left_out: left } = counted.lines;
  // That no one came would be said of a site that these logs are not of.
  if (requests === 0 && left.host > 0)
    return refuseCommand(
      'host_not_logged',
      `No request in the logs is of ${hosts.join(' or ')}: they name other hosts.`,
      EXIT.usage,
      'Audit the host that the logs name, or see who came there with sightline logs.',
    );
  if (requests === 0) sayNote('The logs have no requests: nothing is said of who came.');
  const edge = readEdge(snapshot);
  if (edge.state === 'failed') throw new Error('the look at crawlers never fails');
  const seen = { edge: edge.value, declare: createDeclaredReader(snapshot) };
  return buildAccessTable(seen, { ...counted, isEmpty: requests === 0 }, aiAgents);
}

/** Undefined where robots.txt could not be read: then nothing is said of obedience. */
function readJudge(snapshot: Snapshot): LogsSettings['isDisallowed'] {
  const robots = readRobotsFile(snapshot);
  if (robots.state === 'failed' || robots.value.kind === 'unreachable') return undefined;
  return robots.value.kind === 'file' ? createRobotsJudge(robots.value.answer.body) : () => false;
}
