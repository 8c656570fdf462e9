import { env, exports } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConsoleAccessPort } from '../../../../src/console-api/access.ts';
import type { ServiceActsPort, ServiceFactsPort } from '../../../../src/console-api/service.ts';
import { readRegisters } from '../../../../routes/api/bindings/console/console-counters.ts';
import { getTokenRouter } from '../../../../routes/api/bindings/token-router.ts';
import { getAuthorizationStore } from '../../../../routes/api/bindings/people-store.ts';
import { BOOKS_OBJECT } from '../../../../src/payment/ledger/books.ts';
import { formatDay } from '../../../../src/payment/ledger/totals.ts';
import { computeSha256Hex, generateRandomHex } from '../../../../src/lib/digest.ts';
import type { PaymentLine } from '../../../../src/payment/ledger/list.ts';
import { publish, readHistory } from '../../../../src/sales/reports/published-store.ts';

const facts = (): ServiceFactsPort => exports.Operations;
const access = (): ConsoleAccessPort & ServiceActsPort => exports.ConsoleAccess;

let calls = 0;
let session = '';
beforeEach(async () => {
  calls += 1;
  const [previous, renewed] = [await computeSha256Hex(`p${calls}`), await computeSha256Hex(generateRandomHex(32))];
  const signedIn = await access().signIn({
    secret: env.OPERATOR_SECRET,
    caller: `192.0.2.${calls}`,
    previous,
    renewed,
  });
  if (!signedIn.ok) throw new Error(signedIn.reason);
  session = renewed;
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function readFailure(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
  } catch (error) {
    return String(error);
  }
  throw new Error('the call did not fail');
}

const newAddress = (): string => `0x${generateRandomHex(20)}`;
const accountOf = async (address: string): Promise<string> =>
  (await getAuthorizationStore(env).payerAccount(address))?.id ?? '';
const nonce = (): string => generateRandomHex(16);

describe('customers', () => {
  test('are found by address with their balance, and an address without an account is none', async () => {
    const address = newAddress();
    expect(await facts().customer({ address })).toBeNull();
    const account = await accountOf(address);
    const found = await facts().customers({ search: address.slice(0, 20), limit: 20 });
    expect(found.customers).toEqual([
      expect.objectContaining({
        account,
        address,
        credits: expect.objectContaining({ read: true, balanceMicroUsdc: 0 }),
      }),
    ]);
    expect(await facts().customer({ address })).toMatchObject({ account, entries: { read: true, entries: [] } });
  });

  test('are in the order of what they paid, with their account where they have one', async () => {
    const [buyer, holder] = [newAddress(), newAddress()];
    const account = await accountOf(holder);
    const day = formatDay(Date.now());
    const line = { day, kind: 'payer' as const, method: 'x402' as const, reason: '' };
    const lines = [
      { ...line, capability: buyer, count: 2, microUsdc: 900_000_000_000 },
      { ...line, capability: holder, count: 1, microUsdc: 800_000_000_000 },
    ];
    const books = env.OPERATIONS_REGISTER.getByName(BOOKS_OBJECT);
    await books.takeReport({ shard: 'ff', seq: Date.now(), lines, payments: [], removed: [] });
    const first = await facts().payingCustomers({ limit: 1 });
    expect(first).toEqual({
      customers: [{ payer: buyer, count: 2, microUsdc: 900_000_000_000, lastDay: day }],
      hasNext: true,
    });
    const after = { payer: buyer, microUsdc: 900_000_000_000 };
    expect((await facts().payingCustomers({ limit: 1, after })).customers).toEqual([
      expect.objectContaining({
        payer: holder,
        customer: expect.objectContaining({ account, credits: expect.objectContaining({ read: true }) }) as unknown,
      }),
    ]);
    expect(await readFailure(() => facts().payingCustomers({ limit: 51 }))).toContain('ZodError');
  });

  test('get a grant once for a form, which the log and the account know with its reason', async () => {
    const address = newAddress();
    const order = {
      kind: 'grant' as const,
      account: await accountOf(address),
      address,
      nonce: nonce(),
      amountMicroUsdc: 5_000_000,
      reason: 'A\u202e gift\n',
    };
    const lines = vi.spyOn(console, 'log');
    expect(await access().adjustCredits(session, order)).toMatchObject({ ok: true, isRepeat: false });
    expect(await access().adjustCredits(session, order)).toMatchObject({ ok: true, isRepeat: true });
    const page = await facts().customer({ address });
    expect(page).toMatchObject({
      credits: { balanceMicroUsdc: 5_000_000 },
      entries: { entries: [{ kind: 'grant', amountMicroUsdc: 5_000_000, reason: 'A gift' }] },
    });
    const logged = lines.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('operator_action'));
    expect(logged).toEqual([expect.stringContaining('"micro_usdc":5000000')]);
  });

  test('get nothing by a session that is over, of another account, beyond the limit, or without a reason', async () => {
    const [address, other] = [newAddress(), newAddress()];
    const [account, foreign] = [await accountOf(address), await accountOf(other)];
    const order = { kind: 'grant' as const, account, address, nonce: nonce(), amountMicroUsdc: 1, reason: 'why' };
    const none = await computeSha256Hex('no session');
    expect(await access().adjustCredits(none, order)).toEqual({ ok: false, reason: 'not_signed_in' });
    expect(await access().adjustCredits(session, { ...order, account: foreign })).toEqual({
      ok: false,
      reason: 'no_such_customer',
    });
    expect(await access().adjustCredits(session, { ...order, amountMicroUsdc: 100_000_001 })).toEqual({
      ok: false,
      reason: 'too_much',
    });
    expect(await readFailure(async () => access().adjustCredits(session, { ...order, reason: ' ' }))).toContain(
      'ZodError',
    );
    const payment = { kind: 'refund_payment' as const, account, address, nonce: nonce(), reason: 'why' };
    expect(await access().adjustCredits(session, { ...payment, payment: 'abcdef012345' })).toEqual({
      ok: false,
      reason: 'not_found',
    });
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 15 * 60_000);
    expect(await access().adjustCredits(session, order)).toEqual({ ok: false, reason: 'sign_in_too_old' });
    vi.restoreAllMocks();
    expect(await facts().customer({ address })).toMatchObject({ credits: { balanceMicroUsdc: 0 } });
  });
});

