import { allowPublicAnd } from '../../net/address-policy.ts';
import type { FetchLimits } from '../../net/fetch-budget.ts';
import type { Fetched, FetchTarget } from '../../net/fetched.ts';
import { createGuardedFetch, type FetchFunction } from '../../net/guarded-fetch.ts';
import { createNodeFetch, type ResolveName } from '../core/node-fetch.ts';

/** @param gone closes the connection */
export type BuyerFetch = (target: FetchTarget, gone?: AbortSignal) => Promise<Fetched>;

/** Longest wait for the answer to a payment: the longest run takes 120 s, and its settlement some more. */
const ANSWER_TIMEOUT_MS = 180_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** Limits of one request. What the seller sells is compared to its end. */
const PAID_LIMITS: Partial<FetchLimits> = {
  totalBytes: 2 * MAX_ANSWER_BYTES,
  bodyBytes: MAX_ANSWER_BYTES,
  wallMs: ANSWER_TIMEOUT_MS,
  fetchMs: ANSWER_TIMEOUT_MS,
  firstByteMs: ANSWER_TIMEOUT_MS,
};

/** What Node's own `fetch`, by which `sightline buy` sends, calls itself. */
const USER_AGENT = 'node';

/**
 * Requests as a buyer sends them: to the origin of the seller alone, without following a redirect, and without the `Via` of
 * audits, which our own service refuses beside a payment (rule F7). They reach the addresses that an audit of `url` may read,
 * and no other: a public name that leads inside gets nothing (rule F1).
 */
export function createBuyerFetch(
  url: string,
  { limits = PAID_LIMITS, resolve }: { limits?: Partial<FetchLimits>; resolve?: ResolveName } = {},
): BuyerFetch {
  const { origin } = new URL(url);
  const policy = allowPublicAnd([url], { alternatePorts: true });
  const dial = createNodeFetch(policy, resolve);
  const dialAsBuyer: FetchFunction = (at, init) => {
    const { via: _ofAudits, ...headers } = init.headers;
    return dial(at, { ...init, headers });
  };
  return async (target, gone) => {
    if (new URL(target.url).origin !== origin) throw new TypeError(`${target.url} is not at ${origin}`);
    const signal = gone === undefined ? {} : { signal: gone };
    const send = createGuardedFetch({ fetch: dialAsBuyer, policy, clock: Date.now, limits, ...signal });
    return send({ ...target, headers: { 'user-agent': USER_AGENT, ...target.headers }, follow: false });
  };
}
