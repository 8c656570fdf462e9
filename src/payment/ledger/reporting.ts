import type { LedgerReport } from './books.ts';
import type { LedgerOutbox } from './outbox.ts';

/** How long changes are gathered before they are reported: a short sale is one report. */
export const REPORT_AFTER_MS = 1_000;
/** Reports that follow each other at once; a shard with more goes on after another wait. */
const MAX_REPORTS = 50;

export type ReportingTools = {
  outbox: () => LedgerOutbox;
  send: (report: Omit<LedgerReport, 'shard'>) => Promise<void>;
  wait: (ms: number) => Promise<void>;
  /** The books do not answer: reports are to be tried again later. */
  onFailure: (error: unknown) => void;
};

/** Reports what a shard has in its outbox, one report after the other. No sale waits for it. */
export function createReporting({ outbox, send, wait, onFailure }: ReportingTools) {
  let sending: Promise<boolean> | undefined;
  let following: Promise<void> | undefined;

  const sendAll = async (): Promise<boolean> => {
    try {
      for (let reports = 0; reports < MAX_REPORTS; reports += 1) {
        const taken = outbox().take();
        if (taken === undefined) return true;
        const { sent: _sent, until: _until, ...report } = taken;
        await send(report);
        outbox().drop(taken);
      }
      return true;
    } catch (error) {
      onFailure(error);
      return false;
    } finally {
      sending = undefined;
    }
  };
  const flush = (): Promise<boolean> => (sending ??= sendAll());
  const follow = async (): Promise<void> => {
    do {
      await wait(REPORT_AFTER_MS);
      if (!(await flush())) break;
    } while (outbox().hasNews());
    following = undefined;
  };
  return {
    /** Sends what there is. @returns whether the books have it */
    flush,
    /** There is something to report: it is, a little later, with what comes until then. */
    note(): Promise<void> {
      return (following ??= follow());
    },
  };
}
