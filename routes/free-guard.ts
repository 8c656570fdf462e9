import type { MiddlewareHandler } from 'hono';
import { type AppEnv, failWith } from './context.ts';
import { callerOf, createCounter, mayAnswerFree } from './limits.ts';

/** The policy of free and unpaid answers, as `RateLimit-Policy` says it: 300 a minute per caller. */
export const FREE_POLICY = '"free";q=300;w=60';
const WINDOW_S = 60;

const counter = createCounter(WINDOW_S * 1000);

/** Whether the caller has free answers left; counts this one. */
export const freeAllowed = (request: Request, limiter: RateLimit): Promise<boolean> =>
  mayAnswerFree(callerOf(request), Date.now(), counter, limiter);

/** The 429 of free and unpaid answers. */
export const tooManyFree = {
  status: 429,
  code: 'rate_limited',
  title: 'Too many free requests from this address',
  retryAfterS: WINDOW_S,
  headers: { 'ratelimit-policy': FREE_POLICY },
} as const;

/** Limits a free route per caller. Paid calls never pass here. */
export const freeGuard: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!(await freeAllowed(c.req.raw, c.env.FREE_LIMIT))) return failWith(c, tooManyFree);
  await next();
  c.res.headers.set('ratelimit-policy', FREE_POLICY);
  return undefined;
};
