import { describe, expect, test } from 'vitest';
import { allowPublicOnly } from '../../src/net/address-policy.ts';
import { DEFAULT_LIMITS } from '../../src/net/fetch-budget.ts';
import { createGuardedFetch, type GuardedFetchOptions } from '../../src/net/guarded-fetch.ts';

const { foreignRequests, foreignRedirects, requests } = DEFAULT_LIMITS;

/** The audit of a made-up internet in which each host of `moves` redirects every path to another origin. */
function audit(moves: Readonly<Record<string, string>>, more: Partial<GuardedFetchOptions> = {}) {
  const asked: string[] = [];
  const fetch = createGuardedFetch({
    fetch: async (text) => {
      const url = new URL(text);
      asked.push(url.hostname);
      const to = moves[url.hostname];
      if (to === undefined) return new Response('here');
      return new Response(null, { status: 302, headers: { location: new URL(url.pathname, to).href } });
    },
    policy: allowPublicOnly(),
    clock: () => 0,
    ...more,
  });
  const visit = async (url: string): Promise<string> => {
    const fetched = await fetch({ url });
    return fetched.ok ? 'ok' : fetched.reason;
  };
  const countOf = (host: string): number => asked.filter((name) => name === host).length;
  return { visit, countOf, asked };
}

const MANY = requests / 2 + 5;

describe('F6: requests of one audit to domains that are not audited', () => {
  test('a site that redirects all its paths makes a few requests at another domain, by whatever hosts', async () => {
    const { visit, countOf } = audit({
      'a.evil.example': 'https://victim.example',
      'b.evil.example': 'https://www.victim.example',
    });
    expect(await visit('https://start.evil.example/')).toBe('ok');
    const outcomes: string[] = [];
    for (let path = 0; path < MANY / 2; path += 1)
      for (const host of ['a', 'b']) outcomes.push(await visit(`https://${host}.evil.example/${path}`));
    expect(countOf('victim.example') + countOf('www.victim.example')).toBe(foreignRedirects);
    expect(outcomes.slice(0, foreignRedirects)).toEqual(Array.from({ length: foreignRedirects }, () => 'ok'));
    expect(outcomes[foreignRedirects]).toBe('budget_exhausted');
  });

  test('what a site names at another domain is asked for more often, and not without end', async () => {
    const { visit, countOf } = audit({ 'a.example': 'https://server.other' });
    await visit('https://www.example/');
    for (let path = 0; path < MANY; path += 1) await visit(`https://mcp.server.other/${path}`);
    expect(countOf('mcp.server.other')).toBe(foreignRequests);
    expect(await visit('https://a.example/')).toBe('budget_exhausted');
    expect(countOf('server.other')).toBe(0);
  });

  test('a site that has moved as a whole is audited where it is now', async () => {
    const { visit, countOf } = audit({ 'old.example': 'https://new.example' });
    for (let path = 0; path < requests / 2; path += 1) expect(await visit(`https://old.example/${path}`)).toBe('ok');
    expect(countOf('new.example')).toBe(requests / 2);
  });

  test('it is asked once whether the audit may go on there, and nothing is read where it may not', async () => {
    const moves = { 'old.example': 'https://hop.example', 'hop.example': 'https://new.example' };
    for (const [verdict, outcome] of [
      [true, 'ok'],
      [false, 'budget_exhausted'],
    ] as const) {
      const wished: string[] = [];
      const mayMoveTo = async (url: URL): Promise<boolean> => {
        wished.push(url.href);
        return verdict;
      };
      const { visit, countOf } = audit(moves, { mayMoveTo });
      expect(await visit('https://old.example/start')).toBe(outcome);
      for (let path = 0; path < MANY; path += 1) await visit(`https://new.example/${path}`);
      expect(wished).toEqual(['https://new.example/start']);
      expect(countOf('new.example')).toBe(verdict ? MANY + 1 : foreignRequests);
    }
  });

  test('a host of the same registrable domain, and a later page elsewhere, are no move', async () => {
    const wished: string[] = [];
    const mayMoveTo = async (url: URL): Promise<boolean> => wished.push(url.href) < 0;
    const { visit } = audit(
      { 'shop.example': 'https://www.shop.example', 'pay.shop.example': 'https://bank.example' },
      { mayMoveTo },
    );
    expect(await visit('https://shop.example/')).toBe('ok');
    expect(await visit('https://pay.shop.example/')).toBe('ok');
    expect(wished).toEqual([]);
  });
});
