import { compareSites } from '../audit/core/compare.ts';
import type { CheckCapability, ScoreName } from '../audit/core/check.ts';
import { type AuditReport, judgeSite, reportOn, type Unreachable } from '../audit/core/report.ts';
import type { Snapshot } from '../audit/core/snapshot.ts';
import type { Audited, DeployableFile } from '../fixes/files/generated-file.ts';
import type { PackedFix } from '../fixes/files/fix.ts';
import { buildFixes } from '../fixes/core/fix-pack.ts';
import type { NewRewriter } from '../fixes/files/html-rewriter.ts';
import { generateLlmsTxt } from '../fixes/files/llms-txt.ts';
import { generateMcpFiles } from '../fixes/files/mcp-json.ts';
import { reportHtml } from '../report/html.ts';
import { reportMarkdown } from '../report/markdown.ts';
import { generateSkill } from '../fixes/files/skill.ts';
import type { WorkOutcome } from './capability.ts';
import type { Recording } from './recording.ts';

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
  generate_llms_txt: (recording) =>
    withAudit(recording, async ({ audited }) => ({ files: await generateLlmsTxt(audited) })),
  generate_mcp_json: (recording) =>
    withAudit(recording, async ({ audited }) => ({ files: await generateMcpFiles(audited) })),
  fix_pack: (recording, tools) =>
    withAudit(recording, async ({ audited, frame }) => ({ ...frame, fixes: await buildFixes(audited, tools) })),
  generate_skill: (recording, tools) =>
    withAudit(recording, async ({ audited }) => ({
      files: await generateSkill(audited, await buildFixes(audited, tools)),
    })),
  compare: presentComparison,
  full_report: (recording, tools) => withAudit(recording, async (work) => presentFullReport(recording, tools, work)),
} as const satisfies Record<string, SitePresenter>;

type Scope = { capability?: CheckCapability; scores?: readonly ScoreName[] };

async function auditResult(recording: Recording, scope: Scope): Promise<WorkOutcome> {
  const report = await reportOn(getSiteSnapshot(recording), { ...scope, ...readProfile(recording) });
  if (!report.ok) return reportUnreadable(report);
  const { ok: _ok, warnings, ...result } = report;
  return { ok: true, result, warnings };
}

type Work = { audited: Audited; frame: Omit<AuditReport, 'ok' | 'warnings'> };

/** Judges the site once for all that is built from it. */
async function withAudit(
  recording: Recording,
  build: (work: Work) => Promise<Record<string, unknown>>,
): Promise<WorkOutcome> {
  const snapshot = getSiteSnapshot(recording);
  const judgement = judgeSite(snapshot, readProfile(recording));
  const report = await reportOn(snapshot, readProfile(recording), judgement);
  if (!report.ok) return reportUnreadable(report);
  const { ok: _ok, warnings, ...frame } = report;
  return { ok: true, result: await build({ audited: { snapshot, ...judgement }, frame }), warnings };
}

async function presentFullReport(recording: Recording, tools: PresentTools, { audited, frame }: Work) {
  const fixes: readonly PackedFix[] = await buildFixes(audited, tools);
  const files: readonly DeployableFile[] = [...(await generateLlmsTxt(audited)), ...(await generateMcpFiles(audited))];
  const report = { url: recording.input.url, ...frame, fixes, files };
  return {
    ...frame,
    fixes,
    files,
    renderings: { markdown: reportMarkdown(report), html: reportHtml(report) },
  };
}

async function presentComparison(recording: Recording): Promise<WorkOutcome> {
  const judged = recording.snapshots.map((snapshot) => ({ snapshot, judgement: judgeSite(snapshot) }));
  const reports = await Promise.all(judged.map(({ snapshot, judgement }) => reportOn(snapshot, {}, judgement)));
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

const reportUnreadable = ({ reason, detail, failure }: Unreachable): WorkOutcome => ({
  ok: false,
  reason,
  detail: `${failure}: ${detail}`,
});
