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
  /** Requests to each of those domains, redirects to it included: its hosts let nobody audit them. */
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
