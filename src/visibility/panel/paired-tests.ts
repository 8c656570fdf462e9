import { sum } from '../../lib/numbers.ts';
import { createRandomFromSeed } from '../../lib/seeded-random.ts';

/** Sign flips that a permutation test draws where it cannot go through all of them. */
const FLIPS = 4_999;
/** Prompts up to which all sign flips are gone through: 2 to the 12th are 4,096. */
const MAX_EXACT = 12;
/** Smaller than any difference of two sums of shares. */
const TIE = 1e-9;

/**
 * Two-sided p of a sign-flip permutation test over prompts: how often a random sign for each prompt's difference gives a sum at
 * least as far from 0. Each prompt is one case however many engines answered it, as answers to one prompt resemble each
 * other. 1 when nothing differs.
 * @param differences for each prompt the mean over engines of (named the one) - (named the other), -1 to 1
 * @param seed the same seed gives the same p
 */
export function computeSignFlipP(differences: readonly number[], seed: string): number {
  const moved = differences.filter((one) => Math.abs(one) > TIE);
  if (moved.length === 0) return 1;
  const seen = Math.abs(sum(moved)) - TIE;
  if (moved.length <= MAX_EXACT) return countExact(moved, seen);
  const random = createRandomFromSeed(seed);
  let extreme = 1; // The outcome itself: no p of 0.
  for (let flip = 0; flip < FLIPS; flip += 1) {
    let total = 0;
    for (const one of moved) total += random() < 0.5 ? one : -one;
    if (Math.abs(total) >= seen) extreme += 1;
  }
  return extreme / (FLIPS + 1);
}

function countExact(moved: readonly number[], seen: number): number {
  const all = 2 ** moved.length;
  let extreme = 0;
  for (let signs = 0; signs < all; signs += 1) {
    let total = 0;
    for (const [at, one] of moved.entries()) total += (signs >> at) & 1 ? one : -one;
    if (Math.abs(total) >= seen) extreme += 1;
  }
  return extreme / all;
}

/**
 * Holm's adjustment for several tests at once, in the order of `ps`: an adjusted p below 0.05 keeps the chance of any false
 * call among all of them below 5 %.
 * @see https://www.jstor.org/stable/4615733
 */
export function computeHolmAdjusted(ps: readonly number[]): readonly number[] {
  const order = ps.map((p, at) => ({ p, at })).toSorted((one, other) => one.p - other.p);
  const adjusted = ps.map(() => 1);
  let highest = 0;
  for (const [rank, { p, at }] of order.entries()) {
    highest = Math.max(highest, Math.min(1, p * (ps.length - rank)));
    adjusted[at] = highest;
  }
  return adjusted;
}
