import { type Aim, atMost, round } from '../aims.ts';
import { startServer } from '../children.ts';
import { compareOnPages, comparisonAims, comparisonLines, type Comparison } from './against-aiseo.ts';
import { measureCommandLines, OURS, type ToolResult } from './command-lines.ts';
import { readCorpus } from './corpus.ts';
import { type CorpusResult, type EngineResult, measureCorpus, measureEngine } from './engine.ts';
import { type FourScores, fourScoresAims, fourScoresLine, measureFourScores } from './four-scores.ts';
import { type Growth, growthAims, growthLines, measureGrowth } from './growth.ts';
import { dialoguePage } from './hostile-pages.ts';
import { truthAims, truthLines } from './truth-lines.ts';
import { measureTruth, type Truth } from './truth.ts';

export type AuditResults = {
  tools: readonly ToolResult[];
  fourScores: FourScores;
  engine: EngineResult;
  corpus: (CorpusResult & { againstAiseoAudit: Comparison }) | 'skipped: no corpus on this machine';
  dialogue: Comparison;
  growth: Growth;
  truth: Truth;
  aims: readonly Aim[];
};

type Say = (line: string) => void;

const WALL_SHARE = 0.5;
const ENGINE_MS = 40;
const CORPUS_PAGE_MS = 250;
const DIALOGUE_BYTES = 30_000;

/** Everything about audits, one part after the other; each part says its figures as they are there. */
export async function measureAudit(say: Say): Promise<AuditResults> {
  const aims: Aim[] = [];
  const tools = await measureTools(say, aims);
  const fourScores = await measureFourScores();
  say(fourScoresLine(fourScores));
  aims.push(...fourScoresAims(fourScores));
  const engine = await measureEngine();
  say(
    `engine, ${engine.pageBytes} bytes: CPU ${round(engine.medianMs)} ms (median of ${engine.runs}, least ${round(engine.leastMs)}), first run ${round(engine.firstMs)} ms`,
  );
  aims.push(atMost('engine CPU of a 100 KB page', engine.medianMs, ENGINE_MS, 'ms'));
  const corpus = await measureOnCorpus(say, aims);
  const dialogue = await measureDialogue(say);
  const growth = await measureGrowth();
  for (const line of growthLines(growth)) say(line);
  aims.push(...growthAims(growth));
  const truth = await measureTruth();
  for (const line of truthLines(truth)) say(line);
  aims.push(...truthAims(truth));
  return { tools, fourScores, engine, corpus, dialogue, growth, truth, aims };
}

async function measureTools(say: Say, aims: Aim[]): Promise<readonly ToolResult[]> {
  const site = await startServer(new URL('site-server.ts', import.meta.url).pathname);
  const tools = await (async () => {
    try {
      return measureCommandLines(`http://127.0.0.1:${site.port}/`);
    } finally {
      await site.stop();
    }
  })();
  for (const { name, wallMs, cpuMs, peakMiB } of tools) {
    say(
      `audit ${name.padEnd(16)} wall ${wallMs.min.toFixed(0)}/${wallMs.median.toFixed(0)}/${wallMs.max.toFixed(0)} ms (min/median/max)` +
        `  CPU ${cpuMs.median.toFixed(0)} ms  peak ${peakMiB.toFixed(0)} MiB`,
    );
  }
  const ours = tools.find(({ name }) => name === OURS);
  const peers = tools.filter(({ name }) => name !== OURS);
  if (!ours) throw new Error('our own command line was not measured');
  const share = ours.wallMs.median / Math.min(...peers.map(({ wallMs }) => wallMs.median));
  aims.push(atMost('full audit, wall against the faster peer (medians)', share, WALL_SHARE, 'x'));
  return tools;
}

async function measureOnCorpus(say: Say, aims: Aim[]): Promise<AuditResults['corpus']> {
  const pages = readCorpus();
  if (pages === undefined) {
    say('corpus: skipped: no corpus on this machine');
    return 'skipped: no corpus on this machine';
  }
  const corpus = await measureCorpus(pages);
  say(
    `corpus: ${corpus.pages} pages, median ${round(corpus.medianMs)} ms, worst ${round(corpus.maxMs)} ms (${corpus.worst[0]?.page})`,
  );
  aims.push(atMost('engine CPU of the worst corpus page', corpus.maxMs, CORPUS_PAGE_MS, 'ms'));
  const againstAiseoAudit = await compareOnPages(pages);
  for (const line of comparisonLines(againstAiseoAudit)) say(line);
  aims.push(...comparisonAims(againstAiseoAudit));
  return { ...corpus, againstAiseoAudit };
}

/** A page that no corpus has, of the kind that holds the peer up. No aim. */
async function measureDialogue(say: Say): Promise<Comparison> {
  const page = { page: `made: a dialogue of ${DIALOGUE_BYTES / 1000} KB`, body: dialoguePage(DIALOGUE_BYTES) };
  const compared = await compareOnPages([page], 1);
  for (const line of comparisonLines(compared)) say(line);
  return compared;
}
