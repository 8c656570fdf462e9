import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../process-usage.ts';

export type ToolResult = {
  name: string;
  wallMs: { min: number; median: number; max: number };
  cpuMs: { min: number; median: number };
  peakMiB: number;
};

export type Tool = { name: string; script: string; args: (url: string) => string[]; exitCodes: readonly number[] };
export type Run = { wallMs: number; cpuMs: number; peakMiB: number; output: string };

export const RUNS = 5;
const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 50_000_000;
const fileOf = (path: string): string => new URL(path, import.meta.url).pathname;

export const OURS = 'sightline audit';
export const oursAsTool: Tool = {
  name: OURS,
  script: fileOf('../../dist/cli.js'),
  args: (url) => ['audit', url, '--json'],
  exitCodes: [0],
};
const TOOLS: readonly Tool[] = [
  oursAsTool,
  {
    name: 'aiseo-audit',
    script: fileOf('../node_modules/aiseo-audit/bin/aiseo-audit.js'),
    args: (url) => [url, '--json'],
    exitCodes: [0],
  },
  {
    name: 'agent-readiness',
    script: fileOf('../node_modules/agent-readiness/bin/agent-ready.mjs'),
    args: (url) => [url],
    exitCodes: [0],
  },
];

/** Runs the three command lines in turns, each as a process of its own, one unmeasured turn first (file caches). */
export function measureCommandLines(url: string): ToolResult[] {
  return inFolder((folder) => {
    const runs = TOOLS.map((): Run[] => []);
    for (let turn = 0; turn <= RUNS; turn += 1) {
      for (const [index, tool] of TOOLS.entries()) {
        const run = runOnce(tool, url, join(folder, 'usage.json'));
        if (turn > 0) runs[index]?.push(run);
      }
    }
    return TOOLS.map(({ name }, index) => summarise(name, runs[index] ?? []));
  });
}

/** A folder that is gone afterwards. */
export function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a command line to its end. @throws Error when it exits with another code than the tool's. */
export function runOnce({ name, script, args, exitCodes }: Tool, url: string, usageFile: string): Run {
  const startedMs = performance.now();
  const child = spawnSync(process.execPath, ['--import', fileOf('usage-at-exit.mjs'), script, ...args(url)], {
    cwd: join(usageFile, '..'), // A tool that keeps a history keeps it there.
    env: { PATH: process.env['PATH'], HOME: join(usageFile, '..'), NO_COLOR: '1', BENCH_USAGE: usageFile },
    timeout: TIMEOUT_MS,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  const wallMs = performance.now() - startedMs;
  if (!exitCodes.includes(child.status ?? -1)) {
    throw new Error(
      `${name} ended with ${child.status ?? child.signal}: ${(child.stderr || child.stdout).slice(0, 500)}`,
    );
  }
  const { cpuMs, peakMiB } = JSON.parse(readFileSync(usageFile, 'utf8')) as Omit<Run, 'output'>;
  return { wallMs, cpuMs, peakMiB, output: child.stdout };
}

export function summarise(name: string, runs: readonly Run[]): ToolResult {
  const wall = runs.map((run) => run.wallMs);
  const cpu = runs.map((run) => run.cpuMs);
  return {
    name,
    wallMs: { min: Math.min(...wall), median: median(wall), max: Math.max(...wall) },
    cpuMs: { min: Math.min(...cpu), median: median(cpu) },
    peakMiB: Math.max(...runs.map((run) => run.peakMiB)),
  };
}
