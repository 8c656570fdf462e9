import type { FetchFailure } from './fetched.ts';

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
