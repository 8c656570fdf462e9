import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;

/**
 * Lets a workerd end by itself: on SIGTERM it refuses new connections and answers the requests that run. One that has not
 * ended after `limitMs` is killed. @returns whether it ended by itself
 */
export async function drain(pid: number, limitMs: number): Promise<boolean> {
  signal(pid, 'SIGTERM');
  const deadline = Date.now() + limitMs;
  while (Date.now() < deadline) {
    if (!signal(pid, 0)) return true;
    await sleep(LOOK_EVERY_MS);
  }
  return !signal(pid, 'SIGKILL');
}

/** @returns whether the process is there */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}
