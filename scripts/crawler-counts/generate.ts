// Writes the agents and assistants that we know into the Worker that counts them, and that Worker into the file that pages
// read it from: `node scripts/crawler-counts/generate.ts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aiAgents } from '../../src/audit/crawlers/facts/ai-agents-data.ts';
import { referringAssistants } from '../../src/traffic/agents/referrals.ts';

const root = join(import.meta.dirname, '../..');
/** The Worker, and the same text for the pages of accounts. */
export const COUNTS_WORKER_FILE = join(root, 'docs/examples/crawler-counts/crawler-counts.js');
export const COUNTS_WORKER_TEXT_FILE = join(root, 'src/traffic/edge/counts-worker.generated.json');

const ROSTER = /(\/\/ <roster>[^\n]*\n)[^]*?(\/\/ <\/roster>)/;

/** The Worker with today's agents and assistants. */
export function buildCountsWorker(text: string): string {
  const agents = aiAgents.map(({ token }) => `  '${token}',\n`).join('');
  const names = referringAssistants.flatMap(({ name, hosts, sources }) =>
    [...hosts, ...sources].map((key) => `  ${/^\w+$/.test(key) ? key : `'${key}'`}: '${name}',\n`),
  );
  const roster = `const AGENTS = [\n${agents}];\nconst ASSISTANTS = {\n${names.join('')}};\n`;
  return text.replace(ROSTER, (_, begin: string, end: string) => `${begin}${roster}${end}`);
}

export const buildCountsWorkerText = (worker: string): string => `${JSON.stringify({ text: worker })}\n`;

if (import.meta.main) {
  const worker = buildCountsWorker(readFileSync(COUNTS_WORKER_FILE, 'utf8'));
  writeFileSync(COUNTS_WORKER_FILE, worker);
  writeFileSync(COUNTS_WORKER_TEXT_FILE, buildCountsWorkerText(worker));
}
