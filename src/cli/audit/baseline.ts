import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { type ScoreName, scoreNames } from '../../audit/core/check.ts';
import { checksOf, type Reportable } from '../../report/reportable.ts';

/** Largest report that is read as a baseline, in bytes. */
const MAX_BASELINE_BYTES = 50 * 1024 * 1024;

const check = z.object({ id: z.string(), status: z.string(), value: z.number(), weight: z.number() });
const score = z.object({ score: z.number(), checks: z.array(check).default([]) });
const schema = z.object({
  scores: z.record(z.string(), score).default({}),
  rubric: z.object({ sha256: z.string() }).optional(),
});

export type Baseline = {
  scores: ReadonlyMap<string, number>;
  checks: ReadonlyMap<string, z.infer<typeof check>>;
  rubricSha256?: string;
};

export type ReadBaseline = { ok: true; baseline: Baseline } | { ok: false; detail: string };

/** Reads an earlier JSON report of this command or of the service. */
export function readBaseline(path: string): ReadBaseline {
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

export function parseBaseline(text: string): ReadBaseline {
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
      scores: new Map(rows.map(([name, { score: points }]) => [name, points])),
      checks: new Map(rows.flatMap(([, { checks }]) => checks.map((one) => [one.id, one] as const))),
      ...(rubric === undefined ? {} : { rubricSha256: rubric.sha256 }),
    },
  };
}

/**
 * What got worse since the baseline, a line each: a check with a weight that is worth less than it was, and, under the
 * same rubric, a score that fell. What could not be looked at this time, or does not apply any more, is no regression.
 */
export function regressions(report: Reportable, baseline: Baseline): readonly string[] {
  const sameRubric = baseline.rubricSha256 === report.rubric?.sha256;
  const fallen = scoreNames.flatMap((name) => fallenScore(name, report, baseline));
  const worse = checksOf(report).flatMap(({ id, title, status, value, weight }) => {
    const before = baseline.checks.get(id);
    if (!before || weight === 0 || !judged(status) || !judged(before.status) || value >= before.value) return [];
    return [`${id}: ${before.status} before, ${status} now (${title})`];
  });
  return [...(sameRubric ? fallen : []), ...worse];
}

const judged = (status: string): boolean => ['pass', 'partial', 'fail'].includes(status);

function fallenScore(name: ScoreName, { scores }: Reportable, baseline: Baseline): readonly string[] {
  const now = scores?.[name]?.score;
  const before = baseline.scores.get(name);
  return now !== undefined && before !== undefined && now < before ? [`${name} ${before} before, ${now} now`] : [];
}
