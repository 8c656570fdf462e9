import { describe, expect, test } from 'vitest';
import {
  type FacilitatorTrust,
  FULL_TRUST,
  GOOD_LOOKS,
  MISMATCH_WINDOW_MS,
  TRUST_AGAIN_MS,
  withGoodLook,
  withMismatch,
} from '../../../src/payment/facilitator/trust.ts';

const NOW = 1_790_000_000_000;

const mismatched = (keys: readonly string[], everyMs = 1): FacilitatorTrust =>
  keys.reduce((trust, key, at) => withMismatch(trust, key, NOW + at * everyMs), FULL_TRUST);

const looked = (trust: FacilitatorTrust, times: number, atMs: number): FacilitatorTrust =>
  Array.from({ length: times }).reduce<FacilitatorTrust>((before) => withGoodLook(before, atMs), trust);

describe('B11.8: a facilitator', () => {
  test('is believed after two settlements that are not on chain, and not after three', () => {
    expect(mismatched(['a', 'b']).distrustedAtMs).toBeNull();
    expect(mismatched(['a', 'b', 'c']).distrustedAtMs).toBe(NOW + 2);
  });

  test('is charged with a payment once, however often it is told', () => {
    expect(mismatched(['a', 'a', 'a', 'b']).distrustedAtMs).toBeNull();
  });

  test('is charged with nothing that is older than a day', () => {
    expect(mismatched(['a', 'b', 'c'], MISMATCH_WINDOW_MS / 2).distrustedAtMs).toBeNull();
  });

  test('is believed again after twenty good looks and an hour, and by neither alone', () => {
    const trust = mismatched(['a', 'b', 'c']);
    expect(looked(trust, GOOD_LOOKS, NOW + TRUST_AGAIN_MS).distrustedAtMs).not.toBeNull();
    expect(looked(trust, GOOD_LOOKS - 1, NOW + 2 + TRUST_AGAIN_MS).distrustedAtMs).not.toBeNull();
    expect(looked(trust, GOOD_LOOKS, NOW + 2 + TRUST_AGAIN_MS)).toEqual(FULL_TRUST);
  });

  test('begins anew to be looked at with each further mismatch', () => {
    const later = withMismatch(looked(mismatched(['a', 'b', 'c']), 19, NOW + 10), 'd', NOW + 20);
    expect(later).toMatchObject({ distrustedAtMs: NOW + 2, goodLooks: 0 });
    expect(looked(later, GOOD_LOOKS, NOW + 2 + TRUST_AGAIN_MS).distrustedAtMs).not.toBeNull();
  });
});
