import { FetchStopped } from './fetched.ts';
import { getRegistrableDomain } from './registrable-domain.ts';

const MIB = 1024 * 1024;

/** Limits of the fetches of ONE audit. Sizes are decoded bytes. */
export type FetchLimits = {
  /** Requests, redirects included. */
  requests: number;
  /** Bodies of all fetches together. */
  totalBytes: number;
  /** From the first fetch to the end of the last. */
  wallMs: number;
  /** Registrable domains other than that of the first fetch. */
  foreignDomains: number;
  /** Requests to each of those domains, redirects to it included: its hosts let no one audit them. */
  foreignRequests: number;
  /** Of these the ones that a redirect made: the audited site chooses where its redirects lead, and pays nothing for it. */
  foreignRedirects: number;
  /** One fetch, its redirects and its body included. */
  fetchMs: number;
  /** Each request, until its headers are there. */
  firstByteMs: number;
  /** Redirects that one fetch follows. */
  redirects: number;
  /** One body, where the target names no cap of its own. */
  bodyBytes: number;
  /** Names and values of all headers of one answer. */
  headerBytes: number;
};

export const DEFAULT_LIMITS: FetchLimits = {
  requests: 60,
  totalBytes: 25 * MIB,
  wallMs: 45_000,
  foreignDomains: 10,
  foreignRequests: 24,
  foreignRedirects: 12,
  fetchMs: 15_000,
  firstByteMs: 5_000,
  redirects: 5,
  bodyBytes: 5 * MIB,
  headerBytes: 64 * 1024,
};

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
      throw refuseExhausted(`one audit visits at most ${limits.foreignDomains} other domains`);
    const { requests: before, redirects } = made ?? { requests: 0, redirects: 0 };
    if (before >= limits.foreignRequests)
      throw refuseExhausted(`one audit makes at most ${limits.foreignRequests} requests to another domain`);
    if (isRedirect && redirects >= limits.foreignRedirects)
      throw refuseExhausted(`one audit follows at most ${limits.foreignRedirects} redirects to another domain`);
    foreign.set(domain, { requests: before + 1, redirects: redirects + (isRedirect ? 1 : 0) });
  };
  return {
    remainingMs() {
      startedAtMs ??= clock();
      const leftMs = limits.wallMs - (clock() - startedAtMs);
      if (leftMs <= 0) throw refuseExhausted(`the ${limits.wallMs} ms for the fetches of one audit are over`);
      return leftMs;
    },
    bookRequest(url, isRedirect = false) {
      if (requests >= limits.requests) throw refuseExhausted(`one audit makes at most ${limits.requests} requests`);
      const domain = getRegistrableDomain(url.hostname);
      if (homes.size === 0) homes.add(domain);
      if (!homes.has(domain)) bookForeign(domain, isRedirect);
      requests += 1;
    },
    isHome: (url) => homes.has(getRegistrableDomain(url.hostname)),
    addHome(url) {
      const domain = getRegistrableDomain(url.hostname);
      homes.add(domain);
      foreign.delete(domain);
    },
    bookBytes(count) {
      bytes += count;
      if (bytes > limits.totalBytes) throw refuseExhausted(`one audit reads at most ${limits.totalBytes} bytes`);
    },
  };
}

function refuseExhausted(detail: string): FetchStopped {
  return new FetchStopped('budget_exhausted', detail);
}
