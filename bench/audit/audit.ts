import { type Aim, aim, round } from '../aims.ts';
import { startServer } from '../children.ts';
import { measureCommandLines, OURS, type ToolResult } from './command-lines.ts';
import { type CorpusResult, type EngineResult, measureCorpus, measureEngine } from './engine.ts';

export type AuditResults = {
  tools: readonly ToolResult[];
  engine: EngineResult;
  corpus: CorpusResult | 'skipped: no corpus on this machine';
  aims: readonly Aim[];
};

const WALL_SHARE = 0.5;
const ENGINE_MS = 30;
const CORPUS_PAGE_MS = 250;

export async function measureAudit(say: (line: string) => void): Promise<AuditResults> {
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
  const engine = await measureEngine();
  say(
    `engine, ${engine.pageBytes} bytes: CPU ${round(engine.medianMs)} ms (median of ${engine.runs}), first run ${round(engine.firstMs)} ms`,
  );
  const corpus = (await measureCorpus()) ?? 'skipped: no corpus on this machine';
  if (typeof corpus === 'string') say(`corpus: ${corpus}`);
  else
    say(
      `corpus: ${corpus.pages} pages, median ${round(corpus.medianMs)} ms, worst ${round(corpus.maxMs)} ms (${corpus.worst[0]?.page})`,
    );
  return { tools, engine, corpus, aims: aimsOf(tools, engine, corpus) };
}

function aimsOf(tools: readonly ToolResult[], engine: EngineResult, corpus: AuditResults['corpus']): Aim[] {
  const ours = tools.find(({ name }) => name === OURS);
  const peers = tools.filter(({ name }) => name !== OURS);
  const least = (of: (tool: ToolResult) => number): number => Math.min(...peers.map(of));
  if (!ours) throw new Error('our own command line was not measured');
  return [
    aim(
      'full audit, wall against the faster peer (medians)',
      ours.wallMs.median / least((tool) => tool.wallMs.median),
      WALL_SHARE,
      'x',
    ),
    aim('engine CPU of a 100 KB page', engine.medianMs, ENGINE_MS, 'ms'),
    ...(typeof corpus === 'string'
      ? []
      : [aim('engine CPU of the worst corpus page', corpus.maxMs, CORPUS_PAGE_MS, 'ms')]),
  ];
}
