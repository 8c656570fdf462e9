import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { auditCitedPages } from '../../../src/capabilities/cited-pages/cited-page-audit.ts';
import { createNodeFetch } from '../../../src/cli/core/node-fetch.ts';
import type { AddressPolicy } from '../../../src/net/address-policy.ts';
import { createGuardedFetch } from '../../../src/net/guarded-fetch.ts';
import { CLOCK_MS } from '../../support/audit/audit.ts';

type Page = { status?: number; headers?: Record<string, string>; body: string };

/** What each host of the server has, by path; 404 for anything else. A host that is not named never answers. */
let hosts: Record<string, Record<string, Page>> = {};
/** `host/path` of each request that came. */
let asked: string[] = [];
let onAsked: () => void = () => undefined;
let port = 0;

function answer({ headers, url = '/' }: IncomingMessage, response: ServerResponse): void {
  const host = headers.host?.split(':')[0] ?? '';
  asked.push(`${host}${url}`);
  onAsked();
  const site = hosts[host];
  if (site === undefined) return;
  const { status = 200, headers: given = {}, body } = site[url] ?? { status: 404, body: '' };
  response.writeHead(status, { connection: 'close', ...given }).end(body);
}

const server = createServer(answer);
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  [hosts, asked, onAsked] = [{}, [], () => undefined];
});

const PAGE: Page = { headers: { 'content-type': 'text/html' }, body: '<h1>Lamps</h1><p>A lamp.</p>' };
const at = (host: string, path: string): string => `http://${host}.example:${port}${path}`;
const leadTo = (location: string): Page => ({ status: 302, headers: { location }, body: '' });
const forbid = (path: string): Page => ({ body: `User-agent: *\nDisallow: ${path}` });

/** Reads cited pages over real connections: names of the tests all lead to this machine. */
async function readCited(cited: readonly string[], leftMs: number): Promise<readonly string[]> {
  const policy: AddressPolicy = { checkUrl: () => undefined, checkAddress: () => undefined };
  const fetch = createNodeFetch(policy, async () => ['127.0.0.1']);
  const pages = await auditCitedPages(
    { cited, own: [] },
    {
      clockMs: CLOCK_MS,
      nowMs: Date.now,
      leftMs,
      guardedFetch: (_url, limits = {}) => createGuardedFetch({ fetch, policy, clock: Date.now, limits }),
      atTarget: (_url, task) => task(),
    },
  );
  return pages.map((page) => `${page.url} ${page.status === 'read' ? 'read' : page.reason}`);
}

describe('over real connections', () => {
  test.each([
    ['its own host', 'cited', '/secret/b'],
    ['another host', 'moved', '/secret/b'],
  ])('a cited page that redirects to a path of %s which robots.txt forbids is not read', async (_name, host, path) => {
    hosts = {
      'cited.example': { '/a': leadTo(at(host, path)), '/c': leadTo(at(host, '/open')) },
      'moved.example': {},
    };
    Object.assign(hosts[`${host}.example`] ?? {}, {
      '/robots.txt': forbid('/secret'),
      [path]: PAGE,
      '/open': PAGE,
    });
    expect(await readCited([at('cited', '/a'), at('cited', '/c')], 60_000)).toEqual([
      `${at('cited', '/a')} robots_disallowed`,
      `${at('cited', '/c')} read`,
    ]);
    expect(asked).toContain('cited.example/a');
    expect(asked).toContain(`${host}.example/open`);
    expect(asked).not.toContain(`${host}.example${path}`);
    expect(asked.filter((one) => one === `${host}.example/robots.txt`).length).toBe(1);
  });

  describe('by the clock of the test', () => {
    beforeEach(() => {
      vi.useFakeTimers({ now: CLOCK_MS, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    /** Turns of the event loop in a millisecond of the test, in which connections go on. */
    const TURNS = 20;
    const passOneMs = async (): Promise<void> => {
      for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(1);
    };

    test('hosts that never answer leave the others their time', async () => {
      const silent = ['mute1', 'mute2', 'mute3'].map((host) => at(host, '/'));
      const good = ['good1', 'good2'].map((host) => at(host, '/'));
      hosts = { 'good1.example': { '/': PAGE }, 'good2.example': { '/': PAGE } };
      const areAllAsked = new Promise<void>((resolve) => {
        onAsked = () => {
          if (asked.length === silent.length) resolve();
        };
      });
      const reading = readCited([...silent, ...good], 8_000);
      await areAllAsked;
      await vi.advanceTimersByTimeAsync(4_000);
      const passing = new AbortController();
      const read = reading.finally(() => passing.abort());
      while (!passing.signal.aborted) await passOneMs();
      expect(await read).toEqual([...silent.map((url) => `${url} deadline`), ...good.map((url) => `${url} read`)]);
      expect(asked.filter((one) => one.startsWith('mute'))).toEqual(
        ['mute1', 'mute2', 'mute3'].map((host) => `${host}.example/robots.txt`),
      );
    });
  });
});
