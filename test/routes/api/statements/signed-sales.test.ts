import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../../../routes/api/app.ts';
import type { Env } from '../../../../routes/api/bindings/env.ts';
import { localAnswers } from '../../../../src/models/registry-local.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { encodeBase64url } from '../../../../src/lib/base64url.ts';
import { verifyReport } from '../../../../src/statements/verify-report.ts';
import { settleOnChain, transferOnChain } from '../sales/settling-chain.ts';
import { decode, PAYER, signedCredential, type World, world } from '../world.ts';

const app = createApp({ policy: () => allowPublicOnly({ alternatePorts: true }), local: false, engines: localAnswers });
const seedOf = (byte: number): string => encodeBase64url(new Uint8Array(32).fill(byte));

/** Deployments over one store: without a key, with the first, with a second beside the first, and careless ones. */
const deployments = new Map<string, Env>();
function deploymentOf(settings: Record<string, string>): Env {
  const name = JSON.stringify(settings);
  const known = deployments.get(name);
  if (known !== undefined) return known;
  const bound = { ...bindings, ...settings } as unknown as Env; // The project's settings hold all that it names.
  deployments.set(name, bound);
  return bound;
}
const unsigned = {};
const first = { RESULT_SIGNING_KEY: seedOf(1) };

let seen: World;
beforeEach(() => {
  seen = world();
  settleOnChain(seen);
});
afterEach(() => {
  vi.restoreAllMocks();
});

let callers = 0;
async function send(settings: Record<string, string>, path: string, init: RequestInit = {}): Promise<Response> {
  callers += 1;
  const context = createExecutionContext();
  const headers = new Headers(init.headers);
  headers.set('cf-connecting-ip', `203.0.113.${callers % 250}`);
  const request = new Request(`${bindings.BASE_URL}${path}`, { ...init, headers });
  const answer = await app.fetch(request, deploymentOf(settings), context);
  const content = await answer.arrayBuffer();
  await waitOnExecutionContext(context);
  return new Response(content, answer);
}

type Sold = Record<string, unknown> & {
  report_id: string;
  statement: { claims: Record<string, string> };
  receipt: { claims: Record<string, string> };
};

const buy = (settings: Record<string, string>, credential: string): Promise<Response> =>
  send(settings, '/api/agent/check_health', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'payment-signature': credential },
    body: JSON.stringify({ url: 'https://shop.example/' }),
  });
const buyJson = async (settings: Record<string, string>, credential?: string): Promise<Sold> => {
  const answer = await buy(settings, credential ?? (await signedCredential()));
  expect(answer.status).toBe(200);
  return (await answer.json()) as Sold;
};
const readKeys = async (settings: Record<string, string>): Promise<string> =>
  (await send(settings, '/.well-known/jwks.json')).text();
const readReport = async (settings: Record<string, string>, id: string): Promise<Sold> =>
  (await send(settings, `/reports/${id}.json`)).json();

async function verdictOf(report: unknown, keySet: string): Promise<string | readonly string[]> {
  const found = await verifyReport({ report, keySet, issuer: new URL(bindings.BASE_URL).origin });
  return found.kind === 'unverifiable'
    ? found.reason
    : found.lines.filter(({ ok }) => ok !== true).map(({ part }) => part);
}

describe('a deployment without a key', () => {
  test('says that results and receipts are unsigned, and lists no key', async () => {
    const answer = await buy(unsigned, await signedCredential());
    const sold = (await answer.json()) as Sold;
    expect(sold).toMatchObject({ statement: 'unsigned', receipt: 'unsigned' });
    expect(decode(answer.headers.get('payment-response') ?? '')).not.toHaveProperty('extensions');
    expect(JSON.parse(await readKeys(unsigned))).toEqual({ keys: [] });
    expect(await verdictOf(sold, '{"keys":[]}')).toBe('unsigned');
    expect((await (await send(unsigned, '/delivery.json')).json()) as object).toMatchObject({ jws: null });
  });

  test('P28: reports that were stored before results were signed say so, in every form that is JSON', async () => {
    const { report_id: id } = await buyJson(first);
    const path = `reports/${id}.json`;
    const stored = await bindings.REPORTS.get(path);
    if (stored === null) throw new Error('no report is stored');
    const text = await stored.text();
    expect(text).not.toContain(PAYER);
    const { statement: _statement, ...before } = JSON.parse(text) as Sold;
    const kept = stored.customMetadata === undefined ? {} : { customMetadata: stored.customMetadata };
    await bindings.REPORTS.put(path, JSON.stringify(before), kept);
    expect(await readReport(first, id)).toEqual({ ...before, statement: 'unsigned' });
    const summary = await send(first, `/reports/${id}.json?view=summary`);
    expect(await summary.json()).toMatchObject({ view: 'summary', statement: 'unsigned' });
    const page = await send(first, `/reports/${id}.html`);
    expect(await page.text()).toContain('This report is unsigned.');
  });
});

