import type { FetchFailure } from '../../net/fetched.ts';

/** What all visits of one measurement may ask together. */
export const READING_LIMITS = {
  /** Requests, redirects and robots.txt included. */
  requests: 100,
  /** Of these to one host. */
  hostRequests: 20,
  /** Hosts, those included that only a redirect leads to. */
  hosts: 12,
} as const;

/** Why a host was not asked, or not for this page. */
export type VisitStop = FetchFailure | 'deadline' | 'target_busy' | 'robots_disallowed' | 'robots_unreachable';

/** What the visits of one measurement share. `end` gives all places back. */
export type ReadingPhase = {
  /** Milliseconds until the last request must be over; 0 or less when it is. */
  leftMs: () => number;
  /** Lets the reading of this measurement in at the host of an address (rule F6): each host once. Undefined: it is in. */
  enterHost: (url: URL) => Promise<VisitStop | undefined>;
  /** Books one request; false where none is left. */
  bookRequest: (url: URL) => boolean;
  end: () => Promise<void>;
};

type PhaseTools = {
  /** That of `CapabilityTools`: it runs the task where the host lets us in. */
  atTarget: (
    url: string,
    task: () => Promise<{ ok: true; result: Record<string, unknown>; warnings: readonly string[] }>,
  ) => Promise<unknown>;
  /** Unix milliseconds, now. */
  nowMs: () => number;
};

/** Starts the one deadline of a measurement's reading. @param mostMs longest time it may take, in milliseconds */
export function startReadingPhase({ atTarget, nowMs }: PhaseTools, mostMs: number): ReadingPhase {
  const endMs = nowMs() + mostMs;
  const hosts = new Map<string, Promise<VisitStop | undefined>>();
  const made = new Map<string, number>();
  const places: Promise<unknown>[] = [];
  const over = Promise.withResolvers<undefined>();
  let requests = 0;
  const enter = (url: URL): Promise<VisitStop | undefined> =>
    new Promise((resolve, reject) => {
      // The gate counts each entry: a place is held until no visit can need it any more.
      const place = atTarget(url.href, async () => {
        resolve(undefined);
        await over.promise;
        return { ok: true, result: {}, warnings: [] };
      });
      places.push(place.then(() => resolve('target_busy'), reject));
    });
  return {
    leftMs: () => endMs - nowMs(),
    async enterHost(url) {
      // As the gate counts: a host is one, whichever ports of it are asked.
      const known = hosts.get(url.hostname);
      if (known === undefined && hosts.size >= READING_LIMITS.hosts) return 'budget_exhausted';
      const entering = known ?? enter(url);
      hosts.set(url.hostname, entering);
      return entering;
    },
    bookRequest({ hostname }) {
      const before = made.get(hostname) ?? 0;
      if (requests >= READING_LIMITS.requests || before >= READING_LIMITS.hostRequests) return false;
      requests += 1;
      made.set(hostname, before + 1);
      return true;
    },
    async end() {
      over.resolve(undefined);
      await Promise.all(places);
    },
  };
}
