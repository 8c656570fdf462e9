import type * as z from 'zod';
import type { panelResult } from '../../../capabilities/panel-results.ts';
import { MAX_PANEL_RIVALS } from '../../../visibility/panel/pooled-rivals.ts';
import { type BrandPlace, findBrandPlace } from '../visibility/brand-place.ts';

export type PanelReport = z.infer<typeof panelResult>;
export type EngineReport = PanelReport['engines'][number];
export type MeasuredEngine = Extract<EngineReport, { status: 'measured' }>;
type PooledRival = PanelReport['pooled']['rivals'][number];

export const isMeasuredEngine = (engine: EngineReport): engine is MeasuredEngine => engine.status === 'measured';

/** The brand and its rivals by their pooled mention rates; of those that tie, the brand is first. */
export function rankPooled({ pooled }: PanelReport): readonly ('own' | PooledRival)[] {
  const isAbove = ({ mention_rate: rate }: PooledRival): boolean => rate.value > pooled.mention_rate.value;
  return [...pooled.rivals.filter(isAbove), 'own', ...pooled.rivals.filter((rival) => !isAbove(rival))];
}

/** Names that the first sentence says where several tie; the others are counted. */
export const MAX_SAID_TOPS = 3;

/** What the first sentences of the report say. */
export type PanelSummary = {
  /** Who is named most, the brand included: several when they tie, none when no answer names anyone. */
  tops: readonly string[];
  /** Undefined for a brand that no answer names. */
  place: BrandPlace | undefined;
  /** Measured engines that name the brand, of all that were measured. */
  namedBy: number;
  engines: number;
};

export function summarisePanel(report: PanelReport): PanelSummary {
  const { brand, pooled } = report;
  const measured = report.engines.filter(isMeasuredEngine);
  const namedBy = measured.filter(({ mention_rate: rate }) => rate.value > 0).length;
  const own = pooled.mention_rate.value;
  const rows = [
    { name: brand, value: own },
    ...pooled.rivals.map(({ name, mention_rate: { value } }) => ({ name, value })),
  ];
  const most = Math.max(...rows.map(({ value }) => value));
  return {
    tops: most === 0 ? [] : rows.filter(({ value }) => value === most).map(({ name }) => name),
    place:
      namedBy === 0
        ? undefined
        : findBrandPlace(
            own,
            pooled.rivals.map(({ mention_rate: { value } }) => value),
            MAX_PANEL_RIVALS,
          ),
    namedBy,
    engines: measured.length,
  };
}

/** A pair of engines; `more` and `fewer` are set only where they differ by more than chance. */
export type EnginePair = {
  names: readonly [string, string];
  only: readonly [number, number];
  points: number;
  prompts: number;
  p: number;
  called: { more: string; fewer: string } | undefined;
};

/** Every pair of measured engines on the prompts that both answered. */
export const listEnginePairs = ({ differences }: PanelReport): readonly EnginePair[] =>
  differences.map(({ engines: [first = '', second = ''], verdict, difference, n, ...one }) => ({
    names: [first, second],
    only: [one.first_only, one.second_only],
    points: computePoints(difference),
    prompts: n,
    p: one.adjusted_p_value,
    called:
      verdict === 'too_close_to_call'
        ? undefined
        : verdict === 'first'
          ? { more: first, fewer: second }
          : { more: second, fewer: first },
  }));

/** A difference of rates in points. */
export const computePoints = (difference: number): number => Math.round(difference * 100);

type PanelAnswer = PanelReport['prompts']['asked'][number]['answers'][number];
/** Texts that are no answers by their kind, and prompts without a text by their reason. */
export type EngineOutcomes = {
  refused: ReadonlyMap<NonNullable<PanelAnswer['refusal']>, number>;
  failed: ReadonlyMap<NonNullable<PanelAnswer['reason']>, number>;
};

/** What came of the prompts at an engine, measured or not, but for the real answers. */
export function countEngineOutcomes({ prompts }: PanelReport, engine: string): EngineOutcomes {
  const answers = prompts.asked.flatMap((prompt) => prompt.answers.filter((one) => one.engine === engine));
  return {
    refused: countEach(answers.flatMap(({ refusal }) => refusal ?? [])),
    failed: countEach(answers.flatMap(({ reason }) => reason ?? [])),
  };
}

function countEach<Value>(values: readonly Value[]): ReadonlyMap<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return new Map([...counts].toSorted(([, one], [, other]) => other - one));
}

/** Answers of all engines that name and recommend the brand: rates are weighted by engine, counts are not. */
export function countOwnAnswers({ engines }: PanelReport): { mentioned: number; recommended: number } {
  const sum = (select: 'mention_rate' | 'recommendation_rate'): number =>
    engines.filter(isMeasuredEngine).reduce((total, one) => total + Math.round(one[select].value * one[select].n), 0);
  return { mentioned: sum('mention_rate'), recommended: sum('recommendation_rate') };
}
