import { expect, test } from 'vitest';
import type { DevToolsSession, OpenBrowser } from '../../src/audit/rendered/gather/devtools.ts';
import { printToPdf } from '../../src/report/pdf.ts';

/** Largest piece that the browser of these tests hands out. */
const PIECE = 256 * 1024;

type Asked = { url: string; method?: string };

/** A browser that asks for these files while it loads the page, and prints `bytes`. */
function scriptedBrowser(asked: readonly Asked[], bytes = 1000) {
  const seen = { closed: 0, sent: [] as { method: string; params: Readonly<Record<string, unknown>> }[] };
  const listeners = new Map<string, (params: unknown) => void>();
  let read = 0;
  const answers: Readonly<Record<string, () => unknown>> = {
    'Page.navigate': () => {
      for (const [index, { url, method = 'GET' }] of asked.entries())
        listeners.get('Fetch.requestPaused')?.({ requestId: `r${index}`, request: { url, method } });
      setTimeout(() => listeners.get('Page.loadEventFired')?.({}), 0);
      return {};
    },
    'Page.printToPDF': () => ({ stream: 's' }),
    'IO.read': () => {
      const size = Math.min(PIECE, bytes - read);
      read += size;
      return { data: btoa('x'.repeat(size)), base64Encoded: true, eof: read >= bytes };
    },
  };
  const session: DevToolsSession = {
    send: async (method, params = {}) => {
      seen.sent.push({ method, params });
      return answers[method]?.() ?? {};
    },
    on: (event, listener) => listeners.set(event, listener),
  };
  const openBrowser: OpenBrowser = async () => ({
    ok: true,
    opened: {
      browser: session,
      openPage: async () => session,
      close: async () => {
        seen.closed += 1;
      },
    },
  });
  const repliesTo = (): Record<string, string> =>
    Object.fromEntries(
      seen.sent.flatMap(({ method, params }) =>
        method.startsWith('Fetch.f') ? [[String(params['requestId']), method]] : [],
      ),
    );
  return { seen, openBrowser, repliesTo };
}

const files = async (path: string) =>
  path === '/' || path === '/web/site.css' ? { type: 'text/html', body: new TextEncoder().encode('x') } : undefined;

test('gives the page its own files, and the network to no request', async () => {
  const { openBrowser, repliesTo, seen } = scriptedBrowser([
    { url: 'https://report.invalid/' },
    { url: 'https://report.invalid/web/site.css' },
    { url: 'https://report.invalid/reports/other' },
    { url: 'https://tracker.example/p.png' },
    { url: 'http://report.invalid/' },
    { url: 'file:///etc/passwd' },
    { url: 'https://report.invalid/', method: 'POST' },
  ]);
  expect((await printToPdf(files, openBrowser)).ok).toBe(true);
  const [given, refused] = ['Fetch.fulfillRequest', 'Fetch.failRequest'];
  expect(repliesTo()).toEqual({
    r0: given,
    r1: given,
    r2: refused,
    r3: refused,
    r4: refused,
    r5: refused,
    r6: refused,
  });
  const order = seen.sent.map(({ method }) => method);
  const navigation = order.indexOf('Page.navigate');
  for (const guard of ['Fetch.enable', 'Emulation.setScriptExecutionDisabled'])
    expect([guard, order.indexOf(guard) !== -1 && order.indexOf(guard) < navigation]).toEqual([guard, true]);
  expect(seen.closed).toBe(1);
});

test('a page that asks for more than its own few files gets no more', async () => {
  const { openBrowser, repliesTo } = scriptedBrowser(
    Array.from({ length: 25 }, () => ({ url: 'https://report.invalid/' })),
  );
  await printToPdf(files, openBrowser);
  expect(Object.values(repliesTo()).filter((reply) => reply === 'Fetch.fulfillRequest')).toHaveLength(20);
});

test('joins what comes in pieces, and ends at the limit', async () => {
  const good = await printToPdf(files, scriptedBrowser([], 3 * PIECE + 5).openBrowser);
  expect(good).toMatchObject({ ok: true });
  expect(good.ok && good.pdf.length).toBe(3 * PIECE + 5);
  const large = scriptedBrowser([], 17 * 1024 * 1024);
  expect(await printToPdf(files, large.openBrowser)).toMatchObject({ ok: false, reason: 'print_failed' });
  expect(large.seen.closed).toBe(1);
});

test('says why there is no browser', async () => {
  const openBrowser: OpenBrowser = async () => ({ ok: false, detail: 'The browser binding answered 429' });
  expect(await printToPdf(files, openBrowser)).toEqual({
    ok: false,
    reason: 'browser_unavailable',
    detail: 'The browser binding answered 429',
  });
});

test('a browser that fails is an answer, and is closed', async () => {
  const { openBrowser, seen } = scriptedBrowser([]);
  const failing: OpenBrowser = async (url) => {
    const made = await openBrowser(url);
    if (!made.ok) return made;
    return { ok: true, opened: { ...made.opened, openPage: () => Promise.reject(new Error('the browser is gone')) } };
  };
  expect(await printToPdf(files, failing)).toMatchObject({ ok: false, reason: 'print_failed' });
  expect(seen.closed).toBe(1);
});
