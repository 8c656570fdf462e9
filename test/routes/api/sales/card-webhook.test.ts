import {
  createExecutionContext,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
  waitOnExecutionContext,
} from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { signEvent } from '../../../../local/stripe/webhooks.ts';
import { createApp } from '../../../../routes/api/app.ts';
import type { Env } from '../../../../routes/api/bindings/env.ts';
import { generateRandomHex } from '../../../../src/lib/digest.ts';
import { localAnswers } from '../../../../src/models/registry-local.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { type CardPurchase, startPurchase } from '../../../../src/payment/cards/purchases.ts';
import { openCardRows } from '../../../../src/payment/cards/rows.ts';
import { MAX_EVENT_BYTES } from '../../../../src/payment/cards/webhook.ts';

const SECRET = 'whsec_of_the_endpoint';
/** One payment, announced by so many requests at the same time. */
const CROWD = 200;
const KILLS = 20;
const app = createApp({ policy: () => allowPublicOnly({ alternatePorts: true }), local: false, engines: localAnswers });
const deploymentOf = (changes: object): Env => {
  const bound = { ...bindings, ...changes } as unknown as Env;
  return bound;
};
const deployment = deploymentOf({ STRIPE_WEBHOOK_SECRET: SECRET, STRIPE_WEBHOOK_SECRET_PREVIOUS: 'whsec_of_before' });

