/**
 * Budgets of matrices and fuzz. `npm test` takes a part of each, the same one in every run; `HOSTILE=full`, as in
 * `npm run soak`, takes all of it.
 */
export const isFull = process.env['HOSTILE'] === 'full';

/** A number of runs, or the step between rows: `part` in `npm test`, `whole` in the soak. */
export const budgetFor = (part: number, whole: number): number => (isFull ? whole : part);

/**
 * Every `step`th row from the row `first` on; all rows in the soak. Tables that begin at different rows take each row
 * once between them.
 */
export const sampleRows = <Row>(rows: readonly Row[], step: number, first = 0): readonly Row[] =>
  isFull ? rows : rows.filter((_row, index) => index % step === first % step);
