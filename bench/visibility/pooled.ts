import { createRandomFromSeed } from '../../src/lib/seeded-random.ts';
import { computeMean } from '../../src/lib/numbers.ts';
import { computeMidPMcNemar, computeWilson, SIGNIFICANCE } from '../../src/visibility/metrics/statistics.ts';
import { computeHolmAdjusted, computeSignFlipP } from '../../src/visibility/panel/paired-tests.ts';
import { computePooledRate, type Stratum } from '../../src/visibility/panel/pooling.ts';
import { type Aim, atLeast, atMost } from '../aims.ts';
import type { Often } from './calibration.ts';
import { rateText } from './quality.ts';

/** A panel as it is simulated: mention rates of its engines, prompts, and how often an answer follows the prompt alone. */
type World = { rates: readonly number[]; prompts: number; shared: number; missing: number };

export type Pooled = {
  runs: number;
  covered: Often;
  byWorld: readonly { name: string; covered: Often }[];
  falseWinners: Often;
  falseDifferences: Often;
  power: readonly PanelPower[];
};

/** What panels of so many engines and prompts can show. */
type PanelPower = {
  engines: number;
  prompts: number;
  /** Mean width of the pooled interval of a brand that half of the answers name, in shares. */
  width: number;
  /** Runs that call one engine different that names the brand 40 points more often than each of the others. */
  engineCalled: Often;
  /** Runs that call the brand ahead of a competitor that each engine names 20 points less often. */
  brandCalled: Often;
};

const RUNS = 3_900;
const POWER_RUNS = 300;
/** How often an answer follows the prompt alone, where it is asked what panels can show. */
const USUAL_SHARED = 0.3;
const LEAST_COVERAGE = 0.93;
const MOST_COVERAGE = 0.99;
/** In each market by itself, of 300 runs. */
const LEAST_COVERAGE_OF_ANY = 0.9;
const MOST_FALSE_WINNERS = 0.05;

/** Engines that agree and that differ, names that are rare and common, answers that are missing, few prompts. */
const worlds: readonly World[] = [
  { rates: [0.3, 0.3, 0.3, 0.3], prompts: 30, shared: 0, missing: 0 },
  { rates: [0.3, 0.3, 0.3, 0.3], prompts: 30, shared: 0.5, missing: 0 },
  { rates: [0.1, 0.2, 0.5, 0.8], prompts: 30, shared: 0.3, missing: 0 },
  { rates: [0.05, 0.1], prompts: 30, shared: 0.3, missing: 0.1 },
  { rates: [0.6, 0.9], prompts: 30, shared: 0.8, missing: 0.1 },
  { rates: [0.3, 0.6], prompts: 6, shared: 0.3, missing: 0 },
  { rates: [0.2, 0.4, 0.5, 0.7], prompts: 100, shared: 0.3, missing: 0.1 },
  { rates: [0.03, 0.03, 0.03, 0.03], prompts: 30, shared: 0, missing: 0 },
  { rates: [0.05, 0.05, 0.05, 0.05], prompts: 30, shared: 0.3, missing: 0 },
  { rates: [0.08, 0.08, 0.08, 0.08], prompts: 30, shared: 0.8, missing: 0 },
  { rates: [0.06, 0.06, 0.06, 0.06], prompts: 30, shared: 1, missing: 0 },
  { rates: [0.08, 0.08, 0.08, 0.08], prompts: 30, shared: 1, missing: 0 },
  { rates: [0.02, 0.02, 0.3, 0.3], prompts: 30, shared: 0.9, missing: 0.1 },
];

/** The same seeds every time: the figures change with the code and with nothing else. */
export function measurePooled(runs: number = RUNS): Pooled {
  const said = Array.from({ length: runs }, (_, run) => {
    const world = worlds[run % worlds.length];
    if (world === undefined) throw new RangeError('there are no worlds');
    const random = createRandomFromSeed(`pooled ${run}`);
    const truth = computeMean(world.rates);
    const rate = computePooledRate(drawStrata(world, random).map(buildStratum));
    return {
      world,
      isCovered: rate !== undefined && rate.low <= truth && truth <= rate.high,
      hasWinner: computeSignFlipP(drawDifferences(world, random), `run ${run}`) < SIGNIFICANCE,
      hasDifference: hasAnyDifference({ ...world, rates: world.rates.map(() => truth) }, random),
    };
  });
  const often = (list: typeof said, is: (one: (typeof said)[number]) => boolean): Often => {
    const count = list.filter(is).length;
    return { runs: list.length, count, rate: computeWilson(count, list.length) ?? null };
  };
  return {
    runs,
    covered: often(said, ({ isCovered }) => isCovered),
    byWorld: worlds.map((world) => ({
      name: `${world.rates.join('/')}, ${world.prompts} prompts, shared ${world.shared}`,
      covered: often(
        said.filter((one) => one.world === world),
        ({ isCovered }) => isCovered,
      ),
    })),
    falseWinners: often(said, ({ hasWinner }) => hasWinner),
    falseDifferences: often(said, ({ hasDifference }) => hasDifference),
    power: [2, 4].flatMap((engines) => [6, 10, 30, 60, 100].map((prompts) => measurePower(engines, prompts))),
  };
}

