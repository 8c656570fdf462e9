import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Saved pages of real sites. `BENCH_CORPUS` names another folder of `*.html`. */
const folder = process.env['BENCH_CORPUS'] ?? new URL('../../../shared/corpora/html', import.meta.url).pathname;

export type CorpusPage = { page: string; body: string };

/** The pages in the order of their names; undefined when the corpus is not on this machine. */
export function readCorpus(): readonly CorpusPage[] | undefined {
  if (!existsSync(folder)) return undefined;
  const names = readdirSync(folder).filter((name) => name.endsWith('.html'));
  return names.toSorted().map((page) => ({ page, body: readFileSync(join(folder, page), 'utf8') }));
}
