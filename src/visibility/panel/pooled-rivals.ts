import { compareTexts } from '../../lib/text.ts';
import type { AnswerReading } from '../metrics/metrics.ts';
import { type RateInterval, roundRate } from '../metrics/statistics.ts';
import { computeNameKey, computeUmlautKey } from '../names/forms.ts';
import { buildShares, type EngineReadings } from './engine-readings.ts';
import { computePooledRate } from './pooling.ts';

/** Rows of the table of rivals over all engines. */
export const MAX_PANEL_RIVALS = 20;

/** Someone else who is named: in how many answers, by how many engines, and the pooled rate. */
export type PanelRival = {
  name: string;
  engines: number;
  mentioned: number;
  recommended: number;
  mention_rate: RateInterval;
};

/** Who else is named, the highest pooled rate first; spellings of one name count once. */
export function listPooledRivals(engines: readonly EngineReadings[]): readonly PanelRival[] {
  const readings = engines.map(({ sides }) => sides[0]?.readings ?? []);
  const spellings = groupSpellings(readings);
  return spellings
    .flatMap((names): PanelRival[] => {
      const isNamed = ({ others }: AnswerReading): boolean => others.some(({ name }) => names.has(name));
      const rate = computePooledRate(buildShares(readings, isNamed));
      const [name] = names;
      if (rate === undefined || name === undefined) return [];
      const named = readings.map((list) => list.filter(isNamed));
      const isRecommended = ({ others }: AnswerReading): boolean =>
        others.some((other) => names.has(other.name) && other.recommended);
      return [
        {
          name,
          engines: named.filter((list) => list.length > 0).length,
          mentioned: named.flat().length,
          recommended: named.flat().filter(isRecommended).length,
          mention_rate: roundRate(rate),
        },
      ];
    })
    .toSorted(
      (one, other) =>
        other.mention_rate.value - one.mention_rate.value ||
        other.mentioned - one.mentioned ||
        compareTexts(one.name, other.name),
    )
    .slice(0, MAX_PANEL_RIVALS);
}

/** The spellings of each name, the commonest first: an engine's reading has one already, those of several may differ. */
function groupSpellings(readings: readonly (readonly AnswerReading[])[]): readonly ReadonlySet<string>[] {
  const counts = new Map<string, number>();
  for (const { others } of readings.flat())
    for (const { name } of others) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].toSorted(([one, few], [other, many]) => many - few || compareTexts(one, other));
  const byKey = new Map<string, Set<string>>();
  for (const [name] of names) {
    const [key, umlautKey] = [computeNameKey(name), computeUmlautKey(name)];
    const group = byKey.get(key) ?? byKey.get(umlautKey) ?? new Set();
    group.add(name);
    byKey.set(key, group);
    byKey.set(umlautKey, group);
  }
  return [...new Set(byKey.values())];
}
