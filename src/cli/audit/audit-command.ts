import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { type ScoreName, scoreNames } from '../../audit/core/check.ts';
import { MAX_AUDIT_PAGES, MAX_CRAWL_PAGES } from '../../audit/core/limits.ts';
import { computeCurrentRubric, gatherAudit, reportOn } from '../../audit/core/report.ts';
import { type ProfileName, profiles } from '../../audit/core/site.ts';
import type { Snapshot } from '../../audit/core/snapshot.ts';
import type { CapabilityName } from '../../capabilities/capability-name.ts';
import { type RecordedInput, writeRecordingJson } from '../../capabilities/recording.ts';
import { buildRenderer } from '../../capabilities/site-work.ts';
import { DEFAULT_LIMITS, type FetchLimits } from '../../net/fetch-budget.ts';
import { createLocalBrowser, findChromium, HOW_TO_INSTALL } from '../core/local-browser.ts';
import { listChecks, type Reportable, type WireScores } from '../../report/reportable.ts';
import { EXIT, parseArguments, printFailure, printUsageError } from '../core/usage.ts';
import { formatSafeLine, createProgressBar } from '../core/terminal.ts';
import { type Format, selectFormat } from './formats.ts';
import { createLocalFetch, createLocalTools, parseTypedTarget } from './local-run.ts';

/** Largest report that is read as a baseline, in bytes. */
const MAX_BASELINE_BYTES = 50 * 1024 * 1024;

const check = z.object({ id: z.string(), status: z.string(), value: z.number(), weight: z.number() });
const score = z.object({ score: z.number(), applies: z.literal(false).optional(), checks: z.array(check).default([]) });
const schema = z.object({
  scores: z.record(z.string(), score).default({}),
  rubric: z.object({ sha256: z.string() }).optional(),
});

export type Baseline = {
  scores: ReadonlyMap<string, number>;
  checks: ReadonlyMap<string, z.infer<typeof check>>;
  rubricSha256?: string;
};

type LoadedBaseline = { ok: true; baseline: Baseline } | { ok: false; detail: string };

