import { createCounter, mayAnswerFree } from '../../src/rate-limits/caller-counts.ts';
import { type Allowance, rateHeaders } from '../../src/rate-limits/rate-counts.ts';
import { unauthenticatedHeaders } from '../../src/rate-limits/token-gate.ts';
import type { WebhookEnv } from './bindings/env.ts';
import type { Refusal } from './refusals.ts';

const MINUTE_MS = 60_000;
/** Calls of an account in a minute, as `OPERATOR_LIMIT` of `wrangler.webhook.toml` has it (a test compares them). */
const OPERATOR_CALLS = 600;

/** Every answer says what our limit is (contract: limits). */
export const POLICY_HEADERS = rateHeaders('operator', OPERATOR_CALLS);

const counter = createCounter(MINUTE_MS);

/** Whether this account may call: it has so many calls from all its addresses together. */
export const mayOperate = (account: string, { OPERATOR_LIMIT }: WebhookEnv): Promise<boolean> =>
  mayAnswerFree(`u:${account}`, Date.now(), counter, OPERATOR_LIMIT);

/** Why a call without a good token is not answered; undefined where it is. */
export const tooManyUnauthenticated = (allowance: Allowance): Refusal | undefined =>
  allowance.isAllowed
    ? undefined
    : { code: 'rate_limited', retryAfterS: allowance.retryAfterS, headers: unauthenticatedHeaders(allowance) };
