import * as z from 'zod';
import { getErrorName } from '../../../src/lib/errors.ts';
import {
  type BrowserOutcome,
  connectDevTools,
  type DevToolsChannel,
  type OpenBrowser,
  openIsolatedPage,
} from '../../../src/audit/rendered/gather/devtools.ts';
import { getRegistrableDomain } from '../../../src/net/registrable-domain.ts';

/** The binding answers requests for any host: the path is its interface. */
const SESSIONS = 'https://browser.internal/v1/devtools/browser';
/** The browser ends by itself when nothing speaks to it for so long; the least that the platform takes. */
const KEEP_ALIVE_MS = 10_000;
/** Longest wait for the platform to end a browser. */
const CLOSE_MS = 2_000;

const acquired = z.object({ sessionId: z.string().regex(/^[\w-]{1,100}$/) });

/**
 * Opens a browser of the platform's binding, by the protocol that the binding itself speaks. Beside our interception the
 * platform is asked to let the browser reach the audited domain only. `lab`: a browser that knows WebMCP.
 */
export function createBoundBrowser(binding: Fetcher): OpenBrowser {
  return async (url) => {
    try {
      return await openSession(binding, url);
    } catch (error) {
      return { ok: false, detail: `The browser binding failed (${getErrorName(error)})` };
    }
  };
}

async function openSession(binding: Fetcher, url: string): Promise<BrowserOutcome> {
  const domain = getRegistrableDomain(new URL(url).hostname);
  const created = await binding.fetch(`${SESSIONS}?keep_alive=${KEEP_ALIVE_MS}&lab=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ guardrails: { allowedDomains: [domain, `*.${domain}`] } }),
  });
  const text = await created.text();
  if (!created.ok) return { ok: false, detail: `The browser binding answered ${created.status}` };
  const { sessionId } = acquired.parse(JSON.parse(text));
  const end = async (): Promise<void> => {
    const signal = AbortSignal.timeout(CLOSE_MS);
    const ended = await binding.fetch(`${SESSIONS}/${sessionId}`, { method: 'DELETE', signal });
    await ended.body?.cancel();
  };
  const { webSocket } = await binding.fetch(`${SESSIONS}/${sessionId}`, { headers: { upgrade: 'websocket' } });
  if (webSocket === null) {
    await end();
    return { ok: false, detail: 'The browser binding opened no connection' };
  }
  webSocket.accept();
  const session = connectDevTools(openChannel(webSocket));
  return {
    ok: true,
    opened: {
      browser: session(''),
      openPage: () => openIsolatedPage(session),
      async close() {
        webSocket.close();
        await end().catch(() => undefined); // It ends by itself then.
      },
    },
  };
}

const openChannel = (socket: WebSocket): DevToolsChannel => ({
  send: (text) => socket.send(text),
  onMessage(listener) {
    socket.addEventListener('message', ({ data }) => {
      listener(typeof data === 'string' ? data : new TextDecoder().decode(data));
    });
  },
  onClose(listener) {
    socket.addEventListener('close', listener);
    socket.addEventListener('error', listener);
  },
});
