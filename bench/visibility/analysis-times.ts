/**
 * Child of the analysis: analyses 30 answers of 90 kB once cold and then warm, in a process that has done nothing else,
 * and prints the times. Brands that the answers name are measured in turns: those of the market, or the most labelled.
 */
import { readFileSync } from 'node:fs';
import type { CollectedRun } from '../../src/visibility/run/run.ts';
import { analyseBrand } from '../../src/visibility/metrics/analyse.ts';
import type { AnalysisTimes, Workload } from './analysis.ts';
import { collectedRun, probes, prompts, simulatedTexts } from './market.ts';

const BYTES = 90_000;
const WARM_UP = 5;
const MEASURED = 20;

/** CPU in milliseconds: of the thread that analyses, and of the whole process with its compilers and collectors. */
type Cpu = { threadMs: number; processMs: number };
type Labelled = { text: string; brands: readonly { name: string }[] };

const workload = process.argv[2] as Workload;
const runs = await runsOf();
const brands = workload === 'labelled' ? labelledBrands() : probes;
const times: Cpu[] = [];
for (const [at, run] of runs.entries()) times.push(timed(run, brands[at % brands.length] ?? probes[0]));
const delivered: AnalysisTimes = {
  bytes: runs.map(({ answers }) => bytesOf(answers.flatMap((kept) => (kept.status === 'answered' ? [kept.text] : [])))),
  cold: times[0] ?? { threadMs: Number.NaN, processMs: Number.NaN },
  warm: times.slice(1 + WARM_UP),
};
console.log(JSON.stringify(delivered));

/** All of them before the first is analysed. Simulated ones have other texts each; there is one set of labelled texts. */
async function runsOf(): Promise<readonly CollectedRun[]> {
  const made: CollectedRun[] = [];
  for (let number = 0; number < 1 + WARM_UP + MEASURED; number += 1) {
    const [texts, more] =
      workload === 'labelled' ? labelledTexts() : [await simulated('text', number), await simulated('more', number)];
    made.push(await collectedRun(toSize(texts, more), number));
  }
  return made;
}

function simulated(kind: string, number: number): Promise<readonly string[]> {
  return simulatedTexts(`analysis ${kind} ${number}`);
}

/** Rows stand by run, so the two texts of a pair are about one niche: the second fills the first up. */
function labelledTexts(): readonly [readonly string[], readonly string[]] {
  const texts = labelledRows().map(({ text }) => text);
  return [texts.filter((_, at) => at % 2 === 0), texts.filter((_, at) => at % 2 === 1)];
}

/** As many as there are probes: those that are labelled in the most texts. */
function labelledBrands(): readonly string[] {
  const texts = new Map<string, number>();
  for (const { brands: labelled } of labelledRows())
    for (const { name } of labelled) texts.set(name, (texts.get(name) ?? 0) + 1);
  return [...texts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, probes.length)
    .map(([name]) => name);
}

function labelledRows(): readonly Labelled[] {
  return readFileSync(new URL('../../test/visibility/labelled/answers.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Labelled); // answers.test.ts proves the shape.
}

/** Adds whole lines of `more`, in turns to every text, until all together have the size. */
function toSize(texts: readonly string[], more: readonly string[]): readonly string[] {
  const grown = texts.map((text) => `${text}\n`);
  const lines = more.map((text) => text.split('\n'));
  const longest = Math.max(...lines.map(({ length }) => length));
  let missing = BYTES - bytesOf(grown);
  for (let row = 0; row < longest; row += 1) {
    for (const [at, line] of lines.map((one) => one[row]).entries()) {
      if (missing <= 0 || line === undefined) continue;
      grown[at] += `\n${line}`;
      missing -= Buffer.byteLength(line) + 1;
    }
  }
  if (missing > 0) throw new Error(`the texts are ${missing} bytes short`);
  return grown;
}

function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function timed(run: CollectedRun, brand: string): Cpu {
  const [thread, whole] = [process.threadCpuUsage(), process.cpuUsage()];
  analyseBrand(run, brand, prompts);
  const [ofThread, ofProcess] = [process.threadCpuUsage(thread), process.cpuUsage(whole)];
  return { threadMs: (ofThread.user + ofThread.system) / 1000, processMs: (ofProcess.user + ofProcess.system) / 1000 };
}
