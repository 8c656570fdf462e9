import { callerOf, createCounter, mayAnswerFree } from '../limits.ts';
import type { WebhookEnv } from './env.ts';

const MINUTE_MS = 60_000;

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
