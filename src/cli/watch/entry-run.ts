import { randomBytes } from 'node:crypto';
import { formatDueRunId, makeAlertId } from '../../monitors/book/ids.ts';
import type { AlertDraft, MonitorAlert } from '../../monitors/core/alert.ts';
import type { MonitorRun } from '../../monitors/core/run.ts';
import type { CommandFailure } from '../core/failure.ts';
import type { WatchedEntry } from './entries.ts';
import type { EntryHistory } from './history-schema.ts';
import type { RunFile } from './history-folder.ts';

/** What a look at an entry came to. `failure`: why there is no result of it. */
export type EntryRun = {
  run: MonitorRun;
  drafts: readonly AlertDraft[];
  files: readonly RunFile[];
  failure?: CommandFailure | undefined;
};

/** What became of an entry. `before`: the run that it was compared with; undefined where there was none. */
export type WatchedResult = {
  entry: Pick<WatchedEntry, 'id' | 'kind' | 'name'>;
  /** Of its history. */
  folder: string;
  run?: MonitorRun;
  before?: MonitorRun | undefined;
  alerts: readonly MonitorAlert[];
  failure?: CommandFailure | undefined;
};

/** A run that begins now. */
export const beginRun = ({ id }: WatchedEntry, { runs }: EntryHistory, nowMs: number): MonitorRun => ({
  id: formatDueRunId(id, nowMs),
  monitorId: id,
  dueMs: nowMs,
  cause: runs.length === 0 ? 'first' : 'manual',
  state: 'failed',
  startedAtMs: nowMs,
  endedAtMs: null,
  lateMs: 0,
  missed: 0,
  reason: null,
  parts: [],
  summary: null,
  alerts: 0,
});

/** The run of an entry that could not be checked. */
export const failRun = (
  run: MonitorRun,
  reason: string,
  failure: CommandFailure,
  drafts: readonly AlertDraft[] = [],
): EntryRun => ({
  run: { ...run, state: 'failed', reason, endedAtMs: Date.now() },
  drafts,
  files: [],
  failure,
});

const drawHex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** The alerts of a run. A key rings once, and not again until a later run rang another of its kind. */
export function selectNewAlerts(
  { id: runId, monitorId, endedAtMs, dueMs }: MonitorRun,
  drafts: readonly AlertDraft[],
  { alerts: known }: EntryHistory,
): readonly MonitorAlert[] {
  return drafts
    .filter(({ kind, key }) => {
      const last = known.find((one) => one.kind === kind)?.runId;
      return !known.some((one) => one.kind === kind && one.runId === last && one.key === key);
    })
    .map((draft) => ({ ...draft, id: makeAlertId(drawHex), monitorId, runId, atMs: endedAtMs ?? dueMs }));
}
