import { alertRows } from '../core/alerts-data.ts';
import type { AlertEffect, Effect, UserEffect } from './sink.ts';

/**
 * The body of an outgoing webhook as JSON: `type`, `timestamp` (when the user was read or the alert raised, ISO 8601) and
 * `data`. The same effect has the same body however often it is sent. Without `email` it holds no e-mail address (rule W8).
 */
export function webhookBody(effect: Effect, { email }: { email: boolean }): string {
  return JSON.stringify(effect.type === 'user' ? userBody(effect, email) : alertBody(effect));
}

function userBody({ customer, userId, stamp, causes, seen, readAtMs }: UserEffect, email: boolean) {
  const { state } = seen;
  const { user } = seen.state === 'gone' ? {} : seen;
  return {
    type: `user.${state}`,
    timestamp: new Date(readAtMs).toISOString(),
    data: {
      customer,
      user_id: userId,
      stamp,
      causes,
      state,
      ...(user && { org_unit_path: user.orgUnitPath, is_admin: user.isAdmin }),
      ...(user && email && { email: user.primaryEmail }),
    },
  };
}

const alertBody = ({ customer, alert }: AlertEffect) => ({
  type: `alert.${alert.kind}`,
  timestamp: new Date(alert.raisedAtMs).toISOString(),
  data: {
    customer,
    severity: alertRows[alert.kind].severity,
    kind: alert.kind,
    subject: alert.subject,
    detail: alert.detail,
  },
});
