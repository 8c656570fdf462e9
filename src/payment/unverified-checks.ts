/** Payloads of one caller that may be verified at once while nobody knows whether their signatures are their payers'. */
export const UNVERIFIED_PER_CALLER = 4;

/** `in_progress`: this very payload is being verified. `too_many`: this caller has as many under way as it may. */
export type CheckBegun = { ok: true; end: () => void } | { ok: false; reason: 'in_progress' | 'too_many' };

export type UnverifiedChecks = {
  /** @param credentialSha256 of the exact credential: two payloads under one nonce do not wait for each other. */
  begin(caller: string, credentialSha256: string): CheckBegun;
};

/**
 * Counts the payloads of contract wallets that are being verified. They are counted here and not in the ledger: whoever
 * sends payloads in the name of others takes places from nobody but itself. Holds no more than what is under way.
 */
export function createUnverifiedChecks(limit: number = UNVERIFIED_PER_CALLER): UnverifiedChecks {
  const payloads = new Set<string>();
  const callers = new Map<string, number>();
  return {
    begin(caller, credentialSha256) {
      if (payloads.has(credentialSha256)) return { ok: false, reason: 'in_progress' };
      const underWay = callers.get(caller) ?? 0;
      if (underWay >= limit) return { ok: false, reason: 'too_many' };
      payloads.add(credentialSha256);
      callers.set(caller, underWay + 1);
      return {
        ok: true,
        end() {
          if (!payloads.delete(credentialSha256)) return;
          const left = (callers.get(caller) ?? 1) - 1;
          if (left > 0) callers.set(caller, left);
          else callers.delete(caller);
        },
      };
    },
  };
}
