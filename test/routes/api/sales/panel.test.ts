import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PaymentLedger } from '../../../../durable-objects/payment-ledger.ts';
import { createApp } from '../../../../routes/api/app.ts';
import type { Env } from '../../../../routes/api/bindings/env.ts';
import { findPanel } from '../../../../src/capabilities/panels.ts';
import { panelResult } from '../../../../src/capabilities/panel-results.ts';
import { RUBRIC_VERSION } from '../../../../src/audit/core/rubric-version.ts';
import { resultSummary } from '../../../../src/results/summary-shape.ts';
import { parsePanelRecording } from '../../../../src/capabilities/panel-recording.ts';
import { presentPanel } from '../../../../src/capabilities/panel-presenter.ts';
import type { EngineAnswer } from '../../../../src/models/port.ts';
import { localAnswers } from '../../../../src/models/registry-local.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { engineWorld, type EngineWorld, failing, saying, until } from './engine-world.ts';
import { balanceOf, call, postPack, signedPack } from './credit-world.ts';
import { settleOnChain } from './settling-chain.ts';
import { ledgerRows, problemOf, signedCredential, type World, world } from '../world.ts';

const names = ['alpha', 'beta', 'gamma', 'delta'];
const ENGINES = {
  ANSWER_ENGINES: JSON.stringify(
    names.map((name) => ({
      name,
      kind: 'simulated',
      model: `m-${name}`,
      usd_per_run: 0.1,
      web_search: name === 'beta',
    })),
  ),
};
const body = { brand: 'Acme', niche: 'help desk software' };
const app = createApp({ policy: () => allowPublicOnly({ alternatePorts: true }), local: false, engines: localAnswers });

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

let callers = 0;

async function ask(
  path: string,
  { asked = body, credential, bindings = ENGINES }: { asked?: object; credential?: string; bindings?: object } = {},
): Promise<Response> {
  callers += 1;
  const context = createExecutionContext();
  const request = new Request(`${env.BASE_URL}${path}`, {
    method: path.startsWith('/api/panels') ? 'POST' : 'GET',
    headers: {
      'content-type': 'application/json',
      'cf-connecting-ip': `203.0.113.${callers % 250}`,
      ...(credential === undefined ? {} : { 'payment-signature': credential }),
    },
    ...(path.startsWith('/api/panels') ? { body: JSON.stringify(asked) } : {}),
  });
  const answer = await app.fetch(request, { ...env, ...bindings }, context);
  await waitOnExecutionContext(context);
  return answer;
}

const FOUR = '/api/panels/visibility_panel_4';
const TWO = '/api/panels/visibility_panel_2';
const pay = async (path: string): Promise<string> => signedCredential('panel', { quote: await ask(path) });

async function buyPanel(path = FOUR, asked: object = body) {
  const answer = await ask(path, { asked, credential: await pay(path) });
  expect(answer.status).toBe(200);
  const json: unknown = await answer.json();
  return { json: json as Record<string, unknown> & { report_id: string }, result: panelResult.parse(json) };
}

