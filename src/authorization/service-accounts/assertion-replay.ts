import { sha256Hex } from '../../lib/digest.ts';
import type { StoreTools } from '../oauth/rows.ts';

/** Longest life that an assertion may give itself, and what clocks may differ by, in seconds (rule A2). */
export const MAX_ASSERTION_LIFE_S = 3600;
export const CLOCK_SKEW_S = 60;

const JTI = 'own:assertion:jti:';

/** Whether an assertion of this issuer comes for the first time; one without an id (`jti`) always does. */
export type FirstUse = (issuer: string, claims: { jti?: string | undefined; exp: number }) => Promise<boolean>;

/** Remembers the ids of assertions, of machine clients, service accounts and clients with documents alike, until they have ended (rule A2). Nothing awaits between the look and the write. */
export function firstUseOf({ rows }: StoreTools): FirstUse {
  return async (issuer, { jti, exp }) => {
    if (jti === undefined) return true;
    const key = `${JTI}${await sha256Hex(`${issuer} ${jti}`)}`;
    if (rows.get(key) !== undefined) return false;
    rows.put(key, true, (exp + CLOCK_SKEW_S) * 1000);
    return true;
  };
}
