import type { Address, Hex } from 'viem';
import * as z from 'zod';

const matching =
  (pattern: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && pattern.test(value);

/** 20 bytes in hexadecimal, in any letter case; a checksum in it is not judged. */
export const addressSchema = z.custom<Address>(
  matching(/^0x[0-9a-fA-F]{40}$/),
  'must be an address: 0x and 40 hex digits',
);

/** 32 bytes in hexadecimal: a private key, or the hash of a transaction. */
export const bytes32Schema = z.custom<Hex>(matching(/^0x[0-9a-fA-F]{64}$/), 'must be 0x and 64 hex digits');