describe('a panel', () => {
  test('of four asks each engine the same 30 prompts, and says each by itself and all together', async () => {
    const { json, result } = await buyPanel();
    expect(engine.sent).toHaveLength(120);
    expect(new Set(engine.sent.map((message) => message.engine))).toEqual(new Set(names));
    expect(result.engines.map(({ name, status }) => [name, status])).toEqual(names.map((name) => [name, 'measured']));
    expect(result.engines.map(({ web_search: search }) => search)).toEqual([false, true, false, false]);
    expect(result.pooled).toMatchObject({ engines: 4, mention_rate: { value: 1, high: 1, n: 120 } });
    expect(result.differences).toHaveLength(6);
    expect(result.prompts.asked[0]?.answers.map((one) => [one.engine, one.status])).toEqual(
      names.map((name) => [name, 'answered']),
    );
    expect(json['payment']).toMatchObject({ amount: '6500000' });
  });

  test('of two costs 3.50 USD and asks the first two engines, or those that are named', async () => {
    const first = await buyPanel(TWO);
    expect(first.result.engines.map(({ name }) => name)).toEqual(['alpha', 'beta']);
    expect(first.json['payment']).toMatchObject({ amount: '3500000' });
    const chosen = await buyPanel(TWO, { ...body, engines: ['delta', 'beta'] });
    expect(chosen.result.engines.map(({ name }) => name)).toEqual(['delta', 'beta']);
  });

  test('is delivered again, byte for byte, for the same payment, and is made again from its recording', async () => {
    const credential = await pay(TWO);
    const sold = await (await ask(TWO, { credential })).text();
    expect(await (await ask(TWO, { credential })).text()).toBe(sold);
    expect(engine.sent).toHaveLength(60);
    const {
      report_id: id,
      engines,
      ...rest
    } = JSON.parse(sold) as { report_id: string; engines: { run_id: string }[] };
    const kept = await ask(`/runs/${engines[1]?.run_id ?? ''}.json`);
    expect(kept.status).toBe(200);
    const read = await parsePanelRecording(await kept.json());
    if (!read.ok) throw new Error(read.detail);
    const again = await presentPanel(read.recording);
    if (!again.ok) throw new Error(again.detail);
    expect(JSON.stringify(again.result['engines'])).toBe(JSON.stringify(engines));
    expect(rest).toMatchObject(JSON.parse(JSON.stringify({ ...again.result, engines: undefined })));
    expect((await ask(`/reports/${id}`)).status).toBe(200);
  });

  test('compares with the brands that are named, on the same answers', async () => {
    engine.answer = () => saying('1. **Rival One**: a fine choice.\n2. **Rival Two**: also good.');
    const { result } = await buyPanel(TWO, { ...body, competitors: ['Rival One', 'Nobody Knows'] });
    expect(result.pooled.competitors).toMatchObject([
      { name: 'Rival One', verdict: 'competitor', difference: -1 },
      { name: 'Nobody Knows', verdict: 'too_close_to_call', difference: 0 },
    ]);
  });
});

describe('the sources of a panel', () => {
  const citing: EngineAnswer = {
    ...saying('1. **Acme**: a fine choice.'),
    citations: ['https://shop.example/about?utm_source=chat', 'https://press.example/best'],
    sources: [
      { url: 'https://shop.example/about?utm_source=chat', title: 'About Acme', spans: [[0, 27]] },
      { url: 'https://press.example/best' },
    ],
  };

  test("are counted by address, and the brand's site is held against the pages that are cited", async () => {
    engine.answer = () => citing;
    const { result } = await buyPanel(TWO, { ...body, site: 'shop.example' });
    expect(result.citations).toMatchObject({
      own: { domain: 'shop.example', rate: { value: 1, n: 60 } },
      pages: expect.arrayContaining([expect.objectContaining({ url: 'https://shop.example/about', kind: 'own' })]),
    });
    expect(result.citations?.page_checks?.pages.map(({ side }) => side)).toContain('own');
    expect(seen.calls.site.length).toBeGreaterThan(0);
    const kept = await ask(`/runs/${result.engines[0]?.run_id ?? ''}.json`);
    const read = await parsePanelRecording(await kept.json());
    if (!read.ok) throw new Error(read.detail);
    expect(read.recording.citations.rubric?.version).toBe(RUBRIC_VERSION);
    const again = await presentPanel(read.recording);
    expect(again.ok && JSON.stringify(again.result['citations'])).toBe(JSON.stringify(result.citations));
  });

  test('are compared with nothing where no site is named, and the result says so', async () => {
    engine.answer = () => citing;
    const { result } = await buyPanel(TWO);
    expect(result.citations).toMatchObject({ page_checks: null, page_checks_reason: 'no_site' });
    expect(seen.calls.site).toEqual([]);
  });

  test('are "not measured" where no engine gives any, and nothing is read then', async () => {
    const { result } = await buyPanel(TWO, { ...body, site: 'shop.example' });
    expect(result.citations).toBeNull();
    expect(seen.calls.site).toEqual([]);
  });

  test('of a panel that is not sold are not read', async () => {
    engine.answer = (_prompt, name) => (name === 'alpha' ? failing : citing);
    const refused = await ask(TWO, { asked: { ...body, site: 'shop.example' }, credential: await pay(TWO) });
    expect(refused.status).toBe(502);
    expect(seen.calls.site).toEqual([]);
  });
});

