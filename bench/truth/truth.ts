import { type OutcomeStatus, type ScoreName, scoreNames } from '../../src/audit/core/check.ts';
import { checks } from '../../src/audit/core/catalogue.ts';
import { computeWilson } from '../../src/visibility/metrics/statistics.ts';
import { type Aim, atLeast, atMost, round } from '../aims.ts';
import { corporaFolder, isInPopulation, type Part, readManifest, readTruthPage, type TruthPage } from './corpora.ts';
import { judgePage, type PageVerdicts } from './judge-page.ts';
import { readDrawn } from './aside.ts';
import { type Labels, readLabels } from './labels.ts';
import { type MainTextFigures, measureMainText, readGold } from './main-text.ts';
import {
  type Agreement,
  computeAgreement,
  countJudgement,
  createTally,
  type JudgedVerdict,
  judgeVerdict,
  sumWrong,
  type Tally,
  weighVerdicts,
} from './scoring.ts';

/** Accuracy of one check on labelled pages; `low` and `high` bound the share of right ones at 95 %. */
export type CheckAccuracy = Tally & { check: string; weight: number; accuracy: number; low: number; high: number };

/** Figures of one part of the labelled pages. */
export type HalfFigures = {
  part: Part;
  pages: number;
  verdicts: number;
  byCheck: readonly CheckAccuracy[];
  byScore: Readonly<Record<ScoreName, { wrong: number; wrongCosting: number }>>;
  kinds: KindFigures;
};

/** Pages whose kind the readers named; `weighed`: the share of right ones, each kind by how often the engine says it. */
export type KindFigures = { n: number; right: number; weighed: number };

export type TruthResults = {
  aims: readonly Aim[];
  pages: { manifest: number; judged: number; missing: readonly string[] };
  halves: readonly HalfFigures[];
  agreement: readonly Agreement[];
  mainText: MainTextFigures | undefined;
  /** `firstMs`: of the first page of the process, which compiles what it runs; the others are without it. */
  cpu: { firstMs: number; p50Ms: number; p95Ms: number; maxMs: number };
  spread: Readonly<Record<ScoreName, { mean: number; sd: number }>>;
};

type Judged = { page: TruthPage; bytes: number; verdicts: PageVerdicts };
type Say = (line: string) => void;

/** Of the pages that were set aside, the verdicts that were drawn count and no others. */
const PARTS: readonly Part[] = ['frozen', 'open', 'aside'];
const MAX_MISSING_SHOWN = 20;

/** Verdicts on pages of public corpora against the labels of people who read them. */
export async function measureTruth(say: Say): Promise<TruthResults> {
  const manifest = readManifest();
  const folder = corporaFolder();
  if (folder === undefined) throw new Error('TRUTH_CORPORA names no folder: see bench/truth/README.md');
  const { judged, missing } = await judgeAll(folder, manifest);
  for (const line of missing.slice(0, MAX_MISSING_SHOWN)) say(`missing: ${line}`);
  const [a, b] = [readLabels('a'), readLabels('b')];
  const population = judged.filter(({ page, bytes }) => isInPopulation(page, bytes));
  const frequencies = countStatuses(population);
  const halves = PARTS.map((part) => measureHalf(part, { judged, a, b, frequencies }));
  const gold = readGold(folder, manifest);
  const texts = judged.flatMap(({ page, verdicts }) => {
    const text = gold?.get(page.id);
    return text === undefined ? [] : [{ gold: text, found: verdicts.mainText }];
  });
  const mainText = texts.length === 0 ? undefined : measureMainText(texts);
  const [firstMs = 0, ...others] = judged.map(({ verdicts }) => verdicts.cpuMs);
  const times = others.toSorted((one, other) => one - other);
  const at = (share: number): number => round(times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0);
  const cpu = { firstMs: round(firstMs), p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) };
  const spread = Object.fromEntries(
    scoreNames.map((name) => [name, computeSpread(population, name)]),
  ) as TruthResults['spread'];
  const results = {
    pages: { manifest: manifest.length, judged: judged.length, missing },
    halves,
    agreement: computeAgreement(a, b),
    mainText,
    cpu,
    spread,
  };
  for (const line of describe(results)) say(line);
  return { aims: listAims(results), ...results };
}

