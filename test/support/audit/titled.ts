/** Rows of a table beside their titles: a table whose rows may end early cannot be spread into arguments with types. */
export const titled = <Row extends readonly [string, ...unknown[]]>(
  rows: readonly Row[],
): (readonly [title: string, row: Row])[] => rows.map((row) => [row[0], row]);
