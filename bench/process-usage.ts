import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of /proc/<pid>/stat in a second: 100 on every Linux that Node runs on. */
const TICKS_PER_S = 100;

/** User and system CPU that a process has used so far, all threads, in milliseconds (to 10 ms). Linux only. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // The name may hold spaces and brackets.
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_S;
}

/**
 * CPU of the threads that a process has now, in milliseconds: fine enough for a process that has just started. What ended
 * threads used is not in it.
 */
export const threadsMsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + readRunMs(`/proc/${pid}/task/${thread}/schedstat`), 0);

/** The first field is the time on a processor, in nanoseconds. */
const readRunMs = (file: string): number => Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6;

/** Largest resident set that a process has had, in MiB. */
export function peakMiBOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
}

/** Resident set of a process now, in MiB. */
export function residentMiBOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
