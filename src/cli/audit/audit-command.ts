import { writeFileSync } from 'node:fs';
import { type ScoreName, scoreNames } from '../../audit/core/check.ts';
import { MAX_AUDIT_PAGES, MAX_CRAWL_PAGES } from '../../audit/core/limits.ts';
import { computeCurrentRubric, gatherTyped, reportOn } from '../../audit/core/report.ts';
import { type ProfileName, profiles } from '../../audit/core/site.ts';
import type { Snapshot } from '../../audit/core/snapshot.ts';
import type { CapabilityName } from '../../capabilities/capability-name.ts';
import { type RecordedInput, writeRecordingJson } from '../../capabilities/recording.ts';
import { buildRenderer } from '../../capabilities/site-work.ts';
import { DEFAULT_LIMITS, type FetchLimits } from '../../net/fetch-budget.ts';
import { createLocalBrowser, findChromium, HOW_TO_INSTALL } from '../core/local-browser.ts';
import { EXIT, parseArguments, printFailure, printUsageError } from '../core/usage.ts';
import { formatSafeLine, createProgressBar } from '../core/terminal.ts';
import { type Format, selectFormat } from './formats.ts';
import { gateOptions, type Gates, judgeGates, parseGates, type RefusedGate } from './gates.ts';
import { createLocalFetch, createLocalTools, parseTypedTarget } from './local-run.ts';

type AuditRequest = {
  input: RecordedInput;
  /** The address was typed without a scheme. */
  isBare: boolean;
  scores: readonly ScoreName[];
  gates: Gates;
  format: Format;
  snapshotFile?: string;
  render: boolean;
  /** Pages to read instead of the usual sample. */
  crawl?: number;
};

/** `sightline audit <url>`: the engine of the paid audit on this machine. Private addresses are read only where typed (rule F1). */
export async function auditCommand(args: readonly string[]): Promise<number> {
  const wanted = await parseWanted(args);
  if (typeof wanted === 'string') return printUsageError(wanted);
  if ('refused' in wanted) return printFailure(wanted.refused, EXIT.usage);
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
  const readAt = (url: string) => ({
    fetch: createLocalFetch(url, limits),
    ...(wanted.render ? { renderer: buildRenderer(url, { openBrowser, guardedFetch }) } : {}),
  });
  const snapshot = await gatherTyped(
    input.url,
    {
      ...auditOptions,
      ...(wanted.crawl === undefined ? {} : { maxPages: wanted.crawl }),
      requests: limits.requests,
      clockMs: Date.now(),
      onProgress: bar.step,
      ...readAt(input.url),
    },
    wanted.isBare ? readAt : undefined,
  );
  const outcome = await reportOn(snapshot, auditOptions);
  bar.end();
  if (!outcome.ok) return printFailure(`${outcome.reason}: ${formatSafeLine(outcome.detail)}`, EXIT.unreachable);
  const { ok: _ok, ...result } = outcome;
  const capability = selectCapability(scores);
  if (wanted.snapshotFile !== undefined) await writeSnapshot(wanted.snapshotFile, capability, input, snapshot);
  const report = { capability, url: input.url, ...result };
  process.stdout.write(await wanted.format.render(report));
  return judgeGates(report, wanted.gates);
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

const options = {
  json: { type: 'boolean' },
  format: { type: 'string' },
  only: { type: 'string' },
  ...gateOptions,
  profile: { type: 'string' },
  'max-pages': { type: 'string' },
  crawl: { type: 'string' },
  snapshot: { type: 'string' },
  render: { type: 'boolean' },
} as const;

async function parseWanted(args: readonly string[]): Promise<AuditRequest | string | RefusedGate> {
  const parsed = parseArguments(args, options);
  if (typeof parsed === 'string') return parsed;
  const { values, positionals } = parsed;
  const [typed, ...more] = positionals;
  if (typed === undefined || more.length > 0) return 'Name exactly one URL.';
  const target = parseTypedTarget(typed);
  if (!target.ok) return target.detail;
  const scores = values.only === undefined ? [...scoreNames] : parseScores(values.only);
  if (!scores) return `--only takes a list of ${scoreNames.join(', ')}.`;
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
  const gates = await parseGates(values);
  if (typeof gates === 'string' || 'refused' in gates) return gates;
  const { url, isBare } = target;
  const wanted = { input: { url, ...site }, isBare, scores, gates, format, render, ...crawl };
  return snapshotFile === undefined ? wanted : { ...wanted, snapshotFile };
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
