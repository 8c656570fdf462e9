import { fileURLToPath } from 'node:url';
import { privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { reservePort } from '../../../local/ports.ts';
import { type LocalWorker, startWorker } from '../../../local/worker.ts';

const ENTRY = fileURLToPath(new URL('../../../local/api-worker.ts', import.meta.url));
const REDIRECT = 'http://127.0.0.1:51999/callback';
const wallet = privateKeyToAccount(`0x${'f8'.repeat(32)}`);
let worker: LocalWorker;

beforeAll(async () => {
  const port = await reservePort(0, 'the api Worker', '--port');
  worker = await startWorker({ entry: ENTRY, port, bindings: { BASE_URL: `http://127.0.0.1:${port}` } });
});

afterAll(async () => {
  await worker.stop();
});

test('A11: on the local stack a person signs in and consents with cookies that plain http keeps', async () => {
  const cookies = new Map<string, string>();
  const lines: string[] = [];
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers(init.headers);
    headers.set('cookie', cookie);
    const answer = await fetch(`${worker.url}${path}`, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      lines.push(line);
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=', 2);
      cookies.set(name, value);
    }
    return answer;
  };
  const json = async (path: string, body: unknown): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await send(path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status).toBeLessThan(300);
    return answer.json();
  };

  const { nonce } = z.object({ nonce: z.string() }).parse(await json('/signin/siwe/nonce', {}));
  const message = createSiweMessage({
    address: wallet.address,
    domain: `127.0.0.1:${worker.port}`,
    uri: `${worker.url}/signin`,
    version: '1',
    chainId: 8453,
    statement: 'Sign in to Sightline. This costs nothing and sends no transaction.',
    nonce,
  });
  await json('/signin/siwe', { message, signature: await wallet.signMessage({ message }) });
  const metadata = { client_name: 'Desk', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' };
  const client = z.object({ client_id: z.string() }).parse(await json('/oauth/register', metadata));

  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    scope: 'audit:run',
    state: 'state-1',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    resource: `${worker.url}/mcp-account`,
  });
  const page = await (await send(`/authorize?${query.toString()}`)).text();
  const hidden = (name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';
  const form = { csrf: hidden('csrf'), handle: hidden('handle'), scope: 'audit:run', decision: 'allow' };
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: worker.url };
  const done = await send('/authorize', { method: 'POST', headers, body: new URLSearchParams(form).toString() });
  const back = new URL(done.headers.get('location') ?? worker.url);
  expect(`${back.origin}${back.pathname}`).toBe(REDIRECT);
  expect(back.searchParams.get('iss')).toBe(worker.url);
  expect(back.searchParams.get('code')).toMatch(/./);

  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) {
    expect(line).toMatch(/^sightline-/);
    expect(line).toContain('HttpOnly');
    expect(line).not.toMatch(/secure|__Host-/i);
  }
});
