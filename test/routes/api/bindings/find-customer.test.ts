import { runInDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { getAuthorizationStore } from '../../../../routes/api/bindings/people-store.ts';
import { hashEmail, hashEmailToken } from '../../../../src/authorization/people/email-links.ts';
import type { ConsoleAccessPort } from '../../../../src/console-api/access.ts';
import type { CardFactsPort } from '../../../../src/console-api/cards.ts';
import type { ServiceActsPort, ServiceFactsPort } from '../../../../src/console-api/service.ts';
import { computeSha256Hex, generateRandomHex } from '../../../../src/lib/digest.ts';
import { formatIsoDay } from '../../../../src/lib/time.ts';
import type { CardEvent } from '../../../../src/payment/cards/events.ts';
import { startPurchase } from '../../../../src/payment/cards/purchases.ts';
import { openCardRows } from '../../../../src/payment/cards/rows.ts';
import { formatCardLineId } from '../../../../src/payment/credits/lines.ts';
import { formatReceiptNumber } from '../../../../src/payment/credits/receipt-number.ts';

const facts = (): ServiceFactsPort & CardFactsPort => exports.Operations;
const access = (): ConsoleAccessPort & ServiceActsPort => exports.ConsoleAccess;
const ledger = () => env.CARD_LEDGER.getByName('cards');

let calls = 0;
let session = '';
beforeEach(async () => {
  calls += 1;
  const [previous, renewed] = [await computeSha256Hex(`f${calls}`), await computeSha256Hex(generateRandomHex(32))];
  const signedIn = await access().signIn({
    secret: env.OPERATOR_SECRET,
    caller: `198.51.100.${calls}`,
    previous,
    renewed,
  });
  if (!signedIn.ok) throw new Error(signedIn.reason);
  session = renewed;
});

/** Someone who has signed in by a link of a mail. @returns the number of the account */
async function signUp(email: string): Promise<string> {
  const store = getAuthorizationStore(env);
  const [before, renewed] = [
    await computeSha256Hex(generateRandomHex(8)),
    await computeSha256Hex(generateRandomHex(8)),
  ];
  const token = await hashEmailToken(generateRandomHex(16));
  const browser = { session: before, caller: generateRandomHex(4) };
  const link = { email, emailHash: await hashEmail(email), returnTo: '/account', isForAccount: false };
  await store.askEmailLink(browser, token, link);
  const used = await store.useEmailLink({ ...browser, renewed }, token);
  if (!used.ok || used.did !== 'signed_in') throw new Error('not signed in');
  return used.session.accountId;
}

/** A purchase of five dollars that Stripe says is paid. */
async function buyByCard(account: string) {
  const id = generateRandomHex(16);
  const order = { id, account, creditObject: account, pack: 'credits_5', cents: 500 };
  const { nextLookAtMs: _none, ...started } = startPurchase(order, Date.now());
  const purchase = { ...started, state: 'open', sessionId: `cs_live_${id}`, url: 'https://checkout.test' } as const;
  await runInDurableObject(ledger(), (_object, { storage }) => openCardRows(storage.sql).writePurchase(purchase));
  const about = { sessionId: purchase.sessionId, paymentStatus: 'paid', amountTotal: 500, currency: 'usd' };
  const event: CardEvent = {
    id: `evt_${id}`,
    createdS: 1,
    about: 'session',
    kind: 'completed',
    session: { ...about, paymentIntent: `pi_${id}` },
  };
  expect(await ledger().receive(event)).toBe('applied');
  return { id, sessionId: purchase.sessionId, payment: `pi_${id}` };
}

const dispute = (payment: string, status: string): CardEvent => ({
  id: `evt_${generateRandomHex(8)}`,
  createdS: 1,
  about: 'dispute',
  dispute: { id: `du_${payment}`, paymentIntent: payment, cents: 500, status },
});

describe('a customer without a wallet', () => {
  test('is found by e-mail address, account, purchase, payment and receipt number', async () => {
    const email = `ada-${generateRandomHex(4)}@mail.example`;
    const account = await signUp(email);
    const { id, sessionId, payment } = await buyByCard(account);
    const customer = { email, ways: ['email'] };
    const line = { id: formatCardLineId({ purchase: id, version: 1 }, 'card'), atMs: Date.now() };
    const number = await formatReceiptNumber(account, line);
    for (const text of [` ${email.toUpperCase()} `, account])
      expect(await facts().findCustomer({ text })).toMatchObject({ account, customer });
    for (const text of [id, sessionId, payment, number, number.toLowerCase()])
      expect(await facts().findCustomer({ text })).toMatchObject({ account, customer, purchase: id });
    const nothing = ['ben@mail.example', 'f'.repeat(32), 'pi_other', `${formatIsoDay(Date.now())}-0123456789`, 'x', ''];
    for (const text of nothing) expect(await facts().findCustomer({ text })).toBeNull();
    expect(await facts().customer({ account })).toMatchObject({
      account,
      address: '',
      email,
      ways: ['email'],
      credits: { balanceMicroUsdc: 5_000_000 },
      entries: { entries: [{ kind: 'card' }] },
    });
    expect(await facts().customer({ account: 'f'.repeat(32) })).toBeNull();
  });

  test('gets credits by the number of its account, and by no other; an operator is no customer', async () => {
    const account = await signUp(`ben-${generateRandomHex(4)}@mail.example`);
    const order = { kind: 'grant' as const, account, address: '', amountMicroUsdc: 1_000_000, reason: 'sorry' };
    expect(await access().adjustCredits(session, { ...order, nonce: generateRandomHex(16) })).toMatchObject({
      ok: true,
    });
    expect(await facts().customer({ account })).toMatchObject({ credits: { balanceMicroUsdc: 1_000_000 } });
    const refusals = [
      [{ ...order, account: 'e'.repeat(32) }, 'no_such_customer'],
      [{ account, address: '', reason: 'why', kind: 'refund_payment' as const, payment: 'abcdef012345' }, 'not_found'],
    ] as const;
    for (const [wish, reason] of refusals)
      expect(await access().adjustCredits(session, { ...wish, nonce: generateRandomHex(16) })).toEqual({
        ok: false,
        reason,
      });
    const operator = await access().session(session);
    expect(await facts().findCustomer({ text: operator?.operator.id ?? '' })).toBeNull();
  });

  test('that is below zero after a dispute is named until it is made up for', async () => {
    const account = await signUp(`eve-${generateRandomHex(4)}@mail.example`);
    const credits = env.CREDIT_ACCOUNT.getByName(account);
    const { id, payment } = await buyByCard(account);
    const call = { id: 'call', fingerprint: 'f', capability: 'check_health', clientId: 'c' };
    const spent = { ...call, amountMicroUsdc: 4_000_000, capMicroUsdc: 9_000_000, authorizedAtMs: Date.now() };
    expect((await credits.reserve(spent)).outcome).toBe('reserved');
    await credits.capture('call', 1, 'report');
    await ledger().receive(dispute(payment, 'needs_response'));
    const own = async () => (await facts().cardsOwed()).overdrafts.filter((overdraft) => overdraft.account === account);
    expect(await own()).toMatchObject([{ purchase: id, owedMicroUsdc: 4_000_000 }]);
    expect((await facts().cardsOwed()).openDisputes).toBeGreaterThan(0);
    const gift = { kind: 'grant' as const, account, address: '', amountMicroUsdc: 1_000_000, reason: 'half' };
    await access().adjustCredits(session, { ...gift, nonce: generateRandomHex(16) });
    expect(await own()).toMatchObject([{ owedMicroUsdc: 3_000_000 }]);
    const rest = { ...gift, amountMicroUsdc: 3_000_000, nonce: generateRandomHex(16) };
    await access().adjustCredits(session, rest);
    expect(await own()).toEqual([]);
  });
});
