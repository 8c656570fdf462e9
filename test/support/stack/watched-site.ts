import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http';
import { Webhook } from 'standardwebhooks';
import type { Account } from '../../../local/chain/chain.ts';
import { type HttpServer, readBody, startHttpServer } from '../../../local/http-server.ts';
import type { Stack } from '../../../local/stack.ts';
import { signTerms } from '../../conformance/support/mcp-client.ts';

const MINUTE_MS = 60_000;
/** Least time to a due time: it is not over before a form that names it is stored. */
const MARGIN_MS = 5_000;
/** A run is due a minute and the margin from now at the latest; the audit of the demo site takes seconds. */
export const RUN_WITHIN_MS = 85_000;

/** The next full minute that a schedule still comes to, such as `07:30` (UTC). */
export const nameNextMinute = (): string =>
  new Date(Math.ceil((Date.now() + MARGIN_MS) / MINUTE_MS) * MINUTE_MS).toISOString().slice(11, 16);

export type WatchedSite = {
  url: string;
  /** From now on robots.txt refuses a crawler that the demo site lets in. */
  refuseCrawler: () => void;
  stop: () => Promise<void>;
};

/** The demo site at an address of its own, whose robots.txt a test changes. */
export async function startWatchedSite(good: string): Promise<WatchedSite> {
  let isRefused = false;
  const server: HttpServer = await startHttpServer(async (request, response) => {
    const own = `http://${request.headers.host ?? ''}`;
    if (request.url === '/robots.txt' && isRefused) {
      const robots = `User-agent: *\nAllow: /\n\nUser-agent: OAI-SearchBot\nDisallow: /\n\nSitemap: ${own}/sitemap.xml\n`;
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(robots);
      return;
    }
    const { accept = '*/*' } = request.headers;
    const answer = await fetch(`${good}${request.url ?? '/'}`, { headers: { accept }, redirect: 'manual' });
    const headers = [...answer.headers].filter(([name]) => ['content-type', 'link', 'vary'].includes(name));
    response.writeHead(
      answer.status,
      Object.fromEntries(headers.map(([name, value]) => [name, value.replaceAll(good, own)])),
    );
    response.end((await answer.text()).replaceAll(good, own));
  });
  return {
    url: server.url,
    refuseCrawler: () => {
      isRefused = true;
    },
    stop: server.stop,
  };
}

export type Hooks = {
  url: string;
  /** Messages that came at a path. */
  count: (path: string) => number;
  /** What they say, each verified with the library of Standard Webhooks. @throws when a signature is wrong */
  verify: (path: string, secret: string) => readonly unknown[];
  stop: () => Promise<void>;
};

/** A receiver of webhooks on loopback that keeps what comes. */
export async function startHooks(): Promise<Hooks> {
  const received: { path: string | undefined; text: string; headers: Record<string, string> }[] = [];
  const server = await startHttpServer(async (request, response) => {
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
    received.push({ path: request.url, text: await readBody(request), headers: Object.fromEntries(headers) });
    response.writeHead(204).end();
  });
  const cameTo = (path: string) => received.filter((one) => one.path === path);
  return {
    url: server.url,
    count: (path) => cameTo(path).length,
    verify: (path, secret) => cameTo(path).map(({ text, headers }) => new Webhook(secret).verify(text, headers)),
    stop: server.stop,
  };
}

/** Buys the pack of 5 USD by x402. @returns the status of the paid request */
export async function buyCredits(stack: Stack, payer: Account): Promise<number> {
  const post = (headers: Record<string, string>) =>
    fetch(`${stack.api.url}/api/credits/5`, { method: 'POST', headers });
  const terms = decodePaymentRequiredHeader((await post({})).headers.get('payment-required') ?? '');
  const credential = encodePaymentSignatureHeader(await signTerms(payer, terms));
  return (await post({ 'payment-signature': credential })).status;
}
