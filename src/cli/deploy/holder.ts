import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime, userInfo } from 'node:os';
import type { LockHolder } from '../../deploy/lock.ts';

const RUN_BYTES = 8;
const MINUTE_MS = 60_000;

/** This run, as the lock of a deployment names it to another. */
export const describeThisRun = (): LockHolder => ({
  run: randomBytes(RUN_BYTES).toString('hex'),
  user: getUserName(),
  host: hostname(),
  machine: identifyMachine(),
  pid: process.pid,
});

/** A container may run as a user that its system does not know. */
function getUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'a user without a name';
  }
}

/**
 * Where ids of processes mean what they mean here. Names of hosts repeat, and each container counts processes for
 * itself: with the same name and the same boot, that of another one would seem to be gone.
 */
export function identifyMachine(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return `${hostname()} ${Math.round((Date.now() - uptime() * 1000) / MINUTE_MS)}`; // No Linux: since when it runs.
  }
}

/** Whether another run was of this machine and has ended. One of another machine is never known to be gone. */
export function isRunGone({ machine, pid }: LockHolder): boolean {
  if (machine !== identifyMachine()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}
