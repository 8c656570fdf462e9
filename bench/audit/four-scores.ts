import { join } from 'node:path';
import { type Aim, atMost } from '../aims.ts';
import { startServer } from '../children.ts';
import { inFolder, oursAsTool, runOnce, RUNS, summarise, type ToolResult } from './command-lines.ts';

/** `sightline audit` of the good demo site; `notMade`: requests that the budget left out. Undefined in `scores`: none. */
export type FourScores = ToolResult & {
  requests: number;
  notMade: number;
  scores: Readonly<Record<string, number>>;
};

type Report = {
  requests: readonly { failure?: string }[];
  scores: Readonly<Record<string, { score: number }>>;
};

const WALL_MS = 1500;
const REQUESTS = 60;
const PEAK_MIB = 200;

/** Audits the site by the built command line, one unmeasured run first (file caches). */
export async function measureFourScores(): Promise<FourScores> {
  const site = await startServer(new URL('good-site.ts', import.meta.url).pathname);
  try {
    const url = `http://127.0.0.1:${site.port}/`;
    const runs = inFolder((folder) =>
      Array.from({ length: RUNS + 1 }, () => runOnce(oursAsTool, url, join(folder, 'usage.json'))),
    ).slice(1);
    const { requests, scores } = JSON.parse(runs[0]?.output ?? '') as Report;
    const notMade = requests.filter(({ failure }) => failure === 'budget_exhausted').length;
    return {
      ...summarise('four scores of the good demo site', runs),
      requests: requests.length - notMade,
      notMade,
      scores: Object.fromEntries(Object.entries(scores).map(([name, { score }]) => [name, score])),
    };
  } finally {
    await site.stop();
  }
}

export function fourScoresLine({ name, wallMs, cpuMs, peakMiB, requests, notMade, scores }: FourScores): string {
  const wall = [wallMs.min, wallMs.median, wallMs.max].map((ms) => ms.toFixed(0)).join('/');
  const said = Object.entries(scores).map(([score, value]) => `${score} ${value}`);
  return (
    `${name}: wall ${wall} ms (min/median/max), CPU ${cpuMs.median.toFixed(0)} ms, peak ${peakMiB.toFixed(0)} MiB,` +
    ` ${requests} requests (${notMade} left out), ${said.join(', ')}`
  );
}

export const fourScoresAims = ({ wallMs, peakMiB, requests }: FourScores): Aim[] => [
  atMost('four scores of the good demo site, wall', wallMs.median, WALL_MS, 'ms'),
  atMost('four scores of the good demo site, requests', requests, REQUESTS, ''),
  atMost('four scores of the good demo site, peak memory', peakMiB, PEAK_MIB, 'MiB'),
];
