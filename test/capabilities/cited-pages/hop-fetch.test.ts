import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { auditCitedPages, MAX_COMPARED_PAGES } from '../../../src/capabilities/cited-pages/cited-page-audit.ts';
import { READING_LIMITS } from '../../../src/capabilities/cited-pages/reading-phase.ts';
import { collectCitationEvidence } from '../../../src/capabilities/citation-work.ts';
import { allowPublicOnly } from '../../../src/net/address-policy.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';
import { CLOCK_MS } from '../../support/audit/audit.ts';

type Answer = () => Response | Promise<Response>;

/** Tools whose wire answers by address, 404 for any other: what was dialled, and which hosts were entered, in their order. */
function openWorld(answers: Readonly<Record<string, Answer>>, { busy = [] as readonly string[], other }: World = {}) {
  const dialled: string[] = [];
  const entered: string[] = [];
  const held = new Set<string>();
  const tools: Parameters<typeof auditCitedPages>[1] = {
    clockMs: CLOCK_MS,
    nowMs: Date.now,
    leftMs: 60_000,
    guardedFetch: (_url, limits = {}) =>
      createGuardedFetch({
        fetch: async (url) => {
          if (!held.has(new URL(url).host)) throw new Error(`${url} was asked without a place`);
          dialled.push(url);
          return (answers[url] ?? other ?? (() => new Response('', { status: 404 })))();
        },
        policy: allowPublicOnly(),
        clock: Date.now,
        limits,
      }),
    atTarget: async (url, task) => {
      const { host } = new URL(url);
      if (busy.includes(host)) return { ok: false, reason: 'target_busy', detail: 'busy', retryAfterS: 60 };
      entered.push(host);
      held.add(host);
      const outcome = await task();
      held.delete(host);
      return outcome;
    },
  };
  return { tools, dialled, entered, held };
}
type World = { busy?: readonly string[]; other?: Answer };

const page = (body = '<h1>Lamps</h1><p>A lamp.</p>') =>
  new Response(body, { headers: { 'content-type': 'text/html' } });
const shows =
  (body?: string): Answer =>
  () =>
    page(body);
const says =
  (text: string): Answer =>
  () =>
    new Response(text);
const to =
  (location: string): Answer =>
  () =>
    new Response('', { status: 302, headers: { location } });
const FORBIDDEN = says('User-agent: *\nDisallow: /');

const audit = async (
  pages: Parameters<typeof auditCitedPages>[0],
  tools: Parameters<typeof auditCitedPages>[1],
): Promise<readonly string[]> =>
  (await auditCitedPages(pages, tools)).map(
    (one) => `${one.side} ${one.url} ${one.status === 'read' ? 'read' : one.reason}`,
  );
const auditOne = (url: string, tools: Parameters<typeof auditCitedPages>[1]): Promise<readonly string[]> =>
  audit({ cited: [url], own: [] }, tools);

describe('a redirect of a cited page', () => {
  test('to another host is read where that host lets us in and its robots.txt allows it', async () => {
    const { tools, dialled, entered, held } = openWorld({
      'https://cited.example/a': to('https://moved.example/b'),
      'https://moved.example/b': shows(),
    });
    expect(await auditOne('https://cited.example/a', tools)).toEqual(['cited https://cited.example/a read']);
    expect(entered).toEqual(['cited.example', 'moved.example']);
    expect(dialled.filter((url) => new URL(url).host === 'moved.example')).toEqual([
      'https://moved.example/robots.txt',
      'https://moved.example/b',
    ]);
    expect([...held]).toEqual([]);
  });

  test('to another port or scheme of its host needs no second place, but the robots.txt of that origin', async () => {
    const { tools, dialled, entered } = openWorld({
      'https://cited.example/a': to('http://cited.example/a'),
      'http://cited.example/robots.txt': FORBIDDEN,
    });
    expect(await auditOne('https://cited.example/a', tools)).toEqual([
      'cited https://cited.example/a robots_disallowed',
    ]);
    expect(dialled).not.toContain('http://cited.example/a');
    expect(entered).toEqual(['cited.example']);
  });

  test("to another host stops at that host's robots.txt", async () => {
    const { tools, dialled } = openWorld({
      'https://cited.example/a': to('https://victim.example/secret'),
      'https://victim.example/robots.txt': FORBIDDEN,
      'https://victim.example/secret': shows(),
    });
    expect(await auditOne('https://cited.example/a', tools)).toEqual([
      'cited https://cited.example/a robots_disallowed',
    ]);
    expect(dialled.filter((url) => new URL(url).host === 'victim.example')).toEqual([
      'https://victim.example/robots.txt',
    ]);
  });

  test('to a host that is busy asks nothing there', async () => {
    const { tools, dialled } = openWorld(
      { 'https://cited.example/a': to('https://victim.example/b') },
      { busy: ['victim.example'] },
    );
    expect(await auditOne('https://cited.example/a', tools)).toEqual(['cited https://cited.example/a target_busy']);
    expect(dialled.filter((url) => new URL(url).host === 'victim.example')).toEqual([]);
  });

  test('to a path of its own host that robots.txt forbids stops there', async () => {
    const { tools, dialled } = openWorld({
      'https://cited.example/robots.txt': says('User-agent: *\nDisallow: /secret'),
      'https://cited.example/a': to('/secret/b'),
      'https://cited.example/secret/b': shows(),
    });
    expect(await auditOne('https://cited.example/a', tools)).toEqual([
      'cited https://cited.example/a robots_disallowed',
    ]);
    expect(dialled).not.toContain('https://cited.example/secret/b');
  });

  test.each([
    ['in a circle', 'https://cited.example/a', 'redirect_loop'],
    ['to another scheme', 'ftp://cited.example/a', 'scheme_refused'],
    ['to no address', 'https://', 'bad_redirect'],
    ['into a private network', 'http://10.0.0.1/', 'private_target'],
  ])('%s is data', async (_name, location, reason) => {
    const { tools, dialled, entered } = openWorld({ 'https://cited.example/a': to(location) });
    expect(await auditOne('https://cited.example/a', tools)).toEqual([`cited https://cited.example/a ${reason}`]);
    expect(new Set(dialled.map((url) => new URL(url).host))).toEqual(new Set(['cited.example']));
    expect(entered).toEqual(['cited.example']);
  });

  test('from page to page ends after five', async () => {
    let hops = 0;
    const { tools } = openWorld(
      { 'https://cited.example/robots.txt': says(''), 'https://cited.example/': says('') },
      { other: () => to(`/${(hops += 1)}`)() },
    );
    expect(await auditOne('https://cited.example/a', tools)).toEqual([
      'cited https://cited.example/a too_many_redirects',
    ]);
    expect(hops).toBe(6);
  });
});

