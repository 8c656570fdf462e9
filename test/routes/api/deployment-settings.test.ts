import { createExecutionContext, env } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createApp } from '../../../routes/api/app.ts';
import { productionAnswers } from '../../../src/models/registry.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { settingsWithoutEngine, unsafeSettings } from '../../support/stack/refused-settings.ts';

/** The options of src/worker.ts; test/e2e/stack/production-entry.test.ts starts that entry itself with one row of each table. */
const app = createApp({
  policy: () => allowPublicOnly({ alternatePorts: true }),
  local: false,
  engines: productionAnswers,
});
const A_HASH = `0x${'3c'.repeat(32)}`;
const measured = { brand: 'Acme', niche: 'help desk software' };
const measuring = {
  visibility_check: measured,
  visibility_vs_competitor: { ...measured, competitor_brand: 'Rival One' },
};
const complete = {
  ...env,
  PAY_TO: '0x7a3f1c0d5b8e4a6f9c2d1e0b3a5c7d9e1f2a4b6c',
  RPC_URL: 'https://rpc.invalid',
  FACILITATOR_URL: 'https://facilitator.invalid',
  LEDGER_SECRET: 'a-secret-of-the-operator-with-32-chars-or-more',
  PAYMENTS_SINCE: '1700000000',
  ANSWER_ENGINE_URL: 'https://engine.invalid/v1',
  ANSWER_ENGINE_MODEL: 'a-model',
  ANSWER_ENGINE_KEY: 'sk-of-the-operator',
};
type Settings = Readonly<Record<string, string>>;

async function ask(changes: Settings, path: string, body?: object, credential?: string): Promise<Response> {
  const headers = new Headers({ 'cf-connecting-ip': '203.0.113.77', 'content-type': 'application/json' });
  if (credential !== undefined) headers.set('payment-signature', credential);
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const request = new Request(`${env.BASE_URL}${path}`, { ...init, headers });
  return app.fetch(request, { ...complete, ...changes }, createExecutionContext());
}
const problem = z.object({ code: z.string() });
const statusAndCode = async (answer: Response): Promise<[number, string]> => [
  answer.status,
  problem.parse(await answer.json()).code,
];

describe('P8: a deployment that cannot be paid safely sells nothing', () => {
  test.each(unsafeSettings)(
    '%s: 503 not_configured with and without a payment, while the free documents stay',
    async (_what, changes) => {
      const paid = await ask(changes, '/api/agent/check_health', { url: 'https://example.com/' }, A_HASH);
      expect(await statusAndCode(paid)).toEqual([503, 'not_configured']);
      const unpaid = await ask(changes, '/api/agent/full_audit', {});
      expect(unpaid.headers.get('payment-required')).toBeNull();
      expect(await statusAndCode(unpaid)).toEqual([503, 'not_configured']);
      expect((await ask(changes, '/openapi.json')).status).toBe(200);
    },
  );
});

describe('a deployment measures by an AI model, or not at all', () => {
  test.each(settingsWithoutEngine)(
    '%s: 503 engine_not_configured, paid or not, and no terms',
    async (_what, changes) => {
      for (const [capability, body] of Object.entries(measuring)) {
        for (const credential of [undefined, A_HASH]) {
          const answer = await ask(changes, `/api/agent/${capability}`, body, credential);
          expect(answer.headers.get('payment-required')).toBeNull();
          expect(await statusAndCode(answer)).toEqual([503, 'engine_not_configured']);
        }
      }
      expect((await ask(changes, '/api/agent/visibility_fix_pack', {})).status).toBe(402);
    },
  );

  test('an engine at a public https address is sold', async () => {
    for (const [capability, body] of Object.entries(measuring))
      expect((await ask({ ANSWER_ENGINE: 'openai-compatible' }, `/api/agent/${capability}`, body)).status).toBe(402);
  });
});
