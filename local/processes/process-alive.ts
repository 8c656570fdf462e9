import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Whether a process of this id runs. */
export function isProcessAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'; // Alive, and not ours.
  }
}

/** Of what follows the name of a program in `/proc/<pid>/stat`, the place of its start time (proc(5), field 22). */
const START_FIELD = 19;

/** When a process began, as one word that no other process of its id has; undefined where it does not run, or does not say. */
export function readProcessStart(pid: number): string | undefined {
  if (!isProcessAlive(pid)) return undefined;
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
        .trim()
        .replaceAll(/\s+/g, '_');
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return ticks === undefined ? undefined : `${boot}:${ticks}`;
  } catch {
    return undefined; // It ended meanwhile, or is hidden: its id is all that is known.
  }
}
