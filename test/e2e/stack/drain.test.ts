import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { readBody, startHttpServer } from '../../../local/http-server.ts';
import { type Stack, startStack } from '../../../local/stack.ts';
import { startWorker } from '../../../local/worker.ts';
import { isFull } from '../../support/runner/budget.ts';
import { present, presentUntilDecided, sign } from '../../support/stack/presenting.ts';

const LOOPING = fileURLToPath(new URL('../../durable-objects/support/looping-worker.ts', import.meta.url));
const HANGS = { timeout: 60_000, interval: 100 };
const PRICE = 60_000n;
const START_MICRO_USDC = 1_000_000n;
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Processor time of a process, in ticks of 10 ms. @see proc_pid_stat(5): utime */
const cpuTicksOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[11]);

/** A stack whose facilitator does `before` with each settlement before it passes it on; `settling` resolves at the first. */
async function stackWith(before: () => Promise<void>): Promise<{ stack: Stack; settling: Promise<void> }> {
  const arrived = Promise.withResolvers<void>();
  const stack = await startStack({
    facilitatorFor: async (target) => {
      const slow = await startHttpServer(async (incoming, response) => {
        const body = await readBody(incoming);
        if (incoming.url === '/settle') {
          arrived.resolve();
          await before();
        }
        const init = incoming.method === 'POST' ? { method: 'POST', body } : {};
        const answer = await fetch(`${target}${incoming.url}`, {
          ...init,
          headers: { 'content-type': 'application/json' },
        });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
      });
      stops.push(slow.stop);
      return slow.url;
    },
  });
  stops.unshift(stack.stop);
  return { stack, settling: arrived.promise };
}

test('SIGTERM: a purchase that runs when the stack is asked to end is charged and delivered, and no new one is taken', async () => {
  const { stack, settling } = await stackWith(() => sleep(1_500));
  const buyer = await stack.chain.freshAccount(START_MICRO_USDC);
  const running = present(stack, {}, await sign(stack, buyer));
  await settling;
  const drained = stack.api.drain(30_000);
  await sleep(300);
  await expect(present(stack, {})).rejects.toThrow('fetch failed');
  expect((await running).status).toBe(200);
  expect(await drained).toBe(true);
  expect(await stack.chain.balance(buyer.address)).toBe(START_MICRO_USDC - PRICE);
});

test('SIGTERM: a Worker in an endless loop is killed at the limit, and the next start answers', async () => {
  const worker = await startWorker({ entry: LOOPING, bindings: {} });
  stops.push(worker.stop);
  const pid = worker.pid() ?? 0;
  expect(await (await fetch(worker.url)).text()).toBe('ready');
  const looping = fetch(`${worker.url}/loop`).catch(() => 'broken off');
  await expect.poll(() => cpuTicksOf(pid), HANGS).toBeGreaterThan(cpuTicksOf(pid) + 20);
  expect(await worker.drain(500)).toBe(false);
  expect(await looping).toBe('broken off');
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  await worker.restart();
  expect(await (await fetch(worker.url)).text()).toBe('ready');
});

test('SIGTERM: a payment that was broken off is decided after the next start on the same state: one charge, one delivery', async () => {
  let holds = true;
  const { stack, settling } = await stackWith(() => (holds ? new Promise(() => undefined) : Promise.resolve()));
  const buyer = await stack.chain.freshAccount(START_MICRO_USDC);
  const credential = await sign(stack, buyer);
  const running = present(stack, {}, credential).catch(() => undefined); // Broken off.
  await settling;
  expect(await stack.api.drain(500)).toBe(false);
  await running;
  holds = false;
  await stack.api.restart();
  expect((await presentUntilDecided(stack, {}, credential)).status).toBe(200);
  expect((await presentUntilDecided(stack, {}, credential)).status).toBe(200);
  expect(await stack.chain.balance(buyer.address)).toBe(START_MICRO_USDC - PRICE);
});

test.runIf(isFull)('SIGTERM: a Worker that does not end is killed at the limit, and nothing was charged', async () => {
  const { stack, settling } = await stackWith(() => new Promise(() => undefined));
  const buyer = await stack.chain.freshAccount(START_MICRO_USDC);
  const running = present(stack, {}, await sign(stack, buyer)).catch(() => undefined); // Broken off.
  await settling;
  expect(await stack.api.drain(500)).toBe(false);
  expect(await running).toBeUndefined();
  expect(await stack.chain.balance(buyer.address)).toBe(START_MICRO_USDC);
});
