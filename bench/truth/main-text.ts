import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { corpora, type TruthPage } from './corpora.ts';

/** Precision and recall of the main text against the gold texts, means over pages; F1 is of those means. */
export type MainTextFigures = { pages: number; precision: number; recall: number; f1: number };

const Gold = z.record(z.string(), z.object({ articleBody: z.string().optional() }));

/** The gold texts of the article corpus by page id; undefined when the corpus is not in the folder. */
export function readGold(folder: string, pages: readonly TruthPage[]): ReadonlyMap<string, string> | undefined {
  const file = join(folder, corpora.aeb.repository, 'ground-truth.json');
  if (!existsSync(file)) return undefined;
  const gold = Gold.parse(JSON.parse(readFileSync(file, 'utf8')));
  return new Map(
    pages.flatMap((page): [string, string][] => {
      if (page.corpus !== 'aeb') return [];
      const key = (page.path.split('/').at(-1) ?? '').replace(/\.html(?:\.gz)?$/, '');
      return [[page.id, gold[key]?.articleBody ?? '']];
    }),
  );
}

/** Words that follow each other; the corpus counts runs of four. */
const RUN = 4;

function countRuns(text: string): ReadonlyMap<string, number> {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const runs = new Map<string, number>();
  for (let from = 0; from < Math.max(1, words.length - RUN + 1); from += 1) {
    const run = words.slice(from, from + RUN).join(' ');
    if (run !== '') runs.set(run, (runs.get(run) ?? 0) + 1);
  }
  return runs;
}

/** Compares texts as the corpus does: by runs of four words; a page of which neither side has text counts in neither mean. */
export function measureMainText(texts: readonly { gold: string; found: string }[]): MainTextFigures {
  const precisions: number[] = [];
  const recalls: number[] = [];
  for (const { gold, found } of texts) {
    const [wanted, got] = [countRuns(gold), countRuns(found)];
    let [both, extra, missed] = [0, 0, 0];
    for (const run of new Set([...wanted.keys(), ...got.keys()])) {
      const [want, have] = [wanted.get(run) ?? 0, got.get(run) ?? 0];
      both += Math.min(want, have);
      extra += Math.max(0, have - want);
      missed += Math.max(0, want - have);
    }
    if (both + extra > 0) precisions.push(both / (both + extra));
    if (both + missed > 0) recalls.push(both / (both + missed));
  }
  const mean = (values: readonly number[]): number =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
  const [precision, recall] = [mean(precisions), mean(recalls)];
  return { pages: texts.length, precision, recall, f1: (2 * precision * recall) / (precision + recall || 1) };
}
