import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Aim, atLeast, atMost, round } from '../aims.ts';
import { generateLog } from './generate.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** Lines of the log; `BENCH_LOG_LINES` takes another number. */
const LINES = Number(process.env['BENCH_LOG_LINES'] ?? 10_000_000);
const LIMIT = { linesPerS: 250_000, mib: 300, ratio: 0.7 } as const;
const RUN_MS = 3_600_000;
const GIB = 1024 ** 3;
const KIB_PER_MIB = 1024;

/** What one program took for the whole log: CPU is user and system of its process. */
export type LogRun = {
  program: string;
  version: string;
  wallS: number;
  cpuS: number;
  peakMiB: number;
  linesPerS: number;
};

type LogsFigures = {
  aims: readonly Aim[];
  lines: number;
  bytes: number;
  ours: LogRun;
  goaccess: LogRun | null;
  /** Ours over theirs, by CPU; null without GoAccess. */
  ratio: number | null;
};

/** `sightline logs` and GoAccess on one generated access log, one after the other on the same core. */
export function measureLogs(print: (line: string) => void): Promise<LogsFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-logs-'));
  try {
    return Promise.resolve(compare(folder, print));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function compare(folder: string, print: (line: string) => void): LogsFigures {
  const file = join(folder, 'access.log');
  const bytes = generateLog(file, LINES);
  print(`logs: ${LINES.toLocaleString('en-US')} lines of the combined format, ${round(bytes / GIB)} GiB`);
  const ours = runPinned('sightline logs', `node ${process.version}`, folder, [
    process.execPath,
    PROGRAM,
    'logs',
    file,
    '--json',
    '-o',
    join(folder, 'ours.json'),
  ]);
  printRun(ours, print);
  const version = findGoAccess();
  const peer =
    version === undefined
      ? null
      : runPinned('goaccess', version, folder, [
          'goaccess',
          file,
          '--log-format=COMBINED',
          '--no-global-config',
          '--no-progress',
          '--no-query-string',
          '-o',
          join(folder, 'goaccess.json'),
        ]);
  const ratio = peer === null ? null : ours.linesPerS / peer.linesPerS;
  if (peer === null) print('logs: GoAccess is not installed (apt-get install goaccess): no ratio');
  else {
    printRun(peer, print);
    print(`logs: ${round(ours.linesPerS / peer.linesPerS)} x the rate of GoAccess, by CPU`);
  }
  return {
    aims: [
      atLeast('sightline logs, lines a second of one core', ours.linesPerS, LIMIT.linesPerS, ''),
      atMost('sightline logs, peak memory', ours.peakMiB, LIMIT.mib, 'MiB'),
      ...(ratio === null ? [] : [atLeast('sightline logs, rate over GoAccess', ratio, LIMIT.ratio, 'x')]),
    ],
    lines: LINES,
    bytes,
    ours,
    goaccess: peer,
    ratio,
  };
}

const printRun = ({ program, version, wallS, cpuS, peakMiB, linesPerS }: LogRun, print: (line: string) => void): void =>
  print(
    `logs: ${program} (${version}): ${Math.round(linesPerS).toLocaleString('en-US')} lines a second of CPU; ${round(cpuS)} s of CPU, ${round(wallS)} s by the clock, peak ${round(peakMiB)} MiB`,
  );

function findGoAccess(): string | undefined {
  const { status, stdout } = spawnSync('goaccess', ['--version'], { encoding: 'utf8' });
  return status === 0 ? /GoAccess - ([\d.]+\d)/.exec(stdout)?.[1] : undefined;
}

/** Reads `/proc` as the process ends: what it took is not lost with it. The last core, as interrupts are on the first. */
function runPinned(program: string, version: string, folder: string, words: readonly string[]): LogRun {
  const core = String(availableParallelism() - 1);
  const startedMs = performance.now();
  const { status, stderr } = spawnSync('taskset', ['-c', core, 'python3', '-c', MEASURE, ...words], {
    cwd: folder,
    encoding: 'utf8',
    timeout: RUN_MS,
    env: { ...process.env, NO_COLOR: '1' },
  });
  const wallS = (performance.now() - startedMs) / 1000;
  const [, cpu, kib] = /usage (\S+) (\d+)\s*$/.exec(stderr) ?? [];
  if (status !== 0 || cpu === undefined || kib === undefined) throw new Error(`${program} failed: ${stderr}`);
  const cpuS = Number(cpu);
  return { program, version, wallS, cpuS, peakMiB: Number(kib) / KIB_PER_MIB, linesPerS: LINES / cpuS };
}

/** Runs the words behind it, and says CPU seconds and peak KiB of that process as the kernel counted them. */
const MEASURE = `
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
sys.stderr.write('usage %.3f %d' % (used.ru_utime + used.ru_stime, used.ru_maxrss))
sys.exit(code)
`;
