import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSites } from '../../local/sites/sites.ts';
import { type ResultView, renderView } from '../../src/results/view.ts';
import { type Aim, atMost, round } from '../aims.ts';
import { runNode } from '../children.ts';
import { median } from '../process-usage.ts';
import type { SectionTimes } from './section-times.ts';
import { storeResults } from './stored-results.ts';

export type ViewSize = { capability: string; view: ResultView; bytes: number; tokens: number };
export type ViewsResults = { sizes: readonly ViewSize[]; section: SectionTimes; aims: readonly Aim[] };

const BYTES_PER_KB = 1024;
const SUMMARY_KB = 8;
const SUMMARY_TOKENS = 2_500;
const STANDARD_KB = 60;
const SECTION_KB = 40;
const SECTION_CPU_MS = 5;
const PLACE = { baseUrl: 'https://sightline.example', reportId: '0123456789abcdef'.repeat(2) };
const VIEWS = ['summary', 'standard', 'full'] as const;

/** Peers are CommonJS in a workspace of their own. */
const { encode } = createRequire(import.meta.url)('gpt-tokenizer') as { encode: (text: string) => readonly number[] };

/** How long the views of every capability are, of the poor demo site, and what a page of a section costs. */
export async function measureViews(say: (line: string) => void): Promise<ViewsResults> {
  const sites = await startSites();
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  try {
    const stored = await storeResults(sites);
    const sizes = [...stored].flatMap(([capability, json]) => VIEWS.map((view) => measureView(capability, json, view)));
    for (const { capability, view, bytes, tokens } of sizes)
      say(`views: ${capability}, ${view}: ${round(bytes / BYTES_PER_KB)} KB, ${tokens} tokens`);
    const file = join(folder, 'full_report.json');
    writeFileSync(file, stored.get('full_report') ?? '');
    const section = JSON.parse(
      await runNode([new URL('section-times.ts', import.meta.url).pathname, file]),
    ) as SectionTimes; // The child is ours.
    return { sizes, section, aims: judge(sizes, section) };
  } finally {
    await sites.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function measureView(capability: string, json: string, view: ResultView): ViewSize {
  const text = renderView(json, { view }, PLACE);
  return { capability, view, bytes: Buffer.byteLength(text), tokens: encode(text).length };
}

function judge(sizes: readonly ViewSize[], section: SectionTimes): Aim[] {
  const largest = (view: ResultView, key: 'bytes' | 'tokens'): number =>
    Math.max(...sizes.filter((one) => one.view === view).map((one) => one[key]));
  return [
    atMost('views, longest summary', largest('summary', 'bytes') / BYTES_PER_KB, SUMMARY_KB, 'KB'),
    atMost('views, longest summary', largest('summary', 'tokens'), SUMMARY_TOKENS, 'tokens'),
    atMost('views, longest standard view', largest('standard', 'bytes') / BYTES_PER_KB, STANDARD_KB, 'KB'),
    atMost(`views, a page of ${section.items} checks`, section.bytes / BYTES_PER_KB, SECTION_KB, 'KB'),
    atMost(`views, a page of ${section.items} checks, CPU`, median(section.cpuMs), SECTION_CPU_MS, 'ms'),
  ];
}
