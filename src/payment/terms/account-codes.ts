/** How long it is remembered that an account is a contract wallet, in milliseconds. */
const KEEP_MS = 60_000;
/**
 * The same of an account without code, which is shorter: a wallet may be deployed in the next block and pay at once, and
 * strangers can have asked about its address before.
 */
export const KEEP_WITHOUT_CODE_MS = 5_000;
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
      const keepMs = found?.hasCode === false ? KEEP_WITHOUT_CODE_MS : KEEP_MS;
      return found !== undefined && nowMs - found.atMs < keepMs ? found.hasCode : undefined;
    },
    remember(address, hasCode, nowMs) {
      known.delete(address); // Inserted last, so that the first key is the oldest.
      known.set(address, { hasCode, atMs: nowMs });
      const oldest = known.size > limit ? known.keys().next().value : undefined;
      if (oldest !== undefined) known.delete(oldest);
    },
  };
}
