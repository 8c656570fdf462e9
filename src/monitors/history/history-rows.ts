import type { MonitorHistory, SeriesPoint } from './history.ts';

const COLUMNS = [
  'at',
  'run',
  'report',
  'of',
  'series',
  'unit',
  'value',
  'low',
  'high',
  'held_by',
  'simulated',
  'marks',
] as const;

/** The points of all series as rows of a CSV file, the names of the columns first. */
export function listHistoryRows({ series, marks }: MonitorHistory): readonly (readonly (string | number)[])[] {
  const marksOf = Map.groupBy(marks, ({ runId }) => runId);
  const rows = series.flatMap(({ name, unit, competitor, simulated, points }) =>
    points.map((point) => [
      new Date(point.atMs).toISOString(),
      point.runId,
      point.reportId ?? '',
      competitor ?? '',
      name,
      unit,
      ...listFigures(point),
      point.gates?.join(' ') ?? '',
      simulated === true ? 'yes' : 'no',
      (marksOf.get(point.runId) ?? [])
        .filter((mark) => mark.kind !== 'model_changed' || mark.series === name)
        .map((mark) => (mark.kind === 'alert' ? `alert:${mark.alert}` : mark.kind))
        .join(' '),
    ]),
  );
  return [COLUMNS, ...rows.toSorted(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0))];
}

const listFigures = ({ value, low, high }: SeriesPoint): readonly (string | number)[] =>
  [value, low, high].map((figure) => figure ?? '');