describe('where an engine fails', () => {
  const breakOne = (): void => {
    engine.answer = (_prompt, name) => (name === 'alpha' ? failing : saying('1. **Acme**: a fine choice.'));
  };

  test('nothing is charged, and the same payment can be used again', async () => {
    breakOne();
    const credential = await pay(TWO);
    const refused = await ask(TWO, { credential });
    expect(await problemOf(refused)).toEqual({ status: 502, code: 'measurement_incomplete' });
    expect(seen.calls.settle).toEqual([]);
    engine.answer = () => saying('1. **Acme**: a fine choice.');
    expect((await ask(TWO, { credential })).status).toBe(200);
    // The engine that had answered is not asked again.
    expect(engine.sent).toHaveLength(90);
  });

  test('what there is is delivered to who took that in advance, and the answer names what is missing', async () => {
    breakOne();
    const { result, json } = await buyPanel(TWO, { ...body, allow_partial: true });
    expect(result.degraded).toBe(true);
    expect(result.engines.map(({ status }) => status).toSorted()).toEqual(['measured', 'unavailable']);
    expect(result.pooled.engines).toBe(1);
    expect(result.notes.join(' ')).toContain('not measured');
    expect(json['payment']).toMatchObject({ amount: '3500000' });
  });

  test('in all of them nothing is sold, whatever was agreed', async () => {
    engine.answer = () => failing;
    const refused = await ask(TWO, { asked: { ...body, allow_partial: true }, credential: await pay(TWO) });
    expect(await problemOf(refused)).toEqual({ status: 502, code: 'measurement_incomplete' });
  });
});

test('what was sold is delivered again although one of its engines is gone; nothing new is sold with it', async () => {
  const asked = { ...body, engines: ['alpha', 'beta'] };
  const credential = await pay(TWO);
  const sold = await (await ask(TWO, { asked, credential })).text();
  const fewer = { ANSWER_ENGINES: JSON.stringify(JSON.parse(ENGINES.ANSWER_ENGINES).slice(1)) };
  const repeat = await ask(TWO, { asked, credential, bindings: fewer });
  expect(repeat.status).toBe(200);
  expect(await repeat.text()).toBe(sold);
  const another = await pay(TWO);
  expect(await problemOf(await ask(TWO, { asked, credential: another, bindings: fewer }))).toEqual({
    status: 422,
    code: 'invalid_body',
  });
  expect(engine.sent).toHaveLength(60);
  expect(seen.calls.settle).toHaveLength(1);
});

describe('a repeat of a payment whose panel is running', () => {
  const attachWhileRunning = async (asked: object, answersOfFirst: number) => {
    let failures = 30 - answersOfFirst;
    engine.answer = (_prompt, name) => {
      if (name !== 'alpha' || failures === 0) return saying('1. **Acme**: a fine choice.');
      failures -= 1;
      return failing;
    };
    engine.hold = true;
    const credential = await pay(TWO);
    const first = ask(TWO, { asked, credential });
    await until(() => engine.sent.length === 60);
    const { mock } = vi.spyOn(PaymentLedger.prototype, 'claim');
    const repeat = ask(TWO, { asked, credential });
    await until(() => mock.settledResults.length > 0);
    await engine.deliver();
    return Promise.all([first, repeat]);
  };

  test('attaches, and gets the same bytes although one engine is missing and that was agreed', async () => {
    const [first, repeat] = await attachWhileRunning({ ...body, allow_partial: true }, 0);
    expect([first.status, repeat.status]).toEqual([200, 200]);
    expect(await repeat.text()).toBe(await first.text());
    expect(engine.sent).toHaveLength(60);
  });

  test('gets measurement_incomplete and starts no other, although the engines together gave enough', async () => {
    for (const answer of await attachWhileRunning(body, 20))
      expect(await problemOf(answer)).toEqual({ status: 502, code: 'measurement_incomplete' });
    expect(engine.sent).toHaveLength(60);
  });
});

