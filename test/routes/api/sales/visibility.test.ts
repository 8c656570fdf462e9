import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PaymentLedger } from '../../../../durable-objects/payment-ledger.ts';
import { createApp } from '../../../../routes/api/app.ts';
import type { AppOptions } from '../../../../routes/api/context.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { localAnswers } from '../../../../src/models/registry-local.ts';
import type { ClaimResult } from '../../../../src/payment/ledger/protocol.ts';
import { visibilityResult, versusResult } from '../../../../src/capabilities/visibility-results.ts';
import {
  buy,
  check,
  engineWorld,
  EVENTS,
  eventsOf,
  type EngineWorld,
  failing,
  saying,
  until,
  versus,
} from './engine-world.ts';
import { settleOnChain, transferOnChain } from './settling-chain.ts';
import { decode, encode, get, ledgerRows, post, problemOf, signedCredential, type World, world } from '../world.ts';

let seen: World;
let engine: EngineWorld;
beforeEach(() => {
  seen = world();
  engine = engineWorld();
  settleOnChain(seen);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('a measurement', () => {
  test('asks 30 prompts that name nobody and answers with rates, intervals and what they rest on', async () => {
    const answer = await buy();
    expect(answer.status).toBe(200);
    const result = (await answer.json()) as Record<string, unknown> & { run_id: string; payment: object };
    expect(visibilityResult.parse(result)).toMatchObject({
      brand: 'Acme',
      niche: 'help desk software',
      mention_rate: { value: 1, n: 30 },
      degraded: false,
      engine: { served_models: ['model-of-the-day'] },
      prompts: { total: 30, valid: 30 },
    });
    expect(engine.asked).toHaveLength(30);
    expect(engine.asked.filter(({ text }) => /acme/i.test(text))).toEqual([]);
    expect(result.payment).toMatchObject({ amount: '1950000' });
  });

  test('of two brands asks the same 30 prompts for both', async () => {
    const answer = await buy({ capability: 'visibility_vs_competitor', asked: versus });
    expect(answer.status).toBe(200);
    const result: unknown = await answer.json();
    expect(versusResult.parse(result)).toMatchObject({
      verdict: 'too_close_to_call',
      discordant: { brand_only: 0, competitor_only: 0, both: 30, neither: 0 },
    });
    expect(engine.asked).toHaveLength(30);
  });

  test('by an engine that refuses every prompt is not sold, and stops after its first refusals', async () => {
    engine.answer = () => saying("I'm sorry, I can't help with that.");
    engine.hold = true;
    const credential = await signedCredential('visibility_check');
    const buying = buy({ credential });
    await until(() => engine.sent.length === 30);
    for (let batch = 0; batch < 5; batch += 1) await engine.deliver(6);
    const answer = await buying;
    const { detail } = (await answer.clone().json()) as { detail: string };
    expect(await problemOf(answer)).toEqual({ status: 502, code: 'measurement_incomplete' });
    expect(detail).toContain('0 of 30 prompts were answered');
    // Six of the first outcomes are refusals: the batch that brings them is the last that asks.
    expect(engine.asked).toHaveLength(6);
    expect(seen.calls.settle).toEqual([]);
    // The payment stays good for an engine that answers.
    engine.hold = false;
    engine.answer = () => saying('1. **Acme**: a fine choice.');
    expect((await buy({ credential })).status).toBe(200);
  });

  test('in which a few prompts are refused counts them apart, and in no rate', async () => {
    engine.answer = ({ index }) =>
      saying(index % 10 === 9 ? "I'm sorry, I can't help with that." : '1. **Acme**: a fine choice.');
    const answer = await buy();
    expect(visibilityResult.parse(await answer.json())).toMatchObject({
      mention_rate: { value: 1, n: 27 },
      refused: { total: 3, by_kind: { refusal: 3 } },
      prompts: { total: 30, valid: 27 },
    });
  });

  test('can be read with the id of its run once it is paid: every answer with its hash', async () => {
    const { run_id, report_id } = (await (await buy()).json()) as { run_id: string; report_id: string };
    expect(run_id).not.toBe(report_id);
    const answers = await get(`/runs/${run_id}.json`);
    expect(answers.status).toBe(200);
    expect(answers.headers.get('content-disposition')).toContain('attachment');
    const { run } = (await answers.json()) as { run: { answers: { text: string; servedModel: string }[] } };
    expect(run.answers).toHaveLength(30);
    expect(run.answers[0]).toMatchObject({ servedModel: 'model-of-the-day', text: expect.stringContaining('Acme') });
    expect(await problemOf(await get(`/runs/${'0'.repeat(32)}.json`))).toEqual({ status: 404, code: 'run_not_found' });
  });

  test('with 24 answers is degraded and says so; with 23 it is 502, unpaid, and its payment stays good', async () => {
    let failures = 6;
    engine.answer = ({ index }) => (index < failures ? failing : saying('**Acme** is one. **Rival One** another.'));
    expect(await (await buy()).json()).toMatchObject({
      degraded: true,
      mention_rate: { n: 24, worst_case: { low: 0.8, high: 1 } },
      failures: { total: 6, by_reason: { refused: 6 } },
    });
    failures = 7;
    const credential = await signedCredential('visibility_check');
    const settled = seen.calls.settle.length;
    expect(await problemOf(await buy({ credential }))).toEqual({ status: 502, code: 'measurement_incomplete' });
    expect(seen.calls.settle).toHaveLength(settled);
    failures = 0;
    expect((await buy({ credential })).status).toBe(200);
  });

  test('X9: neither brand, niche nor any answer stands in the log', async () => {
    await buy({ asked: { brand: 'Quixotle', niche: 'zeppelin polish' } });
    const log = seen.logs.join('\n');
    expect(log).toContain('"sold"');
    for (const word of ['Quixotle', 'zeppelin', 'Rival One']) expect(log).not.toContain(word);
  });
});

const isAttached = ({ value }: { value: unknown }): boolean => (value as ClaimResult).outcome === 'in_progress';

describe('the same payment with the same body', () => {
  test('P11: attaches to the running measurement, and both get the same bytes for one run and one charge', async () => {
    engine.hold = true;
    const credential = await signedCredential('visibility_check');
    const first = buy({ credential });
    await until(() => engine.sent.length === 30);
    const second = buy({ credential });
    const third = buy({ credential, headers: EVENTS });
    await engine.deliver();
    const [one, other] = await Promise.all([(await first).text(), (await second).text()]);
    expect(other).toBe(one);
    expect(await eventsOf(await third)).toContainEqual({ event: 'result', data: JSON.parse(one) as object });
    expect(engine.sent).toHaveLength(30);
    expect(seen.calls.settle).toHaveLength(1);
  });

  test('P11: an onlooker with what is public of it may not attach', async () => {
    engine.hold = true;
    const credential = await signedCredential('visibility_check');
    const first = buy({ credential });
    await until(() => engine.sent.length === 30);
    const parts = decode(credential) as { accepted: { extra: Record<string, unknown> } };
    const { quote: _quote, ...publicExtra } = parts.accepted.extra;
    const rebuilt = encode({ ...parts, accepted: { ...parts.accepted, extra: publicExtra } });
    for (const headers of [{}, EVENTS])
      expect(await problemOf(await buy({ credential: rebuilt, headers }))).toEqual({
        status: 409,
        code: 'payment_in_progress',
      });
    await engine.deliver();
    expect((await first).status).toBe(200);
  });

  test('P11: who attached to a run that measured nothing is told so, and starts no other', async () => {
    engine.hold = true;
    engine.answer = () => failing;
    const credential = await signedCredential('visibility_check');
    const first = buy({ credential });
    await until(() => engine.sent.length === 30);
    const { mock } = vi.spyOn(PaymentLedger.prototype, 'claim');
    const others = [buy({ credential }), buy({ credential, headers: EVENTS })];
    await until(() => mock.settledResults.filter(isAttached).length === 2);
    await engine.deliver();
    expect(await problemOf(await first)).toEqual({ status: 502, code: 'measurement_incomplete' });
    const [plain, stream] = await Promise.all(others);
    if (!plain || !stream) throw new Error('two requests were sent');
    expect(await problemOf(plain)).toEqual({ status: 502, code: 'measurement_incomplete' });
    expect((await eventsOf(stream)).at(-1)).toMatchObject({ data: { code: 'measurement_incomplete' } });
    expect(engine.sent).toHaveLength(30);
  });

  test('P11: nobody waits, and no stream opens, before the payment is known to be good', async () => {
    const facilitator = { isAnswering: false };
    seen.verify = async () => {
      while (!facilitator.isAnswering) await new Promise((resolve) => setTimeout(resolve, 10));
      return Response.json({ isValid: false, invalidReason: 'invalid_exact_evm_signature' });
    };
    const credential = await signedCredential('visibility_check');
    const first = buy({ credential });
    await until(() => seen.calls.verify.length === 1);
    for (const headers of [{}, EVENTS])
      expect(await problemOf(await buy({ credential, headers }))).toEqual({ status: 409, code: 'payment_in_progress' });
    facilitator.isAnswering = true;
    expect((await first).status).toBe(402);
    expect(seen.calls.verify).toHaveLength(1);
  });

  test('P11: with another body is 409, running or done', async () => {
    engine.hold = true;
    const credential = await signedCredential('visibility_check');
    const first = buy({ credential });
    await until(() => engine.sent.length === 30);
    const asked = { ...check, brand: 'Other' };
    expect(await problemOf(await buy({ credential, asked }))).toEqual({ status: 409, code: 'payment_in_progress' });
    await engine.deliver();
    expect((await first).status).toBe(200);
    expect(await problemOf(await buy({ credential, asked }))).toEqual({ status: 409, code: 'payment_already_used' });
  });

  test('after the end gets the stored bytes and asks nobody', async () => {
    const credential = await signedCredential('visibility_check');
    const first = await (await buy({ credential })).text();
    expect(await (await buy({ credential })).text()).toBe(first);
    expect(engine.sent).toHaveLength(30);
  });
});

describe('where the answer engine is gone', () => {
  const app = (engines: AppOptions['engines']) =>
    createApp({ policy: () => allowPublicOnly({ alternatePorts: true }), local: false, engines });
  type Gone = { fetch: ReturnType<typeof app>['fetch']; bindings: object };
  const unset: Gone = { fetch: app(localAnswers).fetch, bindings: { ANSWER_ENGINE: 'none' } };
  const notInTheBundle: Gone = { fetch: app({ isLocal: false, factories: {} }).fetch, bindings: {} };
  const ask = async (gone: Gone, capability: string, asked: object, credential?: string): Promise<Response> => {
    const context = createExecutionContext();
    const request = new Request(`${env.BASE_URL}/api/agent/${capability}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(credential === undefined ? {} : { 'payment-signature': credential }),
      },
      body: JSON.stringify(asked),
    });
    const answer = await gone.fetch(request, { ...env, ...gone.bindings }, context);
    await waitOnExecutionContext(context);
    return answer;
  };
  const measuring: [string, object, string][] = [
    ['visibility_check', check, '1950000'],
    ['visibility_vs_competitor', versus, '3500000'],
  ];

  test.each(measuring)('what was sold as %s is served all the same', async (capability, asked, amount) => {
    const credential = await signedCredential(capability);
    const sold = await (await buy({ capability, asked, credential })).text();
    expect(JSON.parse(sold)).toMatchObject({ payment: { amount } });
    const again = await ask(unset, capability, asked, credential);
    expect([again.status, await again.text()]).toEqual([200, sold]);
  });

  test.each(
    measuring.flatMap(([capability, asked]): [string, string, Gone, object][] => [
      [capability, 'ANSWER_ENGINE=none', unset, asked],
      [capability, 'an engine that is not in the bundle', notInTheBundle, asked],
    ]),
  )('no %s is quoted, claimed, verified or sold with %s', async (capability, _how, gone, asked) => {
    const credentials = [await signedCredential(capability), transferOnChain(seen, 3_500_000), undefined];
    for (const credential of credentials)
      expect(await problemOf(await ask(gone, capability, asked, credential))).toEqual({
        status: 503,
        code: 'engine_not_configured',
      });
    expect([await ledgerRows(), seen.calls.verify.length, engine.sent.length]).toEqual([0, 0, 0]);
  });
});

describe('P5, P27: one payment', () => {
  test('begins three measurements an hour at most when none of them can be delivered', async () => {
    engine.answer = () => failing;
    const credential = await signedCredential('visibility_check');
    const codes: string[] = [];
    for (const niche of ['tea', 'coffee', 'cocoa', 'milk'])
      codes.push((await problemOf(await buy({ credential, asked: { brand: 'Acme', niche } }))).code);
    expect(codes).toEqual([
      'measurement_incomplete',
      'measurement_incomplete',
      'measurement_incomplete',
      'too_many_failures',
    ]);
    expect(engine.asked).toHaveLength(90);
  });
});

describe('as an event stream', () => {
  test('P11: progress carries counts only until the settlement; the result comes last, with its payment', async () => {
    const answer = await buy({ headers: EVENTS });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const events = await eventsOf(answer);
    const progress = events.slice(0, -1);
    expect(progress.length).toBeGreaterThan(0);
    for (const { event, data } of progress) {
      expect(event).toBe('progress');
      expect(Object.keys(data).toSorted()).toEqual(['done', 'failed', 'total']);
    }
    expect(progress.map(({ data }) => data['done'])).toEqual(
      progress.map(({ data }) => data['done']).toSorted((a, b) => Number(a) - Number(b)),
    );
    expect(progress.at(-1)?.data).toEqual({ done: 30, failed: 0, total: 30 });
    expect(events.at(-1)).toMatchObject({
      event: 'result',
      data: { capability: 'visibility_check', payment: { amount: '1950000' }, mention_rate: { n: 30 } },
    });
  });

  test('P11: a refused settlement ends it with a problem that holds fresh terms, and no result', async () => {
    seen.settle = { success: false, errorReason: 'insufficient_funds', transaction: '', network: 'eip155:8453' };
    const events = await eventsOf(await buy({ headers: EVENTS }));
    expect(events.at(-1)).toMatchObject({
      event: 'problem',
      data: { status: 402, code: 'settlement_refused', payment_required: { x402Version: 2 } },
    });
    expect(JSON.stringify(events)).not.toContain('Rival One');
    expect(events.filter(({ event }) => event === 'result')).toEqual([]);
  });

  test('an incomplete measurement ends it with a problem', async () => {
    engine.answer = () => failing;
    const events = await eventsOf(await buy({ headers: EVENTS }));
    expect(events.at(-1)).toMatchObject({ event: 'problem', data: { status: 502, code: 'measurement_incomplete' } });
  });

  test('what is refused before the payment is good keeps its own status', async () => {
    seen.verify = { isValid: false, invalidReason: 'invalid_exact_evm_signature' };
    expect((await buy({ headers: EVENTS })).status).toBe(402);
    expect((await post({ capability: 'visibility_check', headers: EVENTS })).status).toBe(402);
    expect((await buy({ headers: EVENTS, asked: {} })).status).toBe(422);
  });

  test.each([
    ['application/json', 'application/json'],
    ['application/json, text/event-stream', 'application/json'],
    ['*/*', 'application/json'],
    ['text/event-stream; q=1', 'text/event-stream; charset=utf-8'],
  ])('Accept: %s is answered as %s', async (accept, type) => {
    const answer = await buy({ headers: { accept } });
    expect(answer.headers.get('content-type')).toBe(type);
    await answer.text();
  });

  test('any other capability streams too', async () => {
    const credential = await signedCredential();
    const answer = await post({ credential, headers: EVENTS });
    const events = await eventsOf(answer);
    expect(events[0]).toEqual({ event: 'progress', data: { done: 1 } });
    expect(events.at(-1)).toMatchObject({ event: 'result', data: { capability: 'check_health' } });
  });
});

/** Selector of `balanceOf(address)`. */
const BALANCE_OF = '0x70a08231';

/** Lets the payer have so much on the chain of a world. */
function haveBalance(on: World, microUsdc: bigint): void {
  const { rpc } = on;
  on.rpc = (method, params) =>
    method === 'eth_call' && (params[0] as { data: string }).data.startsWith(BALANCE_OF)
      ? `0x${microUsdc.toString(16).padStart(64, '0')}`
      : rpc(method, params);
}

describe('P5: engine money is spent before it is paid for', () => {
  test('so a payer has one unsettled measurement at a time', async () => {
    haveBalance(seen, 100_000_000n); // It could pay for both.
    engine.hold = true;
    const first = buy();
    await until(() => engine.sent.length === 30);
    const other = await buy();
    expect(other.headers.get('retry-after')).toBeTruthy();
    expect(await problemOf(other)).toEqual({ status: 429, code: 'too_many_in_flight' });
    await engine.deliver();
    expect((await first).status).toBe(200);
    engine.hold = false;
    expect((await buy()).status).toBe(200);
  });

  test('so neither measurement begins while the other is unsettled, and other work may', async () => {
    haveBalance(seen, 100_000_000n);
    engine.hold = true;
    const first = buy({ capability: 'visibility_vs_competitor', asked: versus });
    await until(() => engine.sent.length === 30);
    expect(await problemOf(await buy())).toEqual({ status: 429, code: 'too_many_in_flight' });
    expect((await post({ credential: await signedCredential() })).status).toBe(200);
    await engine.deliver();
    expect((await first).status).toBe(200);
    expect(engine.sent).toHaveLength(30);
  });

  test('so a balance that is held by a measurement buys nothing else, and one that is held buys no measurement', async () => {
    const gate = Promise.withResolvers<void>();
    const page = seen.site;
    seen.site = async (url) => {
      await gate.promise;
      return page(url);
    };
    const held = { status: 429, code: 'too_many_in_flight' };
    haveBalance(seen, 2_009_999n); // One micro-USDC less than 1.95 and 0.06 together.
    engine.hold = true;
    const measurement = buy();
    await until(() => engine.sent.length === 30);
    expect(await problemOf(await post({ credential: await signedCredential() }))).toEqual(held);
    expect(seen.calls.site).toEqual([]);
    await engine.deliver();
    expect((await measurement).status).toBe(200);

    const audit = post({ credential: await signedCredential() });
    await until(() => seen.calls.site.length > 0);
    expect(await problemOf(await buy())).toEqual(held);
    expect(engine.sent).toHaveLength(30); // Those of the first.
    haveBalance(seen, 2_010_000n);
    const covered = buy();
    await until(() => engine.sent.length === 60);
    gate.resolve();
    await engine.deliver();
    expect([(await audit).status, (await covered).status]).toEqual([200, 200]);
  });

  test('so above the limit of unpaid money it takes transfers only, asks no engine and keeps no claim', async () => {
    const meter = env.ENGINE_METER.getByName('engine-meter');
    expect(await meter.reserve('somebody', 4_900_000, 5_000_000)).toBe('admitted');
    const credential = await signedCredential('visibility_check');
    expect(await problemOf(await buy({ credential }))).toEqual({ status: 503, code: 'transfers_only' });
    expect([engine.sent.length, seen.calls.settle.length]).toEqual([0, 0]);
    await meter.paid('somebody');
    expect((await buy({ credential })).status).toBe(200);
  });

  test('and what is settled no longer counts', async () => {
    for (let sale = 0; sale < 3; sale += 1) expect((await buy()).status).toBe(200);
    const meter = env.ENGINE_METER.getByName('engine-meter');
    expect(await meter.reserve('all', 5_000_000, 5_000_000)).toBe('admitted');
  });

  test('while what was refused at settlement does', async () => {
    seen.settle = { success: false, errorReason: 'insufficient_funds', transaction: '', network: 'eip155:8453' };
    expect((await buy()).status).toBe(402);
    const meter = env.ENGINE_METER.getByName('engine-meter');
    expect(await meter.reserve('all', 5_000_000, 5_000_000)).toBe('full');
  });
});

describe('a body that cannot be measured is 422 with a pointer to each field, and nothing is claimed', () => {
  const long = 'x'.repeat(121);
  test.each<[string, string, object, string, readonly string[]]>([
    ['an empty brand', 'visibility_check', { ...check, brand: ' ' }, 'invalid_body', ['/brand']],
    ['a brand of signs only', 'visibility_check', { ...check, brand: '***' }, 'invalid_body', ['/brand']],
    ['names that are too long', 'visibility_check', { brand: long, niche: long }, 'invalid_body', ['/brand', '/niche']],
    ['a line break', 'visibility_check', { ...check, niche: 'a\nb' }, 'invalid_body', ['/niche']],
    ['a null character', 'visibility_check', { ...check, brand: 'A\u0000cme' }, 'invalid_body', ['/brand']],
    ['bidi marks', 'visibility_check', { ...check, niche: 'tea\u202eknow' }, 'invalid_body', ['/niche']],
    ['tag characters', 'visibility_check', { ...check, brand: 'Acme\u{e0041}' }, 'invalid_body', ['/brand']],
    ['a url', 'visibility_check', { ...check, url: 'https://a.example' }, 'invalid_body', ['']],
    [
      'the brand in the niche',
      'visibility_check',
      { brand: 'Acme', niche: 'Acme add-ons' },
      'niche_names_brand',
      ['/niche'],
    ],
    [
      'the competitor in the niche',
      'visibility_vs_competitor',
      { ...versus, niche: 'tools for Rival One users' },
      'niche_names_brand',
      ['/niche'],
    ],
    [
      'a brand against itself',
      'visibility_vs_competitor',
      { ...versus, competitor_brand: 'ACME' },
      'invalid_body',
      ['/competitor_brand'],
    ],
    ['no competitor', 'visibility_vs_competitor', check, 'invalid_body', ['/competitor_brand']],
    ['no weak spots', 'visibility_fix_pack', { ...check, weak_spots: [] }, 'invalid_body', ['/weak_spots']],
    [
      'four weak spots',
      'visibility_fix_pack',
      { ...check, weak_spots: Array.from({ length: 4 }, () => ({ topic: 'price' })) },
      'invalid_body',
      ['/weak_spots'],
    ],
    [
      'a weak spot without topic',
      'visibility_fix_pack',
      { ...check, weak_spots: [{ who_wins: 'X' }] },
      'invalid_body',
      ['/weak_spots/0/topic'],
    ],
  ])('%s', async (_what, capability, asked, code, pointers) => {
    const answer = await buy({ capability, asked });
    const problem = (await answer.json()) as { status: number; code: string; errors: { pointer: string }[] };
    expect([answer.status, problem.code]).toEqual([422, code]);
    expect(problem.errors.map(({ pointer }) => pointer)).toEqual(pointers);
    expect(await ledgerRows()).toBe(0);
    expect([seen.calls.verify.length, engine.sent.length]).toEqual([0, 0]);
  });
});

test('a fix pack is made from the weak spots of a measurement, without an engine', async () => {
  engine.answer = () => saying('1. **Rival One**: cheap.\n2. **Rival Two**: simple.');
  const { weak_spots } = (await (await buy()).json()) as { weak_spots: object[] };
  expect(weak_spots.length).toBeGreaterThan(0);
  const asked = engine.asked.length;
  const answer = await buy({ capability: 'visibility_fix_pack', asked: { ...check, weak_spots } });
  expect(answer.status).toBe(200);
  const { fixes } = (await answer.json()) as { fixes: object[] };
  expect(fixes).toHaveLength(weak_spots.length);
  expect(engine.asked).toHaveLength(asked);
});
