import { hexOf } from '../lib/digest.ts';

/** Bytes that are drawn at a time: each draw is a call into the runtime, whatever its size. */
const POOL_BYTES = 1_024;

/** Random bytes as lower-case hex, at most `POOL_BYTES` at a time. For ids, not for secrets: what is drawn waits in memory. */
export function randomHex(random: (bytes: number) => Uint8Array): (bytes: number) => string {
  let pool: Uint8Array = new Uint8Array(0);
  let used = 0;
  return (bytes) => {
    if (used + bytes > pool.length) {
      pool = random(POOL_BYTES);
      used = 0;
    }
    used += bytes;
    return hexOf(pool.subarray(used - bytes, used));
  };
}
