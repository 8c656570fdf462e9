/**
 * Severity of a log line by its event; one that the line names itself can only raise it. Of others what `_failed` is an
 * ERROR, the rest INFO. From NOTICE on entries outlive those of traffic where room is short: nothing that anyone can
 * cause at will, such as a refusal, is among them.
 */
export const EVENT_SEVERITIES: Readonly<Record<string, string>> = {
  alert: 'WARNING',
  bug: 'ERROR',
  chain_unreadable: 'WARNING',
  channels_operated: 'NOTICE',
  // The overview says itself that it could not look.
  console_signal_failed: 'WARNING',
  delivery_dead: 'WARNING',
  directory_user_changed: 'NOTICE',
  facilitator_unavailable: 'WARNING',
  last_operator_kept: 'WARNING',
  meter_unavailable: 'WARNING',
  notification_not_kept: 'ERROR',
  notifications_forged: 'WARNING',
  operator_access_ended: 'NOTICE',
  operator_action: 'NOTICE',
  payment_reorged: 'ERROR',
  // An engine that refuses for a moment is asked again: what a run came to says whether a person is needed.
  prompt_failed: 'INFO',
  prompt_not_buried: 'WARNING',
  prompt_not_recorded: 'WARNING',
  prompt_undelivered: 'WARNING',
  push_not_recorded: 'WARNING',
  push_unreadable: 'WARNING',
  settlement_mismatch: 'ERROR',
  facilitator_distrusted: 'ERROR',
  facilitator_trusted: 'NOTICE',
  facilitator_trust_unknown: 'WARNING',
  settlement_open: 'WARNING',
  settling_without_result: 'ERROR',
  telemetry_dropped: 'WARNING',
  top_up_dropped: 'WARNING',
  top_up_lost: 'ERROR',
  top_up_unresolved: 'WARNING',
  unit_dead: 'WARNING',
  wake_unreadable: 'WARNING',
};
