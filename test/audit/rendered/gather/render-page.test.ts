import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type BrowserOutcome,
  connectDevTools,
  type DevToolsSession,
  type OpenBrowser,
  openIsolatedPage,
} from '../../../../src/audit/rendered/gather/devtools.ts';
import { lookAtPage, RENDER_LIMITS } from '../../../../src/audit/rendered/gather/render-page.ts';
import type { SnapshotAnswer } from '../../../../src/audit/core/snapshot.ts';

const PAGE: SnapshotAnswer = {
  ok: true,
  url: 'https://acme.example/',
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<p>raw</p>',
  bodyBytes: 10,
  sha256: '',
  truncated: false,
  redirects: [],
};

type Answers = Readonly<Record<string, unknown>>;
const NEVER = new Promise<never>(() => undefined);

const seen = {
  url: PAGE.url,
  html: '<p>shown</p>',
  truncated: false,
  frames: 0,
  shadowRoots: 0,
  targets: [],
  overlays: [],
};
const usual: Answers = {
  'Page.getFrameTree': { frameTree: { frame: { id: 'main' } } },
  'Page.navigate': {},
  'Page.createIsolatedWorld': { executionContextId: 3 },
  'Runtime.evaluate': { result: { value: seen } },
};

/** A browser whose answers are given: a value, a promise, or an error that it refuses with. The page stops loading at once. */
function fake(answers: Answers = {}) {
  let closed = 0;
  const listeners = new Map<string, (params: unknown) => void>();
  const session: DevToolsSession = {
    async send(method) {
      const answer = { ...usual, ...answers }[method];
      if (answer instanceof Error) throw answer;
      if (method === 'Page.navigate')
        setTimeout(() => listeners.get('Page.frameStoppedLoading')?.({ frameId: 'main' }), 1);
      return (await answer) ?? {};
    },
    on: (event, listener) => listeners.set(event, listener),
  };
  const close = async (): Promise<void> => {
    closed += 1;
  };
  const openBrowser: OpenBrowser = async () => ({
    ok: true,
    opened: { browser: session, openPage: async () => session, close },
  });
  const fire = (event: string, params: unknown): void => listeners.get(event)?.(params);
  return { openBrowser, fire, closed: () => closed, close };
}

const fetch = async () => Promise.reject(new Error('not asked'));

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

async function look(openBrowser: OpenBrowser) {
  const looking = lookAtPage(PAGE, { openBrowser, fetch });
  await vi.advanceTimersByTimeAsync(RENDER_LIMITS.openMs + RENDER_LIMITS.pageMs + 1);
  return looking;
}

describe('one look', () => {
  test('is read when the page is at rest, and the browser closed', async () => {
    const { openBrowser, closed } = fake();
    expect(await look(openBrowser)).toMatchObject({ ok: true, html: '<p>shown</p>', settled: true, tools: [] });
    expect(closed()).toBe(1);
  });

  test.each<[string, Answers, string]>([
    ['a page that never answers', { 'Page.navigate': NEVER }, 'page_busy'],
    ['scripts that cannot be stopped', { 'Emulation.setScriptExecutionDisabled': NEVER }, 'page_busy'],
    [
      'a page that cannot be read',
      { 'Runtime.evaluate': { result: {}, exceptionDetails: { text: 'x' } } },
      'browser_failed',
    ],
    ['an answer of another shape', { 'Runtime.evaluate': { result: { value: 7 } } }, 'browser_failed'],
    [
      'facts beyond their bounds',
      { 'Runtime.evaluate': { result: { value: { ...seen, html: 'x'.repeat(3_000_001) } } } },
      'browser_failed',
    ],
    ['a browser that refuses', { 'Fetch.enable': new Error('no') }, 'browser_failed'],
    ['an address that shows nothing', { 'Page.navigate': { errorText: 'net::ERR_FAILED' } }, 'not_shown'],
  ])('%s is a reason, and the browser is closed', async (_name, answers, reason) => {
    const { openBrowser, closed } = fake(answers);
    expect(await look(openBrowser)).toMatchObject({ ok: false, reason });
    expect(closed()).toBe(1);
  });

  test('a page that ends its process is a reason', async () => {
    const { openBrowser, fire, closed } = fake({ 'Page.navigate': {} });
    const looking = lookAtPage(PAGE, { openBrowser, fetch });
    await vi.advanceTimersByTimeAsync(1);
    fire('Inspector.targetCrashed', {});
    await vi.advanceTimersByTimeAsync(RENDER_LIMITS.pageMs);
    expect(await looking).toMatchObject({ ok: false, reason: 'page_crashed' });
    expect(closed()).toBe(1);
  });

  test('no browser is a reason; one that comes too late is closed', async () => {
    const none: BrowserOutcome = { ok: false, detail: 'There is no browser here.' };
    expect(await look(async () => none)).toEqual({
      ok: false,
      reason: 'browser_unavailable',
      detail: 'There is no browser here.',
    });
    expect(await look(async () => Promise.reject(new TypeError('x')))).toMatchObject({ reason: 'browser_unavailable' });
    const { openBrowser, closed } = fake();
    const late: OpenBrowser = async (url) => {
      await new Promise((resolve) => setTimeout(resolve, RENDER_LIMITS.openMs + 10));
      return openBrowser(url);
    };
    expect(await look(late)).toMatchObject({ ok: false, reason: 'browser_unavailable' });
    await vi.advanceTimersByTimeAsync(100);
    expect(closed()).toBe(1);
  });

  test('a browser without WebMCP says so', async () => {
    expect(await look(fake({ 'WebMCP.enable': new Error('not found') }).openBrowser)).toMatchObject({ tools: null });
  });
});