describe('a deployment with a key', () => {
  test('signs the result that it stores and the receipt of its buyer, by either payment', async () => {
    const keys = await readKeys(first);
    const hash = transferOnChain(seen, 60_000);
    for (const [rail, credential] of [
      ['x402', await signedCredential()],
      ['transfer', hash],
    ] as const) {
      const answer = await buy(first, credential);
      const sold = (await answer.json()) as Sold;
      expect(await verdictOf(sold, keys)).toEqual([]);
      expect(sold.receipt.claims).toMatchObject({ ...sold.statement.claims, rail, payer: PAYER, amount: '60000' });
      const { receipt: _receipt, payment: _payment, report_url: _url, ...stored } = sold;
      expect(await readReport(first, sold.report_id)).toEqual(stored);
      expect(decode(answer.headers.get('payment-response') ?? '')).toMatchObject({
        extensions: { 'offer-receipt': { info: { receipt: { format: 'jws' } } } },
      });
    }
  });

  test('hashes the snapshot as its readers get it', async () => {
    const sold = await buyJson(first);
    const snapshot = await send(first, `/reports/${sold.report_id}/snapshot`);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await snapshot.arrayBuffer()));
    expect(sold.statement.claims['snapshot_sha256']).toBe(
      Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join(''),
    );
    expect(sold.statement.claims['rubric_version']).toBe((sold['rubric'] as { version: string }).version);
  });

  test('gives a repeat the same bytes, receipt included', async () => {
    const credential = await signedCredential();
    const sold = await buy(first, credential);
    const again = await buy(first, credential);
    expect(await again.text()).toBe(await sold.text());
    expect(again.headers.get('payment-response')).toBe(sold.headers.get('payment-response'));
  });

  test('serves its keys where caches may keep them, without the private halves', async () => {
    const answer = await send(first, '/.well-known/jwks.json');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    const did = await send(first, '/.well-known/did.json');
    const text = `${await answer.text()}${await did.text()}`;
    expect(text).not.toContain('"d"');
    expect(text).not.toContain(first.RESULT_SIGNING_KEY);
    expect(JSON.parse(await readKeys(first))).toMatchObject({
      keys: [{ signs: ['result-statement', 'purchase-receipt'] }, { signs: ['delivery-summary'] }],
    });
  });
});

describe('a rotation', () => {
  test('keeps reports of the old key verifiable while it is listed, and signs by the new one', async () => {
    const credential = await signedCredential();
    const old = await buyJson(first, credential);
    const retired = JSON.stringify((JSON.parse(await readKeys(first)) as { keys: unknown }).keys);
    const rotated = { RESULT_SIGNING_KEY: seedOf(2), RESULT_SIGNING_KEYS_RETIRED: retired };
    const keys = await readKeys(rotated);
    expect((JSON.parse(keys) as { keys: object[] }).keys).toHaveLength(4);
    expect(await verdictOf(await readReport(rotated, old.report_id), keys)).toEqual([]);
    expect(await verdictOf(await buyJson(rotated), keys)).toEqual([]);
    const again = await buyJson(rotated, credential);
    expect(again.report_id).toBe(old.report_id);
    expect(again.receipt.claims).toEqual(old.receipt.claims);
    expect(await verdictOf(again, keys)).toEqual([]); // Its receipt by the new key, its statement by the old one.
    const forgotten = { RESULT_SIGNING_KEY: seedOf(2) };
    expect(await verdictOf(await readReport(forgotten, old.report_id), await readKeys(forgotten))).toEqual([
      'signature',
    ]);
  });

  test.each([
    [
      'a private key among the retired ones',
      {
        RESULT_SIGNING_KEYS_RETIRED: `[{"kty":"OKP","crv":"Ed25519","x":"${'a'.repeat(43)}","d":"${'a'.repeat(43)}"}]`,
      },
    ],
    ['retired keys that are no JSON', { RESULT_SIGNING_KEYS_RETIRED: 'the old one' }],
    ['a key that is none', { RESULT_SIGNING_KEY: 'not-a-key' }],
    ['a public key in its place', { RESULT_SIGNING_KEY: `{"kty":"OKP","crv":"Ed25519","x":"${'a'.repeat(43)}"}` }],
  ])('with %s is a broken deployment: 500, and nothing is sold', async (_what, settings) => {
    expect((await send(settings, '/api/agent/index')).status).toBe(500);
  });
});

test('figures that cannot be read are 503, and never a part of them', async () => {
  const broken = { ...first, BROKEN: 'yes' };
  const bound = deploymentOf(broken) as unknown as { OPERATIONS_REGISTER: unknown };
  // As a stub of the platform does it: whatever is asked of an object that is away is a promise that is rejected.
  const away = () => Promise.reject(new Error('the object is away'));
  bound.OPERATIONS_REGISTER = { getByName: () => ({ readBooks: away, readDays: away, readDeliveryTimes: away }) };
  const answer = await send(broken, '/delivery.json');
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'ledger_unavailable' });
  expect(answer.headers.get('retry-after')).toBe('30');
});
