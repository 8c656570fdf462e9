import { exports } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';

const ORIGIN = 'https://sightline.test';
const SECRET = 'test-operator-secret-of-43-base64url-chars-0123';

const call = (path: string, init: RequestInit = {}): Promise<Response> =>
  exports.default.fetch(new Request(`${ORIGIN}${path}`, { redirect: 'manual', ...init }));

/** The headers of a program that signed in. */
async function signedIn(): Promise<Record<string, string>> {
  const answer = await call('/signin/operator', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: SECRET }),
  });
  const { csrf } = (await answer.json()) as { csrf: string };
  return { cookie: answer.headers.getSetCookie().at(-1)?.split(';', 1)[0] ?? '', 'x-csrf-token': csrf };
}

type Checkup = {
  worker: string;
  network: string;
  settings: { setting: string; severity: string; detail: string }[];
  queues: { name: string; read: boolean }[];
  dead_letters: { read: boolean; days?: unknown[] };
};

describe('GET /operator/checkup', () => {
  test('names what is unsafe, how deep the queues are, and dead letters', async () => {
    const answer = await call('/operator/checkup', { headers: await signedIn() });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    const checkup = (await answer.json()) as Checkup;
    expect(checkup).toMatchObject({ worker: 'api', network: 'eip155:8453', dead_letters: { read: true } });
    expect(checkup.queues.map(({ name }) => name)).toEqual([
      'prompts',
      'prompts, engine 2 of a panel',
      'prompts, engine 3 of a panel',
      'prompts, engine 4 of a panel',
      'prompts, undeliverable',
      'monitors',
      'monitors, undeliverable',
    ]);
    expect(checkup.settings.every(({ severity }) => severity === 'warn' || severity === 'fail')).toBe(true);
  });

  test('A4: needs the cookie of an operator and the token of its forms, and takes no bearer token', async () => {
    const { cookie = '', ...token } = await signedIn();
    for (const headers of [
      {},
      { cookie },
      token,
      { ...token, authorization: `Bearer ${SECRET}` },
      { cookie, 'x-csrf-token': 'a'.repeat(64) },
    ] as Record<string, string>[])
      expect((await call('/operator/checkup', { headers })).status).toBe(401);
  });

  test('A11: a page of another site reads nothing', async () => {
    const headers = { ...(await signedIn()), origin: 'https://evil.test' };
    expect((await call('/operator/checkup', { headers })).status).toBe(403);
  });
});
