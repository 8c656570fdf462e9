import type { CollectedRun } from '../run/run.ts';
import { failureReasons, MAX_CITATIONS } from '../../models/port.ts';
import { type RefusalKind, refusalKinds } from '../refusals/refusal-kinds.ts';
import type { Prompt } from '../run/prompts.ts';
import { getRegistrableDomain } from '../../net/registrable-domain.ts';
import {
  computeAveragePosition,
  type IntentRow,
  buildIntentRows,
  isOwnMentioned,
  type LeaderboardRow,
  computeMentionRate,
  computeRecommendationRate,
  buildRecommendedInstead,
  type RivalRow,
  buildRivalRows,
  shareOfVoice,
} from './metrics.ts';
import { buildBrandNotes, buildReachNotes, isTruncated, runNotes, buildVerdictNotes } from './notes.ts';
import { readRun, type MeasuredSide, selectValidAnswers } from './readings.ts';
import { type RateInterval, roundDecimals } from './statistics.ts';
import { compare, type Comparison } from './versus.ts';
import { type IntentWeakSpot, findWeakSpots } from './weak-spots.ts';

/** Rows of the table of sources. */
const MAX_SOURCES = 10;
/** Longest host name of the DNS. */
const MAX_HOST_CHARS = 253;

type SourceRow = { domain: string; answers: number };

/**
 * The registered domains that the answers cite, each at most once per answer, most often first. Null when no answer came
 * with a list of sources: the engine gives none, so they were not measured. At most 10.
 * @param citations one entry per valid answer: URLs as the engine gave them, or undefined.
 */
export function buildSourceRows(citations: readonly (readonly string[] | undefined)[]): readonly SourceRow[] | null {
  const lists = citations.filter((list) => list !== undefined);
  if (lists.length === 0) return null;
  const answers = new Map<string, number>();
  for (const domain of lists.flatMap((list) => [...listDomains(list)]))
    answers.set(domain, (answers.get(domain) ?? 0) + 1);
  return [...answers]
    .toSorted(([one, few], [other, many]) => many - few || (one < other ? -1 : 1))
    .slice(0, MAX_SOURCES)
    .map(([domain, count]) => ({ domain, answers: count }));
}

const listDomains = (urls: readonly string[]): ReadonlySet<string> =>
  new Set(urls.slice(0, MAX_CITATIONS).flatMap((url) => parseDomain(url) ?? []));

function parseDomain(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return undefined;
  return url.hostname.length > MAX_HOST_CHARS ? undefined : getRegistrableDomain(url.hostname);
}

/** What a run says about one brand, as it goes on the wire. Rates are 0 to 1, over the valid answers. */
export type BrandAnalysis = {
  /** `worst_case` when prompts failed or were refused: the rates if none, or all, of their answers had named the brand. */
  mention_rate: RateInterval & { worst_case?: { low: number; high: number } };
  recommendation_rate: RateInterval;
  share_of_voice: RateInterval | null;
  average_position: { value: number; n: number } | null;
  rivals: readonly RivalRow[];
  recommended_instead: readonly LeaderboardRow[];
  intents: readonly IntentRow[];
  weak_spots: readonly IntentWeakSpot[];
  notes: readonly string[];
  /** High when the name is short or an ordinary word; `rejected` uses had other capitals, or were the ordinary word. */
  ambiguity: { level: 'low' | 'high'; case_sensitive: boolean; rejected: number };
  /** Null when the engine gives no sources: not measured. */
  sources: readonly SourceRow[] | null;
  failures: { total: number; by_reason: Readonly<Record<string, number>> };
  /** Texts that came and are no answers; only when there are any. They count under no other figure. */
  refused?: { total: number; by_kind: Readonly<Partial<Record<RefusalKind, number>>> };
  /** Valid answers that were cut off at the engine's length limit. */
  truncated: number;
};

export type VersusReport = Comparison & {
  brands: { brand: { name: string } & BrandAnalysis; competitor: { name: string } & BrandAnalysis };
  notes: readonly string[];
};

/**
 * Measures a brand on the answers of a run. Pure: the same run gives the same bytes. Whether there are answers enough to
 * be sold is said by `classifyRun` in run.ts, not here.
 * @param prompts those the run asked, for their intents.
 * @throws RangeError when no answer is valid, or an answer has no prompt.
 */
