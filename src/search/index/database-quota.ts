import { MAX_DATABASE_BYTES } from './item.ts';
import { QUANTISED_EXTRA } from './quantised.ts';

/** Of a row beside its blob. */
const ROW_BYTES = 16;

/** Whether a database may still take so many bytes. @param databaseBytes what it takes now */
export const hasRoom = (databaseBytes: () => number, more: number): boolean =>
  databaseBytes() + more <= MAX_DATABASE_BYTES;

/** What vectors take once they are stored. */
export const computeVectorBytes = (vectors: readonly Float32Array[]): number =>
  vectors.reduce((sum, { length }) => sum + ROW_BYTES + QUANTISED_EXTRA + length, 0);
