import { DatabaseSync } from 'node:sqlite';
import { openSql } from '../management/sqlite.ts';
import { openCreditRows, type CreditRows } from '../../../src/payment/credits/rows.ts';

/** The tables of a credit account in SQLite, as its object has them. */
export function memoryCreditRows(): CreditRows {
  return openCreditRows(openSql(new DatabaseSync(':memory:')));
}
