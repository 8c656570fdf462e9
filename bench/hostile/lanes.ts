/** What one client of the load does again and again. */
export type LaneName = 'unpaid' | 'paid' | 'preview' | 'hostile';

/** A load in a closed loop: each client sends again as soon as it is answered. */
export type LoadJob = {
  api: string;
  /** Clients of each kind. */
  clients: Readonly<Record<LaneName, number>>;
  /** The honest site that is bought and previewed. */
  good: string;
  /** Origins that hostile previews name, in turns. */
  hostileSites: readonly string[];
  /** File of payment headers (a JSON list), each of which is presented once; needed for paid clients only. */
  paymentsFile?: string;
  /**
   * Connections that all clients share; what finds none free waits in the order of its coming, as behind a front that
   * bounds them. Each client has its own when absent.
   */
  connections?: number;
  /** Answers to requests that were sent earlier than this are not in the times; in the counts they are. */
  warmUpS: number;
  /** Seconds from the start to the last request. */
  seconds: number;
  /** When hostile previews begin. */
  hostileFromS: number;
};

/** Times in milliseconds. `refused`: told to come back later, with `Retry-After`, before anything was paid. */
export type LaneReport = {
  requests: number;
  timed: number;
  p50: number;
  p90: number;
  p99: number;
  max: number;
  perS: number;
  outcomes: Readonly<Record<string, number>>;
  refused: number;
  /** The first few of what should not have been answered, or was not answered at all. */
  errors: readonly string[];
  errorCount: number;
};

export type LoadReport = {
  lanes: Readonly<Record<LaneName, LaneReport>>;
  /** The longest time that the clients' own process was busy with itself: smaller times than this prove nothing. */
  clientLagMs: number;
  isOutOfPayments: boolean;
};
