import type { ServiceLimits } from '../src/management/quota/service-limits.ts';
import type { AppContext } from './context.ts';
import { rateHeaders } from './rate-counts.ts';
import { limitsNow } from './service-limits.ts';

/** Free and unpaid answers of a caller in a minute, as `FREE_LIMIT` of `wrangler.toml` has it (a test compares them). */
export const FREE_REQUESTS = 300;

/** The operator's own limits, as far as a preference sets them (contract: limits). */
export function chosenLimits(c: AppContext): ServiceLimits {
  const reader = c.get('settings').TELEMETRY === 'control' ? c.env.QUOTAS : undefined;
  return limitsNow(reader, Date.now(), (promise) => c.executionCtx.waitUntil(promise));
}

/** What an answer says of our limits: the one that its request was counted against, or else the one of free answers. */
export function policyHeaders(c: AppContext, isMcp: boolean): Readonly<Record<string, string>> {
  const counted = c.get('rateHeaders');
  if (counted !== undefined) return counted;
  const { mcp, free = FREE_REQUESTS } = chosenLimits(c);
  return isMcp && mcp !== undefined ? rateHeaders('mcp', mcp) : rateHeaders('free', free);
}
