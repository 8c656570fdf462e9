import type { Snapshot } from '../../src/audit/core/snapshot.ts';
import { median } from '../process-usage.ts';
import type { CorpusPage } from './corpus.ts';
import { judge, onePage, ORIGIN, record, timed, withOtherHashes } from './in-memory.ts';
import { siteFiles } from './page.ts';

/** CPU of judging one recorded snapshot, in milliseconds: facts, checks, scores and report; no network, no start-up. */
export type EngineResult = {
  firstMs: number;
  leastMs: number;
  medianMs: number;
  maxMs: number;
  runs: number;
  pageBytes: number;
};
/** Corpus pages by their worst run. */
export type CorpusResult = {
  pages: number;
  maxMs: number;
  medianMs: number;
  worst: { page: string; bytes: number; ms: number }[];
};

const PAGE_RUNS = 40;
const CORPUS_RUNS = 3;
const WORST = 5;

export async function measureEngine(): Promise<EngineResult> {
  const files = siteFiles(ORIGIN);
  const snapshot = await record((path) => files.get(path));
  const [firstMs = 0, ...rest] = await judgings(snapshot, PAGE_RUNS + 1);
  return {
    firstMs,
    leastMs: Math.min(...rest),
    medianMs: median(rest),
    maxMs: Math.max(...rest),
    runs: rest.length,
    pageBytes: files.get('/')?.body.length ?? 0,
  };
}

export async function measureCorpus(corpus: readonly CorpusPage[]): Promise<CorpusResult> {
  const pages: { page: string; bytes: number; ms: number }[] = [];
  for (const { page, body } of corpus) {
    const snapshot = await record(onePage(body));
    pages.push({ page, bytes: Buffer.byteLength(body), ms: Math.max(...(await judgings(snapshot, CORPUS_RUNS))) });
  }
  const worst = pages.toSorted((a, b) => b.ms - a.ms);
  return {
    pages: pages.length,
    maxMs: worst[0]?.ms ?? 0,
    medianMs: median(pages.map(({ ms }) => ms)),
    worst: worst.slice(0, WORST),
  };
}

async function judgings(snapshot: Snapshot, runs: number): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const copy = withOtherHashes(snapshot, run);
    times.push((await timed(() => judge(copy))).cpuMs);
  }
  return times;
}
