import * as z from 'zod';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { env } from 'cloudflare:workers';
import { type Env, readSettings } from '../../../../routes/api/bindings/env.ts';
import { createWorkerHost } from '../../../../routes/api/bindings/mcp-host.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import type { SoldFacts } from '../../../../src/telemetry/request-span.ts';
import { CONTROL, signedIn, useShards } from '../../../durable-objects/authorization-world.ts';
import { AuthorizationStore } from '../../../support/workers/worker.ts';
import { accountOf, balanceOf, postPack, signedPack } from '../sales/credit-world.ts';
import { call, modern, type Rpc, rpcOf, send, type Sent, textOf, urisOf } from './world.ts';
import { settleOnChain } from '../sales/settling-chain.ts';
import { decode, PAYER, signedCredential, type World, world } from '../world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
  settleOnChain(seen);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const SITE = { url: 'https://shop.example/' };
const ALL = ['audit:run', 'credits:use'];
const path = '/mcp-account';

/** A signed-in payer: what its requests to the protected endpoint look like. */
async function holder(scope: string[] = ALL, address = PAYER) {
  const { access, clientId, userId } = await signedIn({ scope, address });
  const sent: Sent = { path, headers: { authorization: `Bearer ${access}` } };
  return { access, clientId, userId, sent };
}

async function withCredits(dollars = 5): Promise<void> {
  const bought = await postPack(dollars, { credential: await signedPack(dollars) });
  expect(bought.status).toBe(200);
}

const challengeOf = (answer: Response): string => answer.headers.get('www-authenticate') ?? '';

