import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { readBody, startHttpServer } from '../../local/http-server.ts';
import { type Stack, startStack } from '../../local/stack.ts';
import { present, sign } from '../support/presenting.ts';

const PRICE = 60_000n;
const START_MICRO_USDC = 1_000_000n;
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

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

test('SIGTERM: a Worker that does not end is killed at the limit, and nothing was charged', async () => {
  const { stack, settling } = await stackWith(() => new Promise(() => undefined));
  const buyer = await stack.chain.freshAccount(START_MICRO_USDC);
  const running = present(stack, {}, await sign(stack, buyer)).catch(() => undefined); // Broken off.
  await settling;
  expect(await stack.api.drain(500)).toBe(false);
  expect(await running).toBeUndefined();
  expect(await stack.chain.balance(buyer.address)).toBe(START_MICRO_USDC);
});
