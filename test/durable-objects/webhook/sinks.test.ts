import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { createSinks } from '../../../src/notifications/sinks/index.ts';
import { READ_AT_MS, seenAs, userEffect } from '../../notifications/sinks/effects.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('W8: the library signs in workerd as it does in the example of Standard Webhooks', () => {
  const signed = new Webhook(SECRET).sign(
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    new Date(1_614_265_330_000),
    '{"test": 2432232314}',
  );
  expect(signed).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('F5: a delivery of the deployed runtime goes by POST, without following redirects, to a public address', async () => {
  const asked: { url: string; method: string; redirect: string }[] = [];
  const sinks = createSinks({
    destinations: [
      {
        name: 'crm',
        url: 'https://receiver.example.com/hooks',
        secret: SECRET,
        events: ['user', 'alert'],
        email: false,
      },
      { name: 'inside', url: 'https://10.0.0.8/hooks', secret: SECRET, events: ['user', 'alert'], email: false },
    ],
    revocation: { directoryUserGone: async () => 'none' },
    outside: {
      fetch: async (url, { method, redirect }) => {
        asked.push({ url, method, redirect });
        return new Response(null, { status: 204 });
      },
      policy: allowPublicOnly({ alternatePorts: true }),
    },
    now: () => READ_AT_MS,
    log: () => undefined,
  });
  const delivered = [];
  for (const sink of sinks) delivered.push(await sink.tell(userEffect(seenAs('suspended'))));
  expect(delivered).toEqual([
    { ok: true },
    { ok: true, note: 'none' },
    { ok: true },
    { ok: false, outcome: 'refused', detail: expect.stringContaining('inside: private_target') },
  ]);
  expect(asked).toEqual([{ url: 'https://receiver.example.com/hooks', method: 'POST', redirect: 'manual' }]);
});