describe('the protected endpoint', () => {
  test('A12: without a token 401 comes before any look at a payment, and says where to get one', async () => {
    const credential = await signedCredential();
    for (const headers of [{}, { 'payment-signature': credential }]) {
      const answer = await modern('tools/call', { name: 'check_health', arguments: SITE }, { path, headers });
      expect(answer.status).toBe(401);
      expect(challengeOf(answer)).toContain(
        'resource_metadata="https://sightline.test/.well-known/oauth-protected-resource/mcp-account"',
      );
      expect(challengeOf(answer)).toContain('scope="audit:run"');
    }
    expect(seen.calls.verify).toEqual([]);
  });

  test('R1: the metadata document names this resource and its authorization server', async () => {
    const answer = await send({ path: '/.well-known/oauth-protected-resource/mcp-account', method: 'GET' });
    expect(await answer.json()).toMatchObject({
      resource: 'https://sightline.test/mcp-account',
      authorization_servers: ['https://sightline.test'],
    });
  });

  test('T1: a token in the query is refused, alone with 401 and beside the header with 400', async () => {
    const { access, sent } = await holder();
    const query = `${path}?access_token=${access}`;
    expect((await modern('tools/list', {}, { path: query })).status).toBe(401);
    expect((await modern('tools/list', {}, { ...sent, path: query })).status).toBe(400);
  });

  test.each([
    { what: 'a token for a sibling resource', token: async () => (await signedIn({ resource: CONTROL })).access },
    { what: 'garbage', token: async () => 'garbage' },
    { what: 'a refresh token', token: async () => (await signedIn()).refresh },
    { what: 'a token of 10 KB', token: async () => 'a'.repeat(10_240) },
  ])('U1: $what is 401 invalid_token', async ({ token }) => {
    const headers = { authorization: `Bearer ${await token()}` };
    const answer = await modern('tools/list', {}, { path, headers });
    expect(answer.status).toBe(401);
    expect(challengeOf(answer)).toContain('error="invalid_token"');
  });

  test('after 30 tokens that are good for nothing a caller waits; a token that was good goes on', async () => {
    const { sent } = await holder();
    const from = { 'cf-connecting-ip': '198.51.100.177' };
    const ask = async (headers: Record<string, string>) =>
      (await modern('tools/list', {}, { path, headers: { ...from, ...headers } })).status;
    const guess = (n: number) => ({ authorization: `Bearer slm_${String(n).padStart(43, 'x')}` });
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    expect(await ask({ ...sent.headers })).toBe(200);
    for (let n = 0; n < 30; n += 1) expect(await ask(guess(n))).toBe(401);
    expect(await ask(guess(30))).toBe(429);
    expect(await ask({ ...sent.headers })).toBe(200);
    expect(await ask({})).toBe(401);
    expect(await ask({ 'cf-connecting-ip': '198.51.100.178', ...guess(30) })).toBe(401);
  });

  test('B8: text that has not the form of a token locks nobody out, and a first good token gets through a locked address', async () => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    const { sent } = await holder();
    const from = { 'cf-connecting-ip': '198.51.100.179' };
    const ask = (headers: Record<string, string>) =>
      modern('tools/list', {}, { path, headers: { ...from, ...headers } });
    for (let n = 0; n < 60; n += 1) expect((await ask({ authorization: `Bearer guess${n}` })).status).toBe(401);
    for (let n = 0; n < 30; n += 1)
      expect((await ask({ authorization: `Bearer slm_${String(n).padStart(43, 'y')}` })).status).toBe(401);
    const locked = await ask({ ...sent.headers });
    expect([locked.status, locked.headers.get('retry-after')]).toEqual([429, '60']);
    clock.mockReturnValue(Date.now() + 1_000);
    expect((await ask({ ...sent.headers })).status).toBe(200);
  });

  test('B9: forged seals, and texts of the form before there were seals, lock an address without a call of any object', async () => {
    const { oldUntilMs } = await env.AUTHORIZATION_STORE.getByName('authorization').tokenKeys();
    // A year later than that, since the isolate may remember keys from another test's future.
    vi.spyOn(Date, 'now').mockReturnValue(Math.max(oldUntilMs, Date.now()) + 366 * 86_400_000);
    useShards(true);
    const { access, sent } = await holder();
    useShards(false);
    const ask = async (authorization: string, from: string) =>
      (await modern('tools/list', {}, { path, headers: { 'cf-connecting-ip': from, authorization } })).status;
    const [checked, asked] = [
      vi.spyOn(AuthorizationStore.prototype, 'validate'),
      vi.spyOn(AuthorizationStore.prototype, 'shardValidate'),
    ];
    for (let n = 0; n < 15; n += 1) {
      const seal = String(n).padStart(22, 'A');
      expect(await ask(`Bearer ${access.slice(0, -seal.length)}${seal}`, '198.51.100.181')).toBe(401);
      expect(await ask(`Bearer slm_${String(n).padStart(43, 'z')}`, '198.51.100.181')).toBe(401);
    }
    expect(await ask(`Bearer slm_${'z'.repeat(43)}`, '198.51.100.181')).toBe(429);
    expect([checked.mock.calls, asked.mock.calls]).toEqual([[], []]);
    expect(await ask(sent.headers?.['authorization'] ?? '', '198.51.100.182')).toBe(200);
    expect([checked.mock.calls.length, asked.mock.calls.length]).toEqual([0, 1]);
  });

  test('B9: calls without a token have a limit of their own, which locks out no good token', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    const { sent } = await holder();
    const from = { 'cf-connecting-ip': '198.51.100.180' };
    const ask = (headers: Record<string, string>) => send({ path, headers: { ...from, ...headers } });
    for (let n = 0; n < 600; n += 1) expect((await ask({})).status).toBe(401);
    const refused = await ask({});
    const told = ['retry-after', 'ratelimit-policy'].map((name) => refused.headers.get(name));
    expect([refused.status, ...told]).toEqual([429, '60', '"unauthenticated";q=600;w=60']);
    expect((await modern('tools/list', {}, { path, headers: { ...from, ...sent.headers } })).status).toBe(200);
  });

  test('a token good for nothing but this resource lists the same tools as the open endpoint', async () => {
    const { sent } = await holder(['audit:run']);
    const own = await rpcOf(await modern('tools/list', {}, sent));
    const namesOf = ({ result }: typeof own) =>
      z
        .array(z.object({ name: z.string(), annotations: z.object({ idempotentHint: z.boolean() }) }))
        .parse(result?.['tools']);
    const [here, there] = [namesOf(own), namesOf(await rpcOf(await modern('tools/list')))];
    expect(here.map(({ name }) => name)).toEqual(expect.arrayContaining(there.map(({ name }) => name)));
    // Each call debits, while the same call at the open endpoint is the same payment.
    const isRepeatable = (list: typeof here) =>
      list.find(({ name }) => name === 'full_audit')?.annotations.idempotentHint;
    expect([isRepeatable(here), isRepeatable(there)]).toEqual([false, true]);
  });

  test('Y6: a paid tool without credits:use is one 403 that names both scopes, before the protocol is entered', async () => {
    const { sent } = await holder(['audit:run']);
    const answer = await modern('tools/call', { name: 'check_health', arguments: SITE }, sent);
    expect(answer.status).toBe(403);
    expect(challengeOf(answer)).toContain('error="insufficient_scope"');
    expect(challengeOf(answer)).toContain('scope="audit:run credits:use"');
    expect(challengeOf(answer)).toContain('resource_metadata=');
  });

  test('Y6: the free tool and resources need the base scope alone', async () => {
    const { sent } = await holder(['audit:run']);
    expect((await call('index', {}, sent)).isError).toBeUndefined();
    expect((await modern('resources/list', {}, sent)).status).toBe(200);
  });

  test('R5: a token without the base scope is 403', async () => {
    const { sent } = await holder(['credits:use']);
    const answer = await modern('tools/list', {}, sent);
    expect(answer.status).toBe(403);
    expect(challengeOf(answer)).toContain('insufficient_scope');
  });

  test('P6: with both scopes a call is paid from credits, once, and its report is in the own list', async () => {
    await withCredits();
    const { sent, userId } = await holder();
    const result = await call('check_health', SITE, sent);
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent['payment']).toMatchObject({ method: 'credits', amount: '60000' });
    expect(await balanceOf()).toBe(4_940_000);
    expect(seen.calls.settle).toHaveLength(1); // The pack's own.
    expect((await accountOf(PAYER)).id).toBe(userId);

    const list = await rpcOf(await modern('resources/list', {}, sent));
    const uri = `sightline://reports/${String(result.structuredContent['report_id'])}`;
    expect(urisOf(list)).toEqual(['sightline://catalogue', uri]);
    expect(list.result).toMatchObject({ cacheScope: 'private' }); // Y5
    const read = await rpcOf(await modern('resources/read', { uri }, sent));
    expect(read.result).toMatchObject({ cacheScope: 'private' });
  });

  test('A6: no one sees the reports of another subject', async () => {
    await withCredits();
    await call('check_health', SITE, (await holder()).sent);
    const other = await holder(ALL, `0x${'22'.repeat(20)}`);
    const list = await rpcOf(await modern('resources/list', {}, other.sent));
    expect(list.result?.['resources']).toHaveLength(1);
  });

  test('P6: the same idempotency key and arguments are one debit and one answer', async () => {
    await withCredits();
    const { sent } = await holder();
    const meta = { 'sightline/idempotency-key': 'audit-of-monday' };
    const first = await call('check_health', SITE, { ...sent, meta });
    const second = await call('check_health', SITE, { ...sent, meta });
    expect(second).toEqual(first);
    expect(await balanceOf()).toBe(4_940_000);
    const other = await call('check_health', { url: 'https://other.example/' }, { ...sent, meta });
    expect(other.structuredContent).toMatchObject({ code: 'idempotency_key_reused' });
  });

  test('P6: a header Idempotency-Key names a call too, plain or quoted, and the same as in _meta', async () => {
    await withCredits();
    const { sent } = await holder();
    const named = (header: string) => ({ ...sent, headers: { ...sent.headers, 'idempotency-key': header } });
    const meta = { 'sightline/idempotency-key': 'audit-of-monday' };
    const first = await call('check_health', SITE, named('audit-of-monday'));
    expect(await call('check_health', SITE, named('"audit-of-monday"'))).toEqual(first);
    expect(await call('check_health', SITE, { ...sent, meta })).toEqual(first);
    expect(await call('check_health', SITE, { ...named('audit-of-monday'), meta })).toEqual(first);
    expect(await balanceOf()).toBe(4_940_000);
  });

  test.each<[string, { key?: unknown; header?: string }]>([
    ['a number', { key: 7 }],
    ['null', { key: null }],
    ['an object', { key: { id: 'a' } }],
    ['an empty text', { key: '' }],
    ['256 characters', { key: 'k'.repeat(256) }],
    ['a line break', { key: 'a\nb' }],
    ['characters beyond ASCII', { key: 'm\u00e4rz' }],
    ['an empty quoted header', { header: '""' }],
    ['a header of 256 characters', { header: 'k'.repeat(256) }],
    ['another name in the header', { key: 'a', header: 'b' }],
    ['a bad name in _meta beside a good header', { key: 7, header: '7' }],
  ])('P6: an idempotency key that is %s is refused with 422, and nothing is read or charged', async (_what, given) => {
    await withCredits();
    const { sent } = await holder();
    const { key, header } = given;
    const before = seen.calls.site.length;
    const result = await call('check_health', SITE, {
      ...sent,
      headers: { ...sent.headers, ...(header === undefined ? {} : { 'idempotency-key': header }) },
      ...(key === undefined ? {} : { meta: { 'sightline/idempotency-key': key } }),
    });
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toMatchObject({ status: 422, code: 'idempotency_key_invalid' });
    expect(seen.calls.site).toHaveLength(before);
    expect(await balanceOf()).toBe(5_000_000);
  });

  test('P6: a name of 255 characters is one', async () => {
    await withCredits();
    const { sent } = await holder();
    const meta = { 'sightline/idempotency-key': ' ~'.repeat(127) + 'k' };
    const first = await call('check_health', SITE, { ...sent, meta });
    expect(first.isError).toBeUndefined();
    expect(await call('check_health', SITE, { ...sent, meta })).toEqual(first);
    expect(await balanceOf()).toBe(4_940_000);
  });

  test('B8, P27: failures count by account, and not by the address that accounts share', async () => {
    await withCredits();
    const { site } = seen;
    seen.site = () => Promise.reject(new TypeError('no such host'));
    const from = (sent: Sent): Sent => ({ ...sent, headers: { ...sent.headers, 'cf-connecting-ip': '198.51.100.77' } });
    const { sent } = await holder();
    for (let at = 0; at < 20; at += 1)
      expect((await call('check_health', SITE, from(sent))).structuredContent).toMatchObject({
        code: 'target_unreachable',
      });
    seen.site = site;
    const other = await holder(ALL, `0x${'22'.repeat(20)}`);
    expect((await call('check_health', SITE, from(sent))).structuredContent).toMatchObject({
      code: 'too_many_failures',
    });
    // An account behind the same address waits for nobody's failures but its own.
    expect((await call('check_health', SITE, from(other.sent))).structuredContent).toMatchObject({
      code: 'insufficient_credits',
    });
  });

  test('A5: a request whose body comes after the revocation spends nothing', async () => {
    await withCredits();
    const { sent, clientId } = await holder();
    const { object } = await accountOf(PAYER);
    const real = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(real + 60_000);
    await object.releaseClient(clientId); // The account's clock is past the check of the token.
    vi.spyOn(Date, 'now').mockReturnValue(real);
    const result = await call('check_health', SITE, sent);
    expect(result.structuredContent).toMatchObject({ status: 403, code: 'client_revoked' });
    vi.spyOn(Date, 'now').mockReturnValue(real + 60_001);
    expect((await call('check_health', SITE, sent)).isError).toBeUndefined();
    expect(await balanceOf()).toBe(4_940_000);
  });

  test('P6: a call that brings an x402 payment never debits credits', async () => {
    await withCredits();
    const { sent } = await holder();
    const meta = { 'x402/payment': decode(await signedCredential()) };
    const result = await call('check_health', SITE, { ...sent, meta });
    expect(result._meta['x402/payment-response']).toMatchObject({ success: true });
    expect(await balanceOf()).toBe(5_000_000);
  });

  test('P6: a payment that does not do is refused and credits stay untouched', async () => {
    await withCredits();
    const { sent } = await holder();
    seen.verify = { isValid: false, invalidReason: 'insufficient_funds', payer: PAYER };
    const result = await call('check_health', SITE, {
      ...sent,
      meta: { 'x402/payment': decode(await signedCredential()) },
    });
    expect(result.structuredContent).toMatchObject({ x402Version: 2, code: 'insufficient_funds' });
    expect(await balanceOf()).toBe(5_000_000);
  });

  test('Y6: a payment of its own needs no scope for credits', async () => {
    const { sent } = await holder(['audit:run']);
    const result = await call('check_health', SITE, {
      ...sent,
      meta: { 'x402/payment': decode(await signedCredential()) },
    });
    expect(result.isError).toBeUndefined();
  });

  test('P6: X-PAYMENT of version 1 is refused by name, and credits stay untouched', async () => {
    await withCredits();
    for (const scope of [ALL, ['audit:run']]) {
      const { sent } = await holder(scope);
      const headers = { ...sent.headers, 'x-payment': 'e30=' };
      const result = await call('check_health', SITE, { ...sent, headers });
      expect(result.structuredContent).toMatchObject({ code: 'invalid_payload' });
      expect(textOf(result)).toContain('Only x402 version 2 is accepted');
    }
    expect(await balanceOf()).toBe(5_000_000);
  });

  test('Y6: who spends credits looks at the scope itself', async () => {
    await withCredits();
    const { userId: id, clientId } = await holder(['audit:run']);
    const account = { id, clientId, scopes: ['audit:run'], authorizedAtMs: Date.now() };
    const from = {
      endpoint: 'account',
      caller: 'c',
      requestId: 'r',
      isOwnAudit: false,
      hasVersion1Header: false,
    } as const;
    const bindings = env as unknown as Env; // The same, under the types of the Worker.
    const scope = { env: bindings, settings: readSettings(bindings), requestId: 'r', waitUntil: () => undefined };
    const options = { engines: { isLocal: false, factories: {} }, policy: () => allowPublicOnly(), local: false };
    const noteCall = vi.fn<(sold: SoldFacts) => void>();
    const host = createWorkerHost({ scope, options, from: { ...from, account }, noteCall });
    const result = await host.callTool({ name: 'check_health', arguments: SITE, meta: {} });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'insufficient_scope', status: 403 } });
    expect(noteCall).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ status: 403 }));
    expect(await balanceOf()).toBe(5_000_000);
    expect(seen.calls.site).toEqual([]);
  });

  test('an empty balance says so, and nothing is read or charged', async () => {
    const { sent } = await holder();
    const result = await call('check_health', SITE, sent);
    expect(result.structuredContent).toMatchObject({ code: 'insufficient_credits', status: 409 });
    expect(textOf(result)).toContain('0.060000');
    expect(seen.calls.site).toEqual([]);
  });

  test('R6: the token reaches no session object and no log', async () => {
    const { access, sent } = await holder();
    await call('index', {}, sent);
    await call('check_health', SITE, sent);
    expect(seen.logs.join('\n')).not.toContain(access);
  });
});

