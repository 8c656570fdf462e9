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

  /** Buys with the secret of a deployment. Returns the first message to the queue. */
  async function bought(credential: string, secret: string, asked: object = check) {
    const context = createExecutionContext();
    const request = new Request(`${env.BASE_URL}/api/agent/visibility_check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'payment-signature': credential },
      body: JSON.stringify(asked),
    });
    const before = engine.sent.length;
    const answer = await worker.fetch(request, { ...env, LEDGER_SECRET: secret }, context);
    await waitOnExecutionContext(context);
    expect(answer.status).toBe(200);
    const sent = engine.sent[before];
    expect(await answer.json()).toMatchObject({ run_id: sent?.runId });
    return sent;
  }

  test('of the same payment and request is measured by another object where the secret is another', async () => {
    const credential = await signedCredential('visibility_check');
    const one = await bought(credential, 'one-secret-of-32-characters-or-more');
    const other = await bought(credential, 'another-secret-of-32-characters-or-more');
    expect(one?.object).toMatch(/^[0-9a-f]{64}$/);
    expect(other?.object).toMatch(/^[0-9a-f]{64}$/);
    expect(other?.object).not.toBe(one?.object);
    expect(other?.runId).not.toBe(one?.runId);
  });
});
