import { type Aim, atLeast, round } from '../aims.ts';
import { type Answering, startAnswering } from '../children.ts';
import { median } from '../process-usage.ts';
import type { CorpusPage } from './corpus.ts';
import type { Took } from './in-memory.ts';
import type { PageAnswer, PageQuestion, PageTook } from './page-times.ts';

/** Milliseconds over all pages, each page by the median of its runs. */
type Spread = { p50: number; max: number; maxPage: string };
type Spreads = Readonly<Record<keyof Took, Spread>>;

/** `engine` and `whole` as in `PageTook`; `withoutReport` and `capped` name pages. */
export type ToolOnCorpus = {
  engine: Spreads;
  whole: Spreads;
  withoutReport: readonly string[];
  capped: readonly string[];
};
export type Comparison = { pages: number; runs: number; ours: ToolOnCorpus; peer: ToolOnCorpus };

const ROUNDS = 3;
/** A page that takes a tool longer is ended and counts as this long. */
const CAP_MS = 90_000;
/** No further round of all pages is begun after this; the first always is. */
const ENOUGH_MS = 90_000;
const WARM_UP = '<!doctype html><title>A page</title><h1>A page</h1><p>It has a sentence, and a second one.</p>';
const P50_RATIO = 5;
const MAX_RATIO = 50;

const script = new URL('page-times.ts', import.meta.url).pathname;

/** Audits every page with both tools in turns, each in a process of its own that lives for all of them. */
export async function compareOnPages(corpus: readonly CorpusPage[], rounds = ROUNDS): Promise<Comparison> {
  const [ours, peer] = [contender('sightline'), contender('aiseo-audit')];
  const startedMs = performance.now();
  let runs = 0;
  try {
    // One page unmeasured: what each tool loads at its first.
    for (const { take } of [ours, peer]) await take(WARM_UP);
    while (runs < rounds && (runs === 0 || performance.now() - startedMs < ENOUGH_MS)) {
      for (const { page, body } of corpus) {
        const marked = `${body}<!-- ${runs} -->`; // The same bytes for both, and none that were seen before.
        for (const { take } of [ours, peer]) await take(marked, page);
      }
      runs += 1;
    }
  } finally {
    await Promise.all([ours.stop(), peer.stop()]);
  }
  return { pages: corpus.length, runs, ours: ours.result(), peer: peer.result() };
}

export function comparisonLines({ pages, runs, ours, peer }: Comparison): string[] {
  const spread = ({ p50, max, maxPage }: Spread): string => `p50 ${round(p50)} ms, max ${round(max)} ms (${maxPage})`;
  const line = (name: string, { wallMs, cpuMs }: Spreads): string =>
    `  ${name.padEnd(26)} wall ${spread(wallMs)}; CPU ${spread(cpuMs)}`;
  const times = (clock: keyof Took, part: 'engine' | 'whole'): string => {
    const [slow, fast] = [peer[part][clock], ours[part][clock]];
    return `p50 ${round(slow.p50 / fast.p50)}, max ${round(slow.max / fast.max)}`;
  };
  const named = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));
  return [
    `against aiseo-audit: ${pages} ${pages === 1 ? 'page' : 'pages'} from memory, in process, medians of ${runs} ${runs === 1 ? 'round' : 'rounds'}`,
    line('sightline, engine', ours.engine),
    line('sightline, with requests', ours.whole),
    line('aiseo-audit', peer.whole),
    `  times as fast: engine wall ${times('wallMs', 'engine')}, CPU ${times('cpuMs', 'engine')};` +
      ` with requests wall ${times('wallMs', 'whole')}, CPU ${times('cpuMs', 'whole')}`,
    `  ended at ${CAP_MS / 1000} s: ours ${named(ours.capped)}, aiseo-audit ${named(peer.capped)};` +
      ` without a report: ours ${named(ours.withoutReport)}, aiseo-audit ${named(peer.withoutReport)}`,
  ];
}

export function comparisonAims({ ours, peer }: Comparison): Aim[] {
  const [fast, slow] = [ours.engine.wallMs, peer.engine.wallMs];
  return [
    atLeast('corpus p50, engine, times as fast as aiseo-audit', slow.p50 / fast.p50, P50_RATIO, 'x'),
    atLeast('corpus maximum, engine, times as fast as aiseo-audit', slow.max / fast.max, MAX_RATIO, 'x'),
  ];
}

/** One tool in a child of its own, which is replaced when a page holds it up for `CAP_MS`. */
type Contender = {
  /** Not kept when no page is named. */
  take: (body: string, page?: string) => Promise<void>;
  result: () => ToolOnCorpus;
  stop: () => Promise<void>;
};

function contender(tool: string): Contender {
  let child: Answering = startAnswering(script, [tool]);
  const taken = new Map<string, PageTook[]>();
  const failed = new Set<string>();
  const capped = new Set<string>();
  return {
    async take(body, page) {
      const question: PageQuestion = { body };
      const said = await child.ask<PageAnswer>(question, CAP_MS);
      if (said === undefined) {
        await child.stop();
        child = startAnswering(script, [tool]);
      }
      if (page === undefined) return;
      if (said === undefined) capped.add(page);
      else if (!said.ok) failed.add(page);
      if (said?.ok !== false) taken.set(page, [...(taken.get(page) ?? []), said ?? atCap]);
    },
    result: () => ({
      engine: spreadsOf(taken, 'engine'),
      whole: spreadsOf(taken, 'whole'),
      withoutReport: [...failed],
      capped: [...capped],
    }),
    stop: () => child.stop(),
  };
}

const capTook: Took = { wallMs: CAP_MS, cpuMs: CAP_MS };
const atCap: PageTook = { engine: capTook, whole: capTook };

function spreadsOf(taken: ReadonlyMap<string, readonly PageTook[]>, part: keyof PageTook): Spreads {
  const spread = (clock: keyof Took): Spread => {
    const pages = [...taken].map(([page, runs]) => ({ page, ms: median(runs.map((run) => run[part][clock])) }));
    const worst = pages.toSorted((a, b) => b.ms - a.ms)[0];
    return { p50: median(pages.map(({ ms }) => ms)), max: worst?.ms ?? 0, maxPage: worst?.page ?? 'none' };
  };
  return { wallMs: spread('wallMs'), cpuMs: spread('cpuMs') };
}
