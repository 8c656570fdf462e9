import {
  describeUnreachable,
  type AuditOptions,
  computeCurrentRubric,
  findUnreachable,
  gatherTyped,
  type OverHttp,
  type AuditReport,
  judgeSiteInTurns,
  readSite,
  type SiteJudgement,
  reportOn,
  type Unreachable,
} from '../audit/core/report.ts';
import { loadOnce } from '../lib/concurrency.ts';
import type { CapabilityName } from './capability-name.ts';
import type { WorkOutcome, CapabilityTools } from './capability.ts';
import { FILES_EDITION, type RecordedInput, type Recording } from './recording.ts';
import { describeFilled } from './filled.ts';
import { compareSites } from '../audit/core/compare.ts';
import { failureWords } from '../net/failure-words-data.ts';
import type { CheckCapability, ScoreName } from '../audit/core/check.ts';
import type { Snapshot } from '../audit/core/snapshot.ts';
import type { Renderer } from '../audit/rendered/gather/render-page.ts';
import { RENDER_FETCH_LIMITS } from '../audit/rendered/gather/request-gate.ts';
import type { PackedFix } from '../fixes/files/fix.ts';
import { buildFixes } from '../fixes/core/fix-pack.ts';
import { computePromisedGains } from '../fixes/core/promised-gains.ts';
import { buildServerFiles } from '../fixes/core/server-files.ts';
import type { DeployableFile, Audited } from '../fixes/files/generated-file.ts';
import type { NewRewriter } from '../fixes/files/html-rewriter.ts';
import { generateLlmsTxt } from '../fixes/files/llms-txt.ts';
import { generateMcpFiles, hasAgentFacts } from '../fixes/files/mcp-json.ts';
import { explainEmptyLlmsTxt, measureFiles, NO_AGENT_OFFER } from '../fixes/files/nothing-said.ts';
import { readOwnSite } from '../fixes/files/own-site.ts';
import { reportHtml } from '../report/html.ts';
import { reportMarkdown } from '../report/markdown.ts';
import { generateSkill } from '../fixes/files/skill.ts';

// Its tables take longer to lay out than an audit's Worker should take to start.
const loadFixes = loadOnce(() => import('./visibility-fixes.ts'));

type SiteInput = { [K in keyof RecordedInput]: RecordedInput[K] | undefined } & {
  url: string;
  publish?: boolean | undefined;
};

/** What is read for a capability: the checks it reports, or those whose facts its files are built from. */
const SCOPES: Readonly<Partial<Record<CapabilityName, Pick<AuditOptions, 'capability' | 'scores'>>>> = {
  check_health: { capability: 'check_health' },
  check_llms_txt: { capability: 'check_llms_txt' },
  check_schema: { capability: 'check_schema' },
  check_agent_files: { capability: 'check_agent_files' },
  check_mcp: { capability: 'check_mcp' },
  score_aeo: { scores: ['aeo'] },
  score_geo: { scores: ['geo'] },
  score_agent: { scores: ['agent'] },
  score_mcp: { scores: ['mcp'] },
  generate_llms_txt: { scores: ['aeo', 'agent'] },
  generate_mcp_json: { scores: ['agent', 'mcp'] },
  visibility_fix_pack: { scores: ['aeo', 'geo'] },
};

/**
 * The work of a capability that looks at sites: reads them (both of a comparison at the same time, each with the limits
 * of one audit) and presents what was recorded.
 */
export function createSiteWork(capability: keyof typeof presenters) {
  // Whether it is published decides nothing of the result, and is no part of its recording.
  return async ({ publish: _publish, ...given }: SiteInput, tools: CapabilityTools): Promise<WorkOutcome> => {
    const input = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as RecordedInput;
    const urls = input.competitor === undefined ? [input.url] : [input.url, input.competitor];
    return enterTargets(tools, urls, async () => {
      const snapshots = await Promise.all(
        urls.map((url) =>
          gatherTyped(
            url,
            { ...buildAuditOptions(url, input, tools), ...buildScope(capability, url, tools) },
            tools.bareTargets?.includes(url) ? createOverHttp(capability, tools) : undefined,
          ),
        ),
      );
      const recording: Recording = {
        version: 1,
        ...(GENERATED.has(capability) ? { edition: FILES_EDITION } : {}),
        capability,
        input,
        rubric: await computeCurrentRubric(),
        snapshots,
      };
      const presenter: SitePresenter = presenters[capability];
      const outcome = await presenter(recording, tools);
      return outcome.ok ? { ...outcome, recording } : outcome;
    });
  };
}

/** Whose files are presented by the rules of `FILES_EDITION`. */
const GENERATED: ReadonlySet<CapabilityName> = new Set(['generate_llms_txt', 'generate_mcp_json']);