function measurePower(engines: number, prompts: number): PanelPower {
  const build = (rates: readonly number[]): World => ({ rates, prompts, shared: USUAL_SHARED, missing: 0 });
  const same = (rate: number): World => build(Array.from({ length: engines }, () => rate));
  const runs = Array.from({ length: POWER_RUNS }, (_, run) => {
    const random = createRandomFromSeed(`power ${engines} ${prompts} ${run}`);
    const rate = computePooledRate(drawStrata(same(0.5), random).map(buildStratum));
    const apart = build(same(0.3).rates.map((one, at) => (at === 0 ? 0.7 : one)));
    return {
      width: rate === undefined ? 1 : rate.high - rate.low,
      engine: hasAnyDifference(apart, random),
      brand: computeSignFlipP(drawDifferences(same(0.6), random, same(0.4)), `power ${run}`) < SIGNIFICANCE,
    };
  });
  const count = (called: readonly boolean[]): Often => {
    const many = called.filter(Boolean).length;
    return { runs: POWER_RUNS, count: many, rate: computeWilson(many, POWER_RUNS) ?? null };
  };
  return {
    engines,
    prompts,
    width: computeMean(runs.map(({ width }) => width)),
    engineCalled: count(runs.map(({ engine }) => engine)),
    brandCalled: count(runs.map(({ brand }) => brand)),
  };
}

type Drawn = readonly (boolean | undefined)[];

/** For each engine whether each prompt's answer names the brand; undefined where there is no answer. */
function drawStrata({ rates, prompts, shared, missing }: World, random: () => number): readonly Drawn[] {
  const common = Array.from({ length: prompts }, random);
  return rates.map((rate) =>
    common.map((of) => {
      const drawn = random() < shared ? of : random();
      return random() < missing ? undefined : drawn < rate;
    }),
  );
}

const buildStratum = (drawn: Drawn): Stratum =>
  new Map(drawn.flatMap((named, at) => (named === undefined ? [] : [[at, [Number(named), 1] as const] as const])));

/** Two brands, as likely in each engine unless `second` says otherwise. */
function drawDifferences(world: World, random: () => number, second: World = world): readonly number[] {
  const [one, other] = [drawStrata(world, random), drawStrata(second, random)];
  return Array.from({ length: world.prompts }, (_, at) => {
    const both = one.flatMap((drawn, engine) => {
      const [mine, theirs] = [drawn[at], other[engine]?.[at]];
      return mine === undefined || theirs === undefined ? [] : [Number(mine) - Number(theirs)];
    });
    return both.length === 0 ? 0 : computeMean(both);
  });
}

/** Whether any two engines are said to differ. */
function hasAnyDifference(world: World, random: () => number): boolean {
  const drawn = drawStrata(world, random);
  const ps = drawn.flatMap((one, at) =>
    drawn.slice(at + 1).map((other) => {
      const pairs = one.flatMap((named, prompt) => {
        const theirs = other[prompt];
        return named === undefined || theirs === undefined ? [] : [[named, theirs] as const];
      });
      return computeMidPMcNemar(
        pairs.filter(([mine, theirs]) => mine && !theirs).length,
        pairs.filter(([mine, theirs]) => !mine && theirs).length,
      );
    }),
  );
  return computeHolmAdjusted(ps).some((p) => p < SIGNIFICANCE);
}

const oftenText = ({ runs, count, rate }: Often): string => rateText(rate, count, runs);

export const pooledLines = ({ runs, covered, byWorld, falseWinners, falseDifferences, power }: Pooled): string[] => [
  `panels: ${runs} simulated runs`,
  `  95 % interval of the pooled mention rate covers the truth: ${oftenText(covered)}`,
  ...byWorld.map(({ name, covered: of }) => `    ${name}: ${oftenText(of)}`),
  `  a winner between equal brands: ${oftenText(falseWinners)}`,
  `  any difference between equal engines: ${oftenText(falseDifferences)}`,
  ...power.map(
    ({ engines, prompts, width, engineCalled, brandCalled }) =>
      `  ${engines} engines, ${prompts} prompts: pooled interval ${(width * 100).toFixed(0)} points wide; an engine 40 points apart is called in ${oftenText(engineCalled)}; a brand 20 points ahead in ${oftenText(brandCalled)}`,
  ),
];

export const pooledAims = ({ covered, byWorld, falseWinners, falseDifferences }: Pooled): Aim[] => [
  atLeast('panels, pooled intervals that cover the truth', covered.rate?.value ?? 0, LEAST_COVERAGE, ''),
  atMost('panels, pooled intervals that cover the truth', covered.rate?.value ?? 1, MOST_COVERAGE, ''),
  atLeast(
    'panels, pooled intervals that cover the truth, in the market where fewest do',
    Math.min(...byWorld.map(({ covered: of }) => of.rate?.value ?? 0)),
    LEAST_COVERAGE_OF_ANY,
    '',
  ),
  atMost('panels, equal brands that get a winner', falseWinners.rate?.value ?? 1, MOST_FALSE_WINNERS, ''),
  atMost('panels, equal engines that are said to differ', falseDifferences.rate?.value ?? 1, MOST_FALSE_WINNERS, ''),
];
