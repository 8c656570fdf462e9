/** How far a preview is, as its events say. */
export type PreviewProgress = {
  /** Requests made, and the most there can be. */
  done: number;
  atMost: number;
  /** Checks judged, and how many there are. */
  judged: number;
  checks: number;
  /** The result is here. */
  isDone: boolean;
};

export const noProgress: PreviewProgress = { done: 0, atMost: 60, judged: 0, checks: 1, isDone: false };

/** Share of the whole that reading a site makes up, in thousandths: judging takes a moment, requests take seconds. */
const READING = 850;
/** Everything but the end: only the result is all of it. */
const BEFORE_END = 990;
export const WHOLE = 1000;

/**
 * Thousandths of the work that are done: requests of those that may be made, then checks of those there are. A site that
 * needs fewer requests than the limit is read when the first check is judged.
 */
export function computeThousandths({ done, atMost, judged, checks, isDone }: PreviewProgress): number {
  if (isDone) return WHOLE;
  if (judged > 0) return READING + Math.floor(((BEFORE_END - READING) * Math.min(judged, checks)) / checks);
  return Math.floor((READING * Math.min(done, atMost)) / Math.max(1, atMost));
}
