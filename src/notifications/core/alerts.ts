/** What an operator is alerted to; `alertRows` says what each means. */
export type AlertKind =
  | 'dead_letter'
  | 'channel_lead_low'
  | 'channel_lapsed'
  | 'no_sync'
  | 'credentials_refused'
  | 'watch_refused'
  | 'clock_skew'
  | 'circuit_open'
  | 'messages_collapsed'
  | 'resync_failing'
  | 'last_operator';

/** One alert. `subject` is what it is about (a channel's id, a user's id); together with `kind` it is raised once until it is over. */
export type Alert = {
  kind: AlertKind;
  subject: string;
  raisedAtMs: number;
  /** Numbers and our own words: no token, no e-mail address. */
  detail: string;
};

/** Of a log line, as the log's own levels name it. WARNING: nothing is lost yet. ERROR: someone has to act. */
export type AlertSeverity = 'WARNING' | 'ERROR';

export type AlertRow = {
  severity: AlertSeverity;
  /** What has happened: one sentence. */
  means: string;
  /** What to do about it: one sentence. */
  todo: string;
};

/**
 * What each alert means. An alert goes to the log, as a line with its severity, and to the outgoing webhooks that take
 * alerts, as `alert.<kind>`; once until it is over. docs/operate/monitoring-and-alerts.md shows the same rows.
 */
export const alertRows: Record<AlertKind, AlertRow> = {
  dead_letter: {
    severity: 'ERROR',
    means: 'Messages were given up after five tries, or refused by a receiver; they are stored for 14 days.',
    todo: 'Read why with `sightline channels messages --state dead`, fix the cause, then replay them.',
  },
  channel_lead_low: {
    severity: 'WARNING',
    means: 'A channel has less than half of its lead left and no successor yet.',
    todo: 'See its last error with `sightline channels show`; renew it by hand once the vendor answers.',
  },
  channel_lapsed: {
    severity: 'ERROR',
    means: 'A channel ended before its successor was open, so changes were missed; all users are being read again.',
    todo: 'Find out why renewing failed, and wait until `sightline channels status` shows the resync as done.',
  },
  no_sync: {
    severity: 'WARNING',
    means: 'A new channel was granted, but its first message did not come within 60 seconds.',
    todo: 'Check that the vendor reaches WEBHOOK_URL by https with a valid certificate.',
  },
  credentials_refused: {
    severity: 'ERROR',
    means: 'The directory refuses the credentials of this service; channels are tried again within 15 minutes.',
    todo: 'Renew the key or the token, and the grants of the service account and of the user it acts for.',
  },
  watch_refused: {
    severity: 'ERROR',
    means:
      'The directory refuses to open this channel, or grants one that has already ended; it is tried again within the hour.',
    todo: 'Read the last error; stop the channel and create it again with another customer, domain or event.',
  },
  clock_skew: {
    severity: 'WARNING',
    means:
      'The clocks of the vendor and of this service differ by more than 60 seconds; expiry times are corrected for it, up to an hour.',
    todo: 'Check the clock of the machine that runs the Worker.',
  },
  circuit_open: {
    severity: 'WARNING',
    means: 'The vendor fails for this customer again and again; one call a minute is tried until one succeeds.',
    todo: 'Check the status page of the vendor; channels are renewed automatically when it answers again.',
  },
  messages_collapsed: {
    severity: 'WARNING',
    means: 'A channel had too many messages waiting, so further ones were replaced by reading all users again.',
    todo: 'Find out what changes so many users, and whether the token of the channel is known to others.',
  },
  resync_failing: {
    severity: 'ERROR',
    means: 'Reading all users again keeps failing, so changes may be missing.',
    todo: 'See `sightline channels status`, then check that the credentials may list the users of the customer.',
  },
  last_operator: {
    severity: 'ERROR',
    means: 'The directory user of the last operator is gone or suspended; the operator keeps its access.',
    todo: 'Add another operator, then remove this one.',
  },
};
