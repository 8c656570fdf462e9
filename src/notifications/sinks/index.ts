import type { AddressPolicy } from '../../net/address-policy.ts';
import type { FetchFunction } from '../../net/guarded-fetch.ts';
import { createHostGate } from '../../net/host-gate.ts';
import type { Destination } from '../core/settings.ts';
import { createAuditTrail } from './audit-trail.ts';
import { createEntriesSink, type EntryWriter } from './entries.ts';
import { createSignedWebhook } from './signed-webhook.ts';
import { type RevocationService, createRevocationSink } from './revocation.ts';
import type { Sink } from './sink.ts';

export type SinkOptions = {
  destinations: readonly Destination[];
  revocation: RevocationService;
  /** Where the audit trail goes besides the console; undefined: nowhere. */
  entries?: EntryWriter | undefined;
  outside: { fetch: FetchFunction; policy: AddressPolicy };
  /** Unix milliseconds. */
  now: () => number;
  log: (line: Record<string, unknown>) => void;
  sleep?: (ms: number) => Promise<unknown>;
};

const sleepFor = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/**
 * All sinks: the audit trail, on the console and in the service's log, the revocation of operators, and one for each
 * destination of the settings. Made once for an object: the limits for each destination host are in what this returns.
 */
export function createSinks({
  destinations,
  revocation,
  entries,
  outside,
  now,
  log,
  sleep,
}: SinkOptions): readonly Sink[] {
  const gate = createHostGate({ now, sleep: sleep ?? sleepFor });
  return [
    createAuditTrail(log),
    ...(entries === undefined ? [] : [createEntriesSink(entries)]),
    createRevocationSink(revocation),
    ...destinations.map((destination) => createSignedWebhook(destination, { ...outside, now, gate })),
  ];
}
