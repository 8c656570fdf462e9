import type { MiddlewareHandler } from 'hono';
import type { LimitName } from '../src/management/quota/service-limits.ts';
import { type AppContext, type AppEnv, failWith } from './context.ts';
import { callerOf, createCounter, mayAnswerFree } from './limits.ts';
import type { ProblemInput } from './problem.ts';
import { type Allowance, countEvents, rateHeaders } from './rate-counts.ts';
import { chosenLimits, FREE_REQUESTS } from './rate-policy.ts';

const WINDOW_S = 60;

const counter = createCounter(WINDOW_S * 1000);
/** Refusals by the platform's limiter, which does not say when it ends: it has ended a minute after the first of them. */
const refusals = createCounter(WINDOW_S * 1000);

/** Whether a request may go on, and how long to wait if not. `isTooLarge`: it may never, however long it waits. */
export type Verdict = Pick<Allowance, 'isAllowed' | 'retryAfterS' | 'isTooLarge'>;

/**
 * Whether the caller has free answers left; counts this one. With a preference of the operator a counter object decides,
 * otherwise the platform's limiter.
 * @param name `mcp` for what comes to the MCP endpoints: the platform counts it with all else that is free
 * @param count of the calls of a batch, for the counter object; the platform's limiter counts requests
 */
export async function freeAllowed(c: AppContext, name: 'free' | 'mcp' = 'free', count = 1): Promise<Verdict> {
  const quota = chosenLimits(c)[name];
  if (quota !== undefined) return counted(c, name, quota, count);
  return byPlatform(c, callerOf(c.req.raw));
}

/**
 * Whether the terms of a paid route may be answered. Buying begins with them, so by default they are counted apart:
 * nothing else that is free uses them up.
 */
export async function quoteAllowed(c: AppContext): Promise<Verdict> {
  const { free: quota } = chosenLimits(c);
  return quota === undefined ? byPlatform(c, `quote ${callerOf(c.req.raw)}`) : counted(c, 'free', quota, 1);
}

async function byPlatform(c: AppContext, key: string): Promise<Verdict> {
  const now = Date.now();
  const isAllowed = await mayAnswerFree(key, now, counter, c.env.FREE_LIMIT);
  if (!isAllowed) refusals.count(key, now);
  return told(c, 'free', FREE_REQUESTS, { isAllowed, retryAfterS: isAllowed ? 0 : refusals.waitS(key, now) });
}

/** Whether a paid call may be looked at: always, unless the operator set a ceiling against abuse. Asked before any payment is. */
export async function paidAllowed(c: AppContext): Promise<Verdict> {
  const { paid: quota } = chosenLimits(c);
  return quota === undefined ? { isAllowed: true, retryAfterS: 0 } : counted(c, 'paid', quota, 1);
}

async function counted(c: AppContext, policy: LimitName, quota: number, count: number): Promise<Verdict> {
  const events = { policy, caller: callerOf(c.req.raw), quota, count };
  return told(c, policy, quota, await countEvents(c.env.RATE_COUNTER, events, Date.now()));
}

/** Every answer to the request tells of it, whoever makes the answer: see `requestContext`. */
function told(c: AppContext, policy: LimitName, quota: number, allowance: Allowance): Verdict {
  c.set('rateHeaders', rateHeaders(policy, quota, allowance));
  return allowance;
}

/** The 429 of free and unpaid answers. */
export const tooManyFree = ({ retryAfterS }: Pick<Verdict, 'retryAfterS'>): ProblemInput => ({
  status: 429,
  code: 'rate_limited',
  title: 'Too many free requests from this address',
  retryAfterS,
});

/** The 429 of paid calls: no payment was looked at, and none is lost. */
export const tooManyPaid = ({ retryAfterS }: Verdict): ProblemInput => ({
  status: 429,
  code: 'rate_limited',
  title: 'Too many paid requests from this address',
  detail: 'The payment was not looked at: send the same request again later',
  retryAfterS,
});

/** Limits a free route per caller. Paid calls never pass here. */
export const freeGuard: MiddlewareHandler<AppEnv> = async (c, next) => {
  const verdict = await freeAllowed(c);
  if (!verdict.isAllowed) return failWith(c, tooManyFree(verdict));
  await next();
  return undefined;
};