test('P6: a payment is given back once, and not where its id is of two, the chain does not have it, or its payer may be another', async () => {
  const address = newAddress();
  const account = await accountOf(address);
  const nowMs = Date.now();
  const line = (key: string, change: Partial<PaymentLine> = {}): PaymentLine => ({
    key,
    method: 'x402',
    capability: 'check_health',
    amountMicroUsdc: 60_000,
    payer: address,
    state: 'settled',
    attempt: 1,
    firstClaimedAtMs: nowMs,
    claimedAtMs: nowMs,
    failures: 0,
    proof: { by: 'signature', verified: true, provenPayer: true },
    ...change,
  });
  const missing = { by: 'signature', verified: true, provenPayer: true, seen: 'missing' } as const;
  // The digests of these two keys begin with the same 12 digits: their payer looked for such nonces.
  const [cheap, dear] = ['payment-7467595', 'payment-37909279'];
  const payments = [
    line(`one ${address}`),
    line(`lost ${address}`, { proof: missing }),
    line(`open ${address}`, { state: 'unknown' }),
    line(`pack ${address}`, { capability: 'credits_3' }),
    line(`elsewhere ${address}`, { isUnlisted: true }),
    line(cheap),
    line(dear, { amountMicroUsdc: 6_500_000 }),
  ];
  await env.OPERATIONS_REGISTER.getByName('ledger-books').takeReport({
    shard: '00',
    seq: 0,
    lines: [],
    payments,
    removed: [],
  });
  const giveBack = async (key: string) =>
    access().adjustCredits(session, {
      kind: 'refund_payment',
      account,
      address,
      nonce: nonce(),
      reason: 'why',
      payment: (await computeSha256Hex(key)).slice(0, 12),
    });
  const today = formatDay(nowMs);
  const countGivenBack = async (): Promise<number> =>
    (await readRegisters(env).readDays(today)).givenBack
      .filter(({ capability }) => capability === 'check_health')
      .reduce((sum, { count }) => sum + count, 0);
  const before = await countGivenBack();
  expect(await giveBack(`one ${address}`)).toMatchObject({ ok: true, adjustment: { amountMicroUsdc: 60_000 } });
  expect(await countGivenBack()).toBe(before + 1);
  for (const [key, reason] of [
    [`one ${address}`, 'already_refunded'],
    [`lost ${address}`, 'payment_missing'],
    [`open ${address}`, 'not_settled'],
    [`pack ${address}`, 'is_credits'],
    [`elsewhere ${address}`, 'not_account_of_payer'],
    [cheap, 'ambiguous_payment'],
    [dear, 'ambiguous_payment'],
  ] as const)
    expect([key, await giveBack(key)]).toEqual([key, { ok: false, reason }]);
  expect(await facts().customer({ address })).toMatchObject({ credits: { balanceMicroUsdc: 60_000 } });
  expect(await countGivenBack()).toBe(before + 1);
});

