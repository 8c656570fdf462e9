import type { AlertDraft, MonitorAlert } from '../core/alert.ts';
import type { Monitor, PauseReason } from '../core/monitor.ts';
import type { BookParts } from './parts.ts';
import { makeAlertId } from './ids.ts';

/** Alerts that a monitor keeps; the oldest goes when another comes. */
export const MAX_KEPT_ALERTS = 1_000;

/**
 * Writes alerts and hands them to the outbox, in the transaction of the caller. A key rings once in a run, and not again until a
 * later run rang another of its kind.
 * @returns those that rang
 */
export function raiseAlerts(
  { monitors, alerts, outbox, tools }: BookParts,
  monitor: Monitor,
  runId: string | null,
  drafts: readonly AlertDraft[],
): readonly MonitorAlert[] {
  const atMs = tools.now();
  const lastKeys = new Map(
    [...new Set(drafts.map(({ kind }) => kind))].map((kind) => [kind, new Set(alerts.listLastKeys(monitor.id, kind))]),
  );
  const rung: MonitorAlert[] = [];
  for (const draft of drafts) {
    const keys = lastKeys.get(draft.kind);
    if (keys?.has(draft.key) === true) continue;
    keys?.add(draft.key);
    rung.push({ ...draft, id: makeAlertId(tools.random), monitorId: monitor.id, runId, atMs });
  }
  if (rung.length === 0) return rung;
  for (const alert of rung) alerts.insert(alert);
  monitors.setAlerts(monitor.id, alerts.dropOld(monitor.id, MAX_KEPT_ALERTS));
  outbox.accept(monitor, rung, atMs);
  return rung;
}

const PAUSED_TITLES: Readonly<Record<PauseReason, string>> = {
  by_owner: 'The monitor is paused.',
  insufficient_credits: 'The monitor is paused: its account has too little credit for the next run.',
  access_ended: 'The monitor is paused: the access with which it was made has ended.',
  robots_disallow: 'The monitor is paused: robots.txt of the site disallows our agent.',
  engine_budget: 'The monitor is paused: what free monitors may spend on engines today is used up.',
  order_refused: 'The monitor is paused: its order is refused and has to be changed.',
};

/** The alert of a pause that its owner did not ask for. */
export const draftPaused = (reason: PauseReason, atMs: number): AlertDraft => ({
  kind: 'paused',
  severity: 'warning',
  key: `paused:${reason}:${atMs}`,
  title: PAUSED_TITLES[reason],
  changes: [],
  since: null,
});

/** The alert of a pause that is over. */
export const draftResumed = (atMs: number): AlertDraft => ({
  kind: 'resumed',
  severity: 'info',
  key: `resumed:${atMs}`,
  title: 'The monitor runs again.',
  changes: [],
  since: null,
});

/** The alert of a run that was given up: its last attempts end it by what is paid, so that no one could say that. */
export const draftGivenUp = (runId: string, attempts: number): AlertDraft => ({
  kind: 'run_failed',
  severity: 'warning',
  key: `run_failed:${runId}`,
  title: `A run was given up after ${attempts} attempts, and whether it was charged could not be asked: the account's credits show it.`,
  changes: [],
  since: null,
});
