import { describe, expect, test } from 'vitest';
import { isTransactionHash, readTransactionHash } from '../../../../src/web/islands/buying/transfer-hash.ts';

const HASH = `0x${'a1'.repeat(32)}`;

describe('a transaction hash', () => {
  test.each([
    HASH,
    `  ${HASH}\n`,
    HASH.slice(2),
    `0x${'A1'.repeat(32)}`,
    `https://basescan.org/tx/${HASH}`,
    `https://basescan.org/tx/${HASH}#eventlog`,
    `https://www.basescan.org/tx/${HASH}?a=b`,
    `https://base.blockscout.com/tx/${HASH}/logs`,
  ])('is read in %j', (text) => {
    expect(readTransactionHash(text)).toEqual({ ok: true, hash: HASH });
  });

  test.each<[string, object]>([
    ['', { fault: 'empty' }],
    ['   ', { fault: 'empty' }],
    [`0x${'a1'.repeat(20)}`, { fault: 'address' }],
    ['0x12', { fault: 'length', digits: 2 }],
    [`${HASH}ff`, { fault: 'length', digits: 66 }],
    ['hello', { fault: 'no_hash' }],
    ['https://basescan.org/', { fault: 'no_hash' }],
    [`https://basescan.org/address/0x${'a1'.repeat(20)}`, { fault: 'no_hash' }],
    [`https://basescan.org/tx/${HASH}/${HASH}`, { fault: 'no_hash' }],
    [`https://etherscan.io/tx/${HASH}`, { fault: 'other_network' }],
    [`https://sepolia.basescan.org/tx/${HASH}`, { fault: 'other_network' }],
    [`javascript:${'x'.repeat(9_000)}`, { fault: 'no_hash' }],
    [`${HASH} <script>`, { fault: 'no_hash' }],
  ])('is not in %j, and the field says why', (text, refused) => {
    expect(readTransactionHash(text)).toEqual({ ok: false, ...refused });
  });

  test('in the spelling of the chain is 0x and 64 digits', () => {
    expect([HASH, HASH.slice(2), `${HASH}0`, ''].map(isTransactionHash)).toEqual([true, false, false, false]);
  });
});
