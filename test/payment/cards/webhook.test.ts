import { Stripe } from 'stripe';
import { describe, expect, test } from 'vitest';
import { signEvent } from '../../../local/stripe/webhooks.ts';
import { CARD_EVENT_TYPES, readCardEvent } from '../../../src/payment/cards/events.ts';
import { readCardKeys } from '../../../src/payment/cards/keys.ts';
import { verifyCardEvent } from '../../../src/payment/cards/event-signature.ts';
import { PAYMENT_NETWORKS } from '../../../src/payment/terms/networks-data.ts';

const SECRET = 'whsec_first';
const OLD = 'whsec_before';
const NOW_MS = Date.UTC(2026, 10, 28);
const NOW_S = NOW_MS / 1000;

const event = {
  id: 'evt_1',
  object: 'event',
  type: 'checkout.session.completed',
  created: NOW_S,
  livemode: false,
  data: { object: { id: 'cs_1', payment_status: 'paid', amount_total: 500, currency: 'usd', payment_intent: 'pi_1' } },
};
const body = JSON.stringify(event);
const bytes = (text: string) => new TextEncoder().encode(text);
const judge = async (signature: string | undefined, text = body, secrets = [SECRET, OLD], nowMs = NOW_MS) =>
  (await verifyCardEvent(bytes(text), signature, { secrets, nowMs })).verdict === 'good';
/** As Stripe's own SDK makes it for tests. */
const sdkHeader = (secret: string, timestamp = NOW_S, payload = body) =>
  Stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret,
    timestamp,
    cryptoProvider: Stripe.createSubtleCryptoProvider(),
  });

describe('P6: an event of Stripe', () => {
  test('is taken with the secret in force, and with the one before it while it is replaced', async () => {
    expect(await judge(await sdkHeader(SECRET))).toBe(true);
    expect(await judge(await sdkHeader(OLD))).toBe(true);
    expect(await judge(await sdkHeader(OLD), body, [SECRET])).toBe(false);
    const both = await signEvent(body, ['whsec_other', SECRET], NOW_S);
    expect(await judge(both)).toBe(true);
  });

  test('is refused with another secret, without a signature, or with one that is none', async () => {
    const good = await sdkHeader(SECRET);
    const cases: readonly (string | undefined)[] = [
      undefined,
      '',
      'x',
      't=1',
      `t=${NOW_S}`,
      `t=${NOW_S},v1=`,
      `t=${NOW_S},v1=${'0'.repeat(64)}`,
      good.replace('v1=', 'v0='),
      good.replace(`t=${NOW_S}`, `t=${NOW_S + 1}`),
      good.replace(`t=${NOW_S}`, 't=NaN'),
      await sdkHeader('whsec_forged'),
      `${good},${'v1=0,'.repeat(1_000)}`,
    ];
    const taken: (string | undefined)[] = [];
    for (const header of cases) if (await judge(header)) taken.push(header);
    expect(taken).toEqual([]);
  });

  test('is refused 300 seconds after it was signed, and where a byte of it differs', async () => {
    const good = await sdkHeader(SECRET);
    expect(await judge(good, body, [SECRET], NOW_MS + 300_000)).toBe(true);
    expect(await judge(good, body, [SECRET], NOW_MS + 301_000)).toBe(false);
    expect(await judge(good, body.replace('500', '501'))).toBe(false);
    expect(await judge(good, `${body}\n`)).toBe(false);
    expect(await judge(good, `\uFEFF${body}`)).toBe(false);
  });

  test('that is signed and no JSON is refused', async () => {
    expect(await judge(await sdkHeader(SECRET, NOW_S, 'not json'), 'not json')).toBe(false);
  });
});

describe('what is read of an event', () => {
  test('is refused for the other mode and for a connected account, and left alone for other kinds', () => {
    const reasons = [
      readCardEvent({ ...event, livemode: true }, false),
      readCardEvent({ ...event, account: 'acct_other' }, false),
      readCardEvent({ ...event, type: 'customer.created' }, false),
      readCardEvent({ ...event, type: 'constructor' }, false),
      readCardEvent({ ...event, data: { object: {} } }, false),
      readCardEvent([], false),
      readCardEvent(
        { ...event, type: 'refund.created', data: { object: { id: 're_1', amount: 5, payment_intent: null } } },
        false,
      ),
    ].map((read) => (read.ok ? 'ok' : read.reason));
    expect(reasons).toEqual([
      'wrong_mode',
      'other_account',
      'not_ours',
      'not_ours',
      'unreadable',
      'unreadable',
      'not_ours',
    ]);
    expect(readCardEvent(event, false).ok).toBe(true);
  });

  test('covers kinds that the SDK of this version knows', () => {
    // A kind that Stripe does not have would never come: the compiler judges each.
    const known: readonly Stripe.Event.Type[] = [
      'checkout.session.completed',
      'checkout.session.async_payment_succeeded',
      'checkout.session.async_payment_failed',
      'checkout.session.expired',
      'refund.created',
      'refund.updated',
      'refund.failed',
      'charge.dispute.created',
      'charge.dispute.updated',
      'charge.dispute.closed',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.funds_reinstated',
    ];
    expect(CARD_EVENT_TYPES).toEqual(known);
  });
});

test('keys of Stripe are good for their own mode alone, and with a secret for events', () => {
  const [base, sepolia] = [PAYMENT_NETWORKS['eip155:8453'], PAYMENT_NETWORKS['eip155:84532']];
  const judgeKey = (key: string, network: typeof base | typeof sepolia, isLocal = false, secret = SECRET) => {
    const read = readCardKeys({ STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret }, { network, isLocal });
    return read.ok ? read.keys.isLive : read.reason;
  };
  expect(judgeKey('sk_live_12345678', base)).toBe(true);
  expect(judgeKey('rk_live_12345678', base)).toBe(true);
  expect(judgeKey('sk_test_12345678', base)).toBe('mixed');
  expect(judgeKey('rk_test_12345678', base)).toBe('mixed');
  expect(judgeKey('sk_test_12345678', sepolia)).toBe(false);
  expect(judgeKey('sk_live_12345678', sepolia)).toBe('mixed');
  expect(judgeKey('sk_live_12345678', base, true)).toBe('mixed');
  expect(judgeKey('sk_test_12345678', base, true)).toBe(false);
  expect(judgeKey('pk_live_12345678', base)).toBe('unreadable_key');
  expect(judgeKey('sk_live_12345678', base, false, '')).toBe('no_webhook_secret');
  expect(judgeKey('', base)).toBe('off');
});
