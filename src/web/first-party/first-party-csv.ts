import { formatCsv } from '../console/tables.tsx';
import type { FirstPartyReport } from './first-party-report.ts';

/**
 * Every page and query as a row of a CSV file, beside what our measurement has of it: `0` and `none` where it has nothing, an
 * empty cell where that was not compared. Cells that a spreadsheet would run
 * are text (rule X8).
 */
export function formatFirstPartyCsv({ imports, comparison }: FirstPartyReport): string {
  const rows = imports.flatMap(({ source, from, to, counts, pages, queries }, at) => {
    const compared = comparison?.[at];
    const answers = new Map([
      ...(compared?.pages?.both ?? []).map(({ page, answers: n }) => [page, n] as const),
      ...(compared?.pages?.only_source ?? []).map(({ page }) => [page, 0] as const),
    ]);
    const isNear = typeof compared?.queries?.near === 'number';
    const near = new Map(compared?.queries?.rows.map((row) => [row.query, row.near]) ?? []);
    const head = (kind: string): readonly string[] => [source, from ?? '', to ?? '', kind];
    return [
      ...(pages ?? []).map(({ page, count, share }) => [
        ...head('page'),
        page,
        counts,
        count,
        share ?? '',
        answers.get(page) ?? '',
        '',
        '',
      ]),
      ...(compared?.pages?.only_panel ?? []).map(({ page, answers: n }) => [
        ...head('page'),
        page,
        counts,
        '',
        '',
        n,
        '',
        '',
      ]),
      ...(queries ?? []).map(({ query, count, share }) => {
        const found = near.get(query);
        return [
          ...head('query'),
          query,
          counts,
          count,
          share ?? '',
          '',
          found?.prompt ?? (isNear && found === null ? 'none' : ''),
          found?.overlap.toFixed(2) ?? '',
        ];
      }),
    ];
  });
  return formatCsv([COLUMNS, ...rows]);
}

const COLUMNS = [
  'source',
  'from',
  'to',
  'kind',
  'name',
  'counts',
  'count',
  'share',
  'answers',
  'nearest_prompt',
  'word_overlap',
];
