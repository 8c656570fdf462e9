/** What an operator is alerted to; the rows of `alerts-data.ts` say what each means. */
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
