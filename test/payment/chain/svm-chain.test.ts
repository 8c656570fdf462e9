import { describe, expect, test } from 'vitest';
import { ChainUnreachable } from '../../../src/payment/chain/chain.ts';
import { SIGNATURES_A_PAGE } from '../../../src/payment/chain/svm-chain.ts';
import { flood, SvmNode } from './svm-node.ts';

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
    });
  });

  test('are no whole list where there are more than so many pages', async () => {
    const node = nodeOf(flood(2 * SIGNATURES_A_PAGE + 1, NOW_S, ''));
    expect(await node.reader.signaturesOf('payer', { ...SPAN, pages: 2 })).toMatchObject({ isWhole: false });
    expect(node.asked).toHaveLength(2);
    expect(await node.reader.signaturesOf('payer', { ...SPAN, pages: 3 })).toMatchObject({ isWhole: true });
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
});
