import * as z from 'zod';
import { scoreNames } from '../audit/core/check.ts';
import type { StoredRuns } from '../capabilities/visibility-recording.ts';
import { type BoughtResult, countAskedAnswers, type CountedCheck, listCountedChecks, type ScoreOf } from './bought.ts';
import { listFixes } from './listed-fixes.ts';
import type { Prompt } from '../visibility/run/prompts.ts';
import type { CollectedRun } from '../visibility/run/run.ts';

/** What of a result can be read page by page. */
export const sectionNames = ['checks', 'fixes', 'files', 'evidence', 'requests', 'answers', 'citations'] as const;
export type SectionName = (typeof sectionNames)[number];

const scoreName = z.enum(scoreNames);
const statuses = ['pass', 'partial', 'fail', 'not_applicable', 'unknown', 'answered', 'refused', 'failed'] as const;

/** What a reader may ask for of a section: members that its items do not have are refused. */
export const sectionFilter = z.object({
  status: z.enum(statuses).optional(),
  score: scoreName.optional(),
  id: z.string().min(1).max(200).optional(),
});
export type SectionFilter = z.infer<typeof sectionFilter>;

/** By which filters the items of each section can be chosen. */
export const SECTION_FILTERS: Readonly<Record<SectionName, readonly (keyof SectionFilter)[]>> = {
  checks: ['status', 'score', 'id'],
  fixes: ['status', 'score', 'id'],
  files: ['id'],
  evidence: ['status', 'score', 'id'],
  requests: ['status'],
  answers: ['status', 'id'],
  citations: [],
};

/** One item of a section: what is shown, and what filters look at. */
export type SectionItem = {
  item: Record<string, unknown>;
  id?: string | undefined;
  status?: string | undefined;
  scores?: readonly ScoreOf[] | undefined;
};

/** What sections are made from. `run`: the answers behind a measurement, where they are stored. */
export type SectionSource = { result: BoughtResult; run?: StoredRuns | undefined };

/** The sections that a result has, and how many items each: unknown for what only its recording has. */
export function countResultSections(result: BoughtResult): readonly { name: SectionName; count?: number }[] {
  const checks = listCountedChecks(result);
  const counts: Record<SectionName, number | undefined> = {
    checks: checks.length,
    fixes: listFixes(result).length,
    files: result.files?.length ?? 0,
    evidence: checks.reduce((sum, { evidence }) => sum + evidence.length, 0),
    requests: listSiteRequests(result).length,
    answers: countAskedAnswers(result),
    citations: hasCitations(result) ? undefined : 0,
  };
  return sectionNames.flatMap((name) => {
    const count = counts[name];
    return count === 0 ? [] : [{ name, ...(count === undefined ? {} : { count }) }];
  });
}

const hasCitations = ({ sources, brands, pooled, citations }: BoughtResult): boolean => {
  if (pooled !== undefined) return citations !== null;
  const given = brands?.brand['sources'] ?? sources;
  return Array.isArray(given) && given.length > 0;
};

/** Whether a section needs the recording of a result. */
export const isFromRecording = (name: SectionName): boolean => name === 'answers' || name === 'citations';

/** Every item of a section, in its order. */
export function listSectionItems({ result, run }: SectionSource, name: SectionName): readonly SectionItem[] {
  switch (name) {
    case 'checks':
      return listCountedChecks(result).map((one) => ({ item: one, ...pickFacets(one) }));
    case 'fixes':
      return listFixes(result).map((one) => ({
        item: one,
        id: one.id,
        status: one.status,
        scores: one.scores,
      }));
    case 'files':
      return (result.files ?? []).map((one) => ({ item: one, id: one.path }));
    case 'evidence':
      return listCountedChecks(result).flatMap((one) =>
        one.evidence.map((seen) => ({
          item: { check_id: one.id, ...(one.site === undefined ? {} : { site: one.site }), ...seen },
          ...pickFacets(one),
        })),
      );
    case 'requests':
      return listSiteRequests(result);
    case 'answers':
      return run === undefined ? [] : listAnswers(run);
    case 'citations':
      return run === undefined ? [] : countCitations(run);
  }
}

const pickFacets = ({ id, status, scores }: CountedCheck) => ({ id, status, scores });

function listSiteRequests({ requests = [], sites }: BoughtResult): readonly SectionItem[] {
  const all =
    sites === undefined
      ? requests
      : (['url', 'competitor'] as const).flatMap((site) =>
          (sites[site].requests ?? []).map((one) => ({ ...one, site })),
        );
  return all.map((one) => ({ item: one, status: one.status === null ? 'failed' : 'answered' }));
}

/** Where several engines were asked, each item names its own. */
const listAnswers = ({ runs, prompts }: StoredRuns): readonly SectionItem[] =>
  runs.flatMap((run) => listRunAnswers(run, prompts, runs.length > 1 ? { engine: run.engine.name ?? '' } : {}));

function listRunAnswers(
  { answers }: CollectedRun,
  prompts: readonly Prompt[],
  of: { engine?: string },
): readonly SectionItem[] {
  return answers.map((one) => {
    const { id = String(one.index), text: prompt = '' } = prompts[one.index] ?? {};
    const asked = { ...of, index: one.index, id, prompt, status: one.status };
    const item =
      one.status === 'failed'
        ? { ...asked, reason: one.reason }
        : {
            ...asked,
            text: one.text,
            served_model: one.servedModel ?? null,
            sha256: one.sha256,
            ...(one.status === 'refused' ? { refusal: one.refusal } : {}),
            ...(one.status === 'refused' || one.citations === undefined ? {} : { citations: [...one.citations] }),
          };
    return { item, id, status: one.status };
  });
}

/** Each cited address with the number of answers that cite it, the most cited first. */
function countCitations({ runs }: StoredRuns): readonly SectionItem[] {
  const counts = new Map<string, number>();
  for (const one of runs.flatMap(({ answers }) => answers))
    if (one.status === 'answered')
      for (const url of new Set(one.citations)) counts.set(url, (counts.get(url) ?? 0) + 1);
  return [...counts]
    .toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .map(([url, count]) => ({ item: { url, answers: count } }));
}
