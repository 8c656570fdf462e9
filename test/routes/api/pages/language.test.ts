import { env, exports } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { get, world } from '../world.ts';

beforeEach(() => {
  world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const choose = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  exports.default.fetch(
    new Request(`${env.BASE_URL}/language`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
      body: new URLSearchParams(fields).toString(),
    }),
  );

describe('the language of pages', () => {
  test('is what the browser prefers, until someone chooses', async () => {
    const german = await get('/', { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' });
    expect(await german.text()).toContain('<html lang="de">');
    expect(german.headers.get('vary')).toContain('Accept-Language, Cookie');
    expect(await (await get('/', { 'accept-language': 'fr' })).text()).toContain('<html lang="en">');
    const chosen = { 'accept-language': 'de', cookie: 'sightline-language=en' };
    expect(await (await get('/', chosen)).text()).toContain('<html lang="en">');
  });

  test('is remembered, and the answer leads back to the page', async () => {
    const answer = await choose({ language: 'de', to: '/audit?url=example.com' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/audit?url=example.com');
    expect(answer.headers.get('set-cookie')).toMatch(/^sightline-language=de; .*Path=\/; .*SameSite=Lax/);
  });

  test.each([
    '//evil.example/',
    'https://evil.example/',
    String.raw`/\evil.example`,
    '/.//evil.example/',
    'javascript:alert(1)',
    'http://[',
  ])('leads to no other site: %s', async (to) => {
    expect((await choose({ language: 'de', to })).headers.get('location')).toBe('/');
  });

  test('is changed by our own page only, and to one that there is', async () => {
    expect((await choose({ language: 'de' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    const unknown = await choose({ language: 'tlh' });
    expect(unknown.status).toBe(422);
    expect(unknown.headers.get('set-cookie')).toBe(null);
  });
});
