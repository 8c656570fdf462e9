import { type Aim, atMost, round } from '../aims.ts';
import { runNode } from '../children.ts';
import { median } from '../process-usage.ts';

/** What the 30 answers are: of the simulated engine, or the labelled ones of ten niches together. */
export type Workload = 'simulated' | 'labelled';

type Cpu = { threadMs: number; processMs: number };

/** CPU of `analyseBrand` on 30 answers of `bytes` together, in milliseconds: of the analysing thread, and of the whole process. */
export type AnalysisTimes = { bytes: readonly number[]; cold: Cpu; warm: readonly Cpu[] };
export type Analysis = Readonly<Record<Workload, AnalysisTimes>>;

const CPU_MS = 50;
const child = new URL('./analysis-times.ts', import.meta.url).pathname;

export const measureAnalysis = async (): Promise<Analysis> => ({
  simulated: await timesOf('simulated'),
  labelled: await timesOf('labelled'),
});

export const analysisLines = (analysis: Analysis): string[] =>
  (['simulated', 'labelled'] as const).map((workload) => {
    const { bytes, cold, warm } = analysis[workload];
    const [thread, whole] = [warm.map(({ threadMs }) => threadMs), warm.map(({ processMs }) => processMs)];
    return (
      `analysis, 30 ${workload} answers of ${Math.min(...bytes)} to ${Math.max(...bytes)} bytes together, CPU: median ${round(median(thread))} ms, worst of ${warm.length} ${round(Math.max(...thread))} ms;` +
      ` with compilers and collectors beside it ${round(median(whole))} and ${round(Math.max(...whole))} ms; first run of a process ${round(cold.threadMs)} ms (${round(cold.processMs)} ms)`
    );
  });

/** Judged by the analysing thread: that is what the CPU limit of a Worker counts. The whole process is shown beside it. */
export const analysisAims = ({ simulated, labelled }: Analysis): Aim[] => [
  atMost('analysis CPU of 30 simulated answers (90 kB)', medianOf(simulated), CPU_MS, 'ms'),
  atMost('analysis CPU of 30 labelled answers (90 kB)', medianOf(labelled), CPU_MS, 'ms'),
];

const medianOf = ({ warm }: AnalysisTimes): number => median(warm.map(({ threadMs }) => threadMs));

const timesOf = async (workload: Workload): Promise<AnalysisTimes> =>
  JSON.parse(await runNode([child, workload])) as AnalysisTimes; // The child is ours.
