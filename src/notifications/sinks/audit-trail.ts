import { alertRows } from '../core/alerts.ts';
import type { AlertEffect, Sink, UserEffect } from './sink.ts';

/**
 * The audit trail: one JSON line for each change of a user and for each alert, through `log`. The line of an alert has
 * the severity of its kind. No line holds an e-mail address. What is delivered twice is written twice, with the same
 * `effect`.
 */
export function createAuditTrail(log: (line: Record<string, unknown>) => void): Sink {
  return {
    name: 'audit-trail',
    wants: () => true,
    tell: async (effect) => {
      log(effect.type === 'user' ? formatUserLine(effect) : alertLine(effect));
      return { ok: true };
    },
  };
}

/** The line of a change. It holds no e-mail address. */
export const formatUserLine = (effect: UserEffect) => ({
  event: 'directory_user_changed',
  effect: effect.id,
  customer: effect.customer,
  user_id: effect.userId,
  state: effect.seen.state,
  causes: effect.causes,
  stamp: effect.stamp,
});

/** The line of an alert. */
export const alertLine = ({ id, customer, alert }: AlertEffect) => ({
  event: 'alert',
  severity: alertRows[alert.kind].severity,
  effect: id,
  customer,
  kind: alert.kind,
  subject: alert.subject,
  detail: alert.detail,
});
