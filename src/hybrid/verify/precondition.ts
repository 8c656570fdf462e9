/** One condition of the upgrade. */
export type Precondition = {
  /** Stable. */
  id: string;
  title: string;
  /** `unknown`: the facts do not say. It is never counted as met, nor as broken. */
  state: 'holds' | 'fails' | 'unknown';
  seen: string;
  needed: string;
  /** Of the plan: the one that looks at it or brings it about. */
  step: number;
  /** Of the plan: the last after which it must still hold; undefined: it holds for good. */
  lastStep?: number;
};

export type VerifyOptions = {
  /** A trial may have any number of Cassandra nodes. */
  isTrial?: boolean;
};
