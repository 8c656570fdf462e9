import { DAY_MS, MINUTE_MS } from '../../lib/time.ts';

/**
 * How far the search for a payment came whose time is over, in a history that is too long for one look. By signatures of
 * transactions: what is older than `before` and newer than `after` is left to read. Without one of them, all on its side is.
 */
export type SearchState = {
  before?: string;
  after?: string;
  /** What is later than this is no part of the search, in Unix seconds: when its first look was made. */
  untilS?: number;
  /** A transaction was listed that could not be read: the search begins again when it is through. */
  hasUnread?: true;
  /** Looks so far. */
  looks: number;
  /** Looks that brought the search no further, one after the other. */
  idleLooks: number;
};

/** After so many looks, of 100 transactions each, a search is as slow as one that comes no further. */
const QUICK_LOOKS = 500;
/** Waits after looks that brought a search no further, each for the next look; then a day. */
const IDLE_WAITS_MS: readonly number[] = [1, 2, 4, 8, 16, 32, 60].map((minutes) => minutes * MINUTE_MS);

/** The search after another look. `isFurther`: there is less left to read than before. */
export function continueSearch(
  last: SearchState | undefined,
  now: Pick<SearchState, 'before' | 'after' | 'untilS' | 'hasUnread'>,
  isFurther: boolean,
): SearchState {
  const { looks = 0, idleLooks = 0 } = last ?? {};
  const isIdle = !isFurther || looks >= QUICK_LOOKS;
  return { ...now, looks: looks + 1, idleLooks: isIdle ? idleLooks + 1 : 0 };
}

/** How long a search waits for its next look. */
export const computeSearchWaitMs = ({ idleLooks }: SearchState): number =>
  idleLooks === 0 ? MINUTE_MS : (IDLE_WAITS_MS[idleLooks - 1] ?? DAY_MS);
