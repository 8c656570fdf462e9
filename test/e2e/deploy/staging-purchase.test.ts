import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { SEPOLIA_TOKEN, startOutsideWorld } from '../../support/cloudflare/outside-world.ts';
import { isFull } from '../../support/runner/budget.ts';
import { startCloudflareStandIn } from '../../support/cloudflare/stand-in.ts';
import { createFreshClone } from '../../support/cloudflare/test-clone.ts';

const DIAL = new URL('../../support/cloudflare/dial-edge.js', import.meta.url);
const PRICE_MICRO_USDC = 60_000n;
const endSchema = z.looseObject({
  report: z.looseObject({
    results: z.array(z.looseObject({ id: z.string(), status: z.string(), detail: z.string() })),
  }),
});

/** In the soak it builds the documentation as well. */
test('a fresh clone deploys staging, whose smoke test buys on Base Sepolia with the key that it is given', async () => {
  const world = await startOutsideWorld(SEPOLIA_TOKEN);
  onTestFinished(() => world.stop());
  const standIn = await startCloudflareStandIn({ outside: world.outside });
  onTestFinished(() => standIn.close());
  const clone = createFreshClone(world.settings, !isFull);
  onTestFinished(() => clone.remove());
  const buyer = await world.chain.freshAccount(1_000_000n);
  const given = [
    '--secrets-file',
    clone.secretsFile,
    '--api-base',
    standIn.apiUrl,
    '--resolve',
    `*=${standIn.edgeUrl}`,
  ];
  const env = {
    SIGHTLINE_WALLET_KEY: buyer.privateKey,
    NODE_OPTIONS: `--import=${fileURLToPath(DIAL)}`,
    STAND_IN_EDGE: standIn.edgeUrl,
  };
  const words = ['deploy', '--env', 'staging', '--json', '--workers', 'api,pdf', ...given];
  const { code, output } = await clone.run(standIn, words, { env });
  expect(`${code}\n${output}`).toMatch(/^0\n/);
  const { report } = endSchema.parse(JSON.parse(output));
  const purchase = report.results.find(({ id }) => id === 'purchase');
  expect(purchase?.detail).toBe('check_health was paid for and delivered');
  const payTo = world.settings['PAY_TO'];
  expect(await world.chain.balance(z.custom<`0x${string}`>().parse(payTo))).toBe(PRICE_MICRO_USDC);
});
