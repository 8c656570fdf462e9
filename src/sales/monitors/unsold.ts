import { SITE_UNREAD_REASON } from '../../monitors/alerts/unreadable-alerts.ts';
import type { PauseReason } from '../../monitors/core/monitor.ts';
import { AGENT_TOKEN } from '../../monitors/subject/robots-gate.ts';
import type { UnsoldPart } from './part.ts';

/**
 * What an unsold part means for its run. `again`: the same run may be done a little later, and whether it was paid may not be
 * known. `failed`: this run is over; `pause`: so are all later ones, until the owner acts.
 */
export type UnsoldMeaning =
  | { is: 'again'; reason: string; afterS: number }
  | { is: 'failed'; reason: string; detail: string; pause?: PauseReason };

/** Between two attempts, where the problem does not say. */
const AGAIN_S = 60;
const SERVER_ERRORS = 500;

/** Problems that pass by themselves. Others of the service itself (5xx) do, too. */
const PASSING: ReadonlySet<string> = new Set([
  'call_in_progress',
  'call_superseded',
  'cancelled',
  'target_busy',
  'too_many_calls',
  'too_many_failed_payments',
  'too_many_failures',
  'too_many_in_flight',
]);

/** What ends one run and no later one. */
const ENDS_RUN: ReadonlySet<string> = new Set([
  'client_cap_reached',
  'idempotency_key_reused',
  'measurement_incomplete',
  SITE_UNREAD_REASON,
]);

const PAUSES: Readonly<Partial<Record<string, PauseReason>>> = {
  insufficient_credits: 'insufficient_credits',
  client_revoked: 'access_ended',
  engine_not_configured: 'order_refused',
};

export function explainUnsold({ problem, robots }: UnsoldPart): UnsoldMeaning {
  const { code, status, title, detail = title, retryAfterS } = problem;
  if (robots !== undefined)
    return { is: 'failed', reason: 'robots_disallow', detail: describeRobots(robots), pause: 'robots_disallow' };
  if (ENDS_RUN.has(code)) return { is: 'failed', reason: code, detail };
  const pause = PAUSES[code];
  if (pause !== undefined) return { is: 'failed', reason: code, detail, pause };
  if (PASSING.has(code) || status >= SERVER_ERRORS)
    return { is: 'again', reason: code, afterS: retryAfterS ?? AGAIN_S };
  // The order itself is refused: its body, an engine that it names, or its address.
  return { is: 'failed', reason: code, detail, pause: 'order_refused' };
}

const describeRobots = ({ line, url }: NonNullable<UnsoldPart['robots']>): string =>
  `Line ${line} of robots.txt of ${new URL(url).hostname} disallows ${AGENT_TOKEN} by its name`;
