import { readFileSync } from 'node:fs';
import { type Aim, atLeast, atMost, round } from '../aims.ts';
import { describeReindexed, measureReindexed, type Reindexed } from './again.ts';
import { type FirstEvents, measureFirstEvents } from './first-event.ts';
import { COPIES, type Costs, measureFilling, measureQueries } from './index-costs.ts';
import { readPages } from './pages.ts';
import { answers, questions } from './questions.ts';
import { type Engines, withEngines } from './side.ts';
import { CHUNKS, type Document, type Found, RESULTS, type Side } from './workload.ts';

/** A question's place among five chunks, by side: how many are found there at all, first, and 1/place on average. */
type Quality = { recallAt5: number; recallAt1: number; mrr: number };

export type SearchResults = {
  aims: readonly Aim[];
  /** Absent where the saved pages are not on this machine. */
  workload?: { pages: number; textBytes: number; chunks: number; questions: number; chunkTokens: number };
  minisearch?: string;
  quality?: Readonly<Record<Side, Quality>>;
  /** Questions that only one of ours and the peer's defaults answers. */
  onlyOurs?: readonly string[];
  onlyPeer?: readonly string[];
  /** CPU of all questions, once. */
  queries?: Costs<Side>;
  /** CPU of all pages, ten times. */
  filling?: Costs<'ours' | 'plain'>;
  /** Of the database after that, by the bytes of the texts. */
  size?: { bytes: number; ratio: number };
  firstEvents?: FirstEvents;
  /** What is found before and after everything is indexed again. */
  reindexed?: Reindexed;
};

const FIRST_EVENT_MS = 50;
const PACKAGE = new URL('../../package.json', import.meta.url);

/** Our index against minisearch on the same chunks of saved pages, and how soon a chat shows what it found. */
export async function measureSearch(say: (line: string) => void): Promise<SearchResults> {
  const pages = await readPages();
  if (!pages) {
    say(
      'search: the saved pages are not on this machine, so only re-indexing is measured (BENCH_CORPUS names a folder of them)',
    );
    const reindexed = await measureReindexed([]);
    for (const line of describeReindexed(reindexed)) say(line);
    return { aims: listReindexedAims(reindexed), reindexed };
  }
  const documents = pages.map(({ page, title, text }) => ({ page, title, text }));
  const textBytes = documents.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const chunks = pages.reduce((sum, page) => sum + page.chunks.length, 0);
  const { devDependencies } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { devDependencies: Record<string, string> };
  const minisearch = devDependencies['minisearch'] ?? '';
  const workload = {
    pages: pages.length,
    textBytes,
    chunks,
    questions: questions.length,
    chunkTokens: CHUNKS.chunkTokens,
  };
  say(
    `search: ${questions.length} questions, ${pages.length} pages, ${kb(textBytes)} KB of text, ${chunks} chunks of at most ${CHUNKS.chunkTokens} tokens, ${RESULTS} results; minisearch ${minisearch}`,
  );
  const indexed = await withEngines((engines) => measureIndex(engines, documents, textBytes));
  for (const line of indexLines(indexed, textBytes)) say(line);
  const files = documents.map(({ page, text }) => ({ key: page.replace('.html', '.md'), text }));
  const firstEvents = await measureFirstEvents(
    files,
    questions.map(({ question }) => question),
  );
  say(firstEventLine(firstEvents));
  const reindexed = await measureReindexed(documents);
  for (const line of describeReindexed(reindexed)) say(line);
  return {
    aims: [...indexAims(indexed), firstEventAim(firstEvents), ...listReindexedAims(reindexed)],
    workload,
    minisearch,
    ...indexed,
    firstEvents,
    reindexed,
  };
}

type Indexed = Required<Pick<SearchResults, 'quality' | 'onlyOurs' | 'onlyPeer' | 'queries' | 'filling' | 'size'>>;

async function measureIndex(engines: Engines, documents: readonly Document[], textBytes: number): Promise<Indexed> {
  const { ask } = engines;
  await ask(
    'prepare',
    documents,
    questions.map(({ question }) => question),
  );
  for (const side of ['ours', 'plain']) await ask('fill', side, 0);
  const places = {
    ours: placesOf(await ask('found', 'ours')),
    plain: placesOf(await ask('found', 'plain')),
    wide: placesOf(await ask('found', 'wide')),
  };
  const queries = await measureQueries(engines);
  const filling = await measureFilling(engines);
  // The last round filled our index with all copies.
  const bytes = await ask<number>('bytes');
  const isOnly = (one: Side, other: Side) => (_: unknown, at: number) =>
    places[one][at] !== undefined && places[other][at] === undefined;
  const texts = questions.map(({ question }) => question);
  return {
    quality: { ours: qualityOf(places.ours), plain: qualityOf(places.plain), wide: qualityOf(places.wide) },
    onlyOurs: texts.filter(isOnly('ours', 'plain')),
    onlyPeer: texts.filter(isOnly('plain', 'ours')),
    queries,
    filling,
    size: { bytes, ratio: bytes / (COPIES * textBytes) },
  };
}

