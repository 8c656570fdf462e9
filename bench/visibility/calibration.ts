import { availableParallelism } from 'node:os';
import { type RateInterval, computeWilson } from '../../src/visibility/metrics/statistics.ts';
import { type Aim, atLeast, atMost } from '../aims.ts';
import { runNode } from '../children.ts';
import type { RunSaid } from './calibration-runs.ts';
import { equals, probes, trueRates, unequal } from './market.ts';
import { rateText } from './quality.ts';

/** How many of how many runs, with Wilson's interval. */
export type Often = { runs: number; count: number; rate: RateInterval | null };
export type Coverage = { name: string; truth: number; covered: Often; nominal?: number };

export type Calibration = {
  runs: number;
  tookS: number;
  processes: number;
  mention: { all: Often; byBrand: readonly Coverage[] };
  share: { all: Often; byBrand: readonly Coverage[] };
  /** Runs whose count of mentions is not the one that was made. */
  miscounted: Often;
  falseWinners: { all: Often; byPair: readonly { pair: string; won: Often }[] };
  power: { pair: string; right: Often; wrong: Often };
};

const RUNS = 1000;
const PROMPTS = 30;
/** More than this only wait for each other's memory. */
const MAX_PROCESSES = 4;
const LEAST_COVERAGE = 0.93;
const MOST_COVERAGE = 0.99;
const MOST_FALSE_WINNERS = 0.05;
const child = new URL('./calibration-runs.ts', import.meta.url).pathname;

/** The same seeds every time: the figures change with the code and with nothing else. */
export async function measureCalibration(runs: number = RUNS): Promise<Calibration> {
  const startedMs = performance.now();
  const processes = Math.min(MAX_PROCESSES, availableParallelism());
  const children = Array.from({ length: processes }, async (_, first) => {
    const printed = await runNode([child, String(first), String(processes), String(runs)]);
    return JSON.parse(printed) as readonly RunSaid[]; // The child is ours.
  });
  const said = (await Promise.all(children)).flat();
  if (said.length !== runs) throw new Error(`${said.length} of ${runs} simulated runs came back`);
  return { runs, tookS: (performance.now() - startedMs) / 1000, processes, ...summarise(said) };
}

export function calibrationLines({ runs, tookS, processes, ...figures }: Calibration): string[] {
  const { mention, share, miscounted, falseWinners, power } = figures;
  return [
    `calibration: ${runs} simulated runs in ${tookS.toFixed(0)} s on ${processes} processes, one brand each and two pairs`,
    `  95 % interval of mention_rate covers the truth: ${oftenText(mention.all)}; ${byBrandText(mention.byBrand)}`,
    `  95 % interval of share_of_voice covers the truth: ${oftenText(share.all)}; ${byBrandText(share.byBrand)}`,
    `  runs whose mentions are not counted as they were made: ${oftenText(miscounted)}`,
    `  a winner between equal brands: ${oftenText(falseWinners.all)}; ${falseWinners.byPair.map(({ pair, won }) => `${pair} ${oftenText(won)}`).join('; ')}`,
    `  power, ${power.pair}: the right winner ${oftenText(power.right)}, the wrong one ${oftenText(power.wrong)}`,
  ];
}

export function calibrationAims({ mention, share, miscounted, falseWinners }: Calibration): Aim[] {
  const covering = (what: string, { rate }: Often): Aim[] => [
    atLeast(`calibration, intervals of ${what} that cover the truth`, rate?.value ?? 0, LEAST_COVERAGE, ''),
    atMost(`calibration, intervals of ${what} that cover the truth`, rate?.value ?? 1, MOST_COVERAGE, ''),
  ];
  return [
    ...covering('mention_rate', mention.all),
    ...covering('share_of_voice', share.all),
    atMost('calibration, runs whose mentions are not counted as they were made', miscounted.count, 0, 'runs'),
    atMost('calibration, equal brands that get a winner', falseWinners.all.rate?.value ?? 1, MOST_FALSE_WINNERS, ''),
  ];
}

function summarise(said: readonly RunSaid[]): Omit<Calibration, 'runs' | 'tookS' | 'processes'> {
  const powered = said.filter(({ power }) => power !== undefined);
  const isWon = ({ equal }: RunSaid): boolean => equal.verdict !== 'too_close_to_call';
  return {
    mention: {
      all: oftenIn(said, ({ mentionCovered }) => mentionCovered),
      byBrand: probes.map((name) => ({
        ...coverageOf(said, name, trueRates(name).mention, ({ mentionCovered }) => mentionCovered),
        nominal: nominalCoverage(trueRates(name).mention),
      })),
    },
    share: {
      all: oftenIn(said, ({ shareCovered }) => shareCovered),
      byBrand: probes.map((name) => coverageOf(said, name, trueRates(name).share, ({ shareCovered }) => shareCovered)),
    },
    miscounted: oftenIn(said, ({ miscounted }) => miscounted !== 0),
    falseWinners: {
      all: oftenIn(said, isWon),
      byPair: equals.map((pair, at) => ({
        pair: pairText(pair),
        won: oftenIn(
          said.filter(({ equal }) => equal.pair === at),
          isWon,
        ),
      })),
    },
    power: {
      pair: pairText(unequal),
      right: oftenIn(powered, ({ power }) => power === 'brand'),
      wrong: oftenIn(powered, ({ power }) => power === 'competitor'),
    },
  };
}

function coverageOf(
  said: readonly RunSaid[],
  name: string,
  truth: number,
  isCovered: (one: RunSaid) => boolean,
): Coverage {
  const covered = oftenIn(
    said.filter(({ probe }) => probe === name),
    isCovered,
  );
  return { name, truth, covered };
}

function oftenIn(said: readonly RunSaid[], is: (one: RunSaid) => boolean): Often {
  const count = said.filter(is).length;
  return { runs: said.length, count, rate: computeWilson(count, said.length) ?? null };
}

/** How often Wilson's interval of 30 independent answers covers this probability, exactly: what a faultless count would reach. */
function nominalCoverage(probability: number): number {
  let [covered, chance] = [0, (1 - probability) ** PROMPTS];
  for (let count = 0; count <= PROMPTS; count += 1) {
    const interval = computeWilson(count, PROMPTS);
    if (interval && interval.low <= probability && probability <= interval.high) covered += chance;
    chance *= ((PROMPTS - count) / (count + 1)) * (probability / (1 - probability));
  }
  return covered;
}

const pairText = ([one, other]: readonly [string, string]): string =>
  `${trueRates(one).mention} against ${trueRates(other).mention}`;

const oftenText = ({ runs, count, rate }: Often): string => rateText(rate, count, runs);

const byBrandText = (coverages: readonly Coverage[]): string =>
  coverages
    .map(({ truth, covered, nominal }) => {
      const share = covered.rate === null ? 'none' : covered.rate.value.toFixed(3);
      return `${truth.toFixed(3)}: ${share}${nominal === undefined ? '' : ` (exactly ${nominal.toFixed(3)})`}`;
    })
    .join(', ');