/** Whose results show what a browser saw. The others stay cheap: none is opened for them. */
const WITH_BROWSER: ReadonlySet<CapabilityName> = new Set([
  'score_aeo',
  'score_geo',
  'score_agent',
  'full_audit',
  'full_report',
  'fix_pack',
  'compare',
]);

/** The same audit by http. Its fetch has no limits of its own: where the site moves to is asked as by https. */
const createOverHttp =
  (capability: CapabilityName, tools: CapabilityTools): OverHttp =>
  (url) => {
    const { renderer } = buildScope(capability, url, tools);
    return { fetch: tools.guardedFetch(url), ...(renderer === undefined ? {} : { renderer }) };
  };

function buildScope(capability: CapabilityName, url: string, tools: CapabilityTools): Partial<AuditOptions> {
  const scope = SCOPES[capability];
  if (tools.openBrowser === undefined || !WITH_BROWSER.has(capability)) return { ...scope };
  return { ...scope, renderer: buildRenderer(url, { ...tools, openBrowser: tools.openBrowser }) };
}

/** A browser, and a fetch for its page alone, with limits of its own. */
export const buildRenderer = (
  url: string,
  { openBrowser, guardedFetch }: Required<Pick<CapabilityTools, 'openBrowser' | 'guardedFetch'>>,
): Renderer => ({ openBrowser, fetch: guardedFetch(url, RENDER_FETCH_LIMITS) });

function buildAuditOptions(url: string, input: RecordedInput, tools: CapabilityTools): AuditOptions {
  return {
    fetch: tools.guardedFetch(url),
    clockMs: tools.clockMs,
    ...(input.profile === undefined ? {} : { profile: input.profile }),
    ...(input.max_pages === undefined ? {} : { maxPages: input.max_pages }),
    ...(tools.onProgress === undefined ? {} : { onProgress: tools.onProgress }),
  };
}

/** Enters every host in turn: the task runs when all of them let it. */
function enterTargets(
  tools: CapabilityTools,
  urls: readonly string[],
  task: () => Promise<WorkOutcome>,
): Promise<WorkOutcome> {
  const [first, ...rest] = urls;
  return first === undefined ? task() : tools.atTarget(first, () => enterTargets(tools, rest, task));
}

export type PresentTools = { newRewriter: NewRewriter };

/** Makes the result of a capability from what was recorded. Pure: the same recording gives the same bytes. */
export type SitePresenter = (recording: Recording, tools: PresentTools) => Promise<WorkOutcome>;

const createCheckPresenter =
  (capability: CheckCapability): SitePresenter =>
  (recording) =>
    auditResult(recording, { capability });
const createScorePresenter =
  (names: readonly ScoreName[]): SitePresenter =>
  (recording) =>
    auditResult(recording, { scores: names });

/** How each capability that looks at sites makes its result. A row of the catalogue runs by the presenter of its name. */
export const presenters = {
  check_health: createCheckPresenter('check_health'),
  check_llms_txt: createCheckPresenter('check_llms_txt'),
  check_schema: createCheckPresenter('check_schema'),
  check_agent_files: createCheckPresenter('check_agent_files'),
  check_mcp: createCheckPresenter('check_mcp'),
  score_aeo: createScorePresenter(['aeo']),
  score_geo: createScorePresenter(['geo']),
  score_agent: createScorePresenter(['agent']),
  score_mcp: createScorePresenter(['mcp']),
  full_audit: createScorePresenter(['aeo', 'geo', 'agent', 'mcp']),
  generate_llms_txt: (recording) => presentGenerated(recording, generateLlmsTxt, explainEmptyLlmsTxt),
  generate_mcp_json: (recording) =>
    presentGenerated(
      recording,
      (audited) => generateMcpFiles(audited, { asked: true, lean: recording.edition === FILES_EDITION }),
      (audited) => (hasAgentFacts(audited) ? undefined : NO_AGENT_OFFER),
    ),
  fix_pack: (recording, tools) =>
    withAudit(
      recording,
      async ({ audited, frame }) => {
        const fixes = await buildFixes(audited, tools);
        const promised = computePromisedGains(audited.judged, fixes);
        return { ...frame, fixes, promised, server_files: buildServerFiles(audited, tools) };
      },
      {},
    ),
  generate_skill: (recording, tools) =>
    withAudit(recording, async ({ audited }) => ({
      files: await generateSkill(audited, await buildFixes(audited, tools)),
    })),
  compare: presentComparison,
  full_report: (recording, tools) => withAudit(recording, async (work) => presentFullReport(recording, tools, work)),
  visibility_fix_pack: presentOwnFixes,
} as const satisfies Record<string, SitePresenter>;

type Scope = { capability?: CheckCapability; scores?: readonly ScoreName[] };

