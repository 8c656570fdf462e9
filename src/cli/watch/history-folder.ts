import { existsSync, readFileSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { MAX_RECORDING_CHARS } from '../../capabilities/recording.ts';
import { findBaselineRun } from '../../monitors/alerts/site-trace.ts';
import { MAX_KEPT_RUNS } from '../../monitors/core/monitor.ts';
import type { MonitorRun } from '../../monitors/core/run.ts';
import { inflateAtMost } from '../../net/inflate.ts';
import { createFolder } from '../core/create-folder.ts';
import { type CommandFailure, refuseCommand } from '../core/failure.ts';
import { replaceOwned, runUnderLock } from '../core/file-lock.ts';
import { refuseUnwritable } from '../core/output.ts';
import { EXIT } from '../core/usage.ts';
import type { WatchedEntry } from './entries.ts';
import {
  type EntryHistory,
  HISTORY_FORMAT,
  HISTORY_VERSION,
  MAX_WATCH_ALERTS,
  parseHistory,
} from './history-schema.ts';

const HISTORY_FILE = 'history.json';
const LOCK_FILE = '.lock';
/** Largest `history.json` that is read, in bytes: 400 runs have some two MiB. */
const MAX_HISTORY_BYTES = 64 * 1024 * 1024;
/** Answers of a brand are kept for so many runs: `sightline history` compares any of them. */
export const MAX_KEPT_MEASUREMENTS = 52;
/** Another run of the same folder is not waited for. A lock is touched before each entry, which takes less than this. */
const LOCK_TIMES = { waitMs: 100, staleMs: 3_600_000 };

const HOW_TO_REPAIR =
  'Restore the file from a copy, or move its folder away to begin a new history. Nothing was run or changed.';

export const refuseHistory = (file: string, detail: string): CommandFailure =>
  refuseCommand('history_unusable', `${file} ${detail}.`, EXIT.usage, HOW_TO_REPAIR);

export const EMPTY_HISTORY: EntryHistory = { runs: [], alerts: [] };

/** The history of an entry; an empty one where there is none yet. What is there and cannot be read is refused. */
export function readEntryHistory(root: string, { folder, id }: WatchedEntry): EntryHistory | CommandFailure {
  const file = join(root, folder, HISTORY_FILE);
  let text: string;
  try {
    const seen = statSync(file, { throwIfNoEntry: false });
    if (seen === undefined) return refuseOrphans(join(root, folder)) ?? EMPTY_HISTORY;
    if (seen.size > MAX_HISTORY_BYTES) return refuseHistory(file, `is larger than ${MAX_HISTORY_BYTES} bytes`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return refuseHistory(
      file,
      `cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : String(error)})`,
    );
  }
  const read = parseHistory(text, id);
  if (!read.ok) return refuseHistory(file, read.detail);
  const missing = listKeptFiles(read.history.runs).find((name) => !existsSync(join(root, folder, name)));
  return missing === undefined ? read.history : refuseHistory(join(root, folder, missing), 'is missing');
}

/** Files of runs without the list of runs: a history that lost it, unless the first run broke off before it was written. */
function refuseOrphans(folder: string): CommandFailure | undefined {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const runs = new Set(names.flatMap((name) => /^run_[0-9a-f]{24}-\d{1,16}/.exec(name) ?? []));
  return runs.size > 1 ? refuseHistory(join(folder, HISTORY_FILE), 'is missing') : undefined;
}

/** One file of a run. `kind`: what it is; measurements stay plain, as `sightline history` reads them. */
export type RunFile = { reportId: string; kind: 'report' | 'snapshot' | 'measurement'; text: string };

const formatFileName = (reportId: string, kind: RunFile['kind']): string =>
  kind === 'measurement' ? `${reportId}.json` : `${reportId}.${kind}.json.gz`;

/** Of sites the last run that was read, which the next one is compared with; of brands the answers of the last runs. */
function listKeptFiles(runs: readonly MonitorRun[]): readonly string[] {
  const site = findBaselineRun(runs)?.parts ?? [];
  const brand = runs.filter(({ summary }) => summary?.kind === 'brand').slice(0, MAX_KEPT_MEASUREMENTS);
  return [
    ...site.flatMap(({ reportId }) => [formatFileName(reportId, 'report'), formatFileName(reportId, 'snapshot')]),
    ...brand.map(({ id }) => formatFileName(id, 'measurement')),
  ];
}

/** A compressed file of the run before. @throws HistoryFault where it is broken */
export async function readRunFile(folder: string, reportId: string, kind: 'report' | 'snapshot'): Promise<string> {
  const file = join(folder, formatFileName(reportId, kind));
  const packed = new Uint8Array(readFileSync(file));
  const { bytes, end } = await inflateAtMost(packed, 'gzip', MAX_RECORDING_CHARS);
  if (end !== 'whole') throw new HistoryFault(file, 'is broken: it cannot be unpacked');
  return new TextDecoder().decode(bytes);
}

/** A file of the history that cannot be used. */
export class HistoryFault extends Error {
  readonly file: string;
  readonly detail: string;

  constructor(file: string, detail: string) {
    super(`${file} ${detail}`);
    this.file = file;
    this.detail = detail;
  }
}

/**
 * Writes a history with its newest run: first the files of that run, then the list, which names them, and only then what no run
 * needs any more goes. Whatever breaks off leaves the history of before or the new one.
 */
export async function writeHistory(
  root: string,
  { folder, id, name }: WatchedEntry,
  { runs, alerts }: EntryHistory,
  files: readonly RunFile[],
): Promise<CommandFailure | undefined> {
  const place = join(root, folder);
  const kept = runs.slice(0, MAX_KEPT_RUNS);
  const wanted = new Set(listKeptFiles(kept));
  const text = JSON.stringify(
    {
      format: HISTORY_FORMAT,
      version: HISTORY_VERSION,
      id,
      name,
      runs: kept,
      alerts: alerts.slice(0, MAX_WATCH_ALERTS),
    },
    null,
    1,
  );
  try {
    createFolder(place);
    for (const { reportId, kind, text: content } of files) {
      const file = formatFileName(reportId, kind);
      if (wanted.has(file)) await replaceOwned(join(place, file), kind === 'measurement' ? content : gzipSync(content));
    }
    await replaceOwned(join(place, HISTORY_FILE), `${text}\n`);
    for (const file of readdirSync(place)) if (file.startsWith('run_') && !wanted.has(file)) rmSync(join(place, file));
    return undefined;
  } catch (error) {
    return refuseUnwritable(place, error);
  }
}

/** Does `work` while no other run writes to the folder. It says by `keepLock` that it is alive, before each entry. */
export async function runWithHistory<T>(
  root: string,
  work: (keepLock: () => void) => Promise<T>,
): Promise<T | CommandFailure> {
  const lock = join(root, LOCK_FILE);
  try {
    createFolder(root);
  } catch (error) {
    return refuseUnwritable(root, error);
  }
  let hasBegun = false;
  try {
    return await runUnderLock(lock, LOCK_TIMES, () => {
      hasBegun = true;
      return work(() => utimesSync(lock, new Date(), new Date()));
    });
  } catch (error) {
    if (hasBegun) throw error;
    if (error instanceof Error && 'code' in error) return refuseUnwritable(lock, error);
    return refuseCommand(
      'history_busy',
      `Another sightline watch runs on ${root}.`,
      EXIT.usage,
      `Wait for it. If none runs, delete ${lock}.`,
    );
  }
}