describe('the protocol over one channel', () => {
  function open() {
    const sent: Record<string, unknown>[] = [];
    let hear: (text: string) => void = () => undefined;
    let end: () => void = () => undefined;
    const session = connectDevTools({
      send: (text) => sent.push(JSON.parse(text) as Record<string, unknown>),
      onMessage: (listener) => (hear = listener),
      onClose: (listener) => (end = listener),
    });
    return {
      session,
      sent,
      hear: (message: object) => hear(JSON.stringify(message)),
      noise: (text: string) => hear(text),
      end: () => end(),
    };
  }

  test('answers and events find their session', async () => {
    const { session, sent, hear, noise } = open();
    const events: unknown[] = [];
    session('p').on('Page.loadEventFired', (params) => events.push(params));
    const answer = session('p').send('Page.enable');
    expect(sent).toEqual([{ id: 1, method: 'Page.enable', params: {}, sessionId: 'p' }]);
    hear({ method: 'Page.loadEventFired', params: 1, sessionId: 'other' });
    hear({ method: 'Page.loadEventFired', params: 2, sessionId: 'p' });
    hear({ id: 9, result: {} });
    noise('no JSON');
    noise('[]');
    hear({ id: 1, result: { done: true }, sessionId: 'p' });
    expect([await answer, events]).toEqual([{ done: true }, [2]]);
  });

  test('a refusal rejects, and so does the end of the browser, before and after', async () => {
    const { session, hear, end } = open();
    const refused = session('').send('X.y');
    hear({ id: 1, error: { message: 'no such method' } });
    await expect(refused).rejects.toThrow('no such method');
    const waiting = session('').send('X.z');
    end();
    await expect(waiting).rejects.toThrow('the browser is gone');
    await expect(session('').send('X.z')).rejects.toThrow('the browser is gone');
  });

  test('a page is opened in a context of its own, behind a proxy that is none, without downloads', async () => {
    const calls: [string, unknown][] = [];
    const answers: Answers = {
      'Target.createBrowserContext': { browserContextId: 'c' },
      'Target.createTarget': { targetId: 't' },
      'Target.attachToTarget': { sessionId: 's' },
    };
    const session = (id: string): DevToolsSession => ({
      async send(method, params) {
        calls.push([`${id} ${method}`.trim(), params]);
        return answers[method] ?? {};
      },
      on: () => undefined,
    });
    await openIsolatedPage(session);
    expect(calls.slice(0, 4)).toEqual([
      [
        'Target.createBrowserContext',
        { disposeOnDetach: true, proxyServer: 'http://proxy.invalid:9', proxyBypassList: '<-loopback>' },
      ],
      ['Browser.setDownloadBehavior', { behavior: 'deny', browserContextId: 'c' }],
      ['Target.createTarget', { url: 'about:blank', browserContextId: 'c' }],
      ['Target.attachToTarget', { targetId: 't', flatten: true }],
    ]);
    expect(calls[4]?.[0]).toBe('s Page.addScriptToEvaluateOnNewDocument');
  });
});
