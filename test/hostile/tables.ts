import { sampleRows } from '../support/runner/budget.ts';
import type { Shape } from './shape.ts';

/** The tables by name, each loaded by who runs it. */
export const tables: Readonly<Record<string, () => Promise<readonly Shape[]>>> = {
  archives: async () => (await import('./shapes/archives.ts')).archives,
  pages: async () => (await import('./shapes/pages.ts')).pages,
  pdfs: async () => (await import('./shapes/pdfs.ts')).pdfs,
  files: async () => (await import('./shapes/files.ts')).files,
  wire: async () => (await import('./shapes/wire.ts')).wire,
  documents: async () => (await import('./shapes/documents.ts')).documents,
};

/** In `npm test` every sixth row of a table, the first included; `HOSTILE=full` takes all. */
const ROW_STEP = 6;

/** The rows of a table that this run takes. */
export const loadRows = async (name: string): Promise<readonly Shape[]> => {
  const load = tables[name];
  if (load === undefined) throw new Error(`no table ${name}`);
  return sampleRows(await load(), ROW_STEP);
};
