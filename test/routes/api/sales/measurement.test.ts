import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runObjectName } from '../../../../src/sales/measurement.ts';
import worker from '../../../support/workers/worker.ts';
import { check, engineWorld, type EngineWorld } from './engine-world.ts';
import { settleOnChain } from './settling-chain.ts';
import { signedCredential, world } from '../world.ts';

const SECRET = 'a-secret-of-32-characters-or-more';
const KEY = 'eip3009:eip155:8453:0xusdc:0xpayer:0xnonce';
const FINGERPRINT = 'f'.repeat(64);

describe("P11: the name of a run's object", () => {
  test('is the HMAC of payment and request under the secret, as another implementation computes it', async () => {
    // printf 'visibility-run\n<KEY>\n<FINGERPRINT>' | openssl dgst -sha256 -hmac <SECRET>
    expect(await runObjectName(SECRET, KEY, FINGERPRINT)).toBe(
      '0ef6f27c9fb63dd60d93ef4d14c137b05d6eaa9d55f83ef3bfe61758badda667',
    );
  });

  test('is the same for the same payment and request', async () => {
    expect(await runObjectName(SECRET, KEY, FINGERPRINT)).toBe(await runObjectName(SECRET, KEY, FINGERPRINT));
  });

  test.each<[string, Parameters<typeof runObjectName>]>([
    ['secret', [`${SECRET}!`, KEY, FINGERPRINT]],
    ['payment', [SECRET, KEY.replace('0xnonce', '0xother'), FINGERPRINT]],
    ['request', [SECRET, KEY, 'e'.repeat(64)]],
  ])('is another for another %s', async (_what, other) => {
    expect(await runObjectName(...other)).not.toBe(await runObjectName(SECRET, KEY, FINGERPRINT));
  });
});

describe('P11: a purchase', () => {
  let engine: EngineWorld;
  beforeEach(() => {
    const seen = world();
    engine = engineWorld();
    settleOnChain(seen);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  /** Buys with the secret of a deployment. */
  async function send(credential: string, secret: string): Promise<Response> {
    const context = createExecutionContext();
    const request = new Request(`${env.BASE_URL}/api/agent/visibility_check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'payment-signature': credential },
      body: JSON.stringify(check),
    });
    const answer = await worker.fetch(request, { ...env, LEDGER_SECRET: secret }, context);
    await waitOnExecutionContext(context);
    return answer;
  }

  test('is measured by an object whose name only the secret knows, and by no other where the secret was changed', async () => {
    const credential = await signedCredential('visibility_check');
    const bought = await send(credential, 'one-secret-of-32-characters-or-more');
    const [message] = engine.sent;
    expect(bought.status).toBe(200);
    expect(await bought.json()).toMatchObject({ run_id: message?.runId });
    expect(message?.object).toMatch(/^[0-9a-f]{64}$/);
    const sent = engine.sent.length;
    const changed = await send(credential, 'another-secret-of-32-characters-or-more');
    expect([changed.status, engine.sent.length]).toEqual([503, sent]);
  });
});
