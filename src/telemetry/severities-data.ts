/** Severities of the logging interface. */
export const SEVERITIES: ReadonlySet<string> = new Set([
  'DEBUG',
  'INFO',
  'NOTICE',
  'WARNING',
  'ERROR',
  'CRITICAL',
  'ALERT',
  'EMERGENCY',
]);

/** Severity of a log line by its event, where the line names none. Of others what `_failed` is an ERROR, the rest INFO. */
export const EVENT_SEVERITIES: Readonly<Record<string, string>> = {
  alert: 'WARNING',
  bug: 'ERROR',
  chain_unreadable: 'WARNING',
  delivery_dead: 'WARNING',
  directory_user_changed: 'NOTICE',
  facilitator_unavailable: 'WARNING',
  meter_unavailable: 'WARNING',
  notification_not_kept: 'ERROR',
  notifications_forged: 'WARNING',
  operator_action: 'NOTICE',
  prompt_not_buried: 'WARNING',
  prompt_not_recorded: 'WARNING',
  prompt_undelivered: 'WARNING',
  push_not_recorded: 'WARNING',
  push_unreadable: 'WARNING',
  settlement_open: 'WARNING',
  settling_without_result: 'ERROR',
  telemetry_dropped: 'WARNING',
  wake_unreadable: 'WARNING',
};
