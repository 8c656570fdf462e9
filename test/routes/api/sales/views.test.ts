import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { get, ledgerRows, post, problemOf, signedCredential, type World, world } from '../world.ts';
import { buy as measure, engineWorld } from './engine-world.ts';
import { settleOnChain } from './settling-chain.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const AUDIT = '/api/agent/full_audit';

describe('a purchase is read in the view that its buyer asks for', () => {
  test('P2: one payment is one sale, whatever the view of each repeat', async () => {
    const credential = await signedCredential('full_audit');
    const buy = (query: string, headers: Record<string, string> = {}) =>
      post({ path: `${AUDIT}${query}`, credential, headers });
    const full = await buy('');
    const whole = (await full.json()) as Record<string, unknown>;
    const summary = await buy('?view=summary');
    const minimal = await buy('', { prefer: 'return=minimal' });
    const part = await buy('?view=summary&fields=report_id,payment/amount');
    expect([full, summary, minimal, part].map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(seen.calls.settle).toHaveLength(1);
    const small = (await summary.json()) as Record<string, unknown>;
    expect(small).toMatchObject({
      view: 'summary',
      report_id: whole['report_id'],
      report_url: whole['report_url'],
      publish_token: whole['publish_token'],
      payment: whole['payment'],
    });
    expect(await minimal.json()).toEqual(small);
    expect(minimal.headers.get('preference-applied')).toBe('return=minimal');
    expect(await part.json()).toEqual({ report_id: whole['report_id'], payment: { amount: '350000' } });
    expect(full.headers.get('link')).toBe(`<${String(whole['report_url'])}>; rel="alternate"; type="text/html"`);
    expect(full.headers.get('payment-response')).not.toBeNull();
  });

  test('a stream ends with the same view', async () => {
    const credential = await signedCredential('full_audit');
    const answer = await post({ path: `${AUDIT}?view=summary`, credential, headers: { accept: 'text/event-stream' } });
    const data = /^event: result\r?\ndata: (.*)$/m.exec(await answer.text())?.[1] ?? '{}';
    expect(JSON.parse(data)).toMatchObject({ view: 'summary', capability: 'full_audit' });
  });

  test.each([
    ['?view=tiny', 'invalid_view'],
    ['?fields=a(', 'invalid_fields'],
  ])('P1: %s is refused before the payment is touched, which is good afterwards', async (query, code) => {
    const credential = await signedCredential('full_audit');
    const rows = await ledgerRows();
    expect(await problemOf(await post({ path: `${AUDIT}${query}`, credential }))).toEqual({ status: 400, code });
    expect({ rows: await ledgerRows(), verified: seen.calls.verify.length }).toEqual({ rows, verified: 0 });
    expect((await post({ path: AUDIT, credential })).status).toBe(200);
  });

  test('without a payment the answer is the terms, whatever view is asked for', async () => {
    expect((await post({ path: `${AUDIT}?view=tiny` })).status).toBe(402);
  });
});

test('the answers behind a measurement and what they cite are sections of its report', async () => {
  engineWorld();
  settleOnChain(seen);
  const { report_id: id } = (await (await measure()).json()) as { report_id: string };
  const answers = (await (await get(`/reports/${id}/sections/answers`)).json()) as { total: number; items: object[] };
  expect(answers.total).toBe(30);
  expect(answers.items[0]).toMatchObject({ index: 0, status: 'answered', prompt: expect.any(String) as string });
  const failed = (await (await get(`/reports/${id}/sections/answers?status=failed`)).json()) as { total: number };
  expect(failed.total).toBe(0);
  const summary = (await (await get(`/reports/${id}.json?view=summary`)).json()) as { measurement: object };
  expect(summary.measurement).toMatchObject({ total: 30 });
});
