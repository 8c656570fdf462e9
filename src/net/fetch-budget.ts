import { FetchStopped } from './fetch-stopped.ts';
import type { FetchLimits } from './fetch-limits.ts';
import { registrableDomain } from './registrable-domain.ts';

/** What the fetches of one audit have left together. Each method throws `FetchStopped` when nothing is left. */
export type FetchBudget = {
  /** Milliseconds until the audit's fetches must be over; the first call starts the clock. */
  remainingMs: () => number;
  /** Books one request to `url` before it is made. */
  bookRequest: (url: URL) => void;
  /** Books decoded bytes as they arrive. */
  bookBytes: (count: number) => void;
};

export function createFetchBudget(limits: FetchLimits, clock: () => number): FetchBudget {
  let startedAtMs: number | undefined;
  let requests = 0;
  let bytes = 0;
  let home: string | undefined;
  const foreign = new Set<string>();
  return {
    remainingMs() {
      startedAtMs ??= clock();
      const leftMs = limits.wallMs - (clock() - startedAtMs);
      if (leftMs <= 0) throw exhausted(`the ${limits.wallMs} ms for the fetches of one audit are over`);
      return leftMs;
    },
    bookRequest(url) {
      if (requests >= limits.requests) throw exhausted(`one audit makes at most ${limits.requests} requests`);
      const domain = registrableDomain(url.hostname);
      home ??= domain;
      if (domain !== home && !foreign.has(domain)) {
        if (foreign.size >= limits.foreignDomains) {
          throw exhausted(`one audit visits at most ${limits.foreignDomains} other domains`);
        }
        foreign.add(domain);
      }
      requests += 1;
    },
    bookBytes(count) {
      bytes += count;
      if (bytes > limits.totalBytes) throw exhausted(`one audit reads at most ${limits.totalBytes} bytes`);
    },
  };
}

function exhausted(detail: string): FetchStopped {
  return new FetchStopped('budget_exhausted', detail);
}
