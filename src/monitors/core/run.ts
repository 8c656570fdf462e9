import type { ScoreName } from '../../audit/core/check.ts';
import type { RateInterval } from '../../visibility/metrics/statistics.ts';
import type { MeasuredBrand } from '../../visibility/trend/measured-run.ts';
import type { AlertDraft } from './alert.ts';
import type { Monitor, PauseReason } from './monitor.ts';

/** `first`: right after the monitor was made. */
export type RunCause = 'first' | 'schedule' | 'manual';

/** `reserved`: due, and on its way; `stored`: its reports are there, and it was charged. A run that failed was not. */
export type MonitorRunState = 'reserved' | 'stored' | 'failed';

/** One paid result of a run. */
export type RunPart = {
  role: 'subject' | 'competitor';
  /** The audited site; absent for a brand. */
  url?: string;
  capability: string;
  reportId: string;
  amountMicroUsdc: number;
};

export type WatchedRubric = { version: string; sha256: string };

/**
 * Scores of a site as history shows them; null where the score does not apply. `gates`: ids of those that hold it down. `interval`:
 * where enough kinds of pages were read to say one.
 */
export type WatchedScores = Partial<
  Record<
    ScoreName,
    { score: number; coverage: number; gates: readonly string[]; interval?: { low: number; high: number } } | null
  >
>;

/** What history keeps of a run of a site. */
export type SiteSummary = {
  kind: 'site';
  rubric: WatchedRubric;
  scores: WatchedScores;
  counts: { pass: number; partial: number; fail: number; not_applicable: number; unknown: number };
  /** The host that answered for the start page, after its redirects. */
  startHost?: string;
  /** `verdicts`: as those of the site. */
  competitors: readonly {
    url: string;
    scores: WatchedScores | null;
    missing?: string;
    verdicts?: string;
  }[];
  /**
   * What each check said, so that a later run knows what is news: a letter for each check with a weight, in the order of their ids
   * (`../facts/verdict-letters.ts`). Lines of one rubric compare.
   */
  verdicts?: string;
  /** Why the site counts as not read, though it was audited: its start page answered 5xx, 408 or 429. */
  unread?: string;
};

/** What history keeps of a run of a brand: enough to test it against later ones. */
export type BrandSummary = {
  kind: 'brand';
  measured: MeasuredBrand;
  rates: readonly { engine: string; rate: RateInterval | null; simulated: boolean }[];
  /** Engines whose level changed since the monitor began: the run from which on the level of now counts. */
  levels?: readonly { engine: string; since: string }[];
};

export type MonitorSummary = SiteSummary | BrandSummary;

export type MonitorRun = {
  /** `run_`, the hex digits of its monitor's id, a hyphen, and its due time or a random part: the same due time is the same run. */
  id: string;
  monitorId: string;
  /** When it was due, in Unix milliseconds; for a manual run when it was asked for. */
  dueMs: number;
  cause: RunCause;
  state: MonitorRunState;
  startedAtMs: number | null;
  endedAtMs: number | null;
  /** How much later than due it began, where that is more than a schedule explains; 0 otherwise. */
  lateMs: number;
  /** Due times before it that had no run, because the service was down or the run before took that long. */
  missed: number;
  /** Of a failed run: why. */
  reason: string | null;
  parts: readonly RunPart[];
  /** Absent for a failed run, and for a stored one whose reports could not be read back. */
  summary: MonitorSummary | null;
  /** Alerts that it raised. */
  alerts: number;
};

/** What a consumer is given to do: made once per attempt, and void when another attempt owns the run. */
export type RunOrder = {
  monitor: Monitor;
  run: MonitorRun;
  /** Counts from 1. */
  attempt: number;
  /** Runs before it, newest first, at most as many as a test of a brand looks back. */
  history: readonly MonitorRun[];
  /** What the account's runs cost, in micro-USDC, that are due until and with this monitor's next one; 0 without one. */
  aheadMicroUsdc: number;
};

/** What became of an attempt. */
export type RunResult =
  /** `summary`: null where what was paid for could not be read back in the end, or no engine gave enough answers. */
  | { state: 'stored'; parts: readonly RunPart[]; summary: MonitorSummary | null; alerts: readonly AlertDraft[] }
  /** Not charged. `pause`: no later run can do better until its owner acts. */
  | { state: 'failed'; reason: string; detail: string; alerts: readonly AlertDraft[]; pause?: PauseReason }
  /** Whether it was paid is not known, or the service was busy: the same run is tried again. */
  | { state: 'again'; reason: string; afterS: number };