describe('a bought panel', () => {
  test('has a page, Markdown and answers as files', async () => {
    const { json } = await buyPanel(TWO);
    const id = json.report_id;
    const page = await ask(`/reports/${id}.html`);
    expect(page.status).toBe(200);
    const html = await page.text();
    for (const text of ['Engine by engine', 'Which engines differ', 'Each engine in full', 'Sources by address'])
      expect(html).toContain(text);
    expect(html.indexOf('Simulated engine:')).toBeLessThan(html.indexOf('named most often'));
    const markdown = await (await ask(`/reports/${id}.md`)).text();
    expect(markdown).toContain('## All figures of `beta`');
    expect((await ask(`/reports/${id}/answers.csv`)).status).toBe(200);
  });

  test('is read in each view and by section, as every other row: its figures there are those of all engines', async () => {
    const credential = await pay(TWO);
    const answer = await ask(`${TWO}?view=summary`, { credential });
    const summary = resultSummary.strict().parse(await answer.json());
    expect(summary.measurement).toMatchObject({ mention_rate: { value: 1, n: 60 }, valid: 60, total: 60 });
    expect(summary.headline).toContain('Mentioned in 100 % of 60 answers');
    expect(summary.evidence).toMatchObject({ untrusted: true, brand: 'Acme' });
    expect(summary.sections.map(({ name, count }) => [name, count])).toEqual([['answers', 60]]);
    const standard = (await (await ask(`/reports/${summary.report_id}.json?view=standard`)).json()) as object;
    expect(standard).toMatchObject({ view: 'standard', brand_report: { rivals: expect.any(Array) } });
    const page = (await (await ask(`/reports/${summary.report_id}/sections/answers`)).json()) as { items: object[] };
    expect(page.items[0]).toMatchObject({ engine: 'alpha', status: 'answered' });
  });

  test('P6: can be paid from credits, once', async () => {
    expect((await postPack(5, { credential: await signedPack(5) })).status).toBe(200);
    const row = findPanel('visibility_panel_2');
    if (row === undefined) throw new Error('no panel');
    const order = { row, args: body, idempotencyKey: 'panel-from-credits-0001' };
    const bindings = { ...env, ...ENGINES } as unknown as Env; // The same, under the types of the Worker.
    const sold = await call(order, localAnswers, bindings);
    expect(sold).toMatchObject({ kind: 'sold' });
    expect(await call(order, localAnswers, bindings)).toMatchObject({ kind: 'sold' });
    expect(engine.sent).toHaveLength(60);
    expect(await balanceOf()).toBe(1_500_000);
  });
});

describe('is not sold', () => {
  test('where fewer engines are configured than it asks: 503 before any payment', async () => {
    const two = { ANSWER_ENGINES: JSON.stringify(JSON.parse(ENGINES.ANSWER_ENGINES).slice(0, 2)) };
    expect(await problemOf(await ask(FOUR, { bindings: two }))).toEqual({ status: 503, code: 'engine_not_configured' });
    expect((await ask(TWO, { bindings: two })).status).toBe(402);
  });

  test.each([
    ['engines that are not there', { engines: ['alpha', 'omega'] }],
    ['one engine twice', { engines: ['alpha', 'alpha'] }],
    ['fewer engines than it pays for', { engines: ['alpha'] }],
    ['a competitor twice', { competitors: ['Rival', 'rival'] }],
    ['the brand as its own competitor', { competitors: ['acme'] }],
    ['a field that is none', { engine: 'alpha' }],
  ])('with %s: 422, and the payment is not touched', async (_what, fields) => {
    const credential = await pay(TWO);
    const refused = await ask(TWO, { asked: { ...body, ...fields }, credential });
    expect(await problemOf(refused)).toEqual({ status: 422, code: 'invalid_body' });
    expect(await ledgerRows()).toBe(0);
  });

  test('under another name', async () => {
    expect(await problemOf(await ask('/api/panels/visibility_panel_3'))).toEqual({ status: 404, code: 'not_found' });
  });
});

test('the free catalogue lists panels and engines by name, beside the 19', async () => {
  const index = (await (await ask('/api/agent/index')).json()) as Record<string, Record<string, unknown>>;
  expect(Object.keys(index['capabilities'] ?? {})).toHaveLength(19);
  expect(index['panels']).toMatchObject({
    visibility_panel_2: { price_usd: '3.500000', available: true },
    visibility_panel_4: { price_usd: '6.500000', available: true },
  });
  expect(index['engines']).toMatchObject([{ name: 'alpha' }, { name: 'beta', web_search: true }, {}, {}]);
});
