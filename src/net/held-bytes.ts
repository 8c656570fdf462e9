const MIB = 1024 * 1024;

/** Bytes that audits and request bodies of one isolate may hold together; it has 128 MB for everything. */
export const MAX_HELD_BYTES = 40 * MIB;
/** Of these for free previews: a purchase is never refused because of them. */
export const MAX_PREVIEW_BYTES = 12 * MIB;
/** What an audit counts for before it has read anything: an ordinary one reads no more in all. */
export const AUDIT_BYTES = 512 * 1024;
/** When room is likely again, in seconds: most audits are over by then. */
export const HELD_RETRY_AFTER_S = 5;

/** Whom bytes are held for. Previews give way to the others. */
export type HeldFor = 'preview' | 'purchase' | 'body';

export type Hold = {
  /** Counts bytes beyond those of `take`. @returns false where a preview, or a body, finds no room for them */
  grow: (bytes: number) => boolean;
  /** Gives everything back; a second call does nothing. */
  release: () => void;
};

export type HeldBytes = {
  /** Takes room before any work is begun; undefined where there is none. */
  take: (use: HeldFor, bytes: number) => Hold | undefined;
  /** Bytes held now. */
  held: () => number;
};

/**
 * Counts the bytes that the work of one isolate holds. What is admitted to buy is never stopped: it is counted beyond the
 * limit too, and nobody else is admitted until there is room again.
 */
export function createHeldBytes(limit: number = MAX_HELD_BYTES, previewLimit: number = MAX_PREVIEW_BYTES): HeldBytes {
  const held = { preview: 0, purchase: 0, body: 0 };
  const others = (): number => held.purchase + held.body;
  const fits = (use: HeldFor, bytes: number): boolean =>
    use === 'preview'
      ? held.preview + bytes <= previewLimit && others() + held.preview + bytes <= limit
      : others() + bytes <= limit - previewLimit;
  return {
    held: () => held.preview + others(),
    take(use, bytes) {
      if (!fits(use, bytes)) return undefined;
      let mine = bytes;
      let isOver = false;
      held[use] += bytes;
      return {
        grow(more) {
          if (isOver || (use !== 'purchase' && !fits(use, more))) return false;
          mine += more;
          held[use] += more;
          return true;
        },
        release() {
          if (isOver) return;
          isOver = true;
          held[use] -= mine;
        },
      };
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

/** The count of this isolate. */
export const heldBytes = createHeldBytes();
