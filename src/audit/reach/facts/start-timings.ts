import type { Artifact } from '../../core/artifact.ts';
import { type Snapshot, lookup, numbered } from '../../core/snapshot.ts';

/** Milliseconds that each answer for the start page took, from the request (redirects included) to the end of the body. */
export type StartTimings = { url: string; timesMs: readonly number[] };

/** Artifact `startTimings`: the times of every GET of the start page that got it with a 2xx status, whoever it claimed to be. */
export function readStartTimings(snapshot: Snapshot): Artifact<StartTimings> {
  const start = lookup(snapshot)('page');
  const reads = [...(start ? [start] : []), ...numbered(snapshot, 'user-agent')];
  const timesMs = reads
    .filter(({ answer }) => answer.ok && answer.status >= 200 && answer.status < 300)
    .map(({ ms }) => ms);
  return { state: 'ready', value: { url: snapshot.url, timesMs } };
}
