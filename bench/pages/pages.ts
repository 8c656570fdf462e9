import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type Aim, atMost, round } from '../aims.ts';
import { runNode } from '../children.ts';
import { median } from '../process-usage.ts';
import type { MonitorTimes } from './monitor-times.ts';
import type { ReportTimes } from './report-times.ts';

export type PagesResults = { aims: readonly Aim[]; report: ReportTimes; monitors: MonitorTimes };

const GZIP_KB = 150;
const RENDER_CPU_MS = 20;
const MONITOR_CPU_MS = 30;
const BYTES_PER_KB = 1000;
const root = new URL('../..', import.meta.url).pathname;

/** What the pages that people look at cost: size and rendering of a long report. */
export async function measurePages(say: (line: string) => void): Promise<PagesResults> {
  const report = (await measureChild('report-times')) as ReportTimes; // The children are ours.
  const monitors = (await measureChild('monitor-times')) as MonitorTimes;
  const monitorAims = Object.entries(monitors).map(([name, own]) =>
    atMost(`monitors, page ${name}, server render CPU`, median(own), MONITOR_CPU_MS, 'ms'),
  );
  for (const [name, own] of Object.entries(monitors))
    say(`monitors, ${name}: ${round(median(own))} ms CPU, ${round(median(own) / MONITOR_CPU_MS)} of the limit`);
  const cpuMs = median(report.cpuMs);
  const [least, most] = [Math.min(...report.cpuMs), Math.max(...report.cpuMs)];
  say(
    `report page of ${report.checks} checks: ${round(report.htmlBytes / BYTES_PER_KB)} kB of HTML, gzip ${round(report.gzipBytes / BYTES_PER_KB)} kB;` +
      ` parsed and rendered in ${round(cpuMs)} ms CPU (median of ${report.cpuMs.length}, ${round(least)} to ${round(most)}), first run ${round(report.coldMs)} ms`,
  );
  return {
    aims: [
      atMost(`report of ${report.checks} checks, HTML gzip`, report.gzipBytes / BYTES_PER_KB, GZIP_KB, 'kB'),
      atMost(`report of ${report.checks} checks, server render CPU`, cpuMs, RENDER_CPU_MS, 'ms'),
      ...monitorAims,
    ],
    report,
    monitors,
  };
}

/** Node cannot read JSX: what renders is bundled as for a Worker and run in a process that does nothing else. */
async function measureChild(name: 'report-times' | 'monitor-times'): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  try {
    const outfile = join(folder, `${name}.mjs`);
    await build({
      entryPoints: [new URL(`${name}.ts`, import.meta.url).pathname],
      outfile,
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      target: 'es2024',
      jsx: 'automatic',
      jsxImportSource: 'hono/jsx',
      logLevel: 'warning',
    });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return JSON.parse(await runNode([outfile]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