const logs: string[] = [];
beforeEach(() => {
  logs.length = 0;
  for (const level of ['log', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((line: unknown) => void logs.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
});

let callers = 0;
async function send(body: string, headers: Record<string, string>, env = deployment): Promise<Response> {
  callers += 1;
  const context = createExecutionContext();
  const request = new Request(`${bindings.BASE_URL}/webhooks/stripe`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'cf-connecting-ip': `198.18.${Math.floor(callers / 250)}.${callers % 250}`,
      ...headers,
    },
  });
  const answer = await app.fetch(request, env, context);
  const text = await answer.text();
  await waitOnExecutionContext(context);
  return new Response(text, answer);
}

const signed = async (event: object, secret = SECRET, agoS = 0) => {
  const body = JSON.stringify(event);
  return { body, signature: await signEvent(body, [secret], Math.floor(Date.now() / 1000) - agoS) };
};

async function sendSigned(event: object, secret = SECRET, agoS = 0): Promise<{ status: number; said: unknown }> {
  const { body, signature } = await signed(event, secret, agoS);
  const answer = await send(body, { 'stripe-signature': signature });
  return { status: answer.status, said: await answer.json() };
}

const ledger = () => bindings.CARD_LEDGER.getByName('cards');
const balanceOf = async (account: string) => (await bindings.CREDIT_ACCOUNT.getByName(account).view()).balanceMicroUsdc;

/** A purchase whose buyer is on the hosted page. */
async function openPurchase() {
  const id = generateRandomHex(16);
  const account = generateRandomHex(16);
  const sessionId = `cs_live_${id}`;
  const order = { id, account, creditObject: account, pack: 'credits_5', cents: 500 };
  const { nextLookAtMs: _none, ...started } = startPurchase(order, Date.now());
  const purchase: CardPurchase = { ...started, state: 'open', sessionId, url: 'https://checkout.stripe.com/c/pay/x' };
  await runInDurableObject(ledger(), (_object, { storage }) => openCardRows(storage.sql).writePurchase(purchase));
  return { id, account, sessionId, paymentIntent: `pi_${id}` };
}

type Opened = Awaited<ReturnType<typeof openPurchase>>;
const completed = ({ id, sessionId, paymentIntent }: Opened, changes: object = {}) => ({
  id: `evt_${id}`,
  object: 'event',
  type: 'checkout.session.completed',
  created: Math.floor(Date.now() / 1000),
  livemode: true,
  data: {
    object: {
      id: sessionId,
      payment_status: 'paid',
      amount_total: 500,
      currency: 'usd',
      payment_intent: paymentIntent,
      metadata: { account: 'f'.repeat(32) },
    },
  },
  ...changes,
});

describe('P6: POST /webhooks/stripe', () => {
  test('is no route without a secret, whatever is sent', async () => {
    const { body, signature } = await signed(completed(await openPurchase()));
    const answer = await send(body, { 'stripe-signature': signature }, deploymentOf({}));
    expect(answer.status).toBe(404);
  });

  test('credits a signed event once, also when it comes 200 times together and after a restart', async () => {
    const opened = await openPurchase();
    const event = completed(opened);
    const answers = await Promise.all(Array.from({ length: CROWD }, () => sendSigned(event)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers.filter(({ said }) => JSON.stringify(said) === '{"received":"applied"}')).toHaveLength(1);
    await evictDurableObject(ledger());
    expect(await sendSigned(event)).toEqual({ status: 200, said: { received: 'repeat' } });
    expect(await balanceOf(opened.account)).toBe(5_000_000);
    expect(await balanceOf('f'.repeat(32))).toBe(0);
  });

  test('credits one session once, whichever of 200 events with ids of their own announce it together', async () => {
    const opened = await openPurchase();
    const event = completed(opened);
    const kinds = ['checkout.session.completed', 'checkout.session.async_payment_succeeded'];
    const answers = await Promise.all(
      Array.from({ length: CROWD }, (_, at) => sendSigned({ ...event, id: `${event.id}_${at}`, type: kinds[at % 2] })),
    );
    expect(new Set(answers.map(({ status, said }) => `${status} ${JSON.stringify(said)}`))).toEqual(
      new Set(['200 {"received":"applied"}']),
    );
    expect(await balanceOf(opened.account)).toBe(5_000_000);
  });

  test('loses nothing where the ledger, or the account, is gone after each of 20 events', async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      const opened = await openPurchase();
      const event = completed(opened);
      const gone = kill % 2 === 0 ? ledger() : bindings.CREDIT_ACCOUNT.getByName(opened.account);
      const together = [sendSigned(event), sendSigned({ ...event, id: `${event.id}_other` })];
      await Promise.all(together);
      await evictDurableObject(gone);
      expect((await sendSigned(event)).said).toEqual({ received: 'repeat' });
      expect(await balanceOf(opened.account)).toBe(5_000_000);
      expect(await ledger().purchase(opened.id)).toMatchObject({ state: 'paid', isSynced: true });
    }
  });

  test('answers 503 while the ledger of cards fails, so that Stripe sends the event again, and credits it then', async () => {
    const opened = await openPurchase();
    const event = completed(opened);
    // A method of its own is none of RPC: calls of it fail until the object is another one.
    await runInDurableObject(
      ledger(),
      (object) => void Object.defineProperty(object, 'receive', { value: undefined, configurable: true }),
    );
    const { body, signature } = await signed(event);
    const answer = await send(body, { 'stripe-signature': signature });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await answer.json()).toMatchObject({ code: 'ledger_unavailable' });
    expect(await balanceOf(opened.account)).toBe(0);
    await evictDurableObject(ledger());
    expect(await sendSigned(event)).toEqual({ status: 200, said: { received: 'applied' } });
    expect(await balanceOf(opened.account)).toBe(5_000_000);
    for (const secret of [SECRET, signature, opened.sessionId, opened.account])
      expect(logs.join('\n')).not.toContain(secret);
  });

  test('takes the secret of before while it is replaced, and refuses forged, old and unsigned events', async () => {
    const opened = await openPurchase();
    const event = completed(opened);
    const { body, signature } = await signed(event);
    const refused = [
      await send(body, {}),
      await send(body, { 'stripe-signature': 't=1,v1=00' }),
      await send(body.replace('500', '501'), { 'stripe-signature': signature }),
    ];
    for (const answer of refused) {
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ code: 'card_event_refused' });
    }
    expect((await sendSigned(event, 'whsec_forged')).status).toBe(400);
    expect((await sendSigned(event, SECRET, 302)).status).toBe(400);
    expect(await balanceOf(opened.account)).toBe(0);
    expect((await sendSigned(event, 'whsec_of_before')).status).toBe(200);
    expect(await balanceOf(opened.account)).toBe(5_000_000);
    expect(logs.join('\n')).not.toContain(signature);
    expect(logs.join('\n')).not.toContain(opened.sessionId);
  });

  test('where the signature cannot be judged, nothing is refused: Stripe sends the event again', async () => {
    const opened = await openPurchase();
    const { body, signature } = await signed(completed(opened));
    const unbound = deploymentOf({ STRIPE_WEBHOOK_SECRET: SECRET, MODELS: undefined });
    const answer = await send(body, { 'stripe-signature': signature }, unbound);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await balanceOf(opened.account)).toBe(0);
    expect((await send(body, { 'stripe-signature': signature })).status).toBe(200);
    expect(await balanceOf(opened.account)).toBe(5_000_000);
  });

  test('reads no more than 256 KiB', async () => {
    const huge = JSON.stringify({ ...completed(await openPurchase()), filler: 'x'.repeat(MAX_EVENT_BYTES) });
    const answer = await send(huge, { 'stripe-signature': await signEvent(huge, [SECRET], Date.now() / 1000) });
    expect(answer.status).toBe(413);
  });

  test('acknowledges what is none of ours: another kind, mode, account or session', async () => {
    const opened = await openPurchase();
    const event = completed(opened);
    const cases = [
      [{ ...event, type: 'invoice.paid' }, 'ignored'],
      [{ ...event, livemode: false }, 'ignored'],
      [{ ...event, account: 'acct_1' }, 'ignored'],
      [completed({ ...opened, id: 'x', sessionId: 'cs_live_unknown' }), 'unknown_session'],
    ] as const;
    for (const [sent, received] of cases) expect(await sendSigned(sent)).toEqual({ status: 200, said: { received } });
    expect(await balanceOf(opened.account)).toBe(0);
    expect((await sendSigned({ ...event, data: { object: { id: 5 } } })).status).toBe(400);
  });

  test('keeps a payment whose account cannot be reached for its alarm', async () => {
    const opened = await openPurchase();
    const event = completed(opened);
    const account = bindings.CREDIT_ACCOUNT.getByName(opened.account);
    // A method of its own is none of RPC: calls of it fail until the object is another one.
    await runInDurableObject(
      account,
      (object) => void Object.defineProperty(object, 'applyCard', { value: undefined }),
    );
    expect((await sendSigned(event)).status).toBe(200);
    expect(await balanceOf(opened.account)).toBe(0);
    expect(await ledger().purchase(opened.id)).toMatchObject({ state: 'paid', isSynced: false });
    await evictDurableObject(account);
    expect(await runDurableObjectAlarm(ledger())).toBe(true);
    expect(await balanceOf(opened.account)).toBe(5_000_000);
  });

  test('takes back what a dispute holds, whichever event comes first', async () => {
    const opened = await openPurchase();
    const dispute = {
      ...completed(opened),
      id: `evt_dispute_${opened.id}`,
      type: 'charge.dispute.created',
      data: {
        object: { id: `du_${opened.id}`, amount: 500, status: 'needs_response', payment_intent: opened.paymentIntent },
      },
    };
    expect((await sendSigned(dispute)).status).toBe(200);
    expect((await sendSigned(completed(opened))).status).toBe(200);
    expect(await balanceOf(opened.account)).toBe(0);
    expect(await ledger().purchase(opened.id)).toMatchObject({ state: 'paid', disputedCents: 500 });
  });
});