type Places = readonly (number | undefined)[];

/** Where among its chunks the first one stands that answers a question, from 1; undefined for nowhere. */
const placesOf = (found: readonly (readonly Found[])[]): Places =>
  questions.map((question, at) => {
    const place = (found[at] ?? []).slice(0, RESULTS).findIndex((passage) => answers(question, passage));
    return place === -1 ? undefined : place + 1;
  });

function qualityOf(places: Places): Quality {
  const share = (value: (place: number) => number): number =>
    places.reduce<number>((sum, place) => sum + (place === undefined ? 0 : value(place)), 0) / places.length;
  return {
    recallAt5: share(() => 1),
    recallAt1: share((place) => (place === 1 ? 1 : 0)),
    mrr: share((place) => 1 / place),
  };
}

function indexLines({ quality, onlyOurs, onlyPeer, queries, filling, size }: Indexed, textBytes: number): string[] {
  const shown = ({ recallAt5, recallAt1, mrr }: Quality): string =>
    `${round(recallAt5)} at 5, ${round(recallAt1)} at 1, mean reciprocal place ${round(mrr)}`;
  const rate = ({ leastMs }: { leastMs: number }): string => `${round((questions.length * 1_000) / leastMs)}/s`;
  const speed = ({ leastMs }: { leastMs: number }): string => `${round((COPIES * textBytes) / 1_000 / leastMs)} MB/s`;
  const { ours, plain, wide } = queries;
  return [
    `recall, ours: ${shown(quality.ours)}`,
    `recall, minisearch by its defaults: ${shown(quality.plain)}; with prefixes, fuzzy words and titles twice: ${shown(quality.wide)}`,
    `recall, questions that only ours answers: ${onlyOurs.length}, only minisearch by its defaults: ${onlyPeer.length}`,
    `queries by CPU: ours ${rate(ours)}, minisearch ${rate(plain)} (${round(plain.leastMs / ours.leastMs)}x), with prefixes and fuzzy words ${rate(wide)} (${round(wide.leastMs / ours.leastMs)}x)`,
    `text to chunks to index by CPU, ${COPIES} copies: ours ${speed(filling.ours)}, minisearch ${speed(filling.plain)} (${round(filling.plain.leastMs / filling.ours.leastMs)}x)`,
    `database: ${kb(size.bytes)} KB, ${round(size.ratio)}x the text`,
  ];
}

function indexAims({ quality }: Indexed): Aim[] {
  const best = Math.max(quality.plain.recallAt5, quality.wide.recallAt5);
  return [
    atLeast('search, recall at 5 of 200 questions, against the better of minisearch', quality.ours.recallAt5, best, ''),
  ];
}

/** All that is found, in its order and with its scores, is as in a fresh index; so is recall. */
const listReindexedAims = ({ small, large }: Reindexed): Aim[] =>
  Object.entries({ small, large }).flatMap(([name, regime]) =>
    regime === undefined
      ? []
      : [
          atLeast(
            `search, recall at 1 after 20 re-indexes by that of a fresh ${name} index`,
            regime.again.recallAt1 / regime.fresh.recallAt1,
            1,
            'x',
          ),
          atMost(
            `search, questions that find something else after 20 re-indexes, ${name} index`,
            regime.differing,
            0,
            '',
          ),
        ],
  );

const firstEventLine = ({ pairs, searchMs, chunksMs, overMs }: FirstEvents): string =>
  `streamed chat, ${pairs} times: chunks after ${round(chunksMs.median)} ms, a search ${round(searchMs.median)} ms; over the search median ${round(overMs.median)} ms, 95 of 100 within ${round(overMs.p95)} ms`;

const firstEventAim = ({ overMs }: FirstEvents): Aim =>
  atMost('search, chunks of a streamed chat over the search itself (95 of 100)', overMs.p95, FIRST_EVENT_MS, 'ms');

const kb = (bytes: number): number => Math.round(bytes / 1_000);
