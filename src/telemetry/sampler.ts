/** Traces that one isolate keeps in a second; further ones are counted by their log lines only. */
export const TRACES_A_SECOND = 10;
const SECOND_MS = 1_000;

/** Whether the spans of one more trace may be kept: so many a second, whatever callers ask for. */
export function createSampler(now: () => number): () => boolean {
  let windowMs = -Infinity;
  let kept = 0;
  return () => {
    const nowMs = now();
    if (nowMs - windowMs >= SECOND_MS || nowMs < windowMs) {
      windowMs = nowMs;
      kept = 0;
    }
    kept += 1;
    return kept <= TRACES_A_SECOND;
  };
}
