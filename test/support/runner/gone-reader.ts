import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

type Place = { cwd?: string; env?: Record<string, string> };
type EndedProgram = { status: number | null; err: string };

/** Runs a program of Node whose reader of standard output goes away at once, as `head` does. */
export function runWithoutReader(program: string, words: readonly string[], place: Place = {}): Promise<EndedProgram> {
  const child = spawn(process.execPath, [program, ...words], { ...place, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  return readEnd(child);
}

/** Runs a program of Node that writes to a disk without space, where there is `/dev/full`. */
export function runOnFullDisk(program: string, words: readonly string[], place: Place = {}): Promise<EndedProgram> {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [program, ...words], { ...place, stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  return readEnd(child);
}

function readEnd(child: ReturnType<typeof spawn>): Promise<EndedProgram> {
  let err = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
  return new Promise((resolve) => void child.on('close', (status) => resolve({ status, err })));
}
