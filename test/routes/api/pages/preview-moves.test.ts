import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PREVIEW_QUOTA } from '../../../../routes/api/pages/preview.ts';
import { DEFAULT_LIMITS } from '../../../../src/net/fetch-budget.ts';
import { TARGET_LIMITS } from '../../../../src/rate-limits/target-gate.ts';
import { gateOf } from '../gates.ts';
import { askPreview, eventsIn, fromOurPage } from './preview-world.ts';
import { HTML_PAGE, post, problemOf, signedCredential, type World, world } from '../world.ts';

let seen: World;
beforeEach(() => {
  seen = world();
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Gate = ReturnType<typeof env.TARGET_GATE.getByName>;
/** Every gate is this one, of which a test has only what it needs. */
const gateIs = (stub: unknown): void => void vi.spyOn(env.TARGET_GATE, 'getByName').mockReturnValue(stub as Gate);
const page = () => new Response(HTML_PAGE, { headers: { 'content-type': 'text/html' } });
const callsTo = (host: string): number => seen.calls.site.filter((url) => new URL(url).hostname === host).length;

/** Every host of the domain redirects all its paths, or all but its start page. */
function redirecting(domain: string, to: string, but?: string): void {
  seen.site = (url) =>
    url.hostname.endsWith(domain) && url.pathname !== but
      ? new Response(null, { status: 302, headers: { location: new URL(url.pathname, to).href } })
      : page();
}

describe('F6: a site that redirects to another domain', () => {
  test('is audited there, and takes a place in front of both hosts, which it gives back', async () => {
    redirecting('old.example', 'https://new.example/');
    const told = await eventsIn(await askPreview('https://old.example/'));
    expect(told.at(-1)?.event).toBe('result');
    expect(callsTo('new.example')).toBeGreaterThan(10);
    const gate = gateOf('new.example');
    for (let run = 1; run < TARGET_LIMITS.unpaidPerHour; run += 1) {
      expect((await gate.enter(`run ${run}`, 'unpaid')).admitted).toBe(true);
      await gate.leave(`run ${run}`);
    }
    expect((await gate.enter('one more', 'unpaid')).admitted).toBe(false);
    expect((await gate.enter('paid', 'paid')).admitted).toBe(true);
  });

  test('is refused while the other host is busy, from whatever subdomain', async () => {
    redirecting('evil.example', 'https://victim.example/');
    const gate = gateOf('victim.example');
    await gate.enter('one');
    await gate.enter('two');
    for (const name of ['a', 'b', 'c']) {
      const told = await eventsIn(await askPreview(`https://${name}.evil.example/`));
      expect(told.at(-1)).toMatchObject({
        event: 'problem',
        data: { status: 429, code: 'target_busy', retry_after_s: 10 },
      });
    }
    expect(callsTo('victim.example')).toBe(3);
    expect((await gateOf('a.evil.example').enter('next')).admitted).toBe(true);
    expect((await gateOf('a.evil.example').enter('and next')).admitted).toBe(true);
  });

  test('makes few requests there when only its start page stays', async () => {
    redirecting('evil.example', 'https://victim.example/', '/');
    await eventsIn(await askPreview('https://evil.example/'));
    expect(callsTo('victim.example')).toBe(DEFAULT_LIMITS.foreignRedirects);
  });

  test('a paid audit of it is refused alike, and nothing is charged', async () => {
    redirecting('old.example', 'https://new.example/');
    const gate = gateOf('new.example');
    await gate.enter('one');
    await gate.enter('two');
    const body = JSON.stringify({ url: 'https://old.example/' });
    const refused = await post({ body, credential: await signedCredential() });
    expect(await problemOf(refused)).toEqual({ status: 429, code: 'target_busy' });
    expect(seen.calls.settle).toEqual([]);
    expect((await gateOf('old.example').enter('x')).admitted).toBe(true);
  });
});

describe('a gate that fails after it let somebody in', () => {
  const reset = () => Promise.reject(new Error('object reset'));

  test.each([['leave'], ['keep'], ['leave', 'keep']])('spoils no result: %s %s', async (...methods) => {
    const stub = {
      recall: async () => undefined,
      enter: async () => ({ admitted: true }),
      leave: async () => undefined,
      keep: async () => undefined,
      ...Object.fromEntries(methods.map((name) => [name, reset])),
    };
    gateIs(stub);
    const told = await eventsIn(await askPreview('https://shop.example/'));
    expect(told.at(-1)?.event).toBe('result');
    for (const method of methods) expect(seen.logs.join('\n')).toContain(`"method":"target_gate.${method}"`);
  });

  test('a kept result that cannot be told again ends the stream with a problem', async () => {
    const stub = { recall: async () => ({ text: '{"cut', atMs: Date.now() }) };
    gateIs(stub);
    const told = await eventsIn(await askPreview('https://shop.example/'));
    expect(told.at(-1)).toMatchObject({ event: 'problem', data: { status: 500, code: 'internal_error' } });
  });
});

describe('who is told to wait for a host', () => {
  test('loses nothing of the own quota', async () => {
    const caller = { 'cf-connecting-ip': '203.0.113.99' };
    const ask = (url: string) => askPreview(url, { headers: fromOurPage(caller) });
    const gate = gateOf('busy.example');
    await gate.enter('one');
    await gate.enter('two');
    for (let run = 0; run < PREVIEW_QUOTA.perWindow + 1; run += 1)
      expect(await problemOf(await ask('https://busy.example/'))).toEqual({ status: 429, code: 'target_busy' });
    expect((await eventsIn(await ask('https://idle.example/'))).at(-1)?.event).toBe('result');
  });
});
