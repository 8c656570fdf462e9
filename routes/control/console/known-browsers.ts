import { createCounter } from '../../../src/rate-limits/caller-counts.ts';

/** How long a browser's sign-in is remembered after it was last asked about. */
const HOUR_MS = 3_600_000;

/** Browsers by the hash of their session, whose sign-in was good when this isolate last asked. */
const known = createCounter(HOUR_MS);

/** Its sign-in is asked about each time all the same: only limits of its address are passed. */
export const isKnownBrowser = (sessionHash: string): boolean => known.peek(sessionHash, Date.now()) > 0;

export const rememberBrowser = (sessionHash: string): void => void known.count(sessionHash, Date.now());

export const forgetBrowser = (sessionHash: string): void => known.forget(sessionHash);
