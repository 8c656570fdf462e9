/**
 * Why a fetch of a user-named URL has no answer we may judge. Stable words: they appear in reports and in problems.
 * `private_target` is a refusal of ours, the others tell what was seen on the wire.
 */
export type FetchFailure =
  | 'invalid_url'
  | 'scheme_refused'
  | 'credentials_refused'
  | 'port_refused'
  | 'private_target'
  | 'redirect_loop'
  | 'too_many_redirects'
  | 'bad_redirect'
  | 'budget_exhausted'
  | 'encoding_refused'
  | 'timeout'
  | 'connection_failed'
  | 'body_failed';

/** One redirect that was followed: the URL that answered, its status, and the absolute URL it named. */
export type Hop = { url: string; status: number; location: string };

/**
 * A request that the auditor wants to make. `maxBytes` caps the DECODED body (default: 5 MiB page cap). With `follow: false` a
 * redirect is the answer: where it leads is not asked.
 */
export type FetchTarget = {
  url: string;
  method?: 'GET' | 'HEAD' | 'POST' | 'OPTIONS';
  headers?: Readonly<Record<string, string>>;
  body?: string;
  maxBytes?: number;
  follow?: false;
};

/**
 * The outcome of a guarded fetch. `ok` means "an HTTP answer was read", whatever its status: a 404 is a fact. `url` is
 * the final URL after redirects; header names are lower case; `bytes` holds at most `maxBytes` decoded bytes,
 * `truncated` means that there were more.
 */
export type Fetched =
  | {
      ok: true;
      url: string;
      status: number;
      headers: Readonly<Record<string, string>>;
      bytes: Uint8Array<ArrayBuffer>;
      truncated: boolean;
      redirects: readonly Hop[];
      elapsedMs: number;
    }
  | { ok: false; reason: FetchFailure; detail: string; redirects: readonly Hop[]; elapsedMs: number };

/** Fetches a URL that a user or an audited site named, inside every limit. Never throws for what the network does. */
export type GuardedFetch = {
  /** @param mayFollow asked before each redirect; false ends the fetch as one that the budget has no room for */
  (target: FetchTarget, mayFollow?: () => Promise<boolean>): Promise<Fetched>;
  /** Counts bytes that an answer grew to once it was read, such as an unzipped file. False: there is no room for them. */
  readonly count?: (bytes: number) => boolean;
  /**
   * Books what a text takes beyond the bytes it was read from, as if these had been read too. Returns why the answer counts
   * as not read, where there is no room for it.
   */
  readonly bookText?: (bytes: number) => FetchStopped | undefined;
};

/**
 * Thrown where only an exception can leave: as the reason of an abort, and by a dialer that refuses an address.
 * The guarded fetch turns it back into data; it never reaches a caller of `GuardedFetch`.
 */
export class FetchStopped extends Error {
  readonly reason: FetchFailure;

  constructor(reason: FetchFailure, detail: string) {
    super(detail);
    this.name = 'FetchStopped';
    this.reason = reason;
  }
}

/** Finds the `FetchStopped` that `error` is or was caused by: fetch implementations wrap what their dialer throws. */
export function findStop(error: unknown): FetchStopped | undefined {
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    if (current instanceof FetchStopped) return current;
    current = current.cause;
  }
  return undefined;
}

/**
 * Names what failed on the wire by the code of the innermost error (`ENOTFOUND`, `UND_ERR_HEADERS_OVERFLOW`), or by
 * its class. Messages are left out: they repeat what the other side sent.
 */
export function getWireErrorName(error: unknown): string {
  let name = 'unknown error';
  let current = error;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    const code: unknown = 'code' in current ? current.code : undefined;
    if (typeof code === 'string' && /^\w{1,60}$/.test(code)) name = code;
    else if (depth === 0) name = current.name;
    current = current.cause;
  }
  return name;
}

/** Longest chain of `cause` that is searched. */
const MAX_CAUSES = 8;

/**
 * `Retry-After`, which is seconds or a date (RFC 9110, section 10.2.3), as milliseconds from `nowMs`: 0 for a time that
 * has passed, at most `mostMs`; undefined for anything else.
 */
export function parseRetryAfterMs(
  header: string | null | undefined,
  nowMs: number,
  mostMs: number,
): number | undefined {
  const text = header?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), mostMs) : undefined;
}
