import { createCounter, mayAnswerFree } from '../../src/rate-limits/caller-counts.ts';
import { type Allowance, countEvents, rateHeaders } from '../../src/rate-limits/rate-counts.ts';
import { limitsNow } from '../../src/rate-limits/operator-limits.ts';
import type { ControlEnv } from './bindings/env.ts';
import { knownLimits, ownReader } from './bindings/service-limits.ts';

/** Calls of a tenant in a minute, as `MANAGEMENT_LIMIT` of `wrangler.control.toml` has it (a test compares them). */
export const CALLS_A_MINUTE = 60_000;
const MINUTE_S = 60;
const POLICY = 'management';

/** What answers say of the limit that their request was counted against. */
export type RateTold = { headers: Readonly<Record<string, string>> };

/** Sent with every answer (contracts: limits), until a count says more. Asks nobody, and never fails. */
export const untold = (env: ControlEnv): RateTold => ({
  headers: rateHeaders(POLICY, knownLimits(env).management ?? CALLS_A_MINUTE),
});

const counter = createCounter(MINUTE_S * 1_000);

/**
 * Counts one call of a tenant: a part of a batch is one. With a preference of the operator a counter object decides,
 * otherwise the platform's limiter.
 * @returns seconds to wait; 0 for a call that may be made
 */
export async function waitOf(tenant: string, { env, rate }: { env: ControlEnv; rate: RateTold }): Promise<number> {
  const quota = await chosenQuota(env);
  const allowance = await (quota === undefined ? guarded(tenant, env) : counted(tenant, quota, env));
  rate.headers = rateHeaders(POLICY, quota ?? CALLS_A_MINUTE, allowance);
  return allowance.isAllowed ? 0 : allowance.retryAfterS;
}

/** Who finds that the limits are old waits until they are read anew; all others go on with what was known. */
async function chosenQuota(env: ControlEnv): Promise<number | undefined> {
  let reading: Promise<unknown> | undefined;
  const before = limitsNow(ownReader(env), Date.now(), (promise) => {
    reading = promise;
  });
  if (reading === undefined) return before.management;
  await reading;
  return limitsNow(ownReader(env), Date.now(), () => undefined).management;
}

async function guarded(tenant: string, { MANAGEMENT_LIMIT }: ControlEnv): Promise<Allowance> {
  const isAllowed = await mayAnswerFree(tenant, Date.now(), counter, MANAGEMENT_LIMIT);
  return { isAllowed, retryAfterS: MINUTE_S };
}

const counted = (caller: string, quota: number, { RATE_COUNTER }: ControlEnv): Promise<Allowance> =>
  countEvents(RATE_COUNTER, { policy: POLICY, caller, quota, count: 1 }, Date.now());
