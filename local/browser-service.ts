import { randomUUID } from 'node:crypto';
import { type Request, Response, WebSocketPair } from 'miniflare';
import { findChromium, HOW_TO_INSTALL, type StartedBrowser, startBrowser } from '../src/cli/core/local-browser.ts';

/** Browsers at once: one takes much of a small machine. The platform has a limit, too, and answers as this does. */
const MAX_BROWSERS = 2;
/** A browser that has no client, or was forgotten by it, is ended after so long. */
const MAX_AGE_MS = 60_000;

/** Answers as the browser binding of the platform does, with Chromium of this machine. */
export type LocalBrowsers = { answer: (request: Request) => Promise<Response>; stop: () => Promise<void> };

type Kept = { browser: StartedBrowser; timer: NodeJS.Timeout; connected: boolean };

/** @param env names the program, as on the command line */
export function createLocalBrowsers(env: NodeJS.ProcessEnv): LocalBrowsers {
  const kept = new Map<string, Kept>();
  let starting = 0;
  const end = async (id: string): Promise<void> => {
    const found = kept.get(id);
    kept.delete(id);
    if (found === undefined) return;
    clearTimeout(found.timer);
    await found.browser.close();
  };
  const acquire = async (): Promise<Response> => {
    if (kept.size + starting >= MAX_BROWSERS) return new Response('too many browsers', { status: 429 });
    starting += 1;
    try {
      const path = await findChromium(env);
      if (path === undefined) return new Response(HOW_TO_INSTALL, { status: 503 });
      const sessionId = randomUUID();
      const timer = setTimeout(() => void end(sessionId), MAX_AGE_MS);
      kept.set(sessionId, { browser: await startBrowser(path), timer, connected: false });
      return Response.json({ sessionId });
    } finally {
      starting -= 1;
    }
  };
  return {
    async answer(request) {
      const [, id] = /^\/v1\/devtools\/browser(?:\/([\w-]{1,100}))?$/.exec(new URL(request.url).pathname) ?? [];
      if (request.method === 'POST' && id === undefined) return acquire();
      const found = kept.get(id ?? '');
      if (id === undefined || found === undefined) return new Response('no such browser', { status: 404 });
      if (request.method === 'DELETE') {
        await end(id);
        return Response.json({ status: 'closed' });
      }
      if (found.connected || request.headers.get('upgrade') !== 'websocket')
        return new Response('one WebSocket only', { status: 409 });
      found.connected = true;
      return connect(found.browser, () => end(id));
    },
    async stop() {
      await Promise.all([...kept.keys()].map(end));
    },
  };
}

/** The two ends of a socket are the pipe of the browser and the Worker; when one goes, so does the other. */
function connect({ channel }: StartedBrowser, end: () => Promise<void>): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  server.addEventListener('message', ({ data }) =>
    channel.send(typeof data === 'string' ? data : new TextDecoder().decode(data)),
  );
  server.addEventListener('close', () => void end());
  channel.onMessage((text) => server.send(text));
  channel.onClose(() => server.close());
  return new Response(null, { status: 101, webSocket: client });
}
