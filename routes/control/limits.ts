import { createCounter, mayAnswerFree } from '../limits.ts';
import type { ControlEnv } from './env.ts';

/** Calls of a tenant in a minute, as `MANAGEMENT_LIMIT` of `wrangler.control.toml` has it (a test compares them). */
export const CALLS_A_MINUTE = 60_000;
const MINUTE_S = 60;

/** Sent with every answer (contracts: limits). */
export const RATE_LIMIT_POLICY = `"management";q=${CALLS_A_MINUTE};w=${MINUTE_S}`;
export const RETRY_AFTER_S = MINUTE_S;

const counter = createCounter(MINUTE_S * 1_000);

/** Counts one call of a tenant: a part of a batch is one. */
export const mayCall = (tenant: string, { MANAGEMENT_LIMIT }: ControlEnv): Promise<boolean> =>
  mayAnswerFree(tenant, Date.now(), counter, MANAGEMENT_LIMIT);
