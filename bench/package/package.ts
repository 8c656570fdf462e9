import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startSites } from '../../local/sites/sites.ts';
import { type Aim, atMost, round } from '../aims.ts';
import { median } from '../process-usage.ts';

export type PackageResults = {
  aims: readonly Aim[];
  packedMb: number;
  unpackedMb: number;
  files: number;
  /** `npm exec` of the packed file in an empty folder with an empty cache, until the audit is printed. */
  firstResultS: readonly number[];
  install: Readonly<Record<'before' | 'now', InstallFigures>>;
};
type InstallFigures = { cpuS: number; wallS: number; diskMiB: number };

const root = new URL('../..', import.meta.url).pathname;
const MB = 1_000_000;
const MAX_PACKED_MB = 2;
const MAX_UNPACKED_MB = 6;
const MAX_FIRST_RESULT_S = 15;
const MAX_INSTALL_RATIO = 0.6;
const MAX_INSTALL_MIB = 950;
const FIRST_RESULT_RUNS = 5;
/** In turns, after one of each that fills npm's cache. */
const INSTALL_RUNS = 2;
const INSTALL_TIMEOUT_MS = 900_000;

/** Figures of the package of the command line, and of `npm ci` against the lock file of before. */
export async function measurePackage(log: (line: string) => void): Promise<PackageResults> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-package-'));
  try {
    const packed = packCli(folder);
    const [packedMb, unpackedMb] = [packed.size / MB, packed.unpackedSize / MB];
    log(`package: ${round(packedMb)} MB packed, ${round(unpackedMb)} MB in ${packed.files.length} files`);
    const firstResultS = await timeFirstResults(join(folder, packed.filename), folder);
    log(`package: first result from an empty folder after ${firstResultS.join(', ')} s`);
    const install = measureInstalls(folder, log);
    const ratio = install.now.cpuS / install.before.cpuS;
    return {
      aims: [
        atMost('package, packed', packedMb, MAX_PACKED_MB, 'MB'),
        atMost('package, unpacked', unpackedMb, MAX_UNPACKED_MB, 'MB'),
        atMost('package, empty folder to first result', median(firstResultS), MAX_FIRST_RESULT_S, 's'),
        atMost('npm ci, CPU against that of before', ratio, MAX_INSTALL_RATIO, 'x'),
        atMost('npm ci, on disk', install.now.diskMiB, MAX_INSTALL_MIB, 'MiB'),
      ],
      packedMb: round(packedMb),
      unpackedMb: round(unpackedMb),
      files: packed.files.length,
      firstResultS,
      install,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Packed = { filename: string; size: number; unpackedSize: number; files: readonly object[] };

function packCli(folder: string): Packed {
  const args = ['pack', './dist/package', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' })) as [Packed];
  return packed;
}

async function timeFirstResults(file: string, folder: string): Promise<readonly number[]> {
  const sites = await startSites();
  const times: number[] = [];
  for (let run = 0; run < FIRST_RESULT_RUNS; run += 1) {
    const [home, empty] = [join(folder, `home-${run}`), join(folder, `empty-${run}`)];
    for (const each of [home, empty]) mkdirSync(each);
    const started = performance.now();
    await runToEnd('npm', ['exec', '--yes', `--package=${file}`, '--', 'sightline', 'audit', `${sites.good}/`], {
      cwd: empty,
      env: { PATH: process.env['PATH'] ?? '', HOME: home, NO_COLOR: '1' },
    });
    times.push(round((performance.now() - started) / 1_000));
  }
  await sites.stop();
  return times;
}

/** Beside the sites, which this process serves. @throws Error when it fails */
async function runToEnd(program: string, args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
  const child = spawn(program, args, { ...options, stdio: 'ignore' });
  const code = await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject));
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${String(code)}`);
}

function measureInstalls(folder: string, log: (line: string) => void): PackageResults['install'] {
  const trees = { before: copySources(join(folder, 'before')), now: copySources(join(folder, 'now')) };
  for (const name of ['package.json', 'package-lock.json'])
    cpSync(join(root, 'bench/package/before', name), join(trees.before, name));
  const runs: Record<'before' | 'now', InstallFigures[]> = { before: [], now: [] };
  for (let run = 0; run <= INSTALL_RUNS; run += 1)
    for (const side of ['before', 'now'] as const) {
      const figures = installOnce(trees[side]);
      log(
        `npm ci, ${side}: ${figures.cpuS} s of CPU, ${figures.wallS} s, ${figures.diskMiB} MiB${run === 0 ? ' (warm-up)' : ''}`,
      );
      if (run > 0) runs[side].push(figures);
    }
  const leastOf = (figures: readonly InstallFigures[]): InstallFigures =>
    figures.reduce((least, each) => (each.cpuS < least.cpuS ? each : least));
  return { before: leastOf(runs.before), now: leastOf(runs.now) };
}

/** The files of this checkout that are under version control, as they are now. */
function copySources(to: string): string {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(root, file), join(to, file), { verbatimSymlinks: true });
  }
  return to;
}

/** One `npm ci` with all it builds. The shell knows what its children used. */
function installOnce(folder: string): InstallFigures {
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
  const started = performance.now();
  const { status, stdout } = spawnSync('sh', ['-c', 'npm ci > /dev/null 2>&1 || exit 1; times'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: INSTALL_TIMEOUT_MS,
  });
  if (status !== 0) throw new Error(`npm ci failed in ${folder}`);
  const wallS = (performance.now() - started) / 1_000;
  const [, children = ''] = stdout.trim().split('\n');
  const cpuS = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, min, s]) => sum + Number(min) * 60 + Number(s),
    0,
  );
  const disk = execFileSync('du', ['-sm', join(folder, 'node_modules')], { encoding: 'utf8' });
  return { cpuS: round(cpuS), wallS: round(wallS), diskMiB: Number.parseInt(disk, 10) };
}
