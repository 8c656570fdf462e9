/**
 * Plays the mutations of `test/mutations/mutations.json`: makes each change in its file, runs the tests that judge it,
 * puts the file back. Run: `node scripts/mutations.ts [--only m01,m02] [--out FILE]`. `--out` gets the number of failed
 * tests by id, as JSON. Fails when a mutation is not caught. Nothing else may use the files meanwhile.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '..');
const VITEST = 'node_modules/vitest/vitest.mjs';
/** A mutation may make a test run for ever. */
const RUN_MS = 600_000;

const mutationSchema = z.strictObject({
  id: z.string(),
  area: z.string(),
  file: z.string(),
  /** Text that the file has once. */
  find: z.string().min(1),
  replace: z.string(),
  /** The behaviour that is wrong then. */
  breaks: z.string(),
  tests: z.array(z.string()).min(1).max(4),
  project: z.enum(['unit', 'workers', 'control', 'webhook', 'e2e']),
});
type Mutation = z.infer<typeof mutationSchema>;

/** The part of vitest's JSON report that counts. */
const reportSchema = z.object({
  numTotalTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});
/** `unread`: files of tests that failed without a failed test, most often because they could not be loaded. */
type Count = { failed: number; total: number; unread: number };

const { values } = parseArgs({ options: { only: { type: 'string' }, out: { type: 'string' } } });
const all = z.array(mutationSchema).parse(JSON.parse(read('test/mutations/mutations.json')));
const only = values.only?.split(',');
const chosen = all.filter(({ id }) => only?.includes(id) ?? true);
const faults = [
  ...(only ?? []).filter((id) => !all.some((one) => one.id === id)).map((id) => `${id}: there is no such mutation`),
  ...chosen.flatMap(faultsOf),
];
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}

/** Ends what is under way; undefined between two mutations. */
let undo: (() => void) | undefined;
for (const [signal, code] of [['SIGINT', 130] as const, ['SIGTERM', 143] as const, ['SIGHUP', 129] as const])
  process.on(signal, () => {
    undo?.();
    process.exit(code);
  });

const failed: Record<string, number> = {};
for (const mutation of chosen) {
  const count = await play(mutation);
  failed[mutation.id] = count.failed;
  const note = count.unread === 0 ? '' : ` (${count.unread} by files that did not load)`;
  console.log(`${mutation.id} ${mutation.area}: ${count.failed} failed of ${count.total}${note}`);
}
const counts = Object.values(failed);
const caught = counts.filter((count) => count > 0).length;
const sum = counts.reduce((total, count) => total + count, 0);
console.log(`${counts.length} mutations, ${caught} caught, ${sum} tests failed`);
if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(failed, null, 2)}\n`);
process.exitCode = caught === counts.length ? 0 : 1;

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Why a mutation cannot be played as it is written. */
function faultsOf({ id, file, find, replace, tests }: Mutation): readonly string[] {
  const missing = [file, ...tests].filter((path) => !existsSync(join(ROOT, path)));
  if (missing.length > 0) return missing.map((path) => `${id}: there is no ${path}`);
  const times = read(file).split(find).length - 1;
  return [
    ...(times === 1 ? [] : [`${id}: ${file} has the text ${times} times, not once`]),
    ...(find === replace ? [`${id}: it changes nothing`] : []),
  ];
}

async function play({ id, file, find, replace, tests, project }: Mutation): Promise<Count> {
  const path = join(ROOT, file);
  const original = read(file);
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'));
  const stop = new AbortController();
  const restore = (): void => {
    stop.abort();
    writeFileSync(path, original);
    rmSync(folder, { recursive: true, force: true });
  };
  undo = restore;
  try {
    // A function, since a text may hold `$&`.
    writeFileSync(
      path,
      original.replace(find, () => replace),
    );
    const report = join(folder, 'report.json');
    await runTests(project, tests, report, stop.signal);
    if (!existsSync(report)) throw new Error(`${id}: vitest wrote no report`);
    return countOf(readFileSync(report, 'utf8'));
  } finally {
    restore();
    undo = undefined;
  }
}

/** Ends with the run, whatever its tests came to; or after `RUN_MS`, without a report. */
function runTests(project: string, tests: readonly string[], report: string, signal: AbortSignal): Promise<void> {
  const options = ['run', '--project', project, ...tests, '--reporter=json', `--outputFile=${report}`];
  const child = spawn(process.execPath, [VITEST, ...options], {
    cwd: ROOT,
    stdio: 'ignore',
    signal,
    timeout: RUN_MS,
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}

function countOf(text: string): Count {
  const { numTotalTests: total, testResults } = reportSchema.parse(JSON.parse(text));
  const failures = testResults.map(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed'),
  );
  const unread = testResults.filter(({ status }, at) => status === 'failed' && failures[at]?.length === 0).length;
  return { failed: failures.flat().length + unread, total, unread };
}
