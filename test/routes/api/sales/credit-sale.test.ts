import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CreditAnswer } from '../../../../src/sales/credit-sale.ts';
import { CreditAccount } from '../../../../durable-objects/credit-account.ts';
import { EngineMeter } from '../../../../durable-objects/engine-meter.ts';
import type { WorkOutcome } from '../../../../src/capabilities/capability.ts';
import type { Env } from '../../../../routes/api/bindings/env.ts';
import { movableClock } from '../../../durable-objects/ledger-shard.ts';
import { accountOf, balanceOf, call, postPack, rowOf, signedPack } from './credit-world.ts';
import { check, engineWorld, failing, until } from './engine-world.ts';
import { settleOnChain } from './settling-chain.ts';
import { get, PAYER, type World, world } from '../world.ts';

let seen: World;
beforeEach(async () => {
  seen = world();
  settleOnChain(seen);
  await postPack(5, { credential: await signedPack(5) });
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Body = { report_id: string; capability: string; payment: Record<string, string>; receipt: unknown };
const FREE: WorkOutcome = { ok: true, result: { said: 'done' }, warnings: [] };

function soldBody(answer: CreditAnswer): Body {
  if (answer.kind !== 'sold') throw new Error(`not sold: ${answer.problem.code}`);
  return JSON.parse(answer.body) as Body;
}
const codeOf = (answer: CreditAnswer) =>
  answer.kind === 'problem' ? { status: answer.problem.status, code: answer.problem.code } : answer.kind;
const reportsKept = async (): Promise<number> => (await env.REPORTS.list({ prefix: 'reports/' })).objects.length;

/** A row whose work waits until the test lets it end. */
function heldRow(outcome: WorkOutcome = FREE) {
  const gate = Promise.withResolvers<void>();
  let begun = false;
  const row = rowOf('check_health', async () => {
    begun = true;
    await gate.promise;
    return outcome;
  });
  return { row, end: gate.resolve, started: () => until(() => begun) };
}

describe('P6: a call on prepaid credits', () => {
  test('is delivered with the debit and the balance after it, and its report opens and is listed', async () => {
    const answer = await call();
    const body = soldBody(answer);
    expect(body).toMatchObject({
      capability: 'check_health',
      url: 'https://shop.example/',
      payment: { method: 'credits', amount: '60000', amount_usd: '0.060000', balance_usd: '4.940000' },
    });
    expect(answer).toMatchObject({ reportId: body.report_id });
    expect(await balanceOf()).toBe(4_940_000);
    const report = await get(`/reports/${body.report_id}.json`);
    expect(report.status).toBe(200);
    const { payment: _payment, receipt: _receipt, ...stored } = body;
    expect(await report.json()).toEqual(stored); // P28: the report says nothing about the account.
    expect(await (await accountOf(PAYER)).object.reports()).toMatchObject([
      { reportId: body.report_id, capability: 'check_health', amountMicroUsdc: 60_000 },
    ]);
  });

  test('X9: neither account, client, report nor target stands in the log', async () => {
    const { report_id: id } = soldBody(await call({ clientId: 'a-client' }));
    const log = seen.logs.join('\n');
    expect(log).toContain('"method":"credits"');
    for (const secret of [id, 'a-client', (await accountOf(PAYER)).id, 'shop.example'])
      expect(log).not.toContain(secret);
  });

  test('that is repeated with its key gets the same bytes: one debit, one audit', async () => {
    const first = await call({ idempotencyKey: 'order-1' });
    await call();
    const audited = seen.calls.site.length;
    expect(await call({ idempotencyKey: 'order-1' })).toEqual(first);
    expect(seen.calls.site).toHaveLength(audited);
    expect(await balanceOf()).toBe(4_880_000);
  });

  test('that is made twice at once with one key is worked once', async () => {
    const { row, end, started } = heldRow();
    const first = call({ row, idempotencyKey: 'order-1' });
    await started();
    expect(codeOf(await call({ row, idempotencyKey: 'order-1' }))).toEqual({ status: 409, code: 'call_in_progress' });
    end();
    soldBody(await first);
    expect(await balanceOf()).toBe(4_940_000);
  });

  test('without a key is a call of its own each time, and keys of other clients do not matter', async () => {
    const bodies = [
      soldBody(await call()),
      soldBody(await call()),
      soldBody(await call({ idempotencyKey: 'order-1' })),
      soldBody(await call({ idempotencyKey: 'order-1', clientId: 'client-2' })),
    ];
    expect(new Set(bodies.map((body) => body.report_id)).size).toBe(4);
    expect(await balanceOf()).toBe(4_760_000);
  });

  test.each([
    ['another body', { args: { url: 'https://other.example/' } }],
    ['another capability', { row: rowOf('check_schema') }],
  ])('with a used key and %s is refused', async (_name, change) => {
    await call({ idempotencyKey: 'order-1' });
    expect(codeOf(await call({ idempotencyKey: 'order-1', ...change }))).toEqual({
      status: 422,
      code: 'idempotency_key_reused',
    });
    expect(await balanceOf()).toBe(4_940_000);
  });

  test('that costs more than the balance is refused with both, before any work, and never with 402', async () => {
    for (let at = 0; at < 2; at += 1) await call({ row: rowOf('full_report', async () => FREE) });
    const answer = await call({ row: rowOf('visibility_vs_competitor', async () => FREE), args: versusOf() });
    expect(answer).toMatchObject({
      kind: 'problem',
      problem: {
        status: 409,
        code: 'insufficient_credits',
        title: expect.stringContaining('/api/credits/5') as string,
        detail: 'Balance 1.900000 USD, price 3.500000 USD',
      },
    });
    expect(await balanceOf()).toBe(1_900_000);
  });

  test.each([
    ['a field that is missing', {}, { status: 422, code: 'invalid_body' }],
    ['no object', 'https://shop.example/', { status: 422, code: 'invalid_body' }],
    ['an address that is not fetched', { url: 'http://127.0.0.1/' }, { status: 422, code: 'target_refused' }],
  ])('with %s is refused, and nothing is reserved', async (_name, args, problem) => {
    expect(codeOf(await call({ args }))).toEqual(problem);
    expect(await balanceOf()).toBe(5_000_000);
  });

  test('of a target that cannot be read costs nothing, and its key can be used again', async () => {
    const { site } = seen;
    seen.site = () => Promise.reject(new TypeError('no such host'));
    expect(codeOf(await call({ idempotencyKey: 'order-1' }))).toEqual({ status: 422, code: 'target_unreachable' });
    expect(await (await accountOf(PAYER)).object.view()).toMatchObject({
      balanceMicroUsdc: 5_000_000,
      reservedMicroUsdc: 0,
    });
    expect(await reportsKept()).toBe(1); // The pack's own.
    seen.site = site;
    soldBody(await call({ idempotencyKey: 'order-1' }));
    expect(await balanceOf()).toBe(4_940_000);
  });

  test('of a measurement that stays incomplete costs nothing; a whole one costs its price', async () => {
    const engine = engineWorld();
    const order = { row: rowOf('visibility_check'), args: check };
    engine.answer = () => failing;
    expect(codeOf(await call(order))).toEqual({ status: 502, code: 'measurement_incomplete' });
    expect(await balanceOf()).toBe(5_000_000);
    vi.restoreAllMocks();
    seen = world();
    engineWorld();
    expect(soldBody(await call(order))).toMatchObject({ prompts: { valid: 30 }, payment: { amount: '1950000' } });
    expect(await balanceOf()).toBe(3_050_000);
  });

  test('P27: that fails 20 times in an hour is refused after that, whoever calls', async () => {
    const row = rowOf('check_health', async () => ({ ok: false, reason: 'target_unreachable', detail: 'down' }));
    for (let at = 0; at < 20; at += 1)
      expect(codeOf(await call({ row }))).toMatchObject({ code: 'target_unreachable' });
    expect(codeOf(await call())).toEqual({ status: 429, code: 'too_many_failures' });
    expect(await balanceOf()).toBe(5_000_000);
  });

  test('whose result cannot be stored costs nothing', async () => {
    const store = Object.getPrototypeOf(env.REPORTS) as R2Bucket;
    vi.spyOn(store, 'put').mockRejectedValueOnce(new Error('down'));
    expect(codeOf(await call())).toEqual({ status: 503, code: 'store_unavailable' });
    expect(await balanceOf()).toBe(5_000_000);
  });

  test('that is called off costs nothing', async () => {
    const { row, end, started } = heldRow();
    const off = new AbortController();
    const answer = call({ row, following: { signal: off.signal } });
    await started();
    off.abort();
    end();
    expect(codeOf(await answer)).toEqual({ status: 409, code: 'cancelled' });
    expect(await (await accountOf(PAYER)).object.view()).toMatchObject({
      balanceMicroUsdc: 5_000_000,
      reservedMicroUsdc: 0,
    });
  });

  test('B8, P27: that is called off 20 times in an hour is refused after that, by account and by no address', async () => {
    for (let at = 0; at < 20; at += 1) {
      const { row, end, started } = heldRow();
      const off = new AbortController();
      const answer = call({ row, following: { signal: off.signal } });
      await started();
      off.abort();
      end();
      expect(codeOf(await answer)).toMatchObject({ code: 'cancelled' });
    }
    expect(codeOf(await call())).toEqual({ status: 429, code: 'too_many_failures' });
    expect(codeOf(await call({ account: 'f'.repeat(32) }))).toMatchObject({ code: 'insufficient_credits' });
    // The account itself remembers, whichever isolate asks.
    const about = { id: 'x', fingerprint: 'f', capability: 'check_health', clientId: 'c', authorizedAtMs: Date.now() };
    const { object } = await accountOf(PAYER);
    const asked = await object.reserve({ ...about, amountMicroUsdc: 60_000, capMicroUsdc: 5_000_000 });
    expect(asked.outcome).toBe('too_many_failures');
  });

  test('that is called off before its work began does no work and is no failure of the account', async () => {
    const before = seen.calls.site.length;
    for (let at = 0; at < 19; at += 1)
      expect(codeOf(await call({ following: { signal: AbortSignal.abort() } }))).toMatchObject({ code: 'cancelled' });
    expect(seen.calls.site).toHaveLength(before);
    expect(codeOf(await call({ following: { signal: AbortSignal.abort() } }))).toMatchObject({ code: 'cancelled' });
    const { object } = await accountOf(PAYER);
    const about = { id: 'x', fingerprint: 'f', capability: 'check_health', clientId: 'c', authorizedAtMs: Date.now() };
    const asked = await object.reserve({ ...about, amountMicroUsdc: 60_000, capMicroUsdc: 5_000_000 });
    expect(asked.outcome).toBe('reserved');
  });

  test('P5: begins three measurements an hour that are called off, under whatever keys, and any that are paid', async () => {
    const row = rowOf('visibility_check', async () => FREE);
    for (let at = 0; at < 2; at += 1) soldBody(await call({ row, args: check })); // Paid: they do not count.
    await postPack(5, { credential: await signedPack(5) });
    const order = { args: check, capMicroUsdc: 100_000_000 };
    for (let at = 0; at < 3; at += 1) {
      const off = new AbortController();
      const stopped = rowOf('visibility_check', async () => {
        off.abort();
        return FREE;
      });
      const about = { ...order, row: stopped, idempotencyKey: `order-${at}`, following: { signal: off.signal } };
      expect(codeOf(await call(about))).toMatchObject({ code: 'cancelled' });
    }
    expect(codeOf(await call({ ...order, row }))).toEqual({ status: 429, code: 'too_many_in_flight' });
    soldBody(await call()); // No engine is asked for this one.
    expect((await (await accountOf(PAYER)).object.view()).reservedMicroUsdc).toBe(0);
  });

  test('P31: whose engine money cannot be metered is 503, and holds nothing', async () => {
    vi.spyOn(EngineMeter.prototype, 'reserve').mockRejectedValue(new Error('gone'));
    const answer = await call({ row: rowOf('visibility_check', async () => FREE), args: check });
    expect(codeOf(answer)).toEqual({ status: 503, code: 'ledger_unavailable' });
    expect((await (await accountOf(PAYER)).object.view()).reservedMicroUsdc).toBe(0);
  });

  test('that was paid is answered again though its engine is gone and others are there', async () => {
    engineWorld();
    const engineRow = (name: string) => ({ name, kind: 'simulated', model: 'm', usd_per_run: 0.1 });
    const having = (...names: string[]) =>
      ({ ...env, ANSWER_ENGINES: JSON.stringify(names.map(engineRow)) }) as unknown as Env;
    const args = { ...check, engines: ['beta'] };
    const order = { row: rowOf('visibility_check'), args, idempotencyKey: 'order-1' };
    const first = await call(order, undefined, having('alpha', 'beta'));
    expect(first.kind).toBe('sold');
    expect(await call(order, undefined, having('alpha'))).toEqual(first);
    const another = await call({ ...order, idempotencyKey: 'order-2' }, undefined, having('alpha'));
    expect(codeOf(another)).toEqual({ status: 422, code: 'invalid_body' });
  });

  test('that was paid is answered again though no engine is configured any more; a new one is refused', async () => {
    engineWorld();
    const order = { row: rowOf('visibility_check'), args: check, idempotencyKey: 'order-1' };
    const first = await call(order);
    expect(await call(order, { isLocal: false, factories: {} })).toEqual(first);
    expect(codeOf(await call({ ...order, idempotencyKey: 'order-2' }, { isLocal: false, factories: {} }))).toEqual({
      status: 503,
      code: 'engine_not_configured',
    });
    expect(await balanceOf()).toBe(3_050_000);
  });

  test('whose work throws releases its reserve', async () => {
    const row = rowOf('check_health', () => Promise.reject(new RangeError('a bug')));
    await expect(call({ row })).rejects.toThrow('a bug');
    expect(await (await accountOf(PAYER)).object.view()).toMatchObject({
      balanceMicroUsdc: 5_000_000,
      reservedMicroUsdc: 0,
    });
  });

  test('whose lease ran out and that was made again captures nothing: one result, one debit', async () => {
    const clock = movableClock();
    const { row, end, started } = heldRow();
    const stale = call({ row, idempotencyKey: 'order-1' });
    await started();
    clock.advance(31_000);
    const { report_id: id } = soldBody(await call({ idempotencyKey: 'order-1' }));
    end();
    expect(codeOf(await stale)).toEqual({ status: 409, code: 'call_superseded' });
    expect(await balanceOf()).toBe(4_940_000);
    expect(await reportsKept()).toBe(2); // The pack's, and the one that was paid.
    expect((await get(`/reports/${id}.json`)).status).toBe(200);
  });

  test('whose debit is in doubt delivers nothing and opens no report; its key finds out, for one debit', async () => {
    const clock = movableClock();
    const lost = vi.spyOn(CreditAccount.prototype, 'capture').mockRejectedValue(new Error('gone'));
    expect(codeOf(await call({ idempotencyKey: 'order-1' }))).toEqual({ status: 503, code: 'debit_unknown' });
    expect(lost).toHaveBeenCalledTimes(3);
    lost.mockRestore();
    const unpaid = (await env.REPORTS.list({ prefix: 'reports/' })).objects.map(({ key }) => key.slice(8, 40));
    const opened = await Promise.all(unpaid.map(async (id) => (await get(`/reports/${id}.json`)).status));
    expect(opened.toSorted()).toEqual([200, 404]); // The pack's own is open.
    clock.advance(31_000);
    const { report_id: paid } = soldBody(await call({ idempotencyKey: 'order-1' }));
    expect(await balanceOf()).toBe(4_940_000);
    // The result of the first attempt stands under the same call: only the one that was paid opens.
    const [orphan = ''] = unpaid.filter((_, at) => opened[at] === 404);
    expect(orphan).toMatch(/^[0-9a-f]{32}$/);
    expect((await get(`/reports/${orphan}.json`)).status).toBe(404);
    expect((await get(`/reports/${paid}.json`)).status).toBe(200);
  });

  test('whose debit was made and whose reply was lost is delivered for one debit', async () => {
    const real: CreditAccount['capture'] = Reflect.get(CreditAccount.prototype, 'capture');
    let lost = 0;
    vi.spyOn(CreditAccount.prototype, 'capture').mockImplementation(async function (this: CreditAccount, ...args) {
      const paid = await real.apply(this, args);
      lost += 1;
      if (lost === 1) throw new Error('the reply was lost');
      return paid;
    });
    soldBody(await call());
    expect(await balanceOf()).toBe(4_940_000);
  });

  test('P3: whose stored result was lost is worked again, free, under its own report', async () => {
    const { report_id: id } = soldBody(await call({ idempotencyKey: 'order-1' }));
    await env.REPORTS.delete(`reports/${id}.json`);
    expect(soldBody(await call({ idempotencyKey: 'order-1' })).report_id).toBe(id);
    expect((await get(`/reports/${id}.json`)).status).toBe(200);
    expect(await balanceOf()).toBe(4_940_000);
  });

  test('P31: on an account that cannot be reached is 503, and no work is done', async () => {
    vi.spyOn(CreditAccount.prototype, 'reserve').mockRejectedValue(new Error('gone'));
    const before = seen.calls.site.length;
    expect(codeOf(await call())).toEqual({ status: 503, code: 'ledger_unavailable' });
    expect(seen.calls.site).toHaveLength(before);
  });

  test('of ten at once on a balance for two, sells two', async () => {
    const row = rowOf('visibility_check', async () => FREE);
    const order = { row, args: check, capMicroUsdc: 100_000_000 };
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(order)));
    expect(answers.filter(({ kind }) => kind === 'sold')).toHaveLength(2);
    expect(
      new Set(answers.filter(({ kind }) => kind === 'problem').map((answer) => JSON.stringify(codeOf(answer)))),
    ).toEqual(new Set([JSON.stringify({ status: 409, code: 'insufficient_credits' })]));
    expect(await balanceOf()).toBe(1_100_000);
  });
});

