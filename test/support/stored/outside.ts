import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, startHttpServer } from '../../../local/http-server.ts';
import { pdf } from '../audit/pdf.ts';
import { ORIGINS } from './stack.ts';

/** Pages that the site's sitemap lists. */
export const CHARTS = ['/chart-1', '/chart-2.pdf', '/chart-3', '/chart-4', '/chart-5.pdf', '/chart-6'] as const;
/** Where notifications and outgoing webhooks go. */
export const [PUSH, HOOKS] = ['/push', '/hooks'] as const;

export type Outside = {
  /** What was sent to `/push` and `/hooks`, in order. */
  received: { path: string; headers: IncomingMessage['headers']; body: string }[];
  /** Paths of the site in the order in which they were asked for. */
  asked: string[];
  /** Paths that get no answer. */
  silent: Set<string>;
  /** What `/push` and `/hooks` answer. */
  statuses: Map<string, number>;
  stop: () => Promise<void>;
};

/** A site, a receiver of push notifications and one of outgoing webhooks, always on the same port. */
export async function startOutside(): Promise<Outside> {
  const outside: Omit<Outside, 'stop'> = { received: [], asked: [], silent: new Set(), statuses: new Map() };
  const server = await startHttpServer(
    async (request, response) => {
      const path = request.url ?? '/';
      if (request.method === 'POST') {
        outside.received.push({ path, headers: request.headers, body: await readBody(request) });
        response.writeHead(outside.statuses.get(path) ?? 200).end();
        return;
      }
      outside.asked.push(path);
      if (!outside.silent.has(path)) answerPage(path, response);
    },
    Number(new URL(ORIGINS.outside).port),
  );
  return { ...outside, stop: server.stop };
}

function answerPage(path: string, response: ServerResponse): void {
  if (path === '/robots.txt')
    return send(response, 'text/plain', `User-agent: *\nSitemap: ${ORIGINS.outside}/sitemap.xml\n`);
  if (path === '/sitemap.xml') {
    const urls = CHARTS.map((chart) => `<url><loc>${ORIGINS.outside}${chart}</loc></url>`).join('');
    return send(
      response,
      'application/xml',
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`,
    );
  }
  if (path.endsWith('.pdf')) return send(response, 'application/pdf', pdf([[textOf(path)]], `Sheet ${path}`));
  if (path.includes('.')) {
    response.writeHead(404).end();
    return undefined;
  }
  const html = `<!doctype html><html lang="en"><title>Sheet ${path}</title><h1>Sheet ${path}</h1><p>${textOf(path)}</p></html>`;
  return send(response, 'text/html', html);
}

/** One sentence, different for each path. */
const textOf = (path: string): string => `The sheet ${path.replaceAll(/\W/g, ' ')} shows where the channel is deep.`;

function send(response: ServerResponse, type: string, body: string | Uint8Array): void {
  response.writeHead(200, { 'content-type': `${type}${typeof body === 'string' ? '; charset=utf-8' : ''}` }).end(body);
}
