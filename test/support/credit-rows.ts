import { DatabaseSync } from 'node:sqlite';
import { openCreditRows, type CreditRows } from '../../src/payment/credits-rows.ts';

/** The tables of a credit account in SQLite, as its object has them. */
export function memoryCreditRows(): CreditRows {
  const database = new DatabaseSync(':memory:');
  return openCreditRows({
    exec: (query, ...bindings) => {
      const rows = database.prepare(query).all(...bindings);
      return { toArray: () => rows };
    },
  });
}