async function judgeAll(
  folder: string,
  manifest: readonly TruthPage[],
): Promise<{ judged: readonly Judged[]; missing: readonly string[] }> {
  const judged: Judged[] = [];
  const missing: string[] = [];
  for (const page of manifest) {
    const read = readTruthPage(folder, page);
    if ('missing' in read) missing.push(read.missing);
    else judged.push({ page, bytes: read.bytes.length, verdicts: await judgePage(page, read.bytes) });
  }
  return { judged, missing };
}

type Frequencies = ReadonlyMap<string, ReadonlyMap<OutcomeStatus, number>>;

function countStatuses(judged: readonly Judged[]): Frequencies {
  const counts = new Map<string, Map<OutcomeStatus, number>>();
  for (const { verdicts } of judged) {
    for (const { check, outcome } of verdicts.results) {
      const own = counts.get(check.id) ?? new Map<OutcomeStatus, number>();
      counts.set(check.id, own.set(outcome.status, (own.get(outcome.status) ?? 0) + 1));
    }
  }
  return counts;
}

type Measured = { judged: readonly Judged[]; a: Labels; b: Labels; frequencies: Frequencies };

function measureHalf(part: Part, { judged, a, b, frequencies }: Measured): HalfFigures {
  const mine = judged.filter(({ page }) => page.part === part && a.has(page.id));
  const drawn = part === 'aside' ? readDrawn() : undefined;
  const verdicts = mine.flatMap(({ page, verdicts: { results } }) =>
    results.flatMap(({ check, outcome: { status } }): JudgedVerdict[] => {
      const judgement = judgeVerdict(check.id, status, { id: page.id, a, b });
      const counts = drawn === undefined || drawn.get(page.id)?.has(check.id) === true;
      return judgement === 'untold' || !counts ? [] : [{ page: page.id, check: check.id, status, judgement }];
    }),
  );
  const [all, costing] = [weighVerdicts(verdicts, frequencies), weighVerdicts(verdicts, frequencies, 'costing')];
  const byScore = scoreNames.map((name) => {
    const own = new Set(checks.filter(({ scores }) => scores.includes(name)).map(({ id }) => id));
    const of = (weighed: typeof all): number => sumWrong(weighed.filter(({ check }) => own.has(check)));
    return [name, { wrong: of(all), wrongCosting: of(costing) }] as const;
  });
  return {
    part,
    pages: mine.length,
    verdicts: verdicts.length,
    byCheck: measureChecks(verdicts),
    byScore: Object.fromEntries(byScore) as HalfFigures['byScore'],
    kinds: countKinds(mine, judged, { a, b }),
  };
}

function measureChecks(verdicts: readonly JudgedVerdict[]): readonly CheckAccuracy[] {
  return checks.flatMap(({ id, weight }): CheckAccuracy[] => {
    const tally = createTally();
    for (const { check, judgement } of verdicts) if (check === id) countJudgement(tally, judgement);
    const interval = computeWilson(tally.n - tally.wrong, tally.n);
    return interval
      ? [{ check: id, weight, ...tally, accuracy: interval.value, low: interval.low, high: interval.high }]
      : [];
  });
}

/** What readers call a kind, and what the engine may call it. */
const KINDS: Readonly<Record<string, readonly string[]>> = { other: ['unknown', 'other'], forum: ['forum', 'unknown'] };

