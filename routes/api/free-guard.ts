import type { MiddlewareHandler } from 'hono';
import type { LimitName } from '../../src/rate-limits/service-limits.ts';
import { computeCallerNetwork } from '../../src/net/caller-network.ts';
import { type AppContext, type AppEnv, getChosenLimits, failWith, FREE_REQUESTS } from './context.ts';
import { getCallerAddress, createCounter, canAnswerFree, NETWORK_SHARES } from '../../src/rate-limits/caller-counts.ts';
import type { ProblemInput } from '../../src/problems/problem.ts';
import { type RateAllowance, countEvents, formatRateHeaders } from '../../src/rate-limits/rate-counts.ts';
import { buildProblem } from '../../src/problems/codes.ts';
import { isPagePreferred, showRefusal } from './pages/pages.ts';

const WINDOW_S = 60;

const counter = createCounter(WINDOW_S * 1000);
/** Refusals by the platform's limiter, which does not say when it ends: it has ended a minute after the first of them. */
const refusals = createCounter(WINDOW_S * 1000);
/** Requests of each network, to spread them over its keys. */
const turns = createCounter(WINDOW_S * 1000);

/** Whether a request may go on, and how long to wait if not. `isTooLarge`: it may never, however long it waits. */
export type LimitVerdict = Pick<RateAllowance, 'isAllowed' | 'retryAfterS' | 'isTooLarge' | 'left'>;

/**
 * Whether the caller has free answers left; counts this one. With a preference of the operator a counter object decides,
 * otherwise the platform's limiter.
 * @param name `mcp` for what comes to the MCP endpoints: the platform counts it with all else that is free
 * @param count of the calls of a batch, for the counter object; the platform's limiter counts requests
 */
export async function countFreeRequest(c: AppContext, name: 'free' | 'mcp' = 'free', count = 1): Promise<LimitVerdict> {
  const quota = getChosenLimits(c)[name];
  if (quota !== undefined) return countWithCounterObject(c, name, quota, count);
  return countWithPlatformLimiter(c, '');
}

/**
 * Whether the terms of a paid route may be answered. Buying begins with them, so by default they are counted apart:
 * nothing else that is free uses them up.
 */
export async function countQuoteRequest(c: AppContext): Promise<LimitVerdict> {
  const { free: quota } = getChosenLimits(c);
  return quota === undefined ? countWithPlatformLimiter(c, 'quote ') : countWithCounterObject(c, 'free', quota, 1);
}

/** Whether a batch of a host's own sender may be read. Senders share addresses, so its host is counted. */
export async function countHostRequest(c: AppContext, host: string): Promise<LimitVerdict> {
  return recordAllowance(c, 'free', FREE_REQUESTS, await askPlatform(c, `counts ${host}`, Date.now()));
}

/** @param kind of the answers that are counted together, before the name of the caller */
async function countWithPlatformLimiter(c: AppContext, kind: string): Promise<LimitVerdict> {
  const now = Date.now();
  const caller = getCallerAddress(c.req.raw);
  const network = computeCallerNetwork(caller);
  const own = await askPlatform(c, `${kind}${caller}`, now);
  // Only what its caller has left is taken from the network, so that one caller cannot use up the share of the others.
  const verdict = own.isAllowed && network !== caller ? await askForNetwork(c, `${kind}${network}`, now) : own;
  return recordAllowance(c, 'free', FREE_REQUESTS, verdict);
}

/** The platform's limiter does not say how much is left while it allows: where it refuses, nothing is. */
async function askPlatform(c: AppContext, key: string, now: number): Promise<RateAllowance> {
  if (await canAnswerFree(key, now, counter, c.env.FREE_LIMIT)) return { isAllowed: true, retryAfterS: 0 };
  refusals.count(key, now);
  return { isAllowed: false, retryAfterS: refusals.waitS(key, now), left: 0 };
}

/** The platform gives every key the same limit, so the requests of a network take turns over as many keys as it has shares. */
async function askForNetwork(c: AppContext, network: string, now: number): Promise<RateAllowance> {
  const turn = turns.count(network, now) % NETWORK_SHARES;
  return askPlatform(c, `${network} ${turn}`, now);
}

/** Whether a paid call may be looked at: always, unless the operator set a ceiling against abuse. Asked before any payment is. */
export async function countPaidRequest(c: AppContext): Promise<LimitVerdict> {
  const { paid: quota } = getChosenLimits(c);
  return quota === undefined ? { isAllowed: true, retryAfterS: 0 } : countWithCounterObject(c, 'paid', quota, 1);
}

async function countWithCounterObject(
  c: AppContext,
  policy: LimitName,
  quota: number,
  count: number,
): Promise<LimitVerdict> {
  const now = Date.now();
  const caller = getCallerAddress(c.req.raw);
  const network = computeCallerNetwork(caller);
  const own = await countEvents(c.env.RATE_COUNTER, { policy, caller, quota, count }, now);
  // Buyers are no crowd: a ceiling on what is paid is each caller's own.
  if (!own.isAllowed || network === caller || policy === 'paid') return recordAllowance(c, policy, quota, own);
  const all = { policy: `${policy}-network`, caller: network, quota: quota * NETWORK_SHARES, count };
  const { isAllowed, retryAfterS } = await countEvents(c.env.RATE_COUNTER, all, now);
  return recordAllowance(c, policy, quota, isAllowed ? own : { isAllowed, retryAfterS, left: 0 });
}

/** Stores the headers for every answer to the request, wherever it is built: see `requestContext`. */
function recordAllowance(c: AppContext, policy: LimitName, quota: number, allowance: RateAllowance): LimitVerdict {
  c.set('rateHeaders', formatRateHeaders(policy, quota, allowance));
  return allowance;
}

/** Adds what another limit says of itself: both headers are lists, of which each member names its policy. */
export function addRateHeaders(c: AppContext, headers: Readonly<Record<string, string>>): void {
  const known = c.get('rateHeaders') ?? {};
  const joined = Object.entries(headers).map(([name, value]) => {
    const before = known[name];
    return [name, before === undefined ? value : `${before}, ${value}`] as const;
  });
  c.set('rateHeaders', { ...known, ...Object.fromEntries(joined) });
}

export const TOO_MANY_FREE = 'Too many free requests from this address';
export const TOO_MANY_PAID = 'Too many paid requests from this address';

/** The 429 of free and unpaid answers. */
export const buildTooManyFreeProblem = ({ retryAfterS }: Pick<LimitVerdict, 'retryAfterS'>): ProblemInput =>
  buildProblem('rate_limited', { detail: TOO_MANY_FREE, retryAfterS });

/** The 429 of paid calls: no payment was looked at, and none is lost. */
export const buildTooManyPaidProblem = ({ retryAfterS }: LimitVerdict): ProblemInput =>
  buildProblem('rate_limited', {
    detail: `${TOO_MANY_PAID}. The payment was not read: send the same request again later`,
    retryAfterS,
  });

/** Limits a free route per caller; people read the refusal as a page. Paid calls never pass here. */
export const guardFreeRoute: MiddlewareHandler<AppEnv> = async (c, next) => {
  const verdict = await countFreeRequest(c);
  if (!verdict.isAllowed) {
    const problem = buildTooManyFreeProblem(verdict);
    return isPagePreferred(c) ? showRefusal(c, problem) : failWith(c, problem);
  }
  await next();
  return undefined;
};
