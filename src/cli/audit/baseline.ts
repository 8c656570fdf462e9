import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { scoreNames, type ScoreName } from '../../audit/core/check.ts';
import { computeCurrentRubric } from '../../audit/core/report.ts';
import type { Recording } from '../../capabilities/recording.ts';
import { judgeSnapshotAgain } from '../../monitors/facts/judge-again.ts';
import { isSameRubric } from '../../monitors/facts/site-facts.ts';
import { createLocalTools } from './local-run.ts';

/** Largest report that is read, as a baseline or to be compared, in bytes. */
export const MAX_REPORT_BYTES = 50 * 1024 * 1024;

const check = z.object({
  id: z.string(),
  title: z.string().default(''),
  status: z.enum(['pass', 'partial', 'fail', 'not_applicable', 'unknown']),
  value: z.number(),
  weight: z.number(),
});
const score = z.object({
  score: z.number(),
  applies: z.literal(false).optional(),
  reason: z.string().optional(),
  gates: z.array(z.object({ id: z.string(), cap: z.number() })).default([]),
  checks: z.array(check).default([]),
});
const rubric = z.object({ version: z.string(), sha256: z.string() });
const storedReport = z.object({
  url: z.string().optional(),
  scores: z.partialRecord(z.enum(scoreNames), score).refine((scores) => Object.keys(scores).length > 0),
  rubric: rubric.optional(),
  profile: z.object({ name: z.string() }).optional(),
});

export type Rubric = z.infer<typeof rubric>;
export type StoredReport = z.infer<typeof storedReport>;
export type JudgedCheck = Readonly<z.infer<typeof check>>;
export type JudgedScore = {
  score: number;
  applies?: false | undefined;
  reason?: string | undefined;
  gates: readonly { id: string; cap: number }[];
  checks: readonly JudgedCheck[];
};

/** As much of a report as gates read, stored or new. */
export type ScoredReport = {
  url?: string | undefined;
  scores?: Partial<Record<ScoreName, JudgedScore>> | undefined;
  profile?: { name: string } | undefined;
};

export type Baseline = {
  report: ScoredReport;
  /** The rubric that judged it first, where its snapshot was judged again by that of this build. */
  judgedAgain?: Rubric;
};

/** A report with scores of this command or of the service; undefined for anything else. */
export const parseStoredReport = (json: unknown): StoredReport | undefined => storedReport.safeParse(json).data;

export type LoadedBaseline = { ok: true; baseline: Baseline } | { ok: false; detail: string };

const refuse = (detail: string): LoadedBaseline => ({ ok: false, detail });

/** Reads an earlier JSON report of this command or of the service, or the snapshot of one. */
export async function readBaseline(path: string): Promise<LoadedBaseline> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return refuse(`The baseline cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return loadBaseline(text, await computeCurrentRubric());
}

/**
 * A baseline that the present rubric judged: a report of this rubric, or a snapshot, which is judged again. A report of
 * another rubric is refused: neither its scores nor its verdicts compare.
 */
export async function loadBaseline(text: string, present: Rubric): Promise<LoadedBaseline> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return refuse('The baseline is not JSON.');
  }
  if (isRecordingJson(json)) return loadSnapshot(text, present);
  if (Buffer.byteLength(text) > MAX_REPORT_BYTES) return refuse('The baseline is larger than 50 MiB.');
  if (Array.isArray(json) && json.length > 0)
    return refuse(
      'The baseline is a list of reports of several sites. Save the report of one: audit it by its address.',
    );
  const report = parseStoredReport(json);
  if (!report) return refuse('The baseline is no report with scores.');
  const refusal = explainOtherRubric('The baseline', report.rubric, present);
  return refusal === undefined ? { ok: true, baseline: { report } } : refuse(refusal);
}

async function loadSnapshot(text: string, present: Rubric): Promise<LoadedBaseline> {
  const judged = await judgeKeptSnapshot(text);
  if (!judged.ok) return refuse(`The baseline: ${judged.detail}`);
  const { report, recording } = judged;
  const judgedAgain = isSameRubric(recording.rubric, present) ? {} : { judgedAgain: recording.rubric };
  return { ok: true, baseline: { report, ...judgedAgain } };
}

/** Whether a file holds what was read of sites, and not a result. */
export const isRecordingJson = (json: unknown): boolean =>
  typeof json === 'object' && json !== null && 'snapshots' in json;

/** Why a result of another rubric is not compared or judged by a minimum, and what to do; undefined for the same one. */
export function explainOtherRubric(what: string, given: Rubric | undefined, present: Rubric): string | undefined {
  if (given !== undefined && isSameRubric(given, present)) return undefined;
  const isSameVersion = given?.version === present.version;
  const name = ({ version, sha256 }: Rubric): string =>
    isSameVersion ? `${version} (hash ${sha256.slice(0, 12)})` : version;
  const judged = given === undefined ? 'does not say its rubric' : `was judged by rubric ${name(given)}`;
  return (
    `${what} ${judged}, and this build judges by ${name(present)}: scores and verdicts of two rubrics do not compare. ` +
    'Name the snapshot of that audit instead, which is judged again (--snapshot keeps it; a service has it at ' +
    '/reports/<report_id>/snapshot), or audit again to make a new one. docs/project/rubric.md says what moved.'
  );
}

/** The report of a snapshot by the rubric of this build, as this command reads one. */
type KeptReport = { ok: true; report: StoredReport; recording: Recording } | { ok: false; detail: string };

/** Judges a snapshot again on this machine, whatever rubric judged it first. */
export async function judgeKeptSnapshot(text: string): Promise<KeptReport> {
  const judged = await judgeSnapshotAgain(text, await createLocalTools());
  return judged.ok ? { ...judged, report: storedReport.parse(judged.report) } : judged;
}
