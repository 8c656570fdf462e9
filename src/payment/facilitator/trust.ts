/** Settlements that the chain does not show, within the window, before the facilitator's word alone delivers nothing. */
export const MISMATCHES = 3;
export const MISMATCH_WINDOW_MS = 24 * 3_600_000;
/** It is believed again this long after the last of them, in milliseconds, and after so many settlements that were there. */
export const TRUST_AGAIN_MS = 3_600_000;
export const GOOD_LOOKS = 20;

/** What the ledger remembers of its facilitator. `key`: how logs name a payment. Plain data, stored as it is. */
export type FacilitatorTrust = {
  readonly mismatches: readonly { key: string; atMs: number }[];
  /** Since when the receipt of every sale is read before its delivery; null while the facilitator is believed. */
  readonly distrustedAtMs: number | null;
  /** Settlements since then that were on chain. */
  readonly goodLooks: number;
};

export const FULL_TRUST: FacilitatorTrust = { mismatches: [], distrustedAtMs: null, goodLooks: 0 };

/** The one object that keeps the trust of all shards: the payment ledger's, under this name. */
export const TRUST_OBJECT = 'facilitator-trust';

/** The trust as the api Worker and the shards reach it over RPC. */
export interface TrustKeeper {
  /** A settlement is not on chain. The same payment again changes nothing. */
  noteMismatch(key: string): Promise<void>;
  /** A settlement was read on chain before its delivery. */
  noteGoodLook(): Promise<void>;
  isDistrusted(): Promise<boolean>;
}

/** The trust after a settlement that the chain does not show. The oldest of those that count are kept. */
export function withMismatch(trust: FacilitatorTrust, key: string, nowMs: number): FacilitatorTrust {
  const recent = trust.mismatches.filter((one) => nowMs - one.atMs < MISMATCH_WINDOW_MS && one.key !== key);
  const mismatches = [...recent, { key, atMs: nowMs }].slice(-MISMATCHES);
  const distrustedAtMs = trust.distrustedAtMs ?? (mismatches.length >= MISMATCHES ? nowMs : null);
  return { mismatches, distrustedAtMs, goodLooks: 0 };
}

/** The trust after a settlement that was there: whole again after enough of them, and an hour without the contrary. */
export function withGoodLook(trust: FacilitatorTrust, nowMs: number): FacilitatorTrust {
  if (trust.distrustedAtMs === null) return trust;
  const goodLooks = Math.min(trust.goodLooks + 1, GOOD_LOOKS);
  const lastMs = trust.mismatches.at(-1)?.atMs ?? trust.distrustedAtMs;
  return goodLooks >= GOOD_LOOKS && nowMs - lastMs >= TRUST_AGAIN_MS ? FULL_TRUST : { ...trust, goodLooks };
}

/** The part of an object's key-value storage that the trust needs. */
type TrustStorage = { get: (key: string) => unknown; put: (key: string, value: FacilitatorTrust) => void };

const KEY = 'trust';

/** The trust in an object's storage. The log says when the facilitator is no longer trusted, and when it is again. */
export function openTrust(kept: TrustStorage, nowMs: () => number) {
  // Written here alone, so its shape is known.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  const read = (): FacilitatorTrust => (kept.get(KEY) as FacilitatorTrust | undefined) ?? FULL_TRUST;
  return {
    noteMismatch(key: string): void {
      const before = read();
      const after = withMismatch(before, key, nowMs());
      kept.put(KEY, after);
      if (before.distrustedAtMs !== null || after.distrustedAtMs === null) return;
      console.error(JSON.stringify({ event: 'facilitator_distrusted', mismatches: after.mismatches.length }));
    },
    noteGoodLook(): void {
      const before = read();
      const after = withGoodLook(before, nowMs());
      if (after === before) return;
      kept.put(KEY, after);
      if (after.distrustedAtMs === null) console.log(JSON.stringify({ event: 'facilitator_trusted' }));
    },
    isDistrusted: (): boolean => read().distrustedAtMs !== null,
    distrustedAtMs: (): number | null => read().distrustedAtMs,
  };
}
