import type { TrafficSection } from '../report/sections.ts';
import type { AccessRow, AccessTable, AgentVisits } from './access-row.ts';

/** English words of the table. */
export const declaredTitles: Readonly<Record<AccessRow['declared'], string>> = {
  allowed: 'allowed',
  forbidden: 'forbidden',
  unknown: 'unknown',
};
export const observedTitles: Readonly<Record<AccessRow['observed'], string>> = {
  served: 'served',
  refused: 'refused',
  charged: 'asked to pay',
  other: 'another answer',
  unknown: 'unknown',
  not_asked: 'not asked',
};

/** The table and its conflicts as a part of a report. Every text is ours: nothing of the site or of a log is in it. */
export function describeAccessTable(table: AccessTable): TrafficSection {
  const { first, last } = table.period;
  const period = first === null || last === null ? '' : ` The log is of ${first.slice(0, 10)} to ${last.slice(0, 10)}.`;
  const conflicts = table.rows.flatMap((row) => row.conflicts.map((conflict) => ({ row, conflict })));
  const sorted = conflicts.toSorted((a, b) => Number(b.conflict.needs_action) - Number(a.conflict.needs_action));
  return {
    title: 'Declared, observed, came',
    texts: [
      `What robots.txt says to each agent, what the site answered when we came under its name, and its requests in the log.${period}`,
      ...(sorted.length === 0 ? ['Nothing contradicts.'] : []),
    ],
    tables: [
      {
        caption: 'Agents',
        columns: ['Agent', 'Declared', 'Observed', 'Came', 'Refused', 'Pretended'],
        rows: table.rows.map((row) => [
          row.token,
          `${declaredTitles[row.declared]}${row.named ? ' by name' : ''}`,
          observedTitles[row.observed],
          describeCame(row),
          formatRefused(row.came.verified ?? row.came.claimed),
          formatRequests(row.came.pretended),
        ]),
      },
      ...(sorted.length === 0
        ? []
        : [
            {
              caption: 'Contradictions',
              columns: ['Agent', 'What', 'Likely cause', 'What to do'],
              rows: sorted.map(({ row, conflict }) => [row.token, conflict.what, conflict.cause, conflict.remedy]),
            },
          ]),
    ],
  };
}

const formatRequests = (visits: AgentVisits | null): string =>
  visits === null ? '-' : visits.requests.toLocaleString('en-US');

const formatRefused = (visits: AgentVisits | null): string =>
  visits === null ? '-' : visits.refused.toLocaleString('en-US');

function describeCame({ came: { verified, claimed } }: AccessRow): string {
  if (verified !== null) return `${formatRequests(verified)} verified`;
  return claimed === null ? 'no' : `${formatRequests(claimed)} by its own word`;
}
