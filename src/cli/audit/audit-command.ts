import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type ScoreName, scoreNames } from '../../audit/core/check.ts';
import { MAX_PAGES } from '../../audit/core/limits.ts';
import { currentRubric, gatherAudit, reportOn } from '../../audit/core/report.ts';
import { type ProfileName, profiles } from '../../audit/core/site.ts';
import type { Snapshot } from '../../audit/core/snapshot.ts';
import type { CapabilityName } from '../../capabilities/capability-name.ts';
import { type RecordedInput, recordingJson } from '../../capabilities/recording.ts';
import type { Reportable } from '../../report/reportable.ts';
import { type Baseline, readBaseline, regressions } from './baseline.ts';
import { EXIT } from '../core/exit.ts';
import { type Format, formatOf, formats, render } from './formats.ts';
import { localTools, typedUrl } from './local-work.ts';
import { belowMinimum, type MinScores, parseMinScores } from './min-score.ts';
import { progressBar } from './progress.ts';
import { safeLine } from '../core/safe-text.ts';
import { usageError } from '../core/usage-error.ts';

type Wanted = {
  input: RecordedInput;
  scores: readonly ScoreName[];
  minimum: MinScores;
  format: Format;
  baseline?: Baseline;
  snapshotFile?: string;
};

/** `sightline audit <url>`: the engine of the paid audit on this machine. Private addresses are read only where typed (rule F1). */
export async function auditCommand(args: readonly string[]): Promise<number> {
  const wanted = parseWanted(args);
  if (typeof wanted === 'string') return usageError(wanted);
  const { input, scores } = wanted;
  const bar = progressBar(process.stderr);
  const { guardedFetch, clockMs } = await localTools();
  const options = {
    scores,
    ...(input.profile === undefined ? {} : { profile: input.profile }),
    ...(input.max_pages === undefined ? {} : { maxPages: input.max_pages }),
  };
  const snapshot = await gatherAudit(input.url, {
    ...options,
    fetch: guardedFetch(input.url),
    clockMs,
    onProgress: bar.step,
  });
  const outcome = await reportOn(snapshot, options);
  bar.end();
  if (!outcome.ok) {
    process.stderr.write(`${outcome.reason}: ${safeLine(outcome.detail)}\n`);
    return EXIT.unreachable;
  }
  const { ok: _ok, ...result } = outcome;
  const capability = capabilityOf(scores);
  if (wanted.snapshotFile !== undefined) await writeSnapshot(wanted.snapshotFile, capability, input, snapshot);
  const report = { capability, url: input.url, ...result };
  process.stdout.write(render(report, wanted.format));
  return verdict(report, wanted);
}

/** A subset of scores has no capability of its own: it is called what most of it comes from. */
function capabilityOf(scores: readonly ScoreName[]): CapabilityName {
  const [only, ...more] = scores;
  return only !== undefined && more.length === 0 ? (`score_${only}` as const) : 'full_audit';
}

async function writeSnapshot(file: string, capability: CapabilityName, input: RecordedInput, snapshot: Snapshot) {
  const recording = { version: 1, capability, input, rubric: await currentRubric(), snapshots: [snapshot] } as const;
  writeFileSync(file, [...recordingJson(recording)].join(''));
}

function verdict(report: Reportable, { minimum, baseline }: Wanted): number {
  const below = belowMinimum(report.scores ?? {}, minimum);
  const worse = baseline === undefined ? [] : regressions(report, baseline);
  if (below.length > 0) process.stderr.write(`Below the minimum: ${below.join(', ')}\n`);
  if (worse.length > 0)
    process.stderr.write(`Worse than the baseline:\n${worse.map((line) => `  ${line}\n`).join('')}`);
  return below.length > 0 || worse.length > 0 ? EXIT.below : EXIT.done;
}

function parseWanted(args: readonly string[]): Wanted | string {
  const parsed = parse(args);
  if (typeof parsed === 'string') return parsed;
  const { values, positionals } = parsed;
  const [typed, ...more] = positionals;
  if (typed === undefined || more.length > 0) return 'Name exactly one URL.';
  const target = typedUrl(typed);
  if (!target.ok) return target.detail;
  const scores = values.only === undefined ? [...scoreNames] : parseScores(values.only);
  if (!scores) return `--only takes a list of ${scoreNames.join(', ')}.`;
  const minimum = values['min-score'] === undefined ? {} : parseMinScores(values['min-score']);
  if (!minimum) return '--min-score takes a number from 0 to 100, or a list such as aeo=80,mcp=50.';
  const format = formatOf(values);
  if (!format) return `--format takes one of ${formats.join(', ')}.`;
  const site = siteOptions(values);
  if (typeof site === 'string') return site;
  const snapshotFile = values.snapshot;
  if (snapshotFile !== undefined && scores.length > 1 && scores.length < scoreNames.length)
    return '--snapshot keeps a whole audit or one score: name one with --only, or none.';
  const wanted = { input: { url: target.url, ...site }, scores, minimum, format };
  const kept = snapshotFile === undefined ? wanted : { ...wanted, snapshotFile };
  if (values.baseline === undefined) return kept;
  const read = readBaseline(values.baseline);
  return read.ok ? { ...kept, baseline: read.baseline } : read.detail;
}

function siteOptions(values: { profile?: string | undefined; 'max-pages'?: string | undefined }) {
  const profile = profiles.find((name): name is ProfileName => name === values.profile);
  if (values.profile !== undefined && !profile) return `--profile takes one of ${profiles.join(', ')}.`;
  const pages = values['max-pages'];
  if (pages !== undefined && !(/^\d{1,2}$/.test(pages) && Number(pages) >= 1 && Number(pages) <= MAX_PAGES))
    return `--max-pages takes a number from 1 to ${MAX_PAGES}.`;
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(pages === undefined ? {} : { max_pages: Number(pages) }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        format: { type: 'string' },
        only: { type: 'string' },
        'min-score': { type: 'string' },
        baseline: { type: 'string' },
        profile: { type: 'string' },
        'max-pages': { type: 'string' },
        snapshot: { type: 'string' },
      },
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error); // parseArgs explains what it did not know.
  }
}

function parseScores(text: string): readonly ScoreName[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  return names.every((name) => scoreNames.includes(name as ScoreName)) ? (names as ScoreName[]) : undefined;
}
