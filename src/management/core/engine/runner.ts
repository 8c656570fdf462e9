import { refuse } from '../../../lib/refusal.ts';
import type { Sql } from '../../../lib/sqlite.ts';

export type Binding = string | number | null;
/** One SQL statement: its rows. */
export type Run = (query: string, ...bindings: Binding[]) => Record<string, unknown>[];

/** What a piece of work may do with the store. */
export type Bounds = { statements: number; writes: boolean };

export type Runner = {
  run: Run;
  /** SQL statements since this runner was made. */
  statements: () => number;
  /** SQL statements that the present work may still need; Infinity where none bounds it. */
  statementsLeft: () => number;
  /**
   * Does the work within bounds. @throws Refusal when it needs more statements: none may hold up the tenant for long
   * (rule K9). @throws Error when it writes and must not
   */
  bounded: <T>(bounds: Bounds, work: () => T) => T;
};

/** Counts every statement, and stops the work that takes too many. */
export function runnerOf(sql: Sql): Runner {
  let statements = 0;
  let last = Number.POSITIVE_INFINITY;
  let mayWrite = true;
  return {
    run: (query, ...bindings) => {
      if (statements >= last) throw refuse.limitExceeded('The request is too large');
      if (!mayWrite && !isRead(query)) throw new Error('A method that only reads must not write');
      statements += 1;
      return sql.exec(query, ...bindings).toArray();
    },
    statements: () => statements,
    statementsLeft: () => last - statements,
    bounded: (bounds, work) => {
      const before = { last, mayWrite };
      last = statements + bounds.statements;
      mayWrite = bounds.writes;
      try {
        return work();
      } finally {
        ({ last, mayWrite } = before);
      }
    },
  };
}

const isRead = (query: string): boolean => query.startsWith('SELECT') || query.startsWith('WITH');
