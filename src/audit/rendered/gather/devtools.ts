import * as z from 'zod';
import { parseJson } from '../../../lib/json.ts';

/** One session of the DevTools protocol: that of a browser, or that of one page. Rejects when the browser refuses. */
export type DevToolsSession = {
  send: (method: string, params?: Readonly<Record<string, unknown>>) => Promise<unknown>;
  on: (event: string, listener: (params: unknown) => void) => void;
};

/**
 * A browser that was opened for one look: no cookies, no storage, nothing of another audit. The caller closes it:
 * `close` ends every process of it and never throws.
 */
export type OpenedBrowser = {
  browser: DevToolsSession;
  /** Opens the one page. Its network is a proxy that does not exist: what is not intercepted goes nowhere. */
  openPage: () => Promise<DevToolsSession>;
  close: () => Promise<void>;
};

export type BrowserOutcome = { ok: true; opened: OpenedBrowser } | { ok: false; detail: string };

/** The port of a browser. `url` is the page that will be looked at. */
export type OpenBrowser = (url: string) => Promise<BrowserOutcome>;

/** The proxy of every browser: a name that never resolves (RFC 6761), so that nothing leaves past the interception. */
export const DEAD_PROXY = 'http://proxy.invalid:9';
/** Loopback, too, goes to the proxy: browsers leave it out otherwise. */
export const PROXY_BYPASS = '<-loopback>';

/** What a connection is made of: texts in and out. */
export type DevToolsChannel = {
  send: (text: string) => void;
  onMessage: (listener: (text: string) => void) => void;
  onClose: (listener: () => void) => void;
};

const message = z.object({
  id: z.int().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
  sessionId: z.string().optional(),
});

type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void };

/** Sessions over one channel, as a browser's own socket offers them. `''` is the session of the browser itself. */
export function connectDevTools(channel: DevToolsChannel): (sessionId: string) => DevToolsSession {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, ((params: unknown) => void)[]>();
  let last = 0;
  let isClosed = false;
  channel.onMessage((text) => {
    const parsed = message.safeParse(parseJson(text));
    if (!parsed.success) return;
    const { id, method, params, result, error, sessionId = '' } = parsed.data;
    if (method !== undefined) {
      for (const listener of listeners.get(`${sessionId} ${method}`) ?? []) listener(params);
      return;
    }
    const call = waiting.get(id ?? 0);
    waiting.delete(id ?? 0);
    if (error) call?.reject(new Error(error.message));
    else call?.resolve(result);
  });
  channel.onClose(() => {
    isClosed = true;
    for (const { reject } of waiting.values()) reject(new Error('the browser is gone'));
    waiting.clear();
  });
  return (sessionId) => ({
    send: (method, params = {}) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error('the browser is gone'));
        last += 1;
        waiting.set(last, { resolve, reject });
        channel.send(JSON.stringify({ id: last, method, params, ...(sessionId === '' ? {} : { sessionId }) }));
      }),
    on(event, listener) {
      const key = `${sessionId} ${event}`;
      listeners.set(key, [...(listeners.get(key) ?? []), listener]);
    },
  });
}

const created = z.object({ browserContextId: z.string() });
const targeted = z.object({ targetId: z.string() });
const attached = z.object({ sessionId: z.string() });

/**
 * Interfaces that send UDP, which neither interception nor proxy sees: no page has them here, nor its frames but those in a
 * process of their own. There a browser of ours is kept from it by its flags, and one of the platform can reach public
 * addresses only.
 */
const WITHOUT_UDP = `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport'])
  Object.defineProperty(globalThis, name, { value: undefined, writable: false, configurable: false });`;

/** Opens a page in a context of its own, in a browser that is reached by its own protocol only. */
export async function openIsolatedPage(session: (sessionId: string) => DevToolsSession): Promise<DevToolsSession> {
  const browser = session('');
  const { browserContextId } = created.parse(
    await browser.send('Target.createBrowserContext', {
      disposeOnDetach: true,
      proxyServer: DEAD_PROXY,
      proxyBypassList: PROXY_BYPASS,
    }),
  );
  await browser.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId });
  const { targetId } = targeted.parse(
    await browser.send('Target.createTarget', { url: 'about:blank', browserContextId }),
  );
  const { sessionId } = attached.parse(await browser.send('Target.attachToTarget', { targetId, flatten: true }));
  const page = session(sessionId);
  await page.send('Page.addScriptToEvaluateOnNewDocument', { source: WITHOUT_UDP });
  return page;
}
