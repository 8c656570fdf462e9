import { type CountsBatch, PERSON } from './counts-body.ts';

/** A data point of Workers Analytics Engine. */
export type DataPoint = { indexes: string[]; blobs: string[]; doubles: number[] };

/** A Worker may write so many in one invocation. https://developers.cloudflare.com/analytics/analytics-engine/limits/ */
export const MAX_DATA_POINTS = 250;
/** Bytes of an index. */
const MAX_INDEX_BYTES = 96;

/**
 * A batch as data points: index the host (its last 96 bytes); blobs host, agent, verification, method, path, kind of the path, assistant;
 * doubles requests, status, bytes, and the minute in Unix seconds. People have no path: what a dataset has cannot be left
 * out when it is read. The largest rows first; the rest is in the object alone.
 */
export function formatDataPoints(host: string, { rows, minuteMs }: CountsBatch): readonly DataPoint[] {
  return rows
    .toSorted((left, right) => right.n - left.n)
    .slice(0, MAX_DATA_POINTS)
    .map(({ agent, verification, isRead, path, kind, referral = '', n, status, bytes }) => ({
      indexes: [host.slice(-MAX_INDEX_BYTES)],
      blobs: [host, agent, verification, isRead ? 'read' : 'write', agent === PERSON ? '' : path, kind, referral],
      doubles: [n, status, bytes, minuteMs / 1_000],
    }));
}
