/**
 * Payloads of one caller that may be verified at once while no one knows whether their signatures are their payers'.
 */
export const UNVERIFIED_PER_CALLER = 4;

/** No check takes longer. One that was not ended by then has lost its request, which ran no `finally`. */
export const CHECK_LIFE_MS = 180_000;

/** `in_progress`: this very payload is being verified. `too_many`: this caller has as many under way as it may. */
export type CheckBegun = { ok: true; end: () => void } | { ok: false; reason: 'in_progress' | 'too_many' };

export type UnverifiedChecks = {
  /** @param credentialSha256 of the exact credential: two payloads under one nonce do not wait for each other. */
  begin(caller: string, credentialSha256: string): CheckBegun;
};

/**
 * Counts the payloads of contract wallets that are being verified. They are counted here and not in the ledger: a sender of payloads in the name of others takes places from no one but itself. Holds no more than what is under way,
 * and that for `CHECK_LIFE_MS` at most.
 */
export function createUnverifiedChecks(
  limit: number = UNVERIFIED_PER_CALLER,
  nowMs: () => number = Date.now,
): UnverifiedChecks {
  /** By payload, those that began first in front. */
  const underWay = new Map<string, Check>();
  const callers = new Map<string, number>();
  const end = (payload: string, check: Check): void => {
    if (underWay.get(payload) !== check) return;
    underWay.delete(payload);
    const left = (callers.get(check.caller) ?? 1) - 1;
    if (left > 0) callers.set(check.caller, left);
    else callers.delete(check.caller);
  };
  return {
    begin(caller, credentialSha256) {
      for (const [payload, check] of underWay) {
        if (nowMs() - check.begunMs < CHECK_LIFE_MS) break;
        end(payload, check);
      }
      if (underWay.has(credentialSha256)) return { ok: false, reason: 'in_progress' };
      const ofCaller = callers.get(caller) ?? 0;
      if (ofCaller >= limit) return { ok: false, reason: 'too_many' };
      const check = { caller, begunMs: nowMs() };
      underWay.set(credentialSha256, check);
      callers.set(caller, ofCaller + 1);
      return { ok: true, end: () => end(credentialSha256, check) };
    },
  };
}

type Check = { caller: string; begunMs: number };
