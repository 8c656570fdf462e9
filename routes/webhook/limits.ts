import { callerOf, createCounter, mayAnswerFree } from '../limits.ts';
import { rateHeaders } from '../rate-counts.ts';
import type { WebhookEnv } from './env.ts';

const MINUTE_MS = 60_000;
/** Calls of an address or an account in a minute, as `OPERATOR_LIMIT` of `wrangler.webhook.toml` has it (a test compares them). */
const OPERATOR_CALLS = 600;

/** Every answer says what our limit is (contract: limits). */
export const POLICY_HEADERS = rateHeaders('operator', OPERATOR_CALLS);

const counter = createCounter(MINUTE_MS);

/**
 * Whether this address may have a token looked at: that asks the one object that knows all tokens. How many a minute,
 * `OPERATOR_LIMIT` of `wrangler.webhook.toml` says.
 */
export const mayAsk = (request: Request, env: WebhookEnv): Promise<boolean> => counted(`a:${callerOf(request)}`, env);

/** Whether this account may call: it has as many calls from all its addresses together. */
export const mayOperate = (account: string, env: WebhookEnv): Promise<boolean> => counted(`u:${account}`, env);

const counted = (key: string, { OPERATOR_LIMIT }: WebhookEnv): Promise<boolean> =>
  mayAnswerFree(key, Date.now(), counter, OPERATOR_LIMIT);