const idOf = (number: number): string => number.toString(16).padStart(32, '0');
function result(reportId: string): string {
  const one = { score: 87, grade: 'B', checks: [] };
  const scores = { aeo: one, geo: one, agent: one, mcp: { ...one, applies: false } };
  const about = { profile: { name: 'website' }, rubric: { version: '3.0.0' } };
  return JSON.stringify({
    capability: 'full_audit',
    report_id: reportId,
    url: 'https://down.example/',
    scores,
    ...about,
  });
}

test('a published report is taken down for good: badge, history and its buyer cannot bring it back', async () => {
  const host = 'down.example';
  for (const number of [1, 2]) await publish(env.REPORTS, host, result(idOf(number)), number);
  expect(await facts().publishedSites({ prefix: 'down.', limit: 50 })).toEqual({
    sites: [{ key: host, scores: { aeo: '87 B', geo: '87 B', agent: '87 B' }, changedAtMs: expect.any(Number) }],
  });
  const order = { host, reportId: idOf(2), reason: 'Its owner asked' };
  expect(await access().takeDown(await computeSha256Hex('none'), order)).toEqual({
    ok: false,
    reason: 'not_signed_in',
  });
  expect(await access().takeDown(session, order)).toEqual({ ok: true });
  expect(await access().takeDown(session, order)).toEqual({ ok: false, reason: 'not_listed' });
  expect((await facts().publishedReports({ host })).map(({ reportId }) => reportId)).toEqual([idOf(1)]);
  await publish(env.REPORTS, host, result(idOf(2)), 2);
  expect((await readHistory(env.REPORTS, host)).map(({ reportId }) => reportId)).toEqual([idOf(1)]);
});

test('operators and clients are listed and ended by the session of the console alone', async () => {
  expect(await access().operate(session, { do: 'list_operators' })).toMatchObject({
    ok: true,
    did: 'listed_operators',
  });
  const none = await computeSha256Hex('none');
  expect(await access().operate(none, { do: 'list_operators' })).toEqual({ ok: false, reason: 'not_signed_in' });
  expect(await access().operate(session, { do: 'delete_operator', id: 'nobody' })).toEqual({
    ok: false,
    reason: 'not_found',
  });
  expect(await access().registeredClients(none, {})).toBeNull();
  expect(await access().registeredClients(session, {})).toMatchObject({ isPartial: false });
  // What makes a secret is no order of the console.
  const making = { do: 'create_operator', operator: { name: 'Eve' } } as unknown as { do: 'list_operators' };
  expect(await readFailure(async () => access().operate(session, making))).toContain('ZodError');
});

test('the last token of a client is known to the list of clients', async () => {
  const store = getAuthorizationStore(env);
  const client = { grant: 'client_credentials' as const, name: 'Nightly', scopes: ['channels:read'] };
  const made = await store.operateConsole(session, { do: 'create_client', client });
  if (!made.ok || made.did !== 'created_client') throw new Error('no client');
  const list = async () => {
    const listed = await access().operate(session, { do: 'list_clients' });
    if (!listed.ok || listed.did !== 'listed_clients') throw new Error('no list');
    return listed.clients.find(({ id }) => id === made.client.id);
  };
  expect(await list()).not.toHaveProperty('usedAtMs');
  const answer = await getTokenRouter(env).token({
    contentType: 'application/x-www-form-urlencoded',
    authorization: `Basic ${btoa(`${made.client.id}:${made.secret ?? ''}`)}`,
    body: 'grant_type=client_credentials',
  });
  expect(answer).toMatchObject({ kind: 'answer', status: 200 });
  expect(await list()).toMatchObject({ usedAtMs: expect.any(Number) });
});

test('the Worker says what it is, and no value of a secret', async () => {
  const about = await facts().about();
  expect(about.worker).toBe('api');
  expect(about.migrations.length).toBeGreaterThan(3);
  expect(about.formats?.length).toBeGreaterThan(2);
  const text = JSON.stringify(about);
  expect(text).toContain(env.BASE_URL);
  expect(text).not.toContain(env.OPERATOR_SECRET);
});

test('a secret is in force since it was first seen here, and prints of another form are refused', async () => {
  const secrets = [{ name: 'LEDGER_SECRET', print: '01234567' }];
  const [first] = await facts().secretAges([{ worker: 'webhook', secrets }]);
  expect(first).toMatchObject({ worker: 'webhook', name: 'LEDGER_SECRET' });
  expect(await facts().secretAges([{ worker: 'webhook', secrets }])).toEqual([first]);
  const about = await facts().about();
  expect(about.secrets?.map(({ name }) => name)).toContain('LEDGER_SECRET');
  expect(JSON.stringify(about)).not.toContain(env.LEDGER_SECRET);
  const whole = [{ name: 'LEDGER_SECRET', print: 'the value itself' }];
  expect(await readFailure(() => facts().secretAges([{ worker: 'webhook', secrets: whole }]))).toContain('ZodError');
});
