import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { getDocumentProxy } from 'unpdf';
import { type Sites, startSites } from '../../local/sites/sites.ts';
import { type Aim, atMost, round } from '../aims.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const RUN_MS = 120_000;
/** Pages of A4. */
const MAX_PAGES = 4;
const BYTES_PER_KB = 1000;

const reports = [
  { name: 'audit of the good demo site', words: ['audit'], site: 'good' },
  { name: 'audit of the poor demo site', words: ['audit'], site: 'poor' },
  { name: 'full report of the poor demo site', words: ['run', 'full_report'], site: 'poor' },
] as const;

export type PrintedReport = { name: string; pages: number; kB: number };

/** How many pages a printed report has, as the command line prints it with Chromium of this machine. */
export async function measurePrint(
  log: (line: string) => void,
): Promise<{ aims: readonly Aim[]; printed: readonly PrintedReport[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-print-'));
  const sites = await startSites();
  const printed: PrintedReport[] = [];
  try {
    for (const report of reports) printed.push(await printReport(report, sites, folder));
  } finally {
    await sites.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  for (const { name, pages, kB } of printed) log(`print: ${name}: ${pages} pages, ${round(kB)} kB`);
  return { aims: printed.map(({ name, pages }) => atMost(`print, ${name}`, pages, MAX_PAGES, 'pages')), printed };
}

async function printReport(
  { name, words, site }: (typeof reports)[number],
  sites: Sites,
  folder: string,
): Promise<PrintedReport> {
  const file = join(folder, 'report.pdf');
  const args = [PROGRAM, ...words, sites[site], '--format', 'pdf', '--output', file, '--quiet'];
  await promisify(execFile)(process.execPath, args, { cwd: folder, timeout: RUN_MS });
  const bytes = readFileSync(file);
  const { numPages } = await getDocumentProxy(new Uint8Array(bytes));
  return { name, pages: numPages, kB: bytes.byteLength / BYTES_PER_KB };
}
