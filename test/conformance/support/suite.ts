import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';

const require = createRequire(import.meta.url);
const PACKAGE = dirname(require.resolve('@modelcontextprotocol/conformance/package.json'));
const SUITE = join(PACKAGE, 'dist', 'index.js');
/** A run takes a few seconds. */
const RUN_TIMEOUT_MS = 90_000;
const MAX_OUTPUT_CHARS = 4_000_000;
/** What the folders of results start with. */
const PREFIXES = { server: 'server-', authorization: 'authorization-server-' } as const;

const checksSchema = z.array(
  z.looseObject({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }),
);
/** One check of a scenario, as the suite writes it down. Status `SUCCESS` or `FAILURE`; others judge nothing. */
type Check = z.infer<typeof checksSchema>[number];

export type SuiteRun = {
  exitCode: number | null;
  /** By scenario. */
  checks: ReadonlyMap<string, readonly Check[]>;
  output: string;
  tookMs: number;
};

/**
 * Runs the official suite as the program that it is. `onOutput` is told all it has said so far
 * whenever it says more.
 */
export async function runSuite(
  command: keyof typeof PREFIXES,
  args: readonly string[],
  onOutput?: (output: string) => void,
): Promise<SuiteRun> {
  const results = mkdtempSync(join(tmpdir(), 'sightline-conformance-'));
  const startedMs = performance.now();
  const child = spawn(process.execPath, [SUITE, command, ...args, '--output-dir', results], {
    cwd: results,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'] ?? '', NO_COLOR: '1' },
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), RUN_TIMEOUT_MS);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      if (output.length < MAX_OUTPUT_CHARS) output += piece;
      onOutput?.(output);
    });
  }
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject).once('close', (code) => resolve(code));
    });
    return {
      exitCode,
      checks: checksIn(results, PREFIXES[command]),
      output,
      tookMs: Math.round(performance.now() - startedMs),
    };
  } finally {
    clearTimeout(timer);
    rmSync(results, { recursive: true, force: true });
  }
}

/** What the suite lists for a server of a revision: its own file, not the run's output. */
export function requiredServerScenarios(revision: string): string[] {
  const file = join(PACKAGE, 'requirements', `${revision}.yaml`);
  const { server } = z.object({ server: z.array(z.string()) }).parse(parse(readFileSync(file, 'utf8')));
  return server;
}

/** What went wrong with a run, in words: empty when every one of `required` ran, checked something and failed nothing. */
export function failuresOf(run: SuiteRun, required: readonly string[]): string[] {
  const failures = required.flatMap((name) => {
    const checks = run.checks.get(name);
    if (checks === undefined) return [`${name}: did not run`];
    if (!checks.some(({ status }) => status === 'SUCCESS')) return [`${name}: nothing was checked`];
    return checks
      .filter(({ status }) => status === 'FAILURE')
      .map(({ id, errorMessage }) => `${name}: ${id}: ${errorMessage ?? ''}`);
  });
  const unexplained = run.exitCode !== 0 && failures.length === 0;
  return unexplained ? [`exit code ${run.exitCode}: ${run.output.slice(-2000)}`] : failures;
}

/** A folder `<prefix><scenario>-<time>` for each scenario. */
function checksIn(results: string, prefix: string): Map<string, readonly Check[]> {
  const folders = readdirSync(results).map((folder) => {
    const scenario = folder.slice(prefix.length).replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z$/, '');
    return [
      scenario,
      checksSchema.parse(JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8'))),
    ] as const;
  });
  return new Map(folders);
}
