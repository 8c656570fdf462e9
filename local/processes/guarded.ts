import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SHELL = '/bin/sh';
const WATCHDOG = fileURLToPath(new URL('watchdog.sh', import.meta.url));

/** The executable that runs `GUARD_PROGRAM` under our watch. Its arguments become the program's. */
export const GUARD = fileURLToPath(new URL('guard.sh', import.meta.url));

/** A program that will not outlive this process, even if this process is killed. */
export type Guarded = {
  /** Environment for the process that runs `GUARD`. */
  env: Record<string, string>;
  /** Process id of the program as last started; undefined before its start and after `forget`. */
  pid: () => number | undefined;
  /** Call when the program has ended: its id may then belong to someone else. */
  forget: () => void;
};

/** Prepares `program` to be started through `GUARD` by this process. */
export function prepareGuarded(program: string): Guarded {
  const pidFile = join(openPidFolder(), randomUUID());
  return {
    env: { GUARD_PROGRAM: program, GUARD_PARENT: String(process.pid), GUARD_PID_FILE: pidFile },
    pid: () => readPid(pidFile),
    forget: () => rmSync(pidFile, { force: true }),
  };
}

let folder: string | undefined;

/** The folder of process ids, watched from its first use until this process ends. */
function openPidFolder(): string {
  if (folder !== undefined) return folder;
  folder = mkdtempSync(join(tmpdir(), 'sightline-pids-'));
  const watchdog = spawn(SHELL, [WATCHDOG, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  watchdog.unref();
  // The pipe stays open for as long as we live, and must not keep us alive.
  if ('unref' in watchdog.stdin && typeof watchdog.stdin.unref === 'function') watchdog.stdin.unref();
  return folder;
}

function readPid(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8').trim());
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