function countKinds(
  mine: readonly Judged[],
  population: readonly Judged[],
  { a, b }: { a: Labels; b: Labels },
): KindFigures {
  const tallies = new Map<string, { n: number; right: number }>();
  for (const { page, verdicts } of mine) {
    const said = [a, b].flatMap((labels) => labels.get(page.id)?.get('kind')?.answer ?? []);
    if (said.length === 0) continue;
    const { n, right } = tallies.get(verdicts.kind) ?? { n: 0, right: 0 };
    const isRight = said.some((kind) => kind === verdicts.kind || (KINDS[kind] ?? []).includes(verdicts.kind));
    tallies.set(verdicts.kind, { n: n + 1, right: right + (isRight ? 1 : 0) });
  }
  const all = [...tallies.values()];
  let [share, often] = [0, 0];
  for (const [kind, { n, right }] of tallies) {
    const count = population.filter(({ verdicts }) => verdicts.kind === kind).length;
    share += (count * right) / n;
    often += count;
  }
  return {
    n: all.reduce((sum, { n }) => sum + n, 0),
    right: all.reduce((sum, { right }) => sum + right, 0),
    weighed: often === 0 ? 0 : Math.round((1000 * share) / often) / 1000,
  };
}

function computeSpread(judged: readonly Judged[], name: ScoreName): { mean: number; sd: number } {
  const values = judged.map(({ verdicts }) => verdicts.scores[name]);
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length));
  return { mean: round(mean), sd: round(sd) };
}

type Figures = Omit<TruthResults, 'aims'>;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function describe({ pages, halves, agreement, mainText, cpu, spread }: Figures): readonly string[] {
  const lines = [`truth: ${pages.judged} of ${pages.manifest} pages of the manifest judged`];
  for (const { part, pages: count, verdicts, byCheck, byScore, kinds } of halves) {
    lines.push(
      `${part}: ${verdicts} labelled verdicts on ${count} pages; kind of page right on ${kinds.right} of ${kinds.n}, ${percent(kinds.weighed)} weighed by frequency`,
    );
    for (const name of scoreNames) {
      const { wrong, wrongCosting } = byScore[name];
      lines.push(
        `  ${name}: wrong ${percent(wrong)} weighed by frequency, ${percent(wrongCosting)} of those that cost points`,
      );
    }
    for (const { check, n, right, arguable, wrong } of byCheck)
      lines.push(`  ${check}: ${n}, right ${right}, arguable ${arguable}, wrong ${wrong}`);
  }
  const same = agreement.reduce((sum, one) => sum + one.same, 0);
  const all = agreement.reduce((sum, one) => sum + one.n, 0);
  if (all > 0) lines.push(`two readers gave the same answer to ${percent(same / all)} of ${all} questions`);
  if (mainText)
    lines.push(
      `main text, ${mainText.pages} gold pages: P ${mainText.precision.toFixed(3)} R ${mainText.recall.toFixed(3)} F1 ${mainText.f1.toFixed(3)}`,
    );
  lines.push(
    `judging a page: CPU p50 ${cpu.p50Ms} ms, p95 ${cpu.p95Ms} ms, max ${cpu.maxMs} ms; the first page, while code is compiled, ${cpu.firstMs} ms`,
  );
  for (const name of scoreNames) lines.push(`${name}: mean ${spread[name].mean}, sd ${spread[name].sd}`);
  return lines;
}

const LABELLED_SCORES = ['aeo', 'geo', 'agent'] as const;

function listAims({ pages, halves, mainText, cpu, spread }: Figures): readonly Aim[] {
  const frozen = halves.find(({ part }) => part === 'frozen');
  if (!frozen) return [];
  return [
    atLeast('truth: pages judged', pages.judged, 850, ''),
    ...LABELLED_SCORES.flatMap((name) => [
      atMost(`truth, ${name}: wrong verdicts`, 100 * frozen.byScore[name].wrong, 4, '%'),
      atMost(`truth, ${name}: wrong verdicts that cost points`, 100 * frozen.byScore[name].wrongCosting, 6, '%'),
    ]),
    atLeast('truth: main text F1', mainText?.f1 ?? 0, 0.94, ''),
    atLeast('truth: kind of page, weighed by frequency', frozen.kinds.weighed, 0.95, ''),
    atLeast('truth: kind of page, of the sample', frozen.kinds.right / Math.max(1, frozen.kinds.n), 0.95, ''),
    atMost('truth: CPU of a real page, median', cpu.p50Ms, 30, 'ms'),
    atMost('truth: CPU of a real page, maximum', cpu.maxMs, 250, 'ms'),
    atLeast('truth: spread of AEO', spread.aeo.sd, 8, 'points'),
  ];
}
