import type { AccessRow, AccessTable, AgentVisits } from '../../traffic/access/access-row.ts';
import { formatWholeNumber } from '../language/amounts.ts';
import type { PageLanguage } from '../language/language.ts';
import { hostAccessWords, type ConflictText } from './access-words.ts';

/** Cells of the row of one agent, behind its name. */
export function formatAccessRow(row: AccessRow, language: PageLanguage): readonly string[] {
  const words = hostAccessWords[language];
  return [
    row.named ? `${words.declaredAs[row.declared]} ${words.byName}` : words.declaredAs[row.declared],
    words.observedAs[row.observed],
    formatCame(row, language),
    formatRefused(row.came.verified ?? row.came.claimed, language),
  ];
}

const formatRefused = (visits: AgentVisits | null, language: PageLanguage): string =>
  visits === null ? '–' : formatWholeNumber(visits.refused, language);

function formatCame({ came: { verified, claimed } }: AccessRow, language: PageLanguage): string {
  const { cameAs, cameNot } = hostAccessWords[language];
  if (verified !== null) return cameAs.verified(formatWholeNumber(verified.requests, language));
  return claimed === null ? cameNot : cameAs.claimed(formatWholeNumber(claimed.requests, language));
}

/** Every contradiction with its agent, those that need action first. */
export function listConflicts(
  { rows, provider }: AccessTable,
  language: PageLanguage,
): readonly (ConflictText & { token: string })[] {
  return rows
    .flatMap((row) => row.conflicts.map((conflict) => ({ row, conflict })))
    .toSorted((one, other) => Number(other.conflict.needs_action) - Number(one.conflict.needs_action))
    .map(({ row, conflict }) => {
      const { what, cause, remedy } = hostAccessWords[language].conflict(row, conflict, provider);
      return { token: row.token, what, cause, remedy };
    });
}
