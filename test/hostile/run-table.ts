import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Seen } from './shape.ts';

/** Heap of the child in MB: an isolate has 128 with everything else in it. */
const HEAP_MB = 96;
/** A row that computes for so long hangs, and one that does nothing for so long as well. Neither judges anything else. */
const HANG_CPU_S = 30;
const HANG_MS = 300_000;
const LOOK_MS = 1_000;
const STDERR_CHARS = 4_000;

/** What a row came to: its counts, or how it ended the process it ran in. */
export type RowEnd = { seen: Seen } | { died: string };

/** Runs a table in child processes. A row that ends its process is left, and the next ones run in another. */
export async function runTable(table: string, rows: number): Promise<readonly RowEnd[]> {
  const ends: RowEnd[] = [];
  while (ends.length < rows) {
    const died = await runFrom(table, ends);
    if (died !== undefined && ends.length < rows) ends.push({ died });
  }
  return ends;
}

/** Fills `ends` as far as one process gets. @returns why it ended early */
async function runFrom(table: string, ends: RowEnd[]): Promise<string | undefined> {
  const flags = [`--max-old-space-size=${HEAP_MB}`, '--expose-gc', '--no-warnings'];
  const child = spawn(process.execPath, [...flags, `${import.meta.dirname}/child.ts`, table, String(ends.length)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (part: Buffer) => {
    stderr = (stderr + part.toString()).slice(-STDERR_CHARS);
  });
  let hangs = false;
  let line = { atMs: Date.now(), cpuS: 0 };
  const watch = setInterval(() => {
    const isLate = Date.now() - line.atMs > HANG_MS || cpuSecondsOf(child.pid) - line.cpuS > HANG_CPU_S;
    if (!isLate) return;
    hangs = true;
    child.kill('SIGKILL');
  }, LOOK_MS);
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  for await (const text of createInterface({ input: child.stdout })) {
    line = { atMs: Date.now(), cpuS: cpuSecondsOf(child.pid) };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the lines are those of child.ts
    const { seen } = JSON.parse(text) as { seen?: Seen };
    if (seen !== undefined) ends.push({ seen });
  }
  clearInterval(watch);
  const code = await ended;
  if (code === 0) return undefined;
  if (hangs) return `hangs: nothing came of it in ${HANG_CPU_S} s of computing`;
  return stderr.includes('heap out of memory')
    ? `needs more than ${HEAP_MB} MB of heap`
    : `ended its process: ${stderr.slice(-800)}`;
}

/** Seconds that a process has computed; 0 where the system does not say. Other work on the machine does not count. */
function cpuSecondsOf(pid: number | undefined): number {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return 0;
  const fields = readFileSync(path, 'utf8').split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
