/** What is remembered of hashes that the chain did not know. Times are Unix seconds. */
export type Sightings = {
  /** For how long a hash has been unknown, when the chain was asked less than `NOT_FOUND_CACHE_S` ago (rule P12). */
  recall(hash: string, nowS: number): { forS: number } | undefined;
  /** Notes that the chain does not know the hash, and returns for how long it has been unknown to us. */
  missing(hash: string, nowS: number): { forS: number };
  found(hash: string): void;
};

/** An unknown hash is not asked for again so soon, in seconds. */
export const NOT_FOUND_CACHE_S = 5;
/** A hash that stays unknown this long is taken for wrong, in seconds: nodes may lag behind the payer's. */
export const NOT_FOUND_GRACE_S = 60;
/** Hashes remembered by one isolate. A flood drops the oldest: their payers get "pending" once more, never "no". */
const MAX_SIGHTINGS = 10_000;

type Sighting = { firstS: number; lastS: number };

/** A bounded memory of unknown hashes, one per isolate. */
export function createSightings(limit: number = MAX_SIGHTINGS): Sightings {
  const seen = new Map<string, Sighting>();
  return {
    recall(hash, nowS) {
      const sighting = seen.get(hash);
      if (!sighting || nowS - sighting.lastS >= NOT_FOUND_CACHE_S) return undefined;
      return { forS: nowS - sighting.firstS };
    },
    missing(hash, nowS) {
      const sighting = seen.get(hash);
      if (sighting) {
        sighting.lastS = nowS;
        return { forS: nowS - sighting.firstS };
      }
      const oldest = seen.size >= limit ? seen.keys().next().value : undefined;
      if (oldest !== undefined) seen.delete(oldest);
      seen.set(hash, { firstS: nowS, lastS: nowS });
      return { forS: 0 };
    },
    found(hash) {
      seen.delete(hash);
    },
  };
}

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
