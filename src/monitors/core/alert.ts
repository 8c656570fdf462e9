import type { OutcomeStatus } from '../../audit/core/check.ts';
import type { CheckEvidence } from '../../audit/core/evidence.ts';
import type { RateInterval } from '../../visibility/metrics/statistics.ts';

export type AlertKind =
  /** Sites. */
  | 'verdict_changed'
  | 'score_moved'
  | 'gate_fired'
  | 'gate_lifted'
  | 'site_unreadable'
  | 'site_readable'
  /** The start page leads to another host than before: what is there is another site. */
  | 'site_moved'
  | 'rubric_changed'
  /** Brands. */
  | 'rate_changed'
  | 'model_changed'
  /** The monitor itself. */
  | 'run_failed'
  | 'credits_low'
  | 'paused'
  | 'resumed';

/** `critical`: sent in quiet hours too. `info`: never by itself a reason to write to someone at night. */
export type AlertSeverity = 'info' | 'warning' | 'critical';

/** One side of a change. `evidence` is the site's own, hostile text. */
export type AlertReading = {
  /** A short text of ours: `pass`, `71 points`, `40 % (28 to 54)`. */
  text: string;
  status?: OutcomeStatus;
  value?: number;
  rate?: RateInterval;
  evidence?: readonly CheckEvidence[];
};

/** One thing that changed. */
export type AlertChange = {
  /** A check id, the name of a score, or of an engine. */
  id: string;
  title: string;
  before: AlertReading | null;
  after: AlertReading | null;
  /** Check ids that explain it. */
  because?: readonly string[];
  /** Whether it is worse than before; absent where that has no meaning. */
  isWorse?: boolean;
  /** Which rule it broke, in an alert that says several things of one run. */
  kind?: AlertKind;
  /** Of an engine whose answers are made up or replayed. */
  simulated?: true;
  /** Of a check: its weight. */
  weight?: number;
  /** The last run in which it was as before, where that is not the one that the alert is compared with. */
  since?: { runId: string; atMs: number };
};

/** An alert as rules make it. */
export type AlertDraft = {
  kind: AlertKind;
  severity: AlertSeverity;
  /** The same key rings once in a run, and not again until a later run raised another of its kind. */
  key: string;
  /** One sentence: what happened. */
  title: string;
  changes: readonly AlertChange[];
  /** The run that it is compared with. */
  since: { runId: string; atMs: number; reportId?: string } | null;
  /** Of the run that rang. */
  reportId?: string;
  /** Changes beyond those that are listed. */
  more?: number;
  /** Whose: a competitor's address; absent for the watched site or brand itself. */
  competitor?: string;
};

export type MonitorAlert = AlertDraft & {
  /** `alr_` and 24 hex digits. */
  id: string;
  monitorId: string;
  /** Absent for alerts of the monitor itself. */
  runId: string | null;
  /** Unix milliseconds. */
  atMs: number;
};