describe('A5: a client of an account', () => {
  test('spends no more than its cap in a day, other clients spend theirs', async () => {
    const capped = { capMicroUsdc: 100_000 };
    soldBody(await call(capped));
    expect(await call(capped)).toMatchObject({
      problem: { status: 403, code: 'client_cap_reached', detail: 'Spent 0.060000 of 0.100000 USD in 24 hours' },
    });
    soldBody(await call({ ...capped, clientId: 'client-2' }));
    expect(await balanceOf()).toBe(4_880_000);
  });

  test('spends 5 USD a day where nobody said otherwise', async () => {
    await postPack(20, { credential: await signedPack(20) });
    const row = rowOf('full_report', async () => FREE);
    for (let at = 0; at < 3; at += 1) soldBody(await call({ row }));
    expect(codeOf(await call({ row }))).toEqual({ status: 403, code: 'client_cap_reached' });
  });

  test('that is revoked while its call runs is debited nothing, and its result is discarded', async () => {
    const { row, end, started } = heldRow();
    const answer = call({ row });
    await started();
    const { object } = await accountOf(PAYER);
    expect(await object.releaseClient('client-1')).toBe(1);
    end();
    expect(codeOf(await answer)).toEqual({ status: 409, code: 'call_superseded' });
    expect(await balanceOf()).toBe(5_000_000);
    expect(await reportsKept()).toBe(1); // The pack's own.
  });

  test('that is revoked while the body of its request arrives spends nothing; a consent later works', async () => {
    const authorizedAtMs = Date.now();
    const { object } = await accountOf(PAYER);
    await object.releaseClient('client-1');
    const before = seen.calls.site.length;
    expect(codeOf(await call({ authorizedAtMs }))).toEqual({ status: 403, code: 'client_revoked' });
    expect(seen.calls.site).toHaveLength(before);
    soldBody(await call({ authorizedAtMs: Date.now() + 1 }));
    expect(await balanceOf()).toBe(4_940_000);
  });
});

const versusOf = () => ({ ...check, competitor_brand: 'Rival One' });
