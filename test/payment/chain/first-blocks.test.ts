import { afterEach, describe, expect, test, vi } from 'vitest';
import { ChainUnreachable } from '../../../src/payment/chain/chain.ts';
import {
  FIRST_LOOK_MS,
  judgeFirstBlocks,
  type NodeMemory,
  UNREAD_NODE_MS,
} from '../../../src/payment/chain/first-blocks.ts';
import { BASE, POLYGON, SOLANA } from '../../../src/payment/terms/networks-data.ts';

type Shown = boolean | 'silent';

/** Nodes of Base, Polygon and Solana, by what each shows. */
function openNodes(shown: readonly Shown[], { local = false } = {}) {
  const clock = { nowMs: 0 };
  const asked: string[] = [];
  const now = [...shown];
  const nodes = [BASE, POLYGON, SOLANA].slice(0, shown.length).map((network) => ({ network, rpcUrl: network.id }));
  const memory: NodeMemory = new Map();
  const isGenuine = async ({ rpcUrl }: { rpcUrl: string }): Promise<boolean> => {
    asked.push(rpcUrl);
    const found = now[nodes.findIndex((node) => node.rpcUrl === rpcUrl)];
    if (typeof found !== 'boolean') throw new ChainUnreachable('genesis: silent');
    return found;
  };
  const behind: Promise<unknown>[] = [];
  const waitUntil = (looking: Promise<unknown>): void => void behind.push(looking);
  const look = () => judgeFirstBlocks({ isGenuine, memory, now: () => clock.nowMs, waitUntil, local }, nodes);
  return { look, asked, now, clock, finish: () => Promise.all(behind) };
}

const alike = (...unread: readonly string[]) => ({ is: 'alike', unread: new Set(unread) });

test.each<[string, readonly Shown[], object, object]>([
  ['one network, which is not asked', ['silent'], {}, alike()],
  ['the real chains', [true, true, true], {}, alike()],
  ['local chains alone', [false, false], {}, alike()],
  ['a real chain and another', [true, false], {}, { is: 'mixed', others: [POLYGON.id] }],
  ['a real chain, another, and one that is silent', [true, false, 'silent'], {}, { is: 'mixed', others: [POLYGON.id] }],
  ['a real chain and one that is silent', [true, 'silent'], {}, alike(POLYGON.id)],
  ['silence', ['silent', 'silent'], {}, alike(BASE.id, POLYGON.id)],
  ['another chain and one that is silent', [false, 'silent'], {}, alike(BASE.id, POLYGON.id)],
  ['the same on a local stack', [false, 'silent'], { local: true }, alike(POLYGON.id)],
])('of %s', async (_what, shown, options, expected) => {
  expect(await openNodes(shown, options).look()).toEqual(expected);
});

test('what a node showed is remembered; a silent one is asked again after a while, by one request at a time', async () => {
  const { look, asked, now, clock, finish } = openNodes([true, 'silent']);
  await look();
  clock.nowMs = UNREAD_NODE_MS - 1;
  expect(await look()).toEqual(alike(POLYGON.id));
  expect(asked).toEqual([BASE.id, POLYGON.id]);
  clock.nowMs = UNREAD_NODE_MS;
  await Promise.all([look(), look(), look()]);
  expect(asked).toEqual([BASE.id, POLYGON.id, POLYGON.id]);
  now[1] = false;
  clock.nowMs = 3 * UNREAD_NODE_MS;
  expect(await look()).toEqual(alike(POLYGON.id)); // It is asked behind this answer.
  await finish();
  expect(await look()).toEqual({ is: 'mixed', others: [POLYGON.id] });
  now[1] = true; // It is known now, and not asked any more.
  expect(await look()).toEqual({ is: 'mixed', others: [POLYGON.id] });
});

test('a fault that is no silence is thrown', async () => {
  const isGenuine = async (): Promise<boolean> => {
    throw new TypeError('a bug');
  };
  const ports = { isGenuine, memory: new Map<string, never>(), now: () => 0, waitUntil: () => undefined, local: false };
  const nodes = [BASE, POLYGON].map((network) => ({ network, rpcUrl: network.id }));
  await expect(judgeFirstBlocks(ports, nodes)).rejects.toThrow('a bug');
});

describe('a node that hangs', () => {
  const HANGS_MS = 5_000;
  const nodes = [BASE, POLYGON].map((network) => ({ network, rpcUrl: network.id }));
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Base answers at once; Polygon answers late, with its first block or not at all. */
  function openHanging(isFound: boolean) {
    vi.useFakeTimers({ now: 0 });
    const memory: NodeMemory = new Map();
    const behind: Promise<unknown>[] = [];
    let asked = 0;
    const isGenuine = async ({ network }: { network: { id: string } }): Promise<boolean> => {
      if (network.id === BASE.id) return true;
      asked += 1;
      await new Promise((resolve) => setTimeout(resolve, HANGS_MS));
      if (!isFound) throw new ChainUnreachable('genesis: hangs');
      return true;
    };
    const waitUntil = (looking: Promise<unknown>): void => void behind.push(looking);
    /** How long an answer waited, and what it found. */
    const look = async () => {
      const beganMs = Date.now();
      const found = await judgeFirstBlocks({ isGenuine, memory, now: Date.now, waitUntil, local: false }, nodes);
      return { waitedMs: Date.now() - beganMs, found };
    };
    return { look, behind, countAsked: () => asked };
  }

  const after = async <Found>(looking: Promise<Found>, ms: number): Promise<Found> => {
    await vi.advanceTimersByTimeAsync(ms);
    return looking;
  };

  test('holds the first answer up for a second and no later one; the network stays closed', async () => {
    const { look, behind, countAsked } = openHanging(false);
    const seen = [];
    for (let request = 0; request < 5; request += 1) seen.push(await after(look(), UNREAD_NODE_MS + HANGS_MS));
    expect(seen.map(({ waitedMs }) => waitedMs)).toEqual([FIRST_LOOK_MS, 0, 0, 0, 0]);
    expect(seen.map(({ found }) => found)).toEqual(Array.from({ length: 5 }, () => alike(POLYGON.id)));
    expect([behind.length, countAsked()]).toEqual([5, 5]);
  });

  test('is sold on again by the answer after its look', async () => {
    const { look, countAsked } = openHanging(true);
    expect(await after(look(), FIRST_LOOK_MS)).toMatchObject({ found: alike(POLYGON.id) });
    expect(await after(look(), HANGS_MS)).toMatchObject({ waitedMs: 0, found: alike(POLYGON.id) });
    expect(await look()).toEqual({ waitedMs: 0, found: alike() });
    expect(countAsked()).toBe(1);
  });

  test('is waited for by no request through another: each of the first ones asks by itself', async () => {
    const { look, countAsked } = openHanging(false);
    const both = await after(Promise.all([look(), look()]), HANGS_MS);
    expect(both.map(({ waitedMs }) => waitedMs)).toEqual([FIRST_LOOK_MS, FIRST_LOOK_MS]);
    expect(countAsked()).toBe(2);
  });
});
