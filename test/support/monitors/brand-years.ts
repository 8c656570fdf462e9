import { createRandomFromSeed } from '../../../src/lib/seeded-random.ts';
import { judgeBrandRun } from '../../../src/monitors/alerts/brand-alerts.ts';
import type { BrandSummary, MonitorRun } from '../../../src/monitors/core/run.ts';
import { measuredOf, runOf } from '../../visibility/trend/made-runs.ts';
import { monitorOf, storedRunOf } from './made-monitor.ts';

/** Runs of a brand that a new one is handed. */
const HISTORY = 60;
const PROMPTS = 30;
/** Answers that are refused or failed. */
const MISSING = 0.04;
/** Prompts of one subject, which an engine answers alike on one day. */
const SUBJECTS = 6;

/** A made world that a brand is measured in. Chances and shifts are shares. */
export type BrandWorld = {
  name: string;
  looks: number;
  gapDays: number;
  engines?: number;
  /** Mean chance of a prompt to name the brand; each prompt has its own. */
  rate?: number;
  /** Each run is off by up to so much as a whole, and each subject of its prompts by up to so much. */
  runNoise?: number;
  subjectNoise?: number;
  /** How much of a run's shift stays in the next. */
  persistence?: number;
  /** Look from which on the brand is named half as often. */
  fallsAt?: number;
};

/** Looks at which a change was called: of the brand as it is, and after its fall, counted from 1 at the fall. */
export type BrandYear = { falseAlarms: number; rangAt: number | undefined; models: number };

/** A year of looks at one brand, worked off as runs are: the same seed gives the same year. */
export function simulateBrandYear(world: BrandWorld, seed: string): BrandYear {
  const { looks, gapDays, engines = 1, rate = 0.45, fallsAt } = world;
  const random = createRandomFromSeed(`${world.name} ${seed}`);
  const shift = (most = 0): number => (random() * 2 - 1) * most;
  const spread = Math.min(0.4, rate);
  const made = Array.from({ length: engines }, (_, at) => ({
    name: `engine-${at}`,
    chances: Array.from({ length: PROMPTS }, () => rate + shift(spread)),
    shifted: 0,
  }));
  const year = { falseAlarms: 0, rangAt: undefined as number | undefined, models: 0 };
  let history: readonly MonitorRun[] = [];
  for (let look = 0; look < looks; look += 1) {
    const left = fallsAt !== undefined && look >= fallsAt ? 0.5 : 1;
    const runs = made.map((engine) => {
      engine.shifted = (world.persistence ?? 0) * engine.shifted + shift(world.runNoise);
      const subjects = Array.from({ length: SUBJECTS }, () => shift(world.subjectNoise));
      const named = engine.chances.map((chance, prompt) => {
        if (random() < MISSING) return '-';
        return random() < chance * left + engine.shifted + (subjects[prompt % SUBJECTS] ?? 0) ? '1' : '0';
      });
      return runOf(`${look} ${engine.name}`, look * gapDays, named.join(''), {
        engine: { kind: 'openai-compatible', model: 'm', name: engine.name },
      });
    });
    const after: BrandSummary = { kind: 'brand', measured: measuredOf(...runs), rates: [] };
    const { alerts, summary } = judgeBrandRun({ monitor: monitorOf(), history, after, runId: `run-${look}` });
    for (const { kind, changes } of alerts) {
      if (kind !== 'rate_changed') year.models += 1;
      else if (fallsAt === undefined || look < fallsAt) year.falseAlarms += 1;
      else if (changes.some(({ isWorse }) => isWorse)) year.rangAt ??= look - fallsAt + 1;
    }
    const run = storedRunOf(`run-${look}`, look * gapDays * 24 * 3_600_000, summary);
    history = [run, ...history].slice(0, HISTORY);
  }
  return year;
}

/** The worlds that alerts of brands are measured in. */
export const brandWorlds = {
  calm: { name: 'weekly, no change', looks: 52, gapDays: 7 },
  restless: { name: 'weekly, no change, each run off by up to 15 points', looks: 52, gapDays: 7, runNoise: 0.15 },
  subjects: { name: 'weekly, no change, subjects off by up to 30 points', looks: 52, gapDays: 7, subjectNoise: 0.3 },
  rare: { name: 'weekly, no change, named in 3 %', looks: 52, gapDays: 7, rate: 0.03 },
  panel: { name: 'weekly, no change, four engines', looks: 52, gapDays: 7, engines: 4 },
  restlessPanel: {
    name: 'weekly, no change, four engines, each run off by up to 15 points',
    looks: 52,
    gapDays: 7,
    engines: 4,
    runNoise: 0.15,
  },
  persistent: {
    name: 'weekly, no change, each run off by up to 8 points, half of which stays in the next',
    looks: 52,
    gapDays: 7,
    runNoise: 0.08,
    persistence: 0.5,
  },
  daily: { name: 'daily, no change', looks: 365, gapDays: 1 },
  restlessDaily: { name: 'daily, no change, each run off by up to 15 points', looks: 365, gapDays: 1, runNoise: 0.15 },
  fall: { name: 'weekly, from 40 % to 20 % at run 27', looks: 40, gapDays: 7, rate: 0.4, fallsAt: 26 },
  earlyFall: { name: 'weekly, from 40 % to 20 % at run 13', looks: 26, gapDays: 7, rate: 0.4, fallsAt: 12 },
  restlessFall: {
    name: 'weekly, from 40 % to 20 % at run 27, each run off by up to 15 points',
    looks: 40,
    gapDays: 7,
    rate: 0.4,
    fallsAt: 26,
    runNoise: 0.15,
  },
  panelFall: {
    name: 'weekly, from 40 % to 20 % at run 27, four engines',
    looks: 40,
    gapDays: 7,
    rate: 0.4,
    fallsAt: 26,
    engines: 4,
  },
  dailyFall: { name: 'daily, from 40 % to 20 % at run 61', looks: 90, gapDays: 1, rate: 0.4, fallsAt: 60 },
} as const satisfies Readonly<Record<string, BrandWorld>>;

/** Shares of years: with a false alarm, and with the fall called within so many looks. */
export type WorldFigures = { years: number; falseAlarms: number; within: (looks: number) => number };

export function measureWorld(world: BrandWorld, years: number): WorldFigures {
  const all = Array.from({ length: years }, (_, at) => simulateBrandYear(world, `${at}`));
  const shareOf = (wanted: (year: BrandYear) => boolean): number => all.filter(wanted).length / years;
  return {
    years,
    falseAlarms: shareOf(({ falseAlarms }) => falseAlarms > 0),
    within: (looks) => shareOf(({ rangAt }) => rangAt !== undefined && rangAt <= looks),
  };
}
