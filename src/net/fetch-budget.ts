import { FetchStopped } from './fetch-stopped.ts';
import type { FetchLimits } from './fetch-limits.ts';
import { registrableDomain } from './registrable-domain.ts';

/** What the fetches of one audit have left together. Each method throws `FetchStopped` when nothing is left. */
export type FetchBudget = {
  /** Milliseconds until the audit's fetches must be over; the first call starts the clock. */
  remainingMs: () => number;
  /** Books one request to `url` before it is made. The first one says which domain is audited. */
  bookRequest: (url: URL, isRedirect?: boolean) => void;
  /** Whether `url` is of an audited domain. */
  isHome: (url: URL) => boolean;
  /** The site has moved: the domain of `url` is audited, too. */
  addHome: (url: URL) => void;
  /** Books decoded bytes as they arrive. */
  bookBytes: (count: number) => void;
};

export function createFetchBudget(limits: FetchLimits, clock: () => number): FetchBudget {
  let startedAtMs: number | undefined;
  let requests = 0;
  let bytes = 0;
  const homes = new Set<string>();
  const foreign = new Map<string, { requests: number; redirects: number }>();
  const bookForeign = (domain: string, isRedirect: boolean): void => {
    const made = foreign.get(domain);
    if (!made && foreign.size >= limits.foreignDomains)
      throw exhausted(`one audit visits at most ${limits.foreignDomains} other domains`);
    const { requests: before, redirects } = made ?? { requests: 0, redirects: 0 };
    if (before >= limits.foreignRequests)
      throw exhausted(`one audit makes at most ${limits.foreignRequests} requests to another domain`);
    if (isRedirect && redirects >= limits.foreignRedirects)
      throw exhausted(`one audit follows at most ${limits.foreignRedirects} redirects to another domain`);
    foreign.set(domain, { requests: before + 1, redirects: redirects + (isRedirect ? 1 : 0) });
  };
  return {
    remainingMs() {
      startedAtMs ??= clock();
      const leftMs = limits.wallMs - (clock() - startedAtMs);
      if (leftMs <= 0) throw exhausted(`the ${limits.wallMs} ms for the fetches of one audit are over`);
      return leftMs;
    },
    bookRequest(url, isRedirect = false) {
      if (requests >= limits.requests) throw exhausted(`one audit makes at most ${limits.requests} requests`);
      const domain = registrableDomain(url.hostname);
      if (homes.size === 0) homes.add(domain);
      if (!homes.has(domain)) bookForeign(domain, isRedirect);
      requests += 1;
    },
    isHome: (url) => homes.has(registrableDomain(url.hostname)),
    addHome(url) {
      const domain = registrableDomain(url.hostname);
      homes.add(domain);
      foreign.delete(domain);
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
