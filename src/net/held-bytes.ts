const MIB = 1024 * 1024;

/** Bytes that audits and request bodies of one isolate may hold together; it has 128 MB for everything. */
export const MAX_HELD_BYTES = 40 * MIB;
/** Of these for free previews: a purchase is never refused because of them. */
export const MAX_PREVIEW_BYTES = 12 * MIB;
/** For bodies of requests that no one vouches for, beside `MAX_HELD_BYTES`: they take no room from anyone else. */
export const MAX_STRANGER_BYTES = 8 * MIB;
/** How long a body may take to arrive, in milliseconds; and one that no one vouches for. */
const BODY_MS = 60_000;
const STRANGER_BODY_MS = 10_000;
/** What an audit counts for before it has read anything: an ordinary one reads no more in all. */
export const AUDIT_BYTES = 512 * 1024;
/** Beyond `MAX_HELD_BYTES`, only for the purchase that has held its room longest: what one audit may read in all, so that it always ends. */
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
  /** Counts bytes beyond those of `take`. @returns false where there is no room for them */
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

/**
 * Counts the bytes that the work of one isolate holds. No purchase begins while the others leave no room; one that has
 * begun may grow to the whole limit, and the oldest of them beyond it, so that the work of at least one always ends.
 */
export function createHeldBytes(
  limit: number = MAX_HELD_BYTES,
  previewLimit: number = MAX_PREVIEW_BYTES,
  oldestBytes: number = OLDEST_BYTES,
  nowMs: () => number = Date.now,
  strangerLimit: number = MAX_STRANGER_BYTES,
): HeldBytesCounter {
  const held = { preview: 0, purchase: 0, body: 0, stranger: 0 };
  /** Purchases in the order in which they began. */
  const purchases = new Set<Hold>();
  /** All holds in the order in which they began, with the time of that. */
  const since = new Map<Hold, number>();
  const forgetOld = (): void => {
    for (const [hold, atMs] of since) {
      if (nowMs() - atMs < MAX_HOLD_MS) return;
      hold.release();
    }
  };
  const others = (): number => held.purchase + held.body;
  const all = (): number => held.preview + others();
  const fits = (use: HeldBytesPurpose, bytes: number): boolean => {
    if (use === 'stranger') return held.stranger + bytes <= strangerLimit;
    return use === 'preview'
      ? held.preview + bytes <= previewLimit && all() + bytes <= limit
      : others() + bytes <= limit - previewLimit;
  };
  const mayGrow = (use: HeldBytesPurpose, hold: Hold, bytes: number): boolean => {
    if (use !== 'purchase') return fits(use, bytes);
    const [oldest] = purchases;
    return all() + bytes <= (hold === oldest ? limit + oldestBytes : limit);
  };
  return {
    hasRoom(use, bytes) {
      forgetOld();
      return fits(use, bytes);
    },
    held: () => all() + held.stranger,
    take(use, bytes) {
      forgetOld();
      if (!fits(use, bytes)) return undefined;
      let mine = bytes;
      let isOver = false;
      held[use] += bytes;
      const hold: Hold = {
        grow(more) {
          if (isOver || !mayGrow(use, hold, more)) return false;
          mine += more;
          held[use] += more;
          return true;
        },
        release() {
          if (isOver) return;
          isOver = true;
          held[use] -= mine;
          purchases.delete(hold);
          since.delete(hold);
        },
      };
      since.set(hold, nowMs());
      if (use === 'purchase') purchases.add(hold);
      return hold;
    },
  };
}

/**
 * Counts what an audit reads; its first `AUDIT_BYTES` were taken when it began.
 * @returns false where it must stop
 */
export function countInto(hold: Hold): (bytes: number) => boolean {
  let left = AUDIT_BYTES;
  return (bytes) => {
    const more = Math.max(0, bytes - left);
    left = Math.max(0, left - bytes);
    return more === 0 || hold.grow(more);
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
  release: () => void;
};

export function auditRoom(use: 'preview' | 'purchase', held: HeldBytesCounter = heldBytes): AuditRoom {
  let taken: Hold | undefined;
  let count: ((bytes: number) => boolean) | undefined;
  let isStarved = false;
  return {
    isFree: () => taken !== undefined || held.hasRoom(use, AUDIT_BYTES),
    take() {
      taken ??= held.take(use, AUDIT_BYTES);
      count ??= taken && countInto(taken);
      return taken !== undefined;
    },
    hold(bytes) {
      isStarved ||= count?.(bytes) !== true;
      return !isStarved;
    },
    isStarved: () => isStarved,
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
