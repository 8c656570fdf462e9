import { classifyHost, withoutTrailingDot } from '../../../../net/address.ts';
import type { Context } from '../../../core/engine/operation.ts';
import { isText, type Json } from '../../../../lib/json.ts';
import { MAX_SINKS_PER_HOST } from '../../../log-store/delivery/webhook-address.ts';
import { exhausted } from '../limits.ts';

/** Rows that count who sends where: parent = host, id = full name of the sink. */
export const SINK_HOSTS = 'logging.sinkHosts';

/**
 * Keeps count of the sinks that deliver to a web host, as a sink's destination changes.
 * @throws Refusal where a further one would deliver to the same host; a sandbox may have any number to its own machine
 */
export function moveHost(before: Json | undefined, after: Json | undefined, sink: string, context: Context): void {
  const [from, to] = [hostOf(before), hostOf(after)];
  if (from === to) return;
  if (from !== undefined) context.store.remove({ collection: SINK_HOSTS, parent: from, id: sink });
  if (to === undefined) return;
  const isFree = context.tenant.mode === 'sandbox' && classifyHost(to).kind === 'loopback';
  if (!isFree && context.store.count(SINK_HOSTS, to) >= MAX_SINKS_PER_HOST)
    throw exhausted(`At most ${MAX_SINKS_PER_HOST} sinks may deliver to ${to}`);
  context.store.insert({ collection: SINK_HOSTS, parent: to, id: sink, body: {} });
}

/** The host of a web address; undefined for the other forms of a destination. */
function hostOf(destination: Json | undefined): string | undefined {
  if (!isText(destination) || !/^https?:/i.test(destination) || !URL.canParse(destination)) return undefined;
  return withoutTrailingDot(new URL(destination).hostname);
}
