import { MINUTE_S } from '../../src/lib/time.ts';
import { createCounter, canAnswerFree } from '../../src/rate-limits/caller-counts.ts';
import { type RateAllowance, countEvents, formatRateHeaders } from '../../src/rate-limits/rate-counts.ts';
import { getCurrentLimits } from '../../src/rate-limits/service-limits.ts';
import type { ControlEnv } from './bindings/env.ts';
import { getKnownLimits, getOwnLimitsReader } from './bindings/service-limits.ts';

/** Calls of a tenant in a minute, as `MANAGEMENT_LIMIT` of `wrangler.control.toml` has it (a test compares them). */
export const CALLS_A_MINUTE = 60_000;
const POLICY = 'management';

/** What answers say of the limit that their request was counted against. */
export type RateHeaders = { headers: Readonly<Record<string, string>> };

/**
 * Sent with every answer until a count gives more (draft-ietf-httpapi-ratelimit-headers). Asks no object, and never
 * fails.
 */
export const getUncountedRate = (env: ControlEnv): RateHeaders => ({
  headers: formatRateHeaders(POLICY, getKnownLimits(env).management ?? CALLS_A_MINUTE),
});

const counter = createCounter(MINUTE_S * 1_000);

/**
 * Counts one call of a tenant: a part of a batch is one. With a preference of the operator a counter object decides,
 * otherwise the platform's limiter.
 * @returns seconds to wait; 0 for a call that may be made
 */
export async function countTenantCall(
  tenant: string,
  { env, rate }: { env: ControlEnv; rate: RateHeaders },
): Promise<number> {
  const quota = await getChosenQuota(env);
  const allowance = await (quota === undefined
    ? countWithPlatformLimiter(tenant, env)
    : countWithCounterObject(tenant, quota, env));
  rate.headers = formatRateHeaders(POLICY, quota ?? CALLS_A_MINUTE, allowance);
  return allowance.isAllowed ? 0 : allowance.retryAfterS;
}

/** Who finds that the limits are old waits until they are read anew; all others go on with what was known. */
async function getChosenQuota(env: ControlEnv): Promise<number | undefined> {
  let reading: Promise<unknown> | undefined;
  const before = getCurrentLimits(getOwnLimitsReader(env), Date.now(), (promise) => {
    reading = promise;
  });
  if (reading === undefined) return before.management;
  await reading;
  return getCurrentLimits(getOwnLimitsReader(env), Date.now(), () => undefined).management;
}

async function countWithPlatformLimiter(tenant: string, { MANAGEMENT_LIMIT }: ControlEnv): Promise<RateAllowance> {
  const isAllowed = await canAnswerFree(tenant, Date.now(), counter, MANAGEMENT_LIMIT);
  return { isAllowed, retryAfterS: MINUTE_S };
}

const countWithCounterObject = (caller: string, quota: number, { RATE_COUNTER }: ControlEnv): Promise<RateAllowance> =>
  countEvents(RATE_COUNTER, { policy: POLICY, caller, quota, count: 1 }, Date.now());