describe('a robots.txt', () => {
  test('that leads to a robots.txt of another host is read there, and decides', async () => {
    const { tools, entered } = openWorld({
      'https://cited.example/robots.txt': to('https://www.cited.example/robots.txt'),
      'https://www.cited.example/robots.txt': FORBIDDEN,
      'https://cited.example/a': shows(),
    });
    expect(await auditOne('https://cited.example/a', tools)).toEqual([
      'cited https://cited.example/a robots_disallowed',
    ]);
    expect(entered).toEqual(['cited.example', 'www.cited.example']);
  });

  test('that leads to any other path of another host asks nothing there', async () => {
    const { tools, dialled, entered } = openWorld({
      'https://cited.example/robots.txt': to('https://victim.example/secret'),
      'https://victim.example/secret': says(''),
      'https://cited.example/a': shows(),
    });
    expect(await auditOne('https://cited.example/a', tools)).toEqual([
      'cited https://cited.example/a robots_unreachable',
    ]);
    expect(dialled).toEqual(['https://cited.example/robots.txt']);
    expect(entered).toEqual(['cited.example']);
  });
});

describe("the buyer's site", () => {
  const start = 'https://own.example/';

  test('is read without its robots.txt, under each of its hosts', async () => {
    const { tools, dialled } = openWorld({
      [start]: to('https://www.own.example/'),
      'https://www.own.example/': shows(),
      'https://www.own.example/robots.txt': FORBIDDEN,
    });
    expect(await audit({ cited: [], own: [], start }, tools)).toEqual(['own https://own.example/ read']);
    expect(dialled).toContain('https://www.own.example/');
  });

  test('that leads to the site of others reads there only what they allow', async () => {
    const { tools, dialled } = openWorld({
      [start]: to('https://victim.example/'),
      'https://victim.example/robots.txt': FORBIDDEN,
      'https://victim.example/': shows(),
    });
    expect(await audit({ cited: [], own: [], start }, tools)).toEqual(['own https://own.example/ robots_disallowed']);
    expect(dialled).not.toContain('https://victim.example/');
  });

  test.each([
    ['typed without its scheme is read by http where https cannot connect', [start], 'own http://own.example/ read'],
    ['typed with its scheme is not', [], 'own https://own.example/ connection_failed'],
  ])('%s', async (_name, bareTargets, read) => {
    const fails: Answer = () => Promise.reject(new TypeError('no route'));
    const { tools } = openWorld({ [start]: fails, 'http://own.example/': shows() });
    expect(await audit({ cited: [], own: [], start }, { ...tools, bareTargets })).toEqual([read]);
  });

  test('of many hosts is read on three, the start page among them', async () => {
    const own = ['www', 'blog', 'docs', 'help', 'shop'].map((name) => `https://${name}.own.example/`);
    const { tools, entered } = openWorld(Object.fromEntries([start, ...own].map((url) => [url, shows()])));
    await audit({ cited: [], own, start }, tools);
    expect(entered.toSorted()).toEqual(['blog.own.example', 'own.example', 'www.own.example']);
  });
});

