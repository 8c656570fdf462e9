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
