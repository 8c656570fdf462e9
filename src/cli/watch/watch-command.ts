import { join, resolve } from 'node:path';
import { findBaselineRun } from '../../monitors/alerts/site-trace.ts';
import type { MonitorRun } from '../../monitors/core/run.ts';
import { type GivenWords, parseCommand } from '../commands/parse.ts';
import type { CommandTable } from '../commands/table.ts';
import { readConfig } from '../config/read-config.ts';
import { type CommandEnd, type CommandFailure, isFailure, refuseUsage } from '../core/failure.ts';
import { createNotes, refuseUnwritableFile, writeResult } from '../core/output.ts';
import { EXIT } from '../core/usage.ts';
import { listEntries, type WatchedEntry } from './entries.ts';
import { selectNewAlerts, type WatchedResult } from './entry-run.ts';
import { HistoryFault, runWithHistory, readEntryHistory, refuseHistory, writeHistory } from './history-folder.ts';
import type { EntryHistory } from './history-schema.ts';
import { formatWatched } from './print-watch.ts';
import { watchBrand } from './watch-brand.ts';
import { watchSite, type WatchedLookTools } from './watch-site.ts';

/** Where the history is, beside the configuration. */
const DEFAULT_HISTORY = '.sightline/history';

type Values = GivenWords<CommandTable['watch']['options']>['values'];

/** `sightline watch`: runs all entries of the configuration once, from this machine, and says what changed. */
export async function runWatchCommand(args: readonly string[]): Promise<CommandEnd> {
  const given = parseCommand('watch', args);
  if (isFailure(given)) return given;
  const { values } = given;
  const found = readConfig(values, process.cwd());
  // What is watched is in the file: there is no run without one.
  if (isFailure(found)) return found.reason === 'config_unusable' ? { ...found, next: 'Correct the file.' } : found;
  if (found === undefined)
    return refuseUsage('There is no sightline.config.json here.', 'Make one: sightline init example.com');
  const unwritable = values.output === undefined ? undefined : refuseUnwritableFile(values.output);
  if (unwritable !== undefined) return unwritable;
  const entries = await listEntries(found);
  if (isFailure(entries)) return entries;
  const root =
    values.history === undefined ? join(found.folder, DEFAULT_HISTORY) : resolve(process.cwd(), values.history);
  const results = await runWithHistory(root, (keepLock) => watchAll(entries, root, values, keepLock));
  if (isFailure(results)) return results;
  const printed = writeResult(formatWatched(results, values), values);
  return isFailure(printed) ? printed : joinEnds(results);
}

/** All histories are read before anything runs: what an engine costs is not spent where its answers could not be kept. */
async function watchAll(
  entries: readonly WatchedEntry[],
  root: string,
  values: Values,
  keepLock: () => void,
): Promise<readonly WatchedResult[] | CommandFailure> {
  const histories: EntryHistory[] = [];
  for (const entry of entries) {
    const history = readEntryHistory(root, entry);
    if (isFailure(history)) return history;
    histories.push(history);
  }
  const results: WatchedResult[] = [];
  for (const [at, entry] of entries.entries()) {
    keepLock();
    const tools = { root, quiet: values.quiet, sayNote: createNotes(values), nowMs: Date.now() };
    results.push(await watchEntry(entry, histories[at] ?? { runs: [], alerts: [] }, tools));
  }
  return results;
}

async function watchEntry(entry: WatchedEntry, history: EntryHistory, tools: WatchedLookTools): Promise<WatchedResult> {
  const named = { entry, folder: join(tools.root, entry.folder) };
  try {
    const look = await (entry.kind === 'site' ? watchSite(entry, history, tools) : watchBrand(entry, history, tools));
    const { failure } = look;
    // A setting that cannot be used says nothing of the entry.
    if (failure?.exit === EXIT.usage) return { ...named, alerts: [], failure };
    const alerts = selectNewAlerts(look.run, look.drafts, history);
    const run = { ...look.run, alerts: alerts.length };
    const next = { runs: [run, ...history.runs], alerts: [...alerts, ...history.alerts] };
    const unwritten = await writeHistory(tools.root, entry, next, look.files);
    return { ...named, run, before: findCompared(entry, history), alerts, failure: unwritten ?? failure };
  } catch (error) {
    if (!(error instanceof HistoryFault)) throw error;
    return { ...named, alerts: [], failure: refuseHistory(error.file, error.detail) };
  }
}

const findCompared = ({ kind }: WatchedEntry, { runs }: EntryHistory): MonitorRun | undefined =>
  kind === 'site' ? findBaselineRun(runs) : runs.find(({ summary }) => summary !== null);

/** What rang comes first: an entry that could not be checked hides no alert of another, and is said beside it. */
function joinEnds(results: readonly WatchedResult[]): CommandEnd {
  const rung = results.flatMap(({ alerts }) => alerts).filter(({ severity }) => severity !== 'info');
  const failures = results.flatMap(({ entry, failure }) =>
    failure === undefined ? [] : [{ ...failure, message: `${entry.name}: ${failure.message}` }],
  );
  const more = failures.flatMap(({ message, detail = [] }) => [message, ...detail]);
  if (rung.length > 0)
    return {
      reason: 'alerts',
      message: `${rung.length} ${rung.length === 1 ? 'alert' : 'alerts'}: what changed is in the result.`,
      detail: more,
      exit: EXIT.below,
    };
  const [worst, ...others] = failures.toSorted((a, b) => b.exit - a.exit);
  if (worst === undefined) return EXIT.done;
  const rest = others.flatMap(({ message, detail = [] }) => [message, ...detail]);
  return { ...worst, detail: [...(worst.detail ?? []), ...rest] };
}