async function auditResult(recording: Recording, scope: Scope): Promise<WorkOutcome> {
  const report = await reportOn(getSiteSnapshot(recording), { ...scope, ...readProfile(recording) });
  if (!report.ok) return reportUnreadable(report);
  const { ok: _ok, warnings, ...result } = report;
  return { ok: true, result, warnings };
}

type Work = { audited: Audited; frame: Omit<AuditReport, 'ok' | 'warnings'> };

/** Judges the site once for all that is built from it. A site that refuses every reader has fixes, but no files can be made from it. */
async function withAudit(
  recording: Recording,
  build: (work: Work) => Promise<Record<string, unknown>>,
  scope: { needsPage?: true } = { needsPage: true },
): Promise<WorkOutcome> {
  const snapshot = getSiteSnapshot(recording);
  const judgement = await judgeSiteInTurns(snapshot, readProfile(recording));
  const report = await reportOn(snapshot, { ...scope, ...readProfile(recording) }, judgement);
  if (!report.ok) return reportUnreadable(report);
  const { ok: _ok, warnings, ...frame } = report;
  return { ok: true, result: await build({ audited: { snapshot, ...judgement }, frame }), warnings };
}

/**
 * Files that are generated for their own sake, with the share of them that is filled. Where `explain` says what is missing,
 * there is none. Recordings of before are presented as they were then.
 */
async function presentGenerated(
  recording: Recording,
  make: (audited: Audited) => Promise<readonly DeployableFile[]>,
  explain: (audited: Audited, files: readonly DeployableFile[]) => string | undefined,
): Promise<WorkOutcome> {
  let missing: string | undefined;
  const outcome = await withAudit(recording, async ({ audited }) => {
    const files = await make(audited);
    if (recording.edition === undefined) return { files };
    missing = explain(audited, files);
    return { files, ...describeFilled(measureFiles(files)) };
  });
  return missing === undefined ? outcome : { ok: false, reason: 'nothing_to_generate', detail: missing };
}

/** A fix pack whose texts are filled with what the brand's site says. */
async function presentOwnFixes({ input, ...recording }: Recording): Promise<WorkOutcome> {
  const snapshot = getSiteSnapshot({ input, ...recording });
  const unread = findUnreachable(snapshot, { needsPage: true });
  if (unread) return reportUnreadable(unread);
  const { presentVisibilityFixes } = await loadFixes();
  const { brand = '', niche = '', weak_spots = [], facts } = input;
  return presentVisibilityFixes(
    { brand, niche, weak_spots, facts },
    readOwnSite({ snapshot, site: readSite(snapshot) }),
  );
}

async function presentFullReport(recording: Recording, tools: PresentTools, { audited, frame }: Work) {
  const fixes: readonly PackedFix[] = await buildFixes(audited, tools);
  const files: readonly DeployableFile[] = [...(await generateLlmsTxt(audited)), ...(await generateMcpFiles(audited))];
  const promised = computePromisedGains(audited.judged, fixes);
  const report = { url: recording.input.url, ...frame, fixes, promised, files };
  return {
    ...frame,
    fixes,
    promised,
    server_files: buildServerFiles(audited, tools),
    files,
    renderings: { markdown: reportMarkdown(report), html: reportHtml(report) },
  };
}

async function presentComparison(recording: Recording): Promise<WorkOutcome> {
  const judged: { snapshot: Snapshot; judgement: SiteJudgement }[] = [];
  for (const snapshot of recording.snapshots) judged.push({ snapshot, judgement: await judgeSiteInTurns(snapshot) });
  const reports = await Promise.all(
    judged.map(({ snapshot, judgement }) => reportOn(snapshot, { needsPage: true }, judgement)),
  );
  const refused = reports.find((report) => !report.ok);
  if (refused && !refused.ok) return reportUnreadable(refused);
  const [url, competitor] = reports.flatMap((report) => (report.ok ? [report] : []));
  const [mine, theirs] = judged.map(({ judgement }) => judgement.judged);
  if (!url || !competitor || !mine || !theirs) throw new Error('a comparison needs two snapshots'); // Recorded by siteWork.
  const { ok: _one, warnings, ...site } = url;
  const { ok: _other, warnings: more, ...other } = competitor;
  const result = { sites: { url: site, competitor: other }, ...compareSites(mine, theirs) };
  return { ok: true, result, warnings: [...warnings, ...more.map((text) => `Competitor: ${text}`)] };
}

const readProfile = ({ input }: Recording) => (input.profile === undefined ? {} : { profile: input.profile });

function getSiteSnapshot({ snapshots }: Recording): Snapshot {
  const [first] = snapshots;
  if (!first) throw new Error('a recording without a snapshot'); // Its schema asks for one.
  return first;
}

const reportUnreadable = (unread: Unreachable): WorkOutcome => ({
  ok: false,
  reason: unread.reason,
  detail: `${describeUnreachable(unread)} ${failureWords[unread.failure].next}`,
  unread,
});