describe('what all visits take together', () => {
  test('hosts and requests are bounded, wherever sites lead', async () => {
    let moves = 0;
    const { tools, dialled, entered } = openWorld(
      {},
      { other: () => to(`https://h${(moves += 1)}.example/robots.txt`)() },
    );
    const cited = Array.from({ length: MAX_COMPARED_PAGES }, (_, at) => `https://cited${at}.example/`);
    await audit({ cited, own: [], start: 'https://own.example/' }, tools);
    expect(entered.length).toBe(READING_LIMITS.hosts);
    expect(new Set(entered).size).toBe(entered.length);
    expect(dialled.length).toBeLessThanOrEqual(READING_LIMITS.requests);
  });

  test('one host gets no more requests than its share, whichever page leads to it', async () => {
    let pages = 0;
    const { tools, dialled } = openWorld(
      {},
      { other: () => to(`https://victim.example/robots.txt?${(pages += 1)}`)() },
    );
    const cited = Array.from({ length: MAX_COMPARED_PAGES }, (_, at) => `https://cited${at}.example/`);
    await audit({ cited, own: [], start: 'https://own.example/' }, tools);
    const atVictim = dialled.filter((url) => new URL(url).host === 'victim.example');
    expect(atVictim.length).toBe(READING_LIMITS.hostRequests);
  });
});

describe('time', () => {
  /** Digests that are being made by the machine, which the clock of the test waits for. */
  const digests = new Set<object>();
  beforeEach(() => {
    vi.useFakeTimers({ now: CLOCK_MS, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const digest = crypto.subtle.digest.bind(crypto.subtle);
    vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (...given) => {
      const mine = {};
      digests.add(mine);
      return digest(...given).finally(() => digests.delete(mine));
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  /** Turns of the event loop in which streams and promises settle. */
  const TURNS = 20;
  /** Timers that a measurement may use up. */
  const MAX_TIMERS = 20_000;

  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < TURNS; quiet += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (digests.size > 0) quiet = 0;
    }
  };

  /** The result, and milliseconds that the work took by the clock of the test: it goes from timer to timer, and only when nothing else runs. */
  async function measure<T>(work: Promise<T>): Promise<{ result: T; tookMs: number }> {
    const sinceMs = Date.now();
    let tookMs: number | undefined;
    const done = work.finally(() => {
      tookMs = Date.now() - sinceMs;
    });
    for (let step = 0; step < MAX_TIMERS; step += 1) {
      await settle();
      if (tookMs !== undefined) return { result: await done, tookMs };
      await vi.advanceTimersToNextTimerAsync();
    }
    throw new Error('the work did not end');
  }

  test.each([
    ['answer after 4 s', 4_000],
    ['never answer', 500_000],
  ])('five cited sites and five hosts of the buyer that %s take no longer than is left', async (_name, waitMs) => {
    const slow: Answer = () =>
      new Promise((resolve) => {
        setTimeout(() => resolve(page()), waitMs);
      });
    const { tools, held } = openWorld({}, { other: slow });
    const hosts = [1, 2, 3, 4, 5].map((at) => `https://cited${at}.example/best`);
    const own = ['www', 'blog', 'docs', 'help', 'shop'].map((name) => `https://${name}.own.example/`);
    const sources = [...hosts, ...own].map((url) => ({ url }));
    const about = { url: 'own.example', rivals: [], seed: 'run' };
    const { nowMs: _nowMs, leftMs: _leftMs, ...ports } = tools;
    for (const leftMs of [20_000, 30_000, 60_000]) {
      const { result, tookMs } = await measure(
        collectCitationEvidence([{ index: 0, text: 'x', sources }], about, ports, leftMs),
      );
      // The last five seconds are for presenting and storing.
      expect(tookMs).toBeLessThanOrEqual(leftMs - 5_000);
      const reasons = new Set(result.pages?.map((one) => (one.status === 'read' ? 'read' : one.reason)));
      expect(reasons.size).toBeGreaterThan(0);
      expect(
        [...reasons].filter((one) => !['read', 'deadline', 'timeout', 'robots_unreachable'].includes(one)),
      ).toEqual([]);
      expect([...held]).toEqual([]);
    }
  });

  test('a page that is not reached in time says so, and its host is not entered', async () => {
    const slow: Answer = () =>
      new Promise((resolve) => {
        setTimeout(() => resolve(page()), 4_000);
      });
    const { tools, entered } = openWorld({}, { other: slow });
    const urls = [1, 2, 3, 4, 5].map((at) => `https://cited.example/${at}`);
    const { result, tookMs } = await measure(audit({ cited: urls, own: [] }, { ...tools, leftMs: 10_000 }));
    expect(tookMs).toBeLessThanOrEqual(10_000);
    expect(result).toEqual([
      'cited https://cited.example/1 read',
      ...urls.slice(1).map((url) => `cited ${url} deadline`),
    ]);
    const late = openWorld({});
    expect(await audit({ cited: urls, own: [] }, { ...late.tools, leftMs: 0 })).toEqual(
      urls.map((url) => `cited ${url} deadline`),
    );
    expect([late.entered, entered]).toEqual([[], ['cited.example']]);
  });
});
