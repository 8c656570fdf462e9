import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { badge, buy } from './publish-world.ts';
import { get, world } from '../world.ts';

beforeEach(() => {
  world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const HOST = 'shop.example';

describe('GET /badge/{host}.svg', () => {
  test('X6: is an image that can load and run nothing, cached for five minutes, for every page', async () => {
    const answer = await get(`/badge/${HOST}.svg`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/svg+xml; charset=utf-8',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(answer.headers.has('set-cookie')).toBe(false);
  });

  test.each([
    'unknown.example',
    'SHOP.example.',
    'user@shop.example',
    '%00',
    '%zz',
    '..%2f..%2freports%2fx',
    '../../reports/x',
    '[::1]:8787',
    '%5B::1%5D',
    'b%C3%BCcher.example',
    '"><script>alert(1)</script>',
    '%22%3E%3Cscript%3Ealert(1)%3C/script%3E',
    'a'.repeat(300),
    'shop.example:99999',
  ])('X5: what is not published, or no host (%s), is one and the same image', async (host) => {
    const plain = await badge('nothing.example');
    expect(plain).toContain('not published');
    const answer = await get(`/badge/${host}.svg`);
    // A path that the URL parser resolves elsewhere is not ours to answer with an image.
    if (answer.status === 404)
      return expect(new URL(`https://x.test/badge/${host}.svg`).pathname).not.toMatch(/^\/badge\//);
    expect(answer.status).toBe(200);
    return expect(await answer.text()).toBe(plain);
  });

  test('shows the scores that apply, or one, in the theme that is asked for; anything else is the default', async () => {
    const { scores } = await buy({ publish: true });
    const all = await badge(HOST);
    for (const [name, word] of [
      ['aeo', 'AEO'],
      ['geo', 'GEO'],
      ['agent', 'Agent'],
    ] as const) {
      expect(all).toContain(`>${word} ${scores[name]?.score}</text>`);
      const one = await badge(HOST, `?score=${name}`);
      expect(one.match(/<text /g)).toHaveLength(2);
      expect(one).toContain(`>${word} ${scores[name]?.score}</text>`);
    }
    expect(all).not.toContain('MCP');
    expect(await badge(HOST, '?score=mcp')).toContain('>MCP n/a</text>');
    expect(await badge(HOST, '?theme=dark')).not.toBe(all);
    expect(await badge(HOST, '?theme=light')).toBe(all);
    expect(await badge(HOST, '?theme=%22%3E&score=__proto__')).toBe(all);
  });

  test('X5: is found by every spelling of its host, and by no other port', async () => {
    await buy({ publish: true });
    const all = await badge(HOST);
    for (const host of ['SHOP.Example', 'shop.example.', 'shop.example:443']) expect(await badge(host)).toBe(all);
    for (const host of ['shop.example:80', 'shop.example:8443', 'www.shop.example'])
      expect(await badge(host)).toContain('not published');
  });

  test('answers 304 to who has it, and anew after a change', async () => {
    const etag = (await get(`/badge/${HOST}.svg`)).headers.get('etag') ?? '';
    const known = await get(`/badge/${HOST}.svg`, { 'if-none-match': `"x", W/${etag}` });
    expect(known.status).toBe(304);
    expect(await known.text()).toBe('');
    await buy({ publish: true });
    expect((await get(`/badge/${HOST}.svg`, { 'if-none-match': etag })).status).toBe(200);
  });

  test('is not counted against the limit of free requests', async () => {
    vi.spyOn(env.FREE_LIMIT, 'limit').mockResolvedValue({ success: false });
    const headers = { 'cf-connecting-ip': '192.0.2.77' };
    for (let asked = 0; asked < 40; asked += 1) expect((await get(`/badge/${HOST}.svg`, headers)).status).toBe(200);
  });
});
