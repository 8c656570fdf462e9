import { analyseCitations } from '../../src/visibility/citations/citations.ts';
import type { CitedAnswer } from '../../src/visibility/citations/cited-answers.ts';
import { round } from '../aims.ts';
import { median } from '../process-usage.ts';

const ENGINES = 4;
const PROMPTS = 30;
const SOURCES = 30;
const SITES = 60;
const RIVALS = 10;
const WARM_UP = 5;
const MEASURED = 20;

/** CPU in milliseconds of the citations of a whole panel, of each measured run and of the first, and bytes of a result. */
export type CitationTimes = { firstMs: number; warmMs: readonly number[]; bytes: number };

/** Other answers each run: addresses that were read before would be cheaper. */
export function measureCitationAnalysis(): CitationTimes {
  const runs = Array.from({ length: WARM_UP + MEASURED }, (_, run) => time(createAnswers(run), run));
  return {
    firstMs: runs[0]?.ms ?? Number.NaN,
    warmMs: runs.slice(WARM_UP).map(({ ms }) => ms),
    bytes: Math.max(...runs.map(({ bytes }) => bytes)),
  };
}

export const citationLines = ({ firstMs, warmMs, bytes }: CitationTimes): string[] => [
  `citations, ${ENGINES} engines x ${PROMPTS} answers x ${SOURCES} sources on ${SITES} sites with ${RIVALS} rivals, CPU: ${round(median(warmMs))} ms (worst of ${warmMs.length} runs ${round(Math.max(...warmMs))} ms), first run of a process ${round(firstMs)} ms; ${bytes} bytes of result`,
];

function time(answers: readonly CitedAnswer[], run: number): { ms: number; bytes: number } {
  const rivals = Array.from({ length: RIVALS }, (_, at) => `Site ${at + 2}`);
  const before = process.cpuUsage();
  const found = analyseCitations(answers, { own: 'site1.example', rivals, seed: `run ${run}` });
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1000, bytes: Buffer.byteLength(JSON.stringify(found)) };
}

/** Half of the engines name stretches, the others mark their sources. */
const createAnswers = (run: number): readonly CitedAnswer[] =>
  Array.from({ length: ENGINES * PROMPTS }, (_, answer): CitedAnswer => {
    const sentences = Array.from({ length: SOURCES }, (_sentence, at) => `Sample ${at} suits small teams well`);
    const isMarked = answer < (ENGINES / 2) * PROMPTS;
    const text = sentences.map((sentence, at) => `${sentence}${isMarked ? `[${at + 1}]` : ''}. `).join('');
    const sources = sentences.map((sentence, at) => {
      const from = text.indexOf(sentence);
      const site = (at * 7 + answer * 3 + run) % SITES;
      return {
        url: `https://www.site${site}.example/blog/post-${(answer * at + run) % 17}?utm_source=x&id=${at % 4}#part`,
        title: `Post ${at} of a site`,
        ...(isMarked ? {} : { spans: [[from, from + sentence.length] as const] }),
      };
    });
    return { index: answer % PROMPTS, text, sources };
  });
