import type * as z from 'zod';
import type { panelResult } from '../../../capabilities/panel-results.ts';

export type PanelReport = z.infer<typeof panelResult>;
export type MeasuredEngine = Extract<PanelReport['engines'][number], { status: 'measured' }>;
type PooledRival = PanelReport['pooled']['rivals'][number];

export const isMeasuredEngine = (engine: PanelReport['engines'][number]): engine is MeasuredEngine =>
  engine.status === 'measured';

/** The brand and its rivals by their pooled mention rates; of those that tie, the brand is first. */
export function rankPooled({ pooled }: PanelReport): readonly ('own' | PooledRival)[] {
  const isAbove = ({ mention_rate: rate }: PooledRival): boolean => rate.value > pooled.mention_rate.value;
  return [...pooled.rivals.filter(isAbove), 'own', ...pooled.rivals.filter((rival) => !isAbove(rival))];
}

/** What the first sentence of the report says. `place`: undefined for a brand that no answer names. */
export function summarisePanel(report: PanelReport): {
  top: string | undefined;
  place: number | undefined;
  ranked: number;
  namedBy: number;
  engines: number;
} {
  const measured = report.engines.filter(isMeasuredEngine);
  const namedBy = measured.filter(({ mention_rate: rate }) => rate.value > 0).length;
  const rows = rankPooled(report);
  const [first] = rows;
  const isOwnFirst = first === 'own';
  const top = isOwnFirst ? (namedBy === 0 ? undefined : report.brand) : first?.name;
  const place = namedBy === 0 ? undefined : rows.indexOf('own') + 1;
  return { top, place, ranked: rows.length, namedBy, engines: measured.length };
}

/** The pairs of engines that differ by more than chance, the one that names the brand more often first. */
export const listCalledDifferences = ({ differences }: PanelReport) =>
  differences.flatMap(({ engines: [first = '', second = ''], verdict, difference, n, adjusted_p_value: p }) => {
    if (verdict === 'too_close_to_call') return [];
    const [more, fewer] = verdict === 'first' ? [first, second] : [second, first];
    return [{ more, fewer, points: computePoints(Math.abs(difference)), prompts: n, p }];
  });

/** A difference of rates in points. */
export const computePoints = (difference: number): number => Math.round(difference * 100);
