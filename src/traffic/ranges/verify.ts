import { locateAddress, type Place, type RangeTable } from './compile-ranges.ts';

/**
 * Whether a visitor is who its User-Agent says. `verified`: the address is in the ranges that the owner publishes for this
 * agent (or its DNS names agree). `pretended`: the owner publishes ranges (or names) and the address is outside of all of
 * them. `claimed`: it cannot be said: no ranges are published, the address is hidden or private, a lookup failed, or the
 * address is in another list of the same owner. The last is no stranger, and lists of owners are late or overlap.
 */
export type Verification = 'verified' | 'pretended' | 'claimed';

const verdicts: Readonly<Record<Place, Verification>> = {
  own: 'verified',
  owners: 'claimed',
  elsewhere: 'pretended',
  none: 'claimed',
  'unknown-token': 'claimed',
};

/** Judges one visitor by the lists: `token` is one of the roster, `address` as the log has it. */
export const verifyAddress = (table: RangeTable, token: string, address: string): Verification =>
  verdicts[locateAddress(table, token, address)];
