import { compareSites } from '../audit/core/compare.ts';
import type { CheckCapability, ScoreName } from '../audit/core/check.ts';
import { type AuditReport, judgeSite, reportOn, type Unreachable } from '../audit/core/report.ts';
import type { Snapshot } from '../audit/core/snapshot.ts';
import type { Audited } from '../fixes/files/audited.ts';
import type { Fix } from '../fixes/files/fix.ts';
import { fixesOf } from '../fixes/core/fix-pack.ts';
import type { GeneratedFile } from '../fixes/files/generated-file.ts';
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

const checks =
  (capability: CheckCapability): SitePresenter =>
  (recording) =>
    auditResult(recording, { capability });
const scores =
  (names: readonly ScoreName[]): SitePresenter =>
  (recording) =>
    auditResult(recording, { scores: names });

/** How each capability that looks at sites makes its result. A row of the catalogue runs by the presenter of its name. */
export const presenters = {
  check_health: checks('check_health'),
  check_llms_txt: checks('check_llms_txt'),
  check_schema: checks('check_schema'),
  check_agent_files: checks('check_agent_files'),
  check_mcp: checks('check_mcp'),
  score_aeo: scores(['aeo']),
  score_geo: scores(['geo']),
  score_agent: scores(['agent']),
  score_mcp: scores(['mcp']),
  full_audit: scores(['aeo', 'geo', 'agent', 'mcp']),
  generate_llms_txt: (recording) =>
    withAudit(recording, async ({ audited }) => ({ files: await generateLlmsTxt(audited) })),
  generate_mcp_json: (recording) =>
    withAudit(recording, async ({ audited }) => ({ files: await generateMcpFiles(audited) })),
  fix_pack: (recording, tools) =>
    withAudit(recording, async ({ audited, frame }) => ({ ...frame, fixes: await fixesOf(audited, tools) })),
  generate_skill: (recording, tools) =>
    withAudit(recording, async ({ audited }) => ({
      files: await generateSkill(audited, await fixesOf(audited, tools)),
    })),
  compare: presentComparison,
  full_report: (recording, tools) => withAudit(recording, async (work) => fullReport(recording, tools, work)),
} as const satisfies Record<string, SitePresenter>;

type Scope = { capability?: CheckCapability; scores?: readonly ScoreName[] };

async function auditResult(recording: Recording, scope: Scope): Promise<WorkOutcome> {
  const report = await reportOn(siteSnapshot(recording), { ...scope, ...profileOf(recording) });
  if (!report.ok) return unread(report);
  const { ok: _ok, warnings, ...result } = report;
  return { ok: true, result, warnings };
}

type Work = { audited: Audited; frame: Omit<AuditReport, 'ok' | 'warnings'> };

/** Judges the site once for all that is built from it. */
async function withAudit(
  recording: Recording,
  build: (work: Work) => Promise<Record<string, unknown>>,
): Promise<WorkOutcome> {
  const snapshot = siteSnapshot(recording);
  const judgement = judgeSite(snapshot, profileOf(recording));
  const report = await reportOn(snapshot, profileOf(recording), judgement);
  if (!report.ok) return unread(report);
  const { ok: _ok, warnings, ...frame } = report;
  return { ok: true, result: await build({ audited: { snapshot, ...judgement }, frame }), warnings };
}

async function fullReport(recording: Recording, tools: PresentTools, { audited, frame }: Work) {
  const fixes: readonly Fix[] = await fixesOf(audited, tools);
  const files: readonly GeneratedFile[] = [...(await generateLlmsTxt(audited)), ...(await generateMcpFiles(audited))];
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
  if (refused && !refused.ok) return unread(refused);
  const [url, competitor] = reports.flatMap((report) => (report.ok ? [report] : []));
  const [mine, theirs] = judged.map(({ judgement }) => judgement.judged);
  if (!url || !competitor || !mine || !theirs) throw new Error('a comparison needs two snapshots'); // Recorded by siteWork.
  const { ok: _one, warnings, ...site } = url;
  const { ok: _other, warnings: more, ...other } = competitor;
  const result = { sites: { url: site, competitor: other }, ...compareSites(mine, theirs) };
  return { ok: true, result, warnings: [...warnings, ...more.map((text) => `Competitor: ${text}`)] };
}

const profileOf = ({ input }: Recording) => (input.profile === undefined ? {} : { profile: input.profile });

function siteSnapshot({ snapshots }: Recording): Snapshot {
  const [first] = snapshots;
  if (!first) throw new Error('a recording without a snapshot'); // Its schema asks for one.
  return first;
}

const unread = ({ reason, detail, failure }: Unreachable): WorkOutcome => ({
  ok: false,
  reason,
  detail: `${failure}: ${detail}`,
});
