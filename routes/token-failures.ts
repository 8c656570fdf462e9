import { createCounter } from './limits.ts';

/** Tokens of a caller that may be good for nothing in a minute; beyond it the store is not asked about further ones. */
const MAX_FAILED_TOKENS = 30;
const MINUTE_MS = 60_000;
/** How long a token that was good is remembered: the life of an access token. */
const HOUR_MS = 3_600_000;

const failures = createCounter(MINUTE_MS);
const good = createCounter(HOUR_MS);

/** Whether this caller must wait with this token. One that was good within the hour never waits for its neighbours. */
export const mustWaitForTokens = (caller: string, tokenHash: string, nowMs: number): boolean =>
  failures.peek(caller, nowMs) >= MAX_FAILED_TOKENS && good.peek(tokenHash, nowMs) === 0;

/** Remembers what became of a token. */
export function rememberToken(caller: string, tokenHash: string, isGood: boolean, nowMs: number): void {
  if (isGood) good.count(tokenHash, nowMs);
  else failures.count(caller, nowMs);
}
