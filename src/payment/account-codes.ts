/** How long an answer about an account is good, in milliseconds: an account may become a contract wallet at any time. */
const KEEP_MS = 60_000;
/** Accounts remembered by one isolate; beyond it the oldest are forgotten and asked about again. */
const MAX_ACCOUNTS = 10_000;

/** What is remembered of accounts: whether they have code (contract wallets). Addresses are lower case. */
export type AccountCodes = {
  /** Undefined when it is not known, or not any more. */
  recall(address: string, nowMs: number): boolean | undefined;
  remember(address: string, hasCode: boolean, nowMs: number): void;
};

/** A bounded, brief memory of which accounts are contract wallets, one per isolate. */
export function createAccountCodes(limit: number = MAX_ACCOUNTS): AccountCodes {
  const known = new Map<string, { hasCode: boolean; atMs: number }>();
  return {
    recall(address, nowMs) {
      const found = known.get(address);
      return found !== undefined && nowMs - found.atMs < KEEP_MS ? found.hasCode : undefined;
    },
    remember(address, hasCode, nowMs) {
      known.delete(address); // Inserted last, so that the first key is the oldest.
      known.set(address, { hasCode, atMs: nowMs });
      const oldest = known.size > limit ? known.keys().next().value : undefined;
      if (oldest !== undefined) known.delete(oldest);
    },
  };
}
