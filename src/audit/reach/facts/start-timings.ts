import type { Artifact } from '../../core/artifact.ts';
import { type Snapshot, getExchangeLookup, listNumberedExchanges } from '../../core/snapshot.ts';

/** Milliseconds that each answer for the start page took, from the request (redirects included) to the end of the body. */
export type StartTimings = { url: string; timesMs: readonly number[] };

/** Artifact `startTimings`: the times of every GET of the start page with a 2xx answer, under any User-Agent. */
export function readStartTimings(snapshot: Snapshot): Artifact<StartTimings> {
  const start = getExchangeLookup(snapshot)('page');
  const reads = [...(start ? [start] : []), ...listNumberedExchanges(snapshot, 'user-agent')];
  const timesMs = reads
    .filter(({ answer }) => answer.ok && answer.status >= 200 && answer.status < 300)
    .map(({ ms }) => ms);
  return { state: 'ready', value: { url: snapshot.url, timesMs } };
}
