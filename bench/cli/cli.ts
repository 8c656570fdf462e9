import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Aim, atMost, round } from '../aims.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** Rounds, each with every command in turn; the first fills the cache of compiled code and does not count. */
const ROUNDS = 31;
const LIMIT = { wallMs: 60, ratio: 2 } as const;

const commands = {
  'node -e 0': ['-e', '0'],
  'sightline --help': [PROGRAM, '--help'],
  'sightline audit --help': [PROGRAM, 'audit', '--help'],
  'sightline --version': [PROGRAM, '--version'],
  'sightline adit (a mistake)': [PROGRAM, 'adit'],
} as const;
type CommandTitle = keyof typeof commands;

export type StartTimes = { leastMs: number; medianMs: number };

/** How long short commands take, as processes of their own, beside a Node that does nothing. */
export function measureCli(log: (line: string) => void): Promise<{
  aims: readonly Aim[];
  times: Record<CommandTitle, StartTimes>;
}> {
  const home = mkdtempSync(join(tmpdir(), 'sightline-bench-cli-'));
  const titles = Object.keys(commands) as CommandTitle[];
  const taken = new Map<CommandTitle, number[]>(titles.map((title) => [title, []]));
  try {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const title of titles) {
        const tookMs = timeCommand(commands[title], home);
        if (round > 0) taken.get(title)?.push(tookMs);
      }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  const times = Object.fromEntries(titles.map((title) => [title, summarise(taken.get(title) ?? [])])) as Record<
    CommandTitle,
    StartTimes
  >;
  for (const title of titles)
    log(`cli: ${title}: least ${round(times[title].leastMs)} ms, median ${round(times[title].medianMs)} ms`);
  const bare = times['node -e 0'].leastMs;
  const aims = (['sightline --help', 'sightline audit --help'] as const).flatMap((title) => [
    atMost(`${title}, wall (${LIMIT.wallMs} ms)`, times[title].leastMs, LIMIT.wallMs, 'ms'),
    atMost(`${title}, wall over node -e 0`, times[title].leastMs / bare, LIMIT.ratio, 'x'),
  ]);
  return Promise.resolve({ aims, times });
}

function timeCommand(args: readonly string[], home: string): number {
  const startedMs = performance.now();
  const { error } = spawnSync(process.execPath, args, { cwd: home, env: { PATH: process.env['PATH'], HOME: home } });
  if (error) throw error;
  return performance.now() - startedMs;
}

function summarise(times: readonly number[]): StartTimes {
  const sorted = times.toSorted((a, b) => a - b);
  return { leastMs: sorted[0] ?? NaN, medianMs: sorted[Math.floor(sorted.length / 2)] ?? NaN };
}
