import type { MiddlewareHandler } from 'hono';
import type { LimitName } from '../../src/rate-limits/own-quotas.ts';
import { networkOf } from '../../src/net/caller-network.ts';
import { type AppContext, type AppEnv, chosenLimits, failWith, FREE_REQUESTS } from './context.ts';
import { callerOf, createCounter, mayAnswerFree, NETWORK_SHARES } from '../../src/rate-limits/caller-counts.ts';
import type { ProblemInput } from '../../src/problems/problem.ts';
import { type Allowance, countEvents, rateHeaders } from '../../src/rate-limits/rate-counts.ts';

const WINDOW_S = 60;

const counter = createCounter(WINDOW_S * 1000);
/** Refusals by the platform's limiter, which does not say when it ends: it has ended a minute after the first of them. */
const refusals = createCounter(WINDOW_S * 1000);
/** Requests of each network, to spread them over its keys. */
const turns = createCounter(WINDOW_S * 1000);

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
  return byPlatform(c, '');
}

/**
 * Whether the terms of a paid route may be answered. Buying begins with them, so by default they are counted apart:
 * nothing else that is free uses them up.
 */
export async function quoteAllowed(c: AppContext): Promise<Verdict> {
  const { free: quota } = chosenLimits(c);
  return quota === undefined ? byPlatform(c, 'quote ') : counted(c, 'free', quota, 1);
}

/** @param kind of the answers that are counted together, before the name of the caller */
async function byPlatform(c: AppContext, kind: string): Promise<Verdict> {
  const now = Date.now();
  const caller = callerOf(c.req.raw);
  const network = networkOf(caller);
  const own = await askPlatform(c, `${kind}${caller}`, now);
  // Only what its caller has left is taken from the network, so that one caller cannot use up the share of the others.
  const verdict = own.isAllowed && network !== caller ? await askForNetwork(c, `${kind}${network}`, now) : own;
  return told(c, 'free', FREE_REQUESTS, verdict);
}

async function askPlatform(c: AppContext, key: string, now: number): Promise<Verdict> {
  const isAllowed = await mayAnswerFree(key, now, counter, c.env.FREE_LIMIT);
  if (!isAllowed) refusals.count(key, now);
  return { isAllowed, retryAfterS: isAllowed ? 0 : refusals.waitS(key, now) };
}

/** The platform gives every key the same limit, so the requests of a network take turns over as many keys as it has shares. */
async function askForNetwork(c: AppContext, network: string, now: number): Promise<Verdict> {
  const turn = turns.count(network, now) % NETWORK_SHARES;
  return askPlatform(c, `${network} ${turn}`, now);
}

/** Whether a paid call may be looked at: always, unless the operator set a ceiling against abuse. Asked before any payment is. */
export async function paidAllowed(c: AppContext): Promise<Verdict> {
  const { paid: quota } = chosenLimits(c);
  return quota === undefined ? { isAllowed: true, retryAfterS: 0 } : counted(c, 'paid', quota, 1);
}

async function counted(c: AppContext, policy: LimitName, quota: number, count: number): Promise<Verdict> {
  const now = Date.now();
  const caller = callerOf(c.req.raw);
  const network = networkOf(caller);
  const own = await countEvents(c.env.RATE_COUNTER, { policy, caller, quota, count }, now);
  // Buyers are no crowd: a ceiling on what is paid is each caller's own.
  if (!own.isAllowed || network === caller || policy === 'paid') return told(c, policy, quota, own);
  const all = { policy: `${policy}-network`, caller: network, quota: quota * NETWORK_SHARES, count };
  const { isAllowed, retryAfterS } = await countEvents(c.env.RATE_COUNTER, all, now);
  return told(c, policy, quota, isAllowed ? own : { isAllowed, retryAfterS, left: 0 });
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
