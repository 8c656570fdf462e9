import { describe, expect, test, vi } from 'vitest';
import { wrapBehindFront, FRONT_SECRET_HEADER } from '../../../routes/shared/front.ts';
import { getCallerAddress } from '../../../src/rate-limits/caller-counts.ts';

const SECRET = 'a-secret-of-the-front-with-32-characters';
const BASE_URL = 'https://sightline.test';
const CLIENT = '203.0.113.7';

type Asking = {
  path?: string;
  headers?: Record<string, string>;
  cf?: { colo: string };
  method?: string;
  body?: string;
};

/** Who the Worker takes the caller for, or the status and code of the refusal. */
async function seen(env: Record<string, string>, { path = '/x', cf, ...init }: Asking): Promise<unknown> {
  const worker = wrapBehindFront(async (request: Request) =>
    Response.json([getCallerAddress(request), request.headers.get(FRONT_SECRET_HEADER), await request.text()]),
  );
  const request = new Request(`${BASE_URL}${path}`, { ...init, ...(cf === undefined ? {} : { cf }) });
  const answer = await worker(request, { BASE_URL, ...env }, undefined);
  const body = (await answer.json()) as unknown;
  if (answer.status === 200) return body;
  const { code, how_to_configure: steps = [] } = body as { code: string; how_to_configure?: string[] };
  return [answer.status, code, steps.length];
}

const byPlatform = (headers: Record<string, string>): Asking => ({ headers, cf: { colo: 'FRA' } });
const MISSING = [503, 'caller_address_missing', 2];

describe('B11: the address of the caller', () => {
  test('on the platform it is the one in its own header, with nothing to set', async () => {
    const asking = byPlatform({ 'cf-connecting-ip': CLIENT });
    expect(await seen({ FRONT_SECRET: '', CALLER_ADDRESS_HEADER: '' }, asking)).toEqual([CLIENT, null, '']);
  });

  test.each<[string, Record<string, string>, Asking]>([
    ['no header', {}, { headers: {} }],
    ['a header that the client wrote', {}, { headers: { 'cf-connecting-ip': CLIENT } }],
    ['a text that is no address', {}, byPlatform({ 'cf-connecting-ip': 'direct' })],
    [
      'a header of one’s own without a secret',
      { CALLER_ADDRESS_HEADER: 'x-real-ip' },
      byPlatform({ 'x-real-ip': CLIENT }),
    ],
    ['a front that sends no address', { FRONT_SECRET: SECRET }, { headers: { [FRONT_SECRET_HEADER]: SECRET } }],
    [
      'a front that sends a list',
      { FRONT_SECRET: SECRET, CALLER_ADDRESS_HEADER: 'x-forwarded-for' },
      { headers: { [FRONT_SECRET_HEADER]: SECRET, 'x-forwarded-for': `1.1.1.1, ${CLIENT}` } },
    ],
  ])('%s: 503 with what to set', async (_what, env, asking) => {
    expect(await seen(env, asking)).toEqual(MISSING);
  });

  test.each(['', 'wrong', `${SECRET}x`, SECRET.toUpperCase()])('the secret %j is refused', async (given) => {
    const headers = { 'cf-connecting-ip': CLIENT, [FRONT_SECRET_HEADER]: given };
    expect(await seen({ FRONT_SECRET: SECRET }, { headers })).toEqual([403, 'front_secret_wrong', 0]);
    // A client can write `request.cf` where the socket has `cfBlobHeader`: beside a secret it proves nothing.
    expect(await seen({ FRONT_SECRET: SECRET }, byPlatform(headers))).toEqual([403, 'front_secret_wrong', 0]);
    expect(await seen({ FRONT_SECRET: SECRET }, byPlatform(headers))).toEqual([403, 'front_secret_wrong', 0]);
  });

  test('behind a front that proves itself the address is the one it names, the body arrives, the secret does not', async () => {
    const headers = { 'cf-connecting-ip': '6.6.6.6', 'x-real-ip': CLIENT, [FRONT_SECRET_HEADER]: SECRET };
    const asking = { headers, method: 'POST', body: 'body' };
    expect(await seen({ FRONT_SECRET: SECRET }, asking)).toEqual(['6.6.6.6', null, 'body']);
    expect(await seen({ FRONT_SECRET: SECRET, CALLER_ADDRESS_HEADER: 'X-Real-IP' }, asking)).toEqual([
      CLIENT,
      null,
      'body',
    ]);
  });

  test('health is answered to anybody', async () => {
    expect(await seen({}, { path: '/health' })).toEqual(['direct', null, '']);
  });

  test('a secret that is too short stops the deployment', async () => {
    await expect(seen({ FRONT_SECRET: 'short' }, { headers: {} })).rejects.toThrow('FRONT_SECRET');
  });

  test('what is missing is logged once, without the secret', async () => {
    vi.resetModules();
    const { wrapBehindFront: fresh } = await import('../../../routes/shared/front.ts');
    const lines = vi.spyOn(console, 'log').mockReturnValue();
    const worker = fresh(() => new Response('never'));
    for (let i = 0; i < 3; i += 1)
      await worker(
        new Request(`${BASE_URL}/x`, { headers: { [FRONT_SECRET_HEADER]: 'given' } }),
        { BASE_URL },
        undefined,
      );
    expect(lines.mock.calls).toHaveLength(1);
    expect(JSON.stringify(lines.mock.calls)).not.toContain('given');
    lines.mockRestore();
  });
});
