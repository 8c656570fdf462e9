const MIB = 1024 * 1024;

/**
 * Bytes that audits and request bodies of one isolate may hold together. It has 128 MB for everything, of which the code
 * takes 20, and what was read costs nearly three times its size while it is judged (`bench/scale` measures both).
 */
export const MAX_HELD_BYTES = 20 * MIB;
/** Of these for free previews, as long as no purchase needs them: then previews are ended. */
export const MAX_PREVIEW_BYTES = 6 * MIB;
/** For bodies of requests that no one vouches for, beside `MAX_HELD_BYTES`: they take no room from anyone else. */
export const MAX_STRANGER_BYTES = 8 * MIB;
/** How long a body may take to arrive, in milliseconds; and one that no one vouches for. */
const BODY_MS = 60_000;
const STRANGER_BODY_MS = 10_000;
/** What a preview, and a purchase that reads a few documents, count for before they have read anything. */
export const AUDIT_BYTES = 256 * 1024;
/**
 * The same for a purchase that reads a whole site. Most need no more, and those that begin together must not end each
 * other: what has no room is refused before it is paid.
 */
export const SITE_BYTES = MIB;
/**
 * What one audit may read in all. The purchase that has held its room longest may hold so much whatever the others hold,
 * who are ended for it, so that one always ends well.
 */
export const OLDEST_BYTES = 25 * MIB;
/** Longest that anything is held, in milliseconds: on Workers a request that is cancelled never gives its room back. */
const MAX_HOLD_MS = 180_000;
/**
 * When room is likely again, in seconds: most audits are over by then. An estimate, since no one knows how long a site
 * takes.
 */
export const HELD_RETRY_AFTER_S = 5;

/** Whom bytes are held for. Previews give way to the others; strangers, whose requests have no token, have room of their own. */
export type HeldBytesPurpose = 'preview' | 'purchase' | 'body' | 'stranger';

export type Hold = {
  /**
   * Counts bytes beyond those of `take`, of which there may be none.
   * @returns false where there is no room for them, and once the room was taken away: what is being read must end then
   */
  grow: (bytes: number) => boolean;
  /** Gives everything back; a second call does nothing. */
  release: () => void;
};

export type HeldBytesCounter = {
  /** Whether `take` would find room now. Takes nothing. */
  hasRoom: (use: HeldBytesPurpose, bytes: number) => boolean;
  /** Takes room before any work is begun; undefined where there is none. */
  take: (use: HeldBytesPurpose, bytes: number) => Hold | undefined;
  /** Bytes held now. */
  held: () => number;
};

/** A hold with what it holds, and whether its room was taken away. */
type Held = { use: HeldBytesPurpose; bytes: number; sinceMs: number; isRevoked: boolean };

/**
 * Counts the bytes that the work of one isolate holds. Purchases and bodies begin while they fit together: previews are
 * ended for them, the youngest first. A purchase that has begun may grow in the same way, and the oldest of them beyond,
 * for which younger ones are ended: so that the work of at least one always ends well.
 */
