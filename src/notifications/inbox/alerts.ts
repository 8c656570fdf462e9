import type { Alert } from '../core/alert.ts';
import { writeDeliveries } from './deliveries.ts';
import { belongsTo, type Desk, nextStamp } from './tables.ts';
import type { AlertEffect, Effect } from '../sinks/sink.ts';

const MAX_DETAIL_CHARS = 500;

/** Opens an alert and writes what sinks are told of it. @returns false when it is open already */
export function raise(
  desk: Desk,
  customer: string,
  { alert, sinksFor }: { alert: Alert; sinksFor: (effect: Effect) => readonly string[] },
): boolean {
  belongsTo(desk, customer);
  const detail = alert.detail.slice(0, MAX_DETAIL_CHARS);
  const opened = desk.run(
    'INSERT INTO alert (kind, subject, raised_ms, detail) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING kind',
    alert.kind,
    alert.subject,
    alert.raisedAtMs,
    detail,
  );
  if (opened.length === 0) return false;
  const id = `${customer}/alert/${nextStamp(desk)}`;
  const effect: AlertEffect = { type: 'alert', id, customer, alert: { ...alert, detail } };
  writeDeliveries(desk, effect, sinksFor(effect));
  return true;
}

/** Ends an alert: it may be raised again. */
export function over({ run }: Desk, kind: Alert['kind'], subject: string): void {
  run('DELETE FROM alert WHERE kind = ? AND subject = ?', kind, subject);
}
