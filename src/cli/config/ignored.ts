import { checks } from '../../audit/core/catalogue.ts';
import { suggestWord } from '../commands/suggest.ts';
import type { ProjectConfig } from './schema.ts';

export type IgnoredCheck = NonNullable<ProjectConfig['ignore']>[number];

/** What of an ignore list counts today, and a sentence about each row that does not. */
export type IgnoreList = { active: readonly IgnoredCheck[]; warnings: readonly string[] };

/** Judges an ignore list: expired rows and ids of no check are reported and ignore nothing. */
export function judgeIgnoreList(rows: readonly IgnoredCheck[], nowMs: number): IgnoreList {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  const ids = new Set(checks.map(({ id }) => id));
  const warnings = rows.flatMap(({ check, expires }) => {
    if (!ids.has(check)) return [describeUnknown(check, [...ids])];
    return isExpired(expires, today)
      ? [`${check} is not ignored any more: its exception ended on ${expires ?? ''}.`]
      : [];
  });
  const active = rows.filter(({ check, expires }) => ids.has(check) && !isExpired(expires, today));
  return { active, warnings };
}

/** Which checks are ignored and why, a sentence each, for documents that list every check as it was judged. */
export const describeIgnored = (ignored: readonly IgnoredCheck[]): readonly string[] =>
  ignored.map(
    ({ check, reason, expires }) => `${check} is ignored${expires === undefined ? '' : ` until ${expires}`}: ${reason}`,
  );

const isExpired = (expires: string | undefined, today: string): boolean => expires !== undefined && expires < today;

function describeUnknown(id: string, known: readonly string[]): string {
  const near = suggestWord(id, known);
  return `The ignore list names ${id}, which is no check.${near === undefined ? '' : ` Did you mean ${near}?`}`;
}
