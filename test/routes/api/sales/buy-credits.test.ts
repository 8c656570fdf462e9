import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Person, person, signInOperator, signInPayer } from '../authorization/person.ts';
import { account, world, type World } from '../world.ts';
import { accountOf, balanceOf, postPack, signedPack } from './credit-world.ts';
import { settleOnChain } from './settling-chain.ts';

let seen: World;
beforeEach(() => {
  seen = world();
  settleOnChain(seen);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const PATH = '/buy/credits';
const SITE = { url: 'https://shop.example/' };
const PRICE = 60_000;
const KEY = '0123456789abcdef0123456789abcdef';

type Signed = { browser: Person; csrf: string; account: string };

/** The payer of the tests, signed in with a browser of its own. */
async function signedIn(): Promise<Signed> {
  const browser = person();
  const { csrf, account: id } = await signInPayer(browser, account);
  return { browser, csrf, account: id };
}

async function withCredits(dollars = 5): Promise<void> {
  expect((await postPack(dollars, { credential: await signedPack(dollars) })).status).toBe(200);
}

type Changes = { order?: object; headers?: Record<string, string> };

const buy = ({ browser, csrf, account: id }: Signed, { order = {}, headers = {} }: Changes = {}): Promise<Response> =>
  browser.json(
    PATH,
    { capability: 'check_health', account: id, body: SITE, ...order },
    {
      headers: {
        accept: 'text/event-stream',
        'sec-fetch-site': 'same-origin',
        'idempotency-key': KEY,
        'x-csrf-token': csrf,
        ...headers,
      },
    },
  );

const codeOf = async (answer: Response): Promise<unknown> => {
  const { code } = (await answer.json()) as { code: string };
  return { status: answer.status, code };
};

async function resultOf(answer: Response): Promise<Record<string, unknown>> {
  expect(answer.status).toBe(200);
  const text = await answer.text();
  const data = /^event: result\ndata: (.*)$/m.exec(text)?.[1];
  if (data === undefined) throw new Error(text.slice(0, 400));
  return JSON.parse(data) as Record<string, unknown>;
}

describe('GET /buy/credits', () => {
  test('says who is signed in and what the account can spend, to pages of ours alone', async () => {
    await withCredits();
    const { browser, csrf, account: id } = await signedIn();
    const answer = await browser.get(PATH, { headers: { origin: 'https://evil.example' } });
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await answer.json()).toEqual({ account: id, csrf, balance_micro_usd: 5_000_000 });
  });

  test('without a session is 401, and makes none', async () => {
    const answer = await person().get(PATH);
    expect(await codeOf(answer)).toEqual({ status: 401, code: 'sign_in_needed' });
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

describe('POST /buy/credits', () => {
  test('P6: delivers a result, debits its price, and says where the report is', async () => {
    await withCredits();
    const result = await resultOf(await buy(await signedIn()));
    expect(result).toMatchObject({
      capability: 'check_health',
      report_id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      payment: { method: 'credits', amount: String(PRICE), balance_usd: '4.940000' },
    });
    expect(await balanceOf()).toBe(5_000_000 - PRICE);
  });

  test('P6: the same purchase again is the same report and no second debit, also at the same time', async () => {
    await withCredits();
    const signed = await signedIn();
    const [one, other] = await Promise.all([buy(signed), buy(signed)]);
    const answers = [one, other].filter(({ status }) => status === 200);
    expect(answers.length).toBeGreaterThanOrEqual(1);
    const [{ report_id: first } = {}] = await Promise.all(answers.map(resultOf));
    const again = await resultOf(await buy(signed));
    expect(again['report_id']).toBe(first);
    expect(await balanceOf()).toBe(5_000_000 - PRICE);
  });

  test('takes nothing where nothing can be delivered, and the same purchase can be asked for again', async () => {
    await withCredits();
    const signed = await signedIn();
    const { site } = seen;
    seen.site = () => Promise.reject(new TypeError('no such host'));
    expect(await (await buy(signed)).text()).toContain('target_unreachable');
    expect(await balanceOf()).toBe(5_000_000);
    seen.site = site;
    expect(await resultOf(await buy(signed))).toMatchObject({ payment: { balance_usd: '4.940000' } });
  });

  test('with too small a balance takes nothing, and says so', async () => {
    const signed = await signedIn();
    expect(await codeOf(await buy(signed))).toEqual({ status: 409, code: 'insufficient_credits' });
  });

  test('of another site, without the token of the session, or with another one is refused', async () => {
    await withCredits();
    const signed = await signedIn();
    const foreign = { status: 403, code: 'foreign_origin' };
    expect(await codeOf(await buy(signed, { headers: { 'sec-fetch-site': 'cross-site' } }))).toEqual(foreign);
    expect(await codeOf(await buy(signed, { headers: { 'sec-fetch-site': 'same-site' } }))).toEqual(foreign);
    for (const csrf of ['', 'x'.repeat(64), (await signedIn()).csrf])
      expect(await codeOf(await buy({ ...signed, csrf }))).toEqual({ status: 403, code: 'form_expired' });
    expect(await balanceOf()).toBe(5_000_000);
  });

  test.each(['payment-signature', 'x-payment'])(
    'P6: with %s debits nothing: credits are one way, a payment is another',
    async (name) => {
      await withCredits();
      const headers = { [name]: await signedPack(5) };
      expect(await codeOf(await buy(await signedIn(), { headers }))).toEqual({ status: 400, code: 'invalid_payload' });
      expect(await balanceOf()).toBe(5_000_000);
    },
  );

  test('by no one, or for another account than the one that is signed in, is refused', async () => {
    await withCredits();
    const signed = await signedIn();
    const needed = { status: 401, code: 'sign_in_needed' };
    expect(await codeOf(await buy({ ...signed, browser: person() }))).toEqual(needed);
    expect(await codeOf(await buy({ ...signed, account: 'another' }))).toEqual(needed);
    const browser = person();
    const { csrf } = await signInOperator(browser);
    expect(await codeOf(await buy({ browser, csrf, account: signed.account }))).toEqual(needed);
    expect(await balanceOf()).toBe(5_000_000);
  });

  test.each<[string, Changes, object]>([
    [
      'no name of the purchase',
      { headers: { 'idempotency-key': '' } },
      { status: 422, code: 'idempotency_key_invalid' },
    ],
    ['an unknown capability', { order: { capability: 'credits_5' } }, { status: 404, code: 'unknown_capability' }],
    ['a member too many', { order: { price: 1 } }, { status: 422, code: 'invalid_body' }],
    ['a wrong order', { order: { body: { url: 7 } } }, { status: 422, code: 'invalid_body' }],
    ['another type', { headers: { 'content-type': 'text/plain' } }, { status: 415, code: 'unsupported_media_type' }],
    ['F7: our own audit as its sender', { headers: { via: '1.1 sightline' } }, { status: 508, code: 'loop_detected' }],
  ])('with %s is refused, and nothing is reserved', async (_what, changes, problem) => {
    await withCredits();
    expect(await codeOf(await buy(await signedIn(), changes))).toEqual(problem);
    const { object } = await accountOf(account.address);
    expect(await object.view()).toMatchObject({ balanceMicroUsdc: 5_000_000, reservedMicroUsdc: 0 });
  });

  test('of a panel is known; with too few engines nothing is reserved', async () => {
    await withCredits();
    const order = { capability: 'visibility_panel_4', body: { brand: 'Acme', niche: 'help desk software' } };
    const answer = await buy(await signedIn(), { order });
    expect(await codeOf(answer)).toEqual({ status: 503, code: 'engine_not_configured' });
    expect(await balanceOf()).toBe(5_000_000);
  });

  test('A5: is a purchase of the owner: no daily limit of a client holds it back', async () => {
    await withCredits(20);
    const signed = await signedIn();
    const { object } = await accountOf(account.address);
    for (let spent = 0; spent < 2; spent += 1) {
      const reserved = await object.reserve({
        id: `earlier-${spent}`,
        fingerprint: 'f',
        capability: 'check_health',
        clientId: 'sightline:pages',
        authorizedAtMs: Date.now(),
        amountMicroUsdc: 4_000_000,
        capMicroUsdc: Number.MAX_SAFE_INTEGER,
      });
      expect(reserved.outcome).toBe('reserved');
    }
    expect(await resultOf(await buy(signed))).toMatchObject({ payment: { method: 'credits' } });
  });
});
