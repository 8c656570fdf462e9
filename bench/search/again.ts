import { readdirSync, readFileSync } from 'node:fs';
import { round } from '../aims.ts';
import { type Costs, measureSmallQueries } from './index-costs.ts';
import { type Engines, withEngines } from './side.ts';
import type { Document, Found } from './workload.ts';

/** Times that everything is indexed again, without any change but of its checksum. */
const TIMES = 20;
/** A section is long enough to be asked about, and short enough that all of them are a small index. */
const MIN_SENTENCE_WORDS = 8;
const MAX_SENTENCE_WORDS = 40;
const MAX_SECTION_CHARS = 1_500;
const MAX_SECTIONS = 60;

/** Pages of our documentation, each with sections. */
const FOLDERS = ['../../docs/guides/', '../../docs/operate/'].map((path) => new URL(path, import.meta.url));

/** What an index finds before and after: shares of questions whose section comes first, and the mean of the first scores. */
type Ranked = { recallAt1: number; score: number };
type Regime = { chunks: number; fresh: Ranked; again: Ranked; differing: number };
/** `small`: the sections alone; `large`: among the saved pages, where they are on this machine. */
export type Reindexed = {
  sections: number;
  small: Regime;
  large?: Regime;
  /** CPU of all questions to the small index, once. */
  smallQueries: Costs<'own' | 'sqlite'>;
};

/** The sections of our documentation, each asked for by a sentence of its own, before and after they are indexed again and again. */
export async function measureReindexed(pages: readonly Document[]): Promise<Reindexed> {
  const sections = readSections();
  const measured = await withEngines(async (engines) => ({
    sections: sections.length,
    small: await measureRegime(engines, sections, []),
    smallQueries: await measureSmallQueries(engines),
  }));
  if (pages.length === 0) return measured;
  return {
    ...measured,
    large: await withEngines((engines) => measureRegime(engines, sections, pages)),
  };
}

type Section = Document & { question: string };

async function measureRegime(
  { ask }: Engines,
  sections: readonly Section[],
  beside: readonly Document[],
): Promise<Regime> {
  await ask(
    'prepare',
    [...beside, ...sections.map(({ page, title, text }) => ({ page, title, text }))],
    sections.map(({ question }) => question),
  );
  await ask('fill', 'ours', 0);
  const before = await ask<Found[][]>('found', 'ours');
  for (let time = 0; time < TIMES; time += 1) await ask('fill', 'ours', 0, `time ${time}`);
  const after = await ask<Found[][]>('found', 'ours');
  const differing = before.filter((found, at) => JSON.stringify(found) !== JSON.stringify(after[at])).length;
  const [fresh, again] = [rank(sections, before), rank(sections, after)];
  return { chunks: await ask<number>('chunks'), fresh, again, differing };
}

function rank(sections: readonly Section[], found: readonly (readonly Found[])[]): Ranked {
  const first = found.map(([one]) => one);
  return {
    recallAt1: first.filter((one, at) => one?.page === sections[at]?.page).length / sections.length,
    score: first.reduce((sum, one) => sum + (one?.score ?? 0), 0) / sections.length,
  };
}

/** Sections with a sentence that is long enough to be looked for. */
function readSections(): readonly Section[] {
  const pages = FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .toSorted()
      .map((name) => readFileSync(new URL(name, folder), 'utf8')),
  );
  return pages
    .flatMap((page) => page.split(/^#{2,3} /m).slice(1))
    .flatMap((part, at): Section[] => {
      const [title = '', ...lines] = part.split('\n');
      const text = lines.join('\n').slice(0, MAX_SECTION_CHARS);
      const sentences = text.split(/(?<=[.!?])\s|\n/).map((line) => line.replace(/^- /, ''));
      const question = sentences.find((line) => /^[A-Z*`][^|]+\.$/.test(line) && isLongEnough(line.split(' ').length));
      return question === undefined ? [] : [{ page: `section-${at}`, title, text, question }];
    })
    .slice(0, MAX_SECTIONS);
}

const isLongEnough = (words: number): boolean => words >= MIN_SENTENCE_WORDS && words <= MAX_SENTENCE_WORDS;

export function describeReindexed({ sections, small, large, smallQueries }: Reindexed): string[] {
  const { own, sqlite } = smallQueries;
  const lineOf = (name: string, { chunks, fresh, again, differing }: Regime): string =>
    `indexed again ${TIMES} times, ${name} index of ${chunks} chunks, ${sections} sections: recall at 1 ${round(again.recallAt1)} (fresh ${round(fresh.recallAt1)}), mean first score ${round(again.score)} (fresh ${round(fresh.score)}), ${differing} questions find something else`;
  const rate = (leastMs: number): string => `${round((sections * 1_000) / leastMs)}/s`;
  return [
    lineOf('small', small),
    ...(large === undefined ? [] : [lineOf('large', large)]),
    `queries of that small index by CPU: ranked by ours ${rate(own.leastMs)}, by SQLite alone ${rate(sqlite.leastMs)} (${round(sqlite.leastMs / own.leastMs)}x)`,
  ];
}
