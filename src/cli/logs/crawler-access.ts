import { aiAgents } from '../../audit/crawlers/facts/ai-agents-data.ts';
import { readEdge } from '../../audit/crawlers/facts/edge.ts';
import { readRobotsFile } from '../../audit/crawlers/facts/robots-file.ts';
import type { Snapshot } from '../../audit/core/snapshot.ts';
import type { AccessTable } from '../../traffic/access/access-row.ts';
import { buildAccessTable } from '../../traffic/access/access-table.ts';
import { createRobotsJudge } from '../../traffic/tally/obedience.ts';
import { type CommandFailure, isFailure } from '../core/failure.ts';
import type { SayNote } from '../core/output.ts';
import { countLogs } from './count-logs.ts';
import { describeSiteLogs, type LogsSettings } from './read-options.ts';

/**
 * What an audited site declares to each agent and answered under its name, and what logs say of its visits. Where a log names
 * hosts, only requests of the site's own count; obedience is judged by the robots.txt that the audit read.
 */
export async function buildCrawlerAccess(
  snapshot: Snapshot,
  logs: readonly string[],
  sayNote: SayNote,
): Promise<AccessTable | CommandFailure> {
  const host = new URL(snapshot.url).hostname;
  const settings = describeSiteLogs(host, readJudge(snapshot));
  const counted = await countLogs(logs, settings, { asksNames: false, sayNote });
  if (isFailure(counted)) return counted;
  const { requests, left_out: leftOut } = counted.lines;
  if (requests === 0)
    sayNote(
      leftOut.host === 0
        ? 'The logs have no requests: nothing is said of who came.'
        : `None of the ${leftOut.host} requests in the logs is of ${host}: nothing is said of who came.`,
    );
  const edge = readEdge(snapshot);
  if (edge.state === 'failed') throw new Error('the look at crawlers never fails');
  return buildAccessTable(edge.value, { ...counted, isEmpty: requests === 0 }, aiAgents);
}

/** Undefined where robots.txt could not be read: then nothing is said of obedience. */
function readJudge(snapshot: Snapshot): LogsSettings['isDisallowed'] {
  const robots = readRobotsFile(snapshot);
  if (robots.state === 'failed' || robots.value.kind === 'unreachable') return undefined;
  return robots.value.kind === 'file' ? createRobotsJudge(robots.value.answer.body) : () => false;
}
