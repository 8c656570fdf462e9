import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type Aim, atMost, round } from '../aims.ts';

const START = fileURLToPath(new URL('../../local/start.ts', import.meta.url));
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/sightline-workers', import.meta.url));
/** Starts of each kind, in turns. */
const ROUNDS = 5;
const LIMIT_MS = 5_000;
/** For hangs only. */
const READY_WITHIN_MS = 120_000;

const KINDS = ['first start of a checkout', 'later start, new data', 'later start, data of the last one'] as const;
type Kind = (typeof KINDS)[number];

/** From the spawn of `npm start`'s program to the line that says it is ready; medians in ms. */
export async function measureStack(log: (line: string) => void): Promise<{
  aims: readonly Aim[];
  readyMs: Record<Kind, number>;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-stack-'));
  const taken = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
  try {
    for (let turn = 0; turn < ROUNDS; turn += 1)
      for (const kind of KINDS) {
        if (kind === 'first start of a checkout') rmSync(CACHE, { recursive: true, force: true });
        const fresh = kind === 'later start, data of the last one' ? [] : ['--fresh'];
        taken.get(kind)?.push(await timeStart(folder, ['--port', '0', ...fresh]));
      }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const readyMs = Object.fromEntries(KINDS.map((kind) => [kind, findMedian(taken.get(kind) ?? [])])) as Record<
    Kind,
    number
  >;
  for (const kind of KINDS) log(`stack: ${kind}: ready after ${round(readyMs[kind])} ms`);
  return { aims: KINDS.map((kind) => atMost(`npm start, ready, ${kind}`, readyMs[kind], LIMIT_MS, 'ms')), readyMs };
}

async function timeStart(folder: string, args: readonly string[]): Promise<number> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [START, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const hang = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS);
  await waitForReady(child);
  const tookMs = performance.now() - startedMs;
  child.kill('SIGTERM');
  await ended;
  clearTimeout(hang);
  return tookMs;
}

async function waitForReady(child: ChildProcessByStdio<null, Readable, null>): Promise<void> {
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    output += text;
    if (output.includes('is ready.')) break;
  }
  if (!output.includes('is ready.')) throw new Error(`npm start ended before it was ready: ${output}`);
}

const findMedian = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
