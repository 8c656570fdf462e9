import { describe, expect, test } from 'vitest';
import { ChainUndecided, ChainUnreachable } from '../../../src/payment/chain/chain.ts';
import { createCountedSvm } from '../../../src/payment/chain/svm-chain.ts';
import { SIGNATURES_A_PAGE } from '../../../src/payment/chain/svm-signatures.ts';
import { flood, type NodeTransaction, SvmNode } from './svm-node.ts';

const NOW_S = 1_795_910_000;
const SPAN = { sinceS: NOW_S - 600, pages: 10 };

function nodeOf(...transactions: SvmNode['transactions'][]): SvmNode {
  const node = new SvmNode();
  node.transactions = transactions.flat();
  return node;
}
const old = { signature: 'old', blockTime: NOW_S - 601 };

describe('the transactions of an address', () => {
  test('are read page by page, back to the time that is asked for', async () => {
    const node = nodeOf(flood(2 * SIGNATURES_A_PAGE + 5, NOW_S, ''), [
      { signature: 'ours', blockTime: NOW_S - 300 },
      old,
    ]);
    const { signatures, isWhole } = await node.reader.signaturesOf('payer', SPAN);
    expect([signatures.length, signatures.at(-1), isWhole]).toEqual([2 * SIGNATURES_A_PAGE + 6, 'ours', true]);
    expect(node.asked).toHaveLength(3);
  });

  test('of later than the end of the span, and of before it, are left out', async () => {
    const node = nodeOf([{ signature: 'late', blockTime: NOW_S + 1 }, { signature: 'ours', blockTime: NOW_S }, old]);
    expect(await node.reader.signaturesOf('payer', { ...SPAN, untilS: NOW_S })).toEqual({
      signatures: ['ours'],
      isWhole: true,
      above: 'late',
    });
  });

  test('are no whole list where there are more than so many pages', async () => {
    const node = nodeOf(flood(2 * SIGNATURES_A_PAGE + 1, NOW_S, ''));
    expect(await node.reader.signaturesOf('payer', { ...SPAN, pages: 2 })).toMatchObject({ isWhole: false });
    expect(node.asked).toHaveLength(2);
    // The last of four begins with the last line of the third, and has no other.
    expect(await node.reader.signaturesOf('payer', { ...SPAN, pages: 3 })).toMatchObject({ isWhole: false });
    expect(await node.reader.signaturesOf('payer', { ...SPAN, pages: 4 })).toMatchObject({ isWhole: true });
  });

  test('are no whole list where the node does not know where to go on', async () => {
    const node = nodeOf(flood(SIGNATURES_A_PAGE + 1, NOW_S, ''));
    node.knowsCursors = false;
    expect(await node.reader.signaturesOf('payer', SPAN)).toMatchObject({ isWhole: false });
  });

  test('are those that are final, of a node that knows the final slot, where that is asked for', async () => {
    const node = nodeOf([
      { signature: 'young', blockTime: NOW_S, isYoung: true },
      { signature: 'final', blockTime: NOW_S },
    ]);
    expect((await node.reader.signaturesOf('payer', SPAN)).signatures).toEqual(['young', 'final']);
    expect((await node.reader.signaturesOf('payer', { ...SPAN, finalSlot: 1_000 })).signatures).toEqual(['final']);
    await expect(node.reader.signaturesOf('payer', { ...SPAN, finalSlot: 1_001 })).rejects.toBeInstanceOf(
      ChainUnreachable,
    );
  });

  test.each([25, 100, 999])('are read to the end of a node that lists %d at most', async (mostListed) => {
    const node = nodeOf(flood(mostListed + 7, NOW_S, ''), [{ signature: 'ours', blockTime: NOW_S - 300 }]);
    node.mostListed = mostListed;
    const listed = await node.reader.signaturesOf('payer', SPAN);
    expect([listed.signatures.length, listed.signatures.at(-1), listed.isWhole]).toEqual([
      mostListed + 8,
      'ours',
      true,
    ]);
  });

  test('are read in pages of fewer where long memos make one too large', async () => {
    const memo = `[900] ${'\u0001'.repeat(900)}`;
    const node = nodeOf(
      flood(1_200, NOW_S, '').map((one) => ({ ...one, memo })),
      [{ signature: 'ours', blockTime: NOW_S - 300 }, old],
    );
    const listed = await node.reader.signaturesOf('payer', SPAN);
    expect([listed.signatures.length, listed.signatures.at(-1), listed.isWhole]).toEqual([1_201, 'ours', true]);
    expect(node.asked.length).toBeLessThan(10);
  });

  test('between two that were read are those that are left', async () => {
    const names = ['f', 'e', 'd', 'c', 'b', 'a'];
    const node = nodeOf(names.map((signature) => ({ signature, blockTime: NOW_S })));
    expect(await node.reader.signaturesOf('payer', { ...SPAN, before: 'e', after: 'b' })).toEqual({
      signatures: ['d', 'c'],
      isWhole: true,
    });
    // A node that does not know where to begin has no end to show.
    expect(await node.reader.signaturesOf('payer', { ...SPAN, before: 'x' })).toEqual({
      signatures: [],
      isWhole: false,
    });
  });

  test('are counted by the calls to the node', async () => {
    let calls = 0;
    const node = nodeOf(flood(1_500, NOW_S, ''), [old]);
    const counted = createCountedSvm(node.reader, () => (calls += 1));
    await counted.signaturesOf('payer', SPAN);
    await counted.finalBlock();
    await counted.transaction('old');
    expect(calls).toBe(node.asked.length);
  });
});

describe('a transaction', () => {
  const read = (shown: Partial<NodeTransaction>) =>
    nodeOf([{ signature: 'one', blockTime: NOW_S, wire: 'AA==', ...shown }]).reader.transaction('one');

  test('is read however much it did', async () => {
    expect(await read({ didChars: 64 * 14_000 })).toEqual({ signature: 'one', wire: 'AA==', isGood: true });
  });

  test('of which the node says more than any can do is doubt about it alone', async () => {
    await expect(read({ didChars: 1_100_000 })).rejects.toBeInstanceOf(ChainUndecided);
  });

  test('of a version that was not asked for is no payment', async () => {
    expect(await read({ error: -32_015 })).toEqual({ signature: 'one', wire: '', isGood: true });
  });

  test.each([-32_004, -32_007, -32_009, -32_011, -32_014])('without its block (%d) is not known', async (error) => {
    expect(await read({ error })).toBeUndefined();
  });

  test('about which the node has trouble is no answer', async () => {
    const asked = read({ error: -32_005 });
    await expect(asked).rejects.toBeInstanceOf(ChainUnreachable);
    await expect(asked).rejects.not.toBeInstanceOf(ChainUndecided);
  });
});
