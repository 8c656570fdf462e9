import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_FOLDER } from './stack-file.ts';

const PARENT = join(LOCAL_FOLDER, 'state');
const MAX_STACKS_PER_PROCESS = 100;
let started = 0;

/**
 * A fresh folder for the state of one stack. Chain, keys and secrets are new at each start, so older state could only
 * contradict them: what killed stacks left behind is removed.
 */
export function createStateFolder(): string {
  mkdirSync(PARENT, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(PARENT)) {
    if (!isAlive(Number(name.split('-')[0]))) rmSync(join(PARENT, name), { recursive: true, force: true });
  }
  started += 1;
  if (started > MAX_STACKS_PER_PROCESS)
    throw new Error(`one process started more than ${MAX_STACKS_PER_PROCESS} stacks`);
  const folder = join(PARENT, `${process.pid}-${started}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'; // Alive, and not ours.
  }
}
