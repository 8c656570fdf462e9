import { exhausted } from './limits.ts';
import { projectIn } from './sinks-destination.ts';
import type { Sink } from './sinks-rows.ts';
import { textOf } from './texts.ts';

/** Characters of all sinks of a container, and of all that aggregate: each write of entries reads them (rule K9). */
const MAX_SINKS_CHARS = 200_000;
/** Projects that the sinks of a container send to, and those that aggregate: their sinks are read as well. */
const MAX_HOP_TARGETS = 10;
/**
 * Characters of all sinks that one write of entries is told of: those above, and of a container and all its hop targets,
 * fit. With a call of 10 MB they are below the 32 MiB that can be sent to an object.
 */
export const MAX_ORDER_CHARS = 6_000_000;

/** @throws Refusal where the sinks of one container, or all that aggregate, are more than a write can be told of */
export function requireReadable(sinks: readonly Sink[]): void {
  const chars = sinks.reduce((sum, sink) => sum + JSON.stringify(sink).length, 0);
  if (chars > MAX_SINKS_CHARS) throw exhausted('The filters of all sinks together are too long');
  const projects = new Set(sinks.flatMap(({ body }) => projectIn(textOf(body['destination'])) ?? []));
  if (projects.size > MAX_HOP_TARGETS) throw exhausted(`Sinks send to at most ${MAX_HOP_TARGETS} other projects`);
}
