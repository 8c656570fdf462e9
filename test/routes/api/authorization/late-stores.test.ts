import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../../../routes/api/app.ts';
import { getAuthorizationStore } from '../../../../routes/api/bindings/people-store.ts';
import { StoreUnreachable } from '../../../../src/authorization/oauth/store-wait.ts';
import { allowPublicOnly } from '../../../../src/net/address-policy.ts';
import { judgeCredential } from '../../../../src/rate-limits/token-gate.ts';
import { CLIENT_CREDENTIALS } from '../../../../src/authorization/oauth/resources.ts';
import { authorizePath } from './person.ts';
import { useWaits } from '../../../support/workers/late.ts';

const late = useWaits();
const TOKEN = `slm_${'x'.repeat(43)}`;
const app = createApp({ engines: { isLocal: false, factories: {} }, policy: () => allowPublicOnly(), local: false });

let callers = 0;
/** The Worker, with stores of accounts and tokens that never answer. */
async function call(path: string, init: RequestInit = {}): Promise<Response> {
  callers += 1;
  const headers = new Headers(init.headers);
  headers.set('cf-connecting-ip', `192.0.2.${callers}`);
  return app.request(`https://sightline.test${path}`, { ...init, headers }, { ...env, AUTHORIZATION_STORE: hang() });
}
const object = new Proxy({}, { get: () => late.never });
const hang = () => new Proxy(env.AUTHORIZATION_STORE, { get: () => () => object });
const post = (fields: Record<string, string>): RequestInit => ({ method: 'POST', body: new URLSearchParams(fields) });
const json = (body: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

const logs: string[] = [];
beforeEach(() => {
  logs.length = 0;
  vi.spyOn(console, 'log').mockImplementation((line: unknown) => void logs.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('a store that never answers is waited for five seconds', () => {
  test('a token is then neither good nor bad', async () => {
    const question = { judge: { validate: late.never }, url: 'https://control.example', caller: '192.0.2.200' };
    expect(await late.after(5_000, () => judgeCredential(`Bearer ${TOKEN}`, question))).toEqual({
      kind: 'unreachable',
    });
  });

  test('a decision, of which stores have to hear, fifteen', async () => {
    const store = getAuthorizationStore({ AUTHORIZATION_STORE: hang() });
    const error = await late.after(15_000, () =>
      store.revokeAccess('session', 'grant').catch((thrown: unknown) => thrown),
    );
    expect(error).toBeInstanceOf(StoreUnreachable);
  });

  test('a call of /mcp-account is 503, without a word about its token', async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' };
    const answer = await late.after(5_000, () => call('/mcp-account', init));
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('www-authenticate')]).toEqual([
      503,
      '1',
      null,
    ]);
  });

  test.each<[string, string, RequestInit]>([
    ['a token request', '/oauth/token', post({ grant_type: CLIENT_CREDENTIALS, client_id: 'slc_x' })],
    ['a refresh', '/oauth/token', post({ grant_type: 'refresh_token', refresh_token: 'a:b:c' })],
    ['a revocation', '/oauth/token', post({ token: `${TOKEN}.0001${'A'.repeat(22)}` })],
    ['a registration', '/oauth/register', json({ redirect_uris: ['https://app.example/callback'] })],
  ])('%s is 503 temporarily_unavailable', async (_, path, init) => {
    const answer = await late.after(5_000, () => call(path, init));
    expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('cache-control')]).toEqual([
      503,
      '1',
      'no-store',
    ]);
    expect(await answer.json()).toMatchObject({ error: 'temporarily_unavailable' });
    expect(logs.filter((line) => line.includes('token_store_unreachable'))).toHaveLength(1);
  });

  test.each<[string, string, RequestInit]>([
    ['the account page', '/account', {}],
    ['an authorization request', authorizePath('https://app.example/c'), {}],
    ['a nonce', '/signin/siwe/nonce', json({})],
  ])('%s is 503 sign_in_unavailable, for a program and as a page', async (_, path, init) => {
    const answer = await late.after(5_000, () => call(path, init));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toMatchObject({ code: 'sign_in_unavailable', retry_after_s: 5 });
    const headers = { ...(init.headers as Record<string, string> | undefined), accept: 'text/html' };
    const page = await late.after(5_000, () => call(path, { ...init, headers }));
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(logs.filter((line) => line.includes('"bug"'))).toEqual([]);
  });
});
