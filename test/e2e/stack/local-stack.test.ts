import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { reservePort, PortTaken } from '../../../local/ports.ts';
import { startStack, type Stack } from '../../../local/stack.ts';
import { type FaultFacilitator, startFaultFacilitator } from '../../support/stack/fault-facilitator.ts';

const ENTRY = fileURLToPath(new URL('../../durable-objects/support/counting-worker.ts', import.meta.url));

let stack: Stack;
let faults: FaultFacilitator;

beforeAll(async () => {
  stack = await startStack({
    entry: ENTRY,
    facilitatorFor: async (url) => {
      faults = await startFaultFacilitator(url);
      return faults.url;
    },
  });
});

afterAll(async () => {
  await stack.stop();
  await faults.stop();
});

test('every part of the stack answers at the address that the stack names', async () => {
  const { api, rpc, facilitator, sites } = stack.file;
  const statuses = await Promise.all(
    [`${api}/api/agent/index`, `${facilitator}/supported`, sites.good, sites.poor].map(
      async (url) => (await fetch(url)).status,
    ),
  );
  expect(statuses).toEqual([200, 200, 200, 200]);
  expect(rpc).toBe(stack.chain.rpcUrl);
  expect(await stack.chain.client.getChainId()).toBe(8453);
});

test('everything listens on loopback only, the api under its name as well', async () => {
  const { api, rpc, facilitator, sites } = stack.file;
  for (const url of [rpc, facilitator, sites.good, sites.poor]) expect(new URL(url).hostname).toBe('127.0.0.1');
  expect(api).toBe(`http://localhost:${stack.api.port}`);
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const outside = all.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address);
  for (const address of outside) await expect(connectTo(address, stack.api.port)).rejects.toThrow('ECONNREFUSED');
  await connectTo('127.0.0.1', stack.api.port);
});

async function connectTo(host: string, port: number): Promise<void> {
  const socket = connect(port, host);
  await once(socket, 'connect');
  socket.destroy();
}

test('the demo buyer has USDC and gas, the seller has no USDC yet', async () => {
  expect(await stack.chain.balance(stack.buyer.address)).toBe(1_000_000_000n);
  expect(await stack.chain.client.getBalance({ address: stack.buyer.address })).toBeGreaterThan(0n);
  expect(await stack.chain.balance(stack.seller.address)).toBe(0n);
});

test('F3: the Worker knows the ports that no audit may read: chain, facilitator, the proxy before it, the resolver, the imitation of Stripe, the gRPC front, and its own hidden one', async () => {
  const blocked = (await (await fetch(`${stack.file.api}/blocked-ports`)).text()).split(',').map(Number);
  const named = [stack.chain.port, stack.facilitator.port, stack.stripe.port, Number(new URL(faults.url).port)];
  expect(blocked).toEqual(expect.arrayContaining(named));
  expect(new Set(blocked).size).toBe(7);
  expect(blocked).not.toContain(stack.api.port);
});

test('an api Worker of a test stands alone: no control and no webhook Worker beside it', () => {
  expect(stack.file).not.toHaveProperty('control');
  expect(stack.file).not.toHaveProperty('webhook');
});

test('A10: the Worker gets its own origin as a setting', async () => {
  // fetch would drop a Host header of ours.
  const { body } = await request(`${stack.file.api}/base-url`, { headers: { host: 'elsewhere.example' } });
  expect(await body.text()).toBe(stack.file.api);
});

test('two stacks run side by side, with different keys', async () => {
  const other = await startStack({ entry: ENTRY });
  const keys = [stack, other].flatMap(({ buyer, seller, facilitator }) => [
    buyer.address,
    seller.address,
    facilitator.address,
  ]);
  await other.stop();
  expect(new Set(keys).size).toBe(6);
  expect(await stack.chain.client.getChainId()).toBe(8453);
});

test('after stop() nothing of a stack is left: no process, no server, no state', async () => {
  const listStates = (): readonly string[] => (existsSync('.local/state') ? readdirSync('.local/state') : []);
  const before = listStates();
  const one = await startStack({ entry: ENTRY });
  const own = listStates().filter((name) => name.startsWith(`${process.pid}-`) && !before.includes(name));
  expect(own).toHaveLength(1);
  const { api, rpc, facilitator, sites } = one.file;
  await one.stop();
  expect([one.chain.pid(), one.api.pid()]).toEqual([undefined, undefined]);
  for (const url of [api, rpc, facilitator, sites.good, sites.poor])
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  expect(listStates()).not.toContain(own[0]);
});

test.each(['api', 'control', 'webhook', 'rpc', 'facilitator', 'good', 'poor'] as const)(
  'a taken port for %s is refused by name, and nothing stays behind',
  async (part) => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const address = blocker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(startStack({ entry: ENTRY, ports: { [part]: port } })).rejects.toThrow(PortTaken);
    blocker.close();
  },
);

test('a free port is returned as asked', async () => {
  const port = await reservePort(0, 'a test', '--port');
  expect(await reservePort(port, 'a test', '--port')).toBe(port);
});

test('free ports that are not open yet are all different', async () => {
  const given = [];
  for (let part = 0; part < 100; part += 1) given.push(await reservePort(0, 'a test', '--port'));
  expect(new Set(given).size).toBe(given.length);
});

test('programs that run side by side are given no port twice, and end when they are done', async () => {
  const module = new URL('../../../local/ports.ts', import.meta.url).href;
  // Loaded twice, it is as two programs of one process id, which begin at the same block.
  const program = `
    const given = [];
    for (const side of ['one', 'other']) {
      const { reservePort } = await import('${module}?' + side);
      for (let part = 0; part < 250; part += 1) given.push(await reservePort(0, 'a test', '--port'));
    }
    console.log(JSON.stringify(given));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  const given = z.array(z.number()).length(500).parse(JSON.parse(stdout));
  expect(new Set(given).size).toBe(given.length);
});

test('a chain with a block time makes blocks by itself, and still mines a transaction at once', async () => {
  const slow = await startStack({ entry: ENTRY, blockTimeS: 1 });
  try {
    const { chain, buyer, seller } = slow;
    await chain.transfer(buyer, seller.address, 60_000n);
    expect(await chain.balance(seller.address)).toBe(60_000n);
    const height = await chain.client.getBlockNumber();
    await expect.poll(() => chain.client.getBlockNumber(), { timeout: 10_000 }).toBeGreaterThan(height + 1n);
  } finally {
    await slow.stop();
  }
});
