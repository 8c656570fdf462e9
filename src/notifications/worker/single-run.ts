import type { WorkReport } from '../core/protocol.ts';

/** Runs of which there is one at a time. */
export type SingleRun = {
  /** Starts a run, or makes the one under way go on: each caller gets the sum of what it does. */
  ask: () => Promise<WorkReport>;
  isUnderWay: () => boolean;
};

/**
 * Lets one run happen at a time. Someone who asks during one may have left what it did not see any more: it is run
 * again then, `mostInARow` times at most.
 */
export function createSingleRun(run: () => Promise<WorkReport>, mostInARow: number): SingleRun {
  let underWay: Promise<WorkReport> | undefined;
  let isAsked = false;
  const runs = async (): Promise<WorkReport> => {
    let total: WorkReport = { read: 0, delivered: 0, failed: 0, more: false };
    for (let left = mostInARow; left > 0 && isAsked; left -= 1) {
      isAsked = false;
      const report = await run();
      total = {
        read: total.read + report.read,
        delivered: total.delivered + report.delivered,
        failed: total.failed + report.failed,
        more: report.more,
      };
    }
    return total;
  };
  return {
    ask: () => {
      isAsked = true;
      underWay ??= runs().finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
    isUnderWay: () => underWay !== undefined,
  };
}
