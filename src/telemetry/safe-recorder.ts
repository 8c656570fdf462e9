import type { Recorder } from './recorder.ts';

/**
 * The same recorder, but for its faults: they are told, and whoever is recorded goes on as without it. Work is done once,
 * whatever becomes of its record, and its outcome is its own.
 */
export function unfailing(inner: Recorder, failed: (error: unknown) => void): Recorder {
  /** Before the first there is nothing to record: work is only done. */
  let isOn = false;
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      failed(error);
      return undefined;
    }
  };
  return {
    arrived: (...given) => {
      isOn = true;
      const request = attempt(() => inner.arrived(...given));
      return { answered: (facts) => attempt(() => request?.answered(facts)) };
    },
    line: (...given) => attempt(() => inner.line(...given)),
    timed: (requestId, part, work) =>
      isOn ? recorded((once) => inner.timed(requestId, part, once), work, failed) : work(),
    task: (task, carrier, work) => {
      isOn = true;
      return recorded((once) => inner.task(task, carrier, once), work, failed);
    },
  };
}

function recorded<T>(
  record: (work: () => Promise<T>) => Promise<T>,
  work: () => Promise<T>,
  failed: (error: unknown) => void,
): Promise<T> {
  let doing: Promise<T> | undefined;
  const once = (): Promise<T> => (doing ??= begun(work));
  const blame = async (error: unknown): Promise<void> => {
    try {
      await once();
    } catch {
      return; // The work failed itself: its caller hears of that.
    }
    failed(error);
  };
  try {
    record(once).catch(blame);
  } catch (error) {
    failed(error);
  }
  return once();
}

/** What it throws at once fails it, too. */
const begun = async <T>(work: () => Promise<T>): Promise<T> => work();
