import { type Aim, atMost, round } from '../aims.ts';
import { runNode } from '../children.ts';
import { median } from '../process-usage.ts';

/** What the 30 answers are: of the simulated engine, or the labelled ones of ten niches together. */
export type Workload = 'simulated' | 'labelled';

type Cpu = { threadMs: number; processMs: number };

/** CPU of `analyseBrand` on 30 answers of `bytes` together, in milliseconds: of the analysing thread, and of the whole process. */
export type AnalysisTimes = { bytes: readonly number[]; cold: Cpu; warm: readonly Cpu[] };
/** One entry for each process that measured. */
export type Analysis = Readonly<Record<Workload, readonly AnalysisTimes[]>>;

const CPU_MS = 50;
/** A median of one process may be off: by what else the machine did, or by how V8 compiled. */
const PROCESSES = 3;
const child = new URL('./analysis-times.ts', import.meta.url).pathname;

/** One process at a time, of each workload in turns. */
export async function measureAnalysis(): Promise<Analysis> {
  const simulated: AnalysisTimes[] = [];
  const labelled: AnalysisTimes[] = [];
  for (let turn = 0; turn < PROCESSES; turn += 1) {
    simulated.push(await timesOf('simulated'));
    labelled.push(await timesOf('labelled'));
  }
  return { simulated, labelled };
}

export const analysisLines = (analysis: Analysis): string[] =>
  (['simulated', 'labelled'] as const).map((workload) => {
    const times = analysis[workload];
    const bytes = times.flatMap((one) => one.bytes);
    return (
      `analysis, 30 ${workload} answers of ${Math.min(...bytes)} to ${Math.max(...bytes)} bytes together, CPU: ${spreadText(times.map(medianOf(threadOf)))}, worst of ${warmOf(times).length} runs ${round(Math.max(...warmOf(times).map(threadOf)))} ms;` +
      ` with compilers and collectors beside it ${spreadText(times.map(medianOf(processOf)))}; first run of a process ${spreadText(times.map(({ cold }) => cold.threadMs))}, with those ${spreadText(times.map(({ cold }) => cold.processMs))}`
    );
  });

/** Judged by the analysing thread: that is what the CPU limit of a Worker counts. The whole process is shown beside it. */
export const analysisAims = ({ simulated, labelled }: Analysis): Aim[] => [
  atMost('analysis CPU of 30 simulated answers (90 kB)', medianOfMedians(simulated), CPU_MS, 'ms'),
  atMost('analysis CPU of 30 labelled answers (90 kB)', medianOfMedians(labelled), CPU_MS, 'ms'),
];

const threadOf = ({ threadMs }: Cpu): number => threadMs;
const processOf = ({ processMs }: Cpu): number => processMs;
const warmOf = (times: readonly AnalysisTimes[]): readonly Cpu[] => times.flatMap(({ warm }) => warm);
const medianOf =
  (figure: (one: Cpu) => number) =>
  ({ warm }: AnalysisTimes): number =>
    median(warm.map(figure));
const medianOfMedians = (times: readonly AnalysisTimes[]): number => median(times.map(medianOf(threadOf)));

/** "50.1 ms (49.2 to 52.8 in 3 processes)". */
const spreadText = (figures: readonly number[]): string =>
  `${round(median(figures))} ms (${round(Math.min(...figures))} to ${round(Math.max(...figures))} in ${figures.length} processes)`;

const timesOf = async (workload: Workload): Promise<AnalysisTimes> =>
  JSON.parse(await runNode([child, workload])) as AnalysisTimes; // The child is ours.
