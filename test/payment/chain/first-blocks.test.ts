import { expect, test } from 'vitest';
import { ChainUnreachable } from '../../../src/payment/chain/chain.ts';
import { judgeFirstBlocks, type NodeMemory, UNREAD_NODE_MS } from '../../../src/payment/chain/first-blocks.ts';
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
  const look = () => judgeFirstBlocks({ isGenuine, memory, now: () => clock.nowMs, local }, nodes);
  return { look, asked, now, clock };
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
  const { look, asked, now, clock } = openNodes([true, 'silent']);
  await look();
  clock.nowMs = UNREAD_NODE_MS - 1;
  expect(await look()).toEqual(alike(POLYGON.id));
  expect(asked).toEqual([BASE.id, POLYGON.id]);
  clock.nowMs = UNREAD_NODE_MS;
  await Promise.all([look(), look(), look()]);
  expect(asked).toEqual([BASE.id, POLYGON.id, POLYGON.id]);
  now[1] = false;
  clock.nowMs = 3 * UNREAD_NODE_MS;
  expect(await look()).toEqual({ is: 'mixed', others: [POLYGON.id] });
  now[1] = true; // It is known now, and not asked any more.
  expect(await look()).toEqual({ is: 'mixed', others: [POLYGON.id] });
});

test('a fault that is no silence is thrown', async () => {
  const isGenuine = async (): Promise<boolean> => {
    throw new TypeError('a bug');
  };
  const ports = { isGenuine, memory: new Map<string, never>(), now: () => 0, local: false };
  const nodes = [BASE, POLYGON].map((network) => ({ network, rpcUrl: network.id }));
  await expect(judgeFirstBlocks(ports, nodes)).rejects.toThrow('a bug');
});