export function createHeldBytes(
  limit: number = MAX_HELD_BYTES,
  previewLimit: number = MAX_PREVIEW_BYTES,
  oldestBytes: number = OLDEST_BYTES,
  nowMs: () => number = Date.now,
  strangerLimit: number = MAX_STRANGER_BYTES,
): HeldBytesCounter {
  /** All holds in the order in which they began. */
  const holds = new Map<Hold, Held>();
  const sums: Record<HeldBytesPurpose, number> = { preview: 0, purchase: 0, body: 0, stranger: 0 };
  /** What those hold whose room was taken away: it is free as soon as they have noticed. */
  let revokedBytes = 0;
  const others = (): number => sums.purchase + sums.body;
  const all = (): number => sums.preview + others();

  /** Ends holds of a kind, the youngest first, until there is room for `bytes`, or none is left. */
  const revoke = (use: 'preview' | 'purchase', bytes: number, keep?: Hold): void => {
    for (const [hold, held] of [...holds].toReversed()) {
      if (all() - revokedBytes + bytes <= limit) return;
      if (held.use !== use || held.isRevoked || hold === keep) continue;
      held.isRevoked = true;
      revokedBytes += held.bytes;
    }
  };
  const fits = (use: HeldBytesPurpose, bytes: number): boolean => {
    if (use === 'stranger') return sums.stranger + bytes <= strangerLimit;
    if (use === 'preview') return sums.preview + bytes <= previewLimit && all() + bytes <= limit;
    return others() + bytes <= limit;
  };
  const isOldest = (hold: Hold): boolean => {
    for (const [one, { use }] of holds) if (use === 'purchase') return one === hold;
    return false;
  };
  const mayGrow = (hold: Hold, held: Held, bytes: number): boolean => {
    if (fits(held.use, bytes)) return true;
    return held.use === 'purchase' && isOldest(hold) && held.bytes + bytes <= oldestBytes;
  };
  /** Makes room where previews, or younger purchases, are in the way of what may begin or grow. */
  const makeRoom = (use: HeldBytesPurpose, bytes: number, hold?: Hold): void => {
    if (use === 'preview' || use === 'stranger') return;
    revoke('preview', bytes);
    if (hold !== undefined && isOldest(hold)) revoke('purchase', bytes, hold);
  };
  const forgetOld = (): void => {
    for (const [hold, { sinceMs }] of holds) {
      if (nowMs() - sinceMs < MAX_HOLD_MS) return;
      hold.release();
    }
  };
  const add = (held: Held, bytes: number): void => {
    held.bytes += bytes;
    sums[held.use] += bytes;
  };
  const open = (held: Held): Hold => {
    const hold: Hold = {
      grow(more) {
        if (!holds.has(hold) || held.isRevoked) return false;
        if (more === 0) return true;
        if (!mayGrow(hold, held, more)) return false;
        makeRoom(held.use, more, hold);
        add(held, more);
        return true;
      },
      release() {
        if (!holds.delete(hold)) return;
        sums[held.use] -= held.bytes;
        if (held.isRevoked) revokedBytes -= held.bytes;
      },
    };
    return hold;
  };
  return {
    hasRoom(use, bytes) {
      forgetOld();
      return fits(use, bytes);
    },
    held: () => all() + sums.stranger,
    take(use, bytes) {
      forgetOld();
      if (!fits(use, bytes)) return undefined;
      makeRoom(use, bytes);
      const held: Held = { use, bytes: 0, sinceMs: nowMs(), isRevoked: false };
      const hold = open(held);
      holds.set(hold, held);
      add(held, bytes);
      return hold;
    },
  };
}

/**
 * Counts what an audit reads; its first `taken` bytes were taken when it began.
 * @returns false where it must stop
 */
export function countInto(hold: Hold, taken: number = AUDIT_BYTES): (bytes: number) => boolean {
  let left = taken;
  return (bytes) => {
    const more = Math.max(0, bytes - left);
    left = Math.max(0, left - bytes);
    return hold.grow(more);
  };
}

/** The room of one audit, which is taken when its work begins. */
export type AuditRoom = {
  /** Whether the work could begin now. Takes nothing. */
  isFree: () => boolean;
  /** Takes the room; false where there is none. Once taken it stays taken until `release`. */
  take: () => boolean;
  /** Counts what is read. @returns false where it must stop: what was read so far must not be judged then */
  hold: (bytes: number) => boolean;
  /** Whether reading was stopped. */
  isStarved: () => boolean;
  /** Aborted when reading is stopped: what was read until then need not be judged. */
  signal: AbortSignal;
  release: () => void;
};

/** @param bytes what the work counts for before it has read anything */
export function auditRoom(
  use: 'preview' | 'purchase',
  bytes: number = AUDIT_BYTES,
  held: HeldBytesCounter = heldBytes,
): AuditRoom {
  const starved = new AbortController();
  let taken: Hold | undefined;
  let count: ((bytes: number) => boolean) | undefined;
  return {
    isFree: () => taken !== undefined || held.hasRoom(use, bytes),
    take() {
      taken ??= held.take(use, bytes);
      count ??= taken && countInto(taken, bytes);
      return taken !== undefined;
    },
    hold(more) {
      if (!starved.signal.aborted && count?.(more) !== true) starved.abort();
      return !starved.signal.aborted;
    },
    isStarved: () => starved.signal.aborted,
    signal: starved.signal,
    release: () => taken?.release(),
  };
}

/** The room of one request's body, taken as the body grows. */
export type BodyRoom = {
  /** Counts bytes before they are kept. @returns false where there is no room for them */
  count: (bytes: number) => boolean;
  /** Whether there was too little room. */
  isFull: () => boolean;
  /** Whether bytes are counted as they arrive, and not by the length that is declared, which costs its sender nothing. */
  asTheyArrive: boolean;
  /** How long the body may take, in milliseconds. */
  maxMs: number;
  release: () => void;
};

export function createBodyRoom(use: 'body' | 'stranger', held: HeldBytesCounter = heldBytes): BodyRoom {
  const hold = held.take(use, 0);
  let isFull = false;
  return {
    count(bytes) {
      isFull ||= hold?.grow(bytes) !== true;
      return !isFull;
    },
    isFull: () => isFull,
    asTheyArrive: use === 'stranger',
    maxMs: use === 'stranger' ? STRANGER_BODY_MS : BODY_MS,
    release: () => hold?.release(),
  };
}

/** The count of this isolate. */
export const heldBytes = createHeldBytes();