/** Reads an earlier JSON report of this command or of the service. */
function readBaseline(path: string): LoadedBaseline {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return {
      ok: false,
      detail: `The baseline cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
  if (Buffer.byteLength(text) > MAX_BASELINE_BYTES) return { ok: false, detail: 'The baseline is larger than 50 MiB.' };
  return parseBaseline(text);
}

export function parseBaseline(text: string): LoadedBaseline {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, detail: 'The baseline is not JSON.' };
  }
  const parsed = schema.safeParse(json);
  const rows = parsed.success ? Object.entries(parsed.data.scores) : [];
  if (!parsed.success || rows.length === 0) return { ok: false, detail: 'The baseline is no report with scores.' };
  const { rubric } = parsed.data;
  return {
    ok: true,
    baseline: {
      scores: new Map(
        rows.flatMap(([name, { score: points, applies }]) => (applies === false ? [] : [[name, points] as const])),
      ),
      checks: new Map(rows.flatMap(([, { checks }]) => checks.map((one) => [one.id, one] as const))),
      ...(rubric === undefined ? {} : { rubricSha256: rubric.sha256 }),
    },
  };
}

/**
 * What got worse since the baseline, a line each: a check with a weight that is worth less than it was, and, under the
 * same rubric, a score that fell. What could not be looked at this time, or does not apply any more, is no regression.
 */
export function listRegressions(report: Reportable, baseline: Baseline): readonly string[] {
  const sameRubric = baseline.rubricSha256 === report.rubric?.sha256;
  const fallen = scoreNames.flatMap((name) => compareScore(name, report, baseline));
  const worse = listChecks(report).flatMap(({ id, title, status, value, weight }) => {
    const before = baseline.checks.get(id);
    if (!before || weight === 0 || !isJudged(status) || !isJudged(before.status) || value >= before.value) return [];
    return [`${id}: ${before.status} before, ${status} now (${title})`];
  });
  return [...(sameRubric ? fallen : []), ...worse];
}

const isJudged = (status: string): boolean => ['pass', 'partial', 'fail'].includes(status);

function compareScore(name: ScoreName, { scores }: Reportable, baseline: Baseline): readonly string[] {
  const now = scores?.[name]?.applies === false ? undefined : scores?.[name]?.score;
  const before = baseline.scores.get(name);
  return now !== undefined && before !== undefined && now < before ? [`${name} ${before} before, ${now} now`] : [];
}

/** `named`: a minimum of this very score, not one of all scores. */
type MinScores = Partial<Record<ScoreName, { points: number; named: boolean }>>;

/**
 * Parses `80` (all scores) or `aeo=80,mcp=50`.
 * @returns undefined when the text is neither, or a number is not an integer from 0 to 100.
 */
function parseMinScores(text: string): MinScores | undefined {
  if (/^\d+$/.test(text)) {
    const all = Number(text);
    return all <= 100 ? Object.fromEntries(scoreNames.map((name) => [name, { points: all, named: false }])) : undefined;
  }
  const result: MinScores = {};
  for (const part of text.split(',')) {
    const match = /^(aeo|geo|agent|mcp)=(\d{1,3})$/.exec(part.trim());
    const value = Number(match?.[2]);
    if (!match || value > 100) return undefined;
    result[match[1] as ScoreName] = { points: value, named: true }; // The pattern admits these four names only.
  }
  return result;
}

/** Scores below their minimum, as `aeo 71 < 80`. A score that was not asked for, or does not apply, is not judged. */
function listBelowMinimum(scores: WireScores, minimum: MinScores): readonly string[] {
  return scoreNames.flatMap((name) => {
    const got = scores[name]?.applies === false ? undefined : scores[name]?.score;
    const wanted = minimum[name]?.points;
    return got !== undefined && wanted !== undefined && got < wanted ? [`${name} ${got} < ${wanted}`] : [];
  });
}

/** Why the gate cannot be judged: a score that it names does not apply to the site. */
const listNotApplying = (scores: WireScores, minimum: MinScores): readonly string[] =>
  scoreNames.flatMap((name) =>
    minimum[name]?.named === true && scores[name]?.applies === false
      ? [`--min-score names ${name}, which does not apply to this site. ${scores[name]?.reason ?? ''}`.trim()]
      : [],
  );

type AuditRequest = {
  input: RecordedInput;
  scores: readonly ScoreName[];
  minimum: MinScores;
  format: Format;
  baseline?: Baseline;
  snapshotFile?: string;
  render: boolean;
  /** Pages to read instead of the usual sample. */
  crawl?: number;
};

/** `sightline audit <url>`: the engine of the paid audit on this machine. Private addresses are read only where typed (rule F1). */
export async function auditCommand(args: readonly string[]): Promise<number> {
  const wanted = parseWanted(args);
  if (typeof wanted === 'string') return printUsageError(wanted);
  const { input, scores } = wanted;
  if (wanted.render && (await findChromium(process.env)) === undefined)
    return printFailure(`--render needs a browser, and there is none here. ${HOW_TO_INSTALL}`, EXIT.usage);
  const bar = createProgressBar(process.stderr);
  const { guardedFetch } = await createLocalTools();
  const openBrowser = createLocalBrowser(process.env);
  const auditOptions = {
    scores,
    ...(input.profile === undefined ? {} : { profile: input.profile }),
    ...(input.max_pages === undefined ? {} : { maxPages: input.max_pages }),
  };
  const limits = computeLimits(wanted.crawl);
  const snapshot = await gatherAudit(input.url, {
    ...auditOptions,
    ...(wanted.crawl === undefined ? {} : { maxPages: wanted.crawl }),
    requests: limits.requests,
    fetch: createLocalFetch(input.url, limits),
    clockMs: Date.now(),
    onProgress: bar.step,
    ...(wanted.render ? { renderer: buildRenderer(input.url, { openBrowser, guardedFetch }) } : {}),
  });
  const outcome = await reportOn(snapshot, auditOptions);
  bar.end();
  if (!outcome.ok) return printFailure(`${outcome.reason}: ${formatSafeLine(outcome.detail)}`, EXIT.unreachable);
  const { ok: _ok, ...result } = outcome;
  const capability = selectCapability(scores);
  if (wanted.snapshotFile !== undefined) await writeSnapshot(wanted.snapshotFile, capability, input, snapshot);
  const report = { capability, url: input.url, ...result };
  process.stdout.write(await wanted.format.render(report));
  return computeExitCode(report, wanted);
}

/** What each page of a crawl adds to the limits of an audit. */
const CRAWL_PAGE_BYTES = 1024 * 1024;
const CRAWL_PAGE_MS = 2_000;

const computeLimits = (crawl = 0): FetchLimits => ({
  ...DEFAULT_LIMITS,
  requests: DEFAULT_LIMITS.requests + crawl,
  totalBytes: DEFAULT_LIMITS.totalBytes + crawl * CRAWL_PAGE_BYTES,
  wallMs: DEFAULT_LIMITS.wallMs + crawl * CRAWL_PAGE_MS,
});

/** A subset of scores has no capability of its own: it is called what most of it comes from. */
function selectCapability(scores: readonly ScoreName[]): CapabilityName {
  const [only, ...more] = scores;
  return only !== undefined && more.length === 0 ? (`score_${only}` as const) : 'full_audit';
}

async function writeSnapshot(file: string, capability: CapabilityName, input: RecordedInput, snapshot: Snapshot) {
  const recording = {
    version: 1,
    capability,
    input,
    rubric: await computeCurrentRubric(),
    snapshots: [snapshot],
  } as const;
  writeFileSync(file, [...writeRecordingJson(recording)].join(''));
}

function computeExitCode(report: Reportable, { minimum, baseline }: AuditRequest): number {
  const refused = listNotApplying(report.scores ?? {}, minimum);
  for (const line of refused) process.stderr.write(`${formatSafeLine(line)}\n`);
  if (refused.length > 0) return EXIT.usage;
  const below = listBelowMinimum(report.scores ?? {}, minimum);
  const worse = baseline === undefined ? [] : listRegressions(report, baseline);
  if (below.length > 0) process.stderr.write(`Below the minimum: ${below.join(', ')}\n`);
  if (worse.length > 0)
    process.stderr.write(`Worse than the baseline:\n${worse.map((line) => `  ${line}\n`).join('')}`);
  return below.length > 0 || worse.length > 0 ? EXIT.below : EXIT.done;
}

const options = {
  json: { type: 'boolean' },
  format: { type: 'string' },
  only: { type: 'string' },
  'min-score': { type: 'string' },
  baseline: { type: 'string' },
  profile: { type: 'string' },
  'max-pages': { type: 'string' },
  crawl: { type: 'string' },
  snapshot: { type: 'string' },
  render: { type: 'boolean' },
} as const;

function parseWanted(args: readonly string[]): AuditRequest | string {
  const parsed = parseArguments(args, options);
  if (typeof parsed === 'string') return parsed;
  const { values, positionals } = parsed;
  const [typed, ...more] = positionals;
  if (typed === undefined || more.length > 0) return 'Name exactly one URL.';
  const target = parseTypedTarget(typed);
  if (!target.ok) return target.detail;
  const scores = values.only === undefined ? [...scoreNames] : parseScores(values.only);
  if (!scores) return `--only takes a list of ${scoreNames.join(', ')}.`;
  const minimum = values['min-score'] === undefined ? {} : parseMinScores(values['min-score']);
  if (!minimum) return '--min-score takes a number from 0 to 100, or a list such as aeo=80,mcp=50.';
  const format = selectFormat(values);
  if (typeof format === 'string') return format;
  const site = readSiteOptions(values);
  if (typeof site === 'string') return site;
  const snapshotFile = values.snapshot;
  if (snapshotFile !== undefined && scores.length > 1 && scores.length < scoreNames.length)
    return '--snapshot keeps a whole audit or one score: name one with --only, or none.';
  const crawl = parseCrawl(values);
  if (typeof crawl === 'string') return crawl;
  const render = values.render === true;
  const wanted = { input: { url: target.url, ...site }, scores, minimum, format, render, ...crawl };
  const kept = snapshotFile === undefined ? wanted : { ...wanted, snapshotFile };
  if (values.baseline === undefined) return kept;
  const read = readBaseline(values.baseline);
  return read.ok ? { ...kept, baseline: read.baseline } : read.detail;
}

function readSiteOptions(values: { profile?: string | undefined; 'max-pages'?: string | undefined }) {
  const profile = profiles.find((name): name is ProfileName => name === values.profile);
  if (values.profile !== undefined && !profile) return `--profile takes one of ${profiles.join(', ')}.`;
  const pages = values['max-pages'];
  if (pages !== undefined && !(/^\d{1,2}$/.test(pages) && Number(pages) >= 1 && Number(pages) <= MAX_AUDIT_PAGES))
    return `--max-pages takes a number from 1 to ${MAX_AUDIT_PAGES}.`;
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(pages === undefined ? {} : { max_pages: Number(pages) }),
  };
}

function parseCrawl(values: { crawl?: string | undefined; 'max-pages'?: string | undefined }) {
  const { crawl } = values;
  if (crawl === undefined) return {};
  if (values['max-pages'] !== undefined) return '--crawl and --max-pages both say how many pages: name one.';
  if (!/^\d{1,3}$/.test(crawl) || Number(crawl) < 1 || Number(crawl) > MAX_CRAWL_PAGES)
    return `--crawl takes a number from 1 to ${MAX_CRAWL_PAGES}.`;
  return { crawl: Number(crawl) };
}

function parseScores(text: string): readonly ScoreName[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  return names.every((name) => scoreNames.includes(name as ScoreName)) ? (names as ScoreName[]) : undefined;
}