describe('sessions at the protected endpoint', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
  };
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

  test('A7: a session is no authentication: each request needs a token, of the same subject', async () => {
    const { sent } = await holder();
    const begun = await send({ ...sent, body: initialize });
    const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
    expect((await rpcOf(begun)).result).toMatchObject({ protocolVersion: '2025-06-18' });
    const answers = {
      own: await send({ ...sent, headers: { ...sent.headers, ...session }, body: list }),
      noToken: await send({ path, headers: session, body: list }),
      open: await send({ headers: session, body: list }),
      stranger: await send({
        ...sent,
        headers: { ...(await holder(ALL, `0x${'33'.repeat(20)}`)).sent.headers, ...session },
        body: list,
      }),
    };
    const statuses = Object.entries(answers).map(([who, { status }]) => [who, status]);
    expect(Object.fromEntries(statuses)).toEqual({ own: 200, noToken: 401, open: 404, stranger: 404 });
    for (const answer of Object.values(answers)) await answer.body?.cancel();
  });

  test('P6: a call in a session is paid from the credits of the token that came with it', async () => {
    await withCredits();
    const { sent } = await holder();
    const begun = await send({ ...sent, body: initialize });
    const headers = { ...sent.headers, 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
    const body = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'check_health', arguments: SITE } };
    const { result }: Rpc = await rpcOf(await send({ ...sent, headers, body }));
    expect(result?.['structuredContent']).toMatchObject({ payment: { method: 'credits' } });
    expect(await balanceOf()).toBe(4_940_000);
    const poor = await holder(['audit:run']);
    const refused = await send({ ...poor.sent, headers: { ...headers, ...poor.sent.headers }, body });
    expect(refused.status).toBe(403);
  });
});
