import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatherSite } from '../../src/audit/gather.ts';
import { reportOn } from '../../src/audit/report.ts';
import type { Snapshot } from '../../src/audit/snapshot.ts';
import { publicOnly } from '../../src/net/address-policy.ts';
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts';
import { median } from '../process-usage.ts';
import { siteFiles } from './page.ts';

/** CPU of judging one recorded snapshot, in milliseconds: facts, checks, scores and report; no network, no start-up. */
export type EngineResult = { firstMs: number; medianMs: number; maxMs: number; runs: number; pageBytes: number };
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
const ORIGIN = 'https://bench.example.com';
const CLOCK_MS = Date.UTC(2026, 10, 1);

const corpusFolder = new URL('../../../shared/corpora/html', import.meta.url).pathname;

export async function measureEngine(): Promise<EngineResult> {
  const files = siteFiles(ORIGIN);
  const snapshot = await record((path) => files.get(path));
  const [firstMs = 0, ...rest] = await judge(snapshot, PAGE_RUNS + 1);
  const pageBytes = files.get('/')?.body.length ?? 0;
  return { firstMs, medianMs: median(rest), maxMs: Math.max(...rest), runs: rest.length, pageBytes };
}

/** Undefined when the corpus is not on this machine. */
export async function measureCorpus(): Promise<CorpusResult | undefined> {
  if (!existsSync(corpusFolder)) return undefined;
  const pages: { page: string; bytes: number; ms: number }[] = [];
  for (const page of readdirSync(corpusFolder).filter((name) => name.endsWith('.html'))) {
    const body = readFileSync(join(corpusFolder, page), 'utf8');
    const snapshot = await record((path) => (path === '/' ? { type: 'text/html; charset=utf-8', body } : undefined));
    pages.push({ page, bytes: Buffer.byteLength(body), ms: Math.max(...(await judge(snapshot, CORPUS_RUNS))) });
  }
  const worst = pages.toSorted((a, b) => b.ms - a.ms);
  return {
    pages: pages.length,
    maxMs: worst[0]?.ms ?? 0,
    medianMs: median(pages.map(({ ms }) => ms)),
    worst: worst.slice(0, WORST),
  };
}

/** A snapshot of a site that exists in memory only: the same gatherers and limits, another fetch. */
function record(fileAt: (path: string) => { type: string; body: string } | undefined): Promise<Snapshot> {
  const answer = async (url: string): Promise<Response> => {
    const file = fileAt(new URL(url).pathname);
    return new Response(file?.body ?? 'not found', {
      status: file ? 200 : 404,
      headers: { 'content-type': file?.type ?? 'text/plain' },
    });
  };
  const fetch = createGuardedFetch({ fetch: answer, policy: publicOnly(), clock: Date.now, userAgent: 'bench' });
  return gatherSite(`${ORIGIN}/`, { fetch, clockMs: CLOCK_MS });
}

/** Each run gets a copy of its own with other hashes, so that nothing is reused that is kept per snapshot or per bytes. */
async function judge(snapshot: Snapshot, runs: number): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const copy = withOtherHashes(snapshot, run);
    const before = process.cpuUsage();
    const report = await reportOn(copy);
    const { user, system } = process.cpuUsage(before);
    if (!report.ok) throw new Error(`no report: ${report.detail}`);
    times.push((user + system) / 1000);
  }
  return times;
}

function withOtherHashes(snapshot: Snapshot, run: number): Snapshot {
  const mark = run.toString(16).padStart(8, '0');
  const exchanges = structuredClone(snapshot.exchanges).map((exchange) =>
    exchange.answer.ok
      ? { ...exchange, answer: { ...exchange.answer, sha256: `${mark}${exchange.answer.sha256.slice(mark.length)}` } }
      : exchange,
  );
  return { ...snapshot, exchanges };
}
