import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Stack, startStack } from '../../../local/stack.ts';
import { createNodeFetch } from '../../../src/cli/core/node-fetch.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';
import { present, sign } from '../../support/stack/presenting.ts';

const BUYER_USDC = 10_000_000n;
/** A site inside: on the port that an http URL implies, where this machine lets us listen there. */
const INSIDE_PORT = 80;

/** What each name resolves to, in turn; the last answer stays. */
const names: Record<string, (readonly string[])[]> = {
  'rebind.example.com': [['127.0.0.1']],
  'six.example.com': [['::1']],
  'mapped.example.com': [['::ffff:127.0.0.1']],
  'metadata.example.com': [['169.254.169.254']],
  'router.example.com': [['10.0.0.1']],
  'mixed.example.com': [['192.0.2.1', '127.0.0.1']],
};
const asked: string[] = [];
const resolve = async (hostname: string): Promise<readonly string[]> => {
  asked.push(hostname);
  if (hostname === 'localhost') return ['127.0.0.1'];
  const answers = names[hostname] ?? [];
  return (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
};

let stack: Stack;
let inside: Server;
let reached = 0;

beforeAll(async () => {
  inside = createServer((_, response) => {
    reached += 1;
    response.end('<title>inside</title>');
  });
  inside.on('error', () => undefined); // Ports below 1024 are not everybody's: then nothing can be reached there anyway.
  inside.listen(INSIDE_PORT, '127.0.0.1');
  stack = await startStack({ resolve });
});
afterAll(async () => {
  await stack.stop();
  inside.close();
});
beforeEach(() => {
  asked.length = 0;
  reached = 0;
});

/** What the command line says of the same URL, whose names resolve to the same addresses. */
async function saidByCommandLine(url: string): Promise<string> {
  const policy = allowPublicOnly();
  const fetched = await createGuardedFetch({ fetch: createNodeFetch(policy, resolve), policy, clock: Date.now })({
    url,
  });
  return fetched.ok ? `status ${fetched.status}` : fetched.detail;
}

describe('B10: a name that resolves inside is not read by the Workers of the local stack', () => {
  test.each(['rebind', 'six', 'mapped', 'metadata', 'router', 'mixed'])(
    '%s.example.com: a paid request is refused in the words of the command line, and nothing is charged',
    async (name) => {
      const order = { body: { url: `http://${name}.example.com/` } };
      const buyer = await stack.chain.freshAccount(BUYER_USDC);
      const answer = await present(stack, order, await sign(stack, buyer, order));
      const { code, detail } = (await answer.json()) as { code: string; detail: string };
      expect([answer.status, code]).toEqual([422, 'target_unreachable']);
      expect(detail).toContain(`${name}.example.com resolves to`);
      expect(detail).toContain(await saidByCommandLine(order.body.url));
      expect(await stack.chain.balance(buyer.address)).toBe(BUYER_USDC);
      expect(asked).toContain(`${name}.example.com`);
      expect(reached).toBe(0);
    },
  );

  test('the name of this machine and its literal addresses are read as before', async () => {
    const { port } = new URL(stack.sites.good);
    for (const host of ['127.0.0.1', 'localhost']) {
      const order = { body: { url: `http://${host}:${port}/` } };
      const buyer = await stack.chain.freshAccount(BUYER_USDC);
      expect((await present(stack, order, await sign(stack, buyer, order))).status).toBe(200);
    }
  });
});