export function analyseBrand(run: CollectedRun, brand: string, prompts: readonly Prompt[]): BrandAnalysis {
  const [side] = readRun(run, [brand], prompts);
  return reportBrand(run, requireValue(side), { pinned: [], prompts });
}

/**
 * The figures of one brand on a run that was read before, with the notes on the run.
 * @param asked `pinned`: names that have a row among the rivals in any case
 */
export function reportBrand(
  run: CollectedRun,
  side: MeasuredSide,
  asked: { pinned: readonly string[]; prompts: readonly Prompt[] },
): BrandAnalysis {
  const report = buildBrandReport(run, side, asked);
  return { ...report, notes: [...runNotes(run), ...buildReachNotes(run), ...report.notes] };
}

/**
 * Measures two brands on the same answers, and says which one they name more often if they can tell. Each one's rivals
 * hold the other one. Notes on the run as a whole are at the top, those of a brand in its part.
 * @throws RangeError when no answer is valid, or an answer has no prompt.
 */
export function analyseVersus(
  run: CollectedRun,
  brand: string,
  competitor: string,
  prompts: readonly Prompt[],
): VersusReport {
  const sides = readRun(run, [brand, competitor], prompts);
  const own = requireValue(sides[0]);
  const other = requireValue(sides[1]);
  const comparison = compare(own.readings, other.readings);
  return {
    brands: {
      brand: { name: own.name, ...buildBrandReport(run, own, { pinned: [other.name], prompts }) },
      competitor: { name: other.name, ...buildBrandReport(run, other, { pinned: [own.name], prompts }) },
    },
    ...comparison,
    notes: [...buildVerdictNotes(comparison, run.answers.length - own.readings.length), ...runNotes(run)],
  };
}

/** @param pinned names that have a row among the rivals in any case. */
function buildBrandReport(
  run: CollectedRun,
  side: MeasuredSide,
  { pinned, prompts }: { pinned: readonly string[]; prompts: readonly Prompt[] },
): BrandAnalysis {
  const { name, caseSensitive, readings } = side;
  const weak = findWeakSpots(readings, name, prompts);
  const rivals = buildRivalRows(readings, pinned);
  const valid = selectValidAnswers(run);
  return {
    mention_rate: { ...requireValue(computeMentionRate(readings)), ...computeWorstCase(run, side) },
    recommendation_rate: requireValue(computeRecommendationRate(readings)),
    share_of_voice: shareOfVoice(readings, run.runId),
    average_position: computeAveragePosition(readings),
    rivals,
    recommended_instead: buildRecommendedInstead(readings),
    intents: buildIntentRows(readings),
    weak_spots: weak.spots,
    notes: buildBrandNotes(side, weak, rivals, pinned),
    ambiguity: {
      level: caseSensitive ? 'high' : 'low',
      case_sensitive: caseSensitive,
      rejected: readings.reduce((sum, { own }) => sum + own.rejected, 0),
    },
    sources: buildSourceRows(valid.map(({ citations }) => citations)),
    failures: countFailures(run),
    ...countRefusals(run),
    truncated: valid.filter(isTruncated).length,
  };
}

function computeWorstCase(
  run: CollectedRun,
  { readings }: MeasuredSide,
): { worst_case?: { low: number; high: number } } {
  const total = run.answers.length;
  const failed = total - readings.length;
  if (failed === 0) return {};
  const mentions = readings.filter(isOwnMentioned).length;
  return { worst_case: { low: roundDecimals(mentions / total), high: roundDecimals((mentions + failed) / total) } };
}

function countFailures(run: CollectedRun): BrandAnalysis['failures'] {
  const reasons = run.answers.flatMap((answer) => (answer.status === 'failed' ? [answer.reason] : []));
  const counts = failureReasons.map((reason) => [reason, reasons.filter((one) => one === reason).length] as const);
  return { total: reasons.length, by_reason: Object.fromEntries(counts.filter(([, count]) => count > 0)) };
}

function countRefusals(run: CollectedRun): Pick<BrandAnalysis, 'refused'> {
  const kinds = run.answers.flatMap((answer) => (answer.status === 'refused' ? [answer.refusal] : []));
  if (kinds.length === 0) return {};
  const counts = refusalKinds.map((kind) => [kind, kinds.filter((one) => one === kind).length] as const);
  return { refused: { total: kinds.length, by_kind: Object.fromEntries(counts.filter(([, count]) => count > 0)) } };
}

function requireValue<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new RangeError('a run without a valid answer measures nothing');
  return value;
}
