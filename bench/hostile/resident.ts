import { setTimeout as sleep } from 'node:timers/promises';
import { median, residentMiBOf } from '../process-usage.ts';

const SAMPLE_MS = 250;

/** Resident sets of a process over time, in MiB, and seconds since `watchResident` was called. */
export type Sample = { atS: number; mib: number };
export type Watch = {
  /** Ends the watch. */
  stop: () => Promise<readonly Sample[]>;
};

/** Looks at the resident set of a process until it is stopped. @throws Error from `stop` when the process has gone */
export function watchResident(pid: number): Watch {
  const startMs = performance.now();
  const samples: Sample[] = [];
  const end = new AbortController();
  const watching = (async () => {
    while (!end.signal.aborted) {
      samples.push({ atS: (performance.now() - startMs) / 1000, mib: residentMiBOf(pid) });
      await sleep(SAMPLE_MS);
    }
    return samples;
  })();
  watching.catch(() => undefined); // Told by `stop`.
  return {
    stop: () => {
      end.abort();
      return watching;
    },
  };
}

/** Median of the samples of a span of time. */
export const medianBetween = (samples: readonly Sample[], fromS: number, toS: number): number =>
  median(samples.filter(({ atS }) => atS >= fromS && atS < toS).map(({ mib }) => mib));

export const peakOf = (samples: readonly Sample[]): number => Math.max(...samples.map(({ mib }) => mib));
