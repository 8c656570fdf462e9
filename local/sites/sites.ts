import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type HttpServer, startHttpServer } from '../http-server.ts';
import { loadSite, type SiteFile } from './site-files.ts';
import { answerMcp, tideQuery } from './site-mcp.ts';
import { computeHighTides } from './tides.ts';

const GOOD = fileURLToPath(new URL('../site/good', import.meta.url));
const POOR = fileURLToPath(new URL('../site/poor', import.meta.url));

/** Files that programs of other origins read. */
const OPEN_TO_ALL = new Set([
  '/llms.txt',
  '/openapi.json',
  '/robots.txt',
  '/mcp/server-card',
  '/.well-known/ai-catalog.json',
  '/.well-known/api-catalog',
]);
const DISCOVERY_LINKS = [
  '</llms.txt>; rel="describedby"; type="text/markdown"',
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</.well-known/api-catalog>; rel="api-catalog"',
  '</.well-known/ai-catalog.json>; rel="ai-catalog"',
];
/** Smaller bodies do not get smaller by much. */
const MIN_GZIP_BYTES = 1_000;

export type Sites = { good: string; poor: string; stop: () => Promise<void> };

/**
 * Serves the two demo sites: an honest one with everything in place, and an app shell that answers 200 to everything.
 * @param latencyMs how long the good one waits before each answer, as if it were far away
 */
export async function startSites(ports: { good?: number; poor?: number } = {}, latencyMs = 0): Promise<Sites> {
  const good = await startGoodSite(ports.good, latencyMs);
  try {
    const poor = await startPoorSite(ports.poor);
    const stop = async (): Promise<void> => void (await Promise.all([good.stop(), poor.stop()]));
    return { good: good.url, poor: poor.url, stop };
  } catch (error) {
    await good.stop();
    throw error;
  }
}

async function startGoodSite(port: number | undefined, latencyMs: number): Promise<HttpServer> {
  let files: ReadonlyMap<string, SiteFile> = new Map();
  let origin = '';
  const server = await startHttpServer(async (request, response) => {
    if (latencyMs > 0) await sleep(latencyMs);
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    if (pathname === '/mcp') return answerMcp(request, response, origin);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response
        .writeHead(405, { allow: 'GET, HEAD', 'content-type': 'text/plain; charset=utf-8' })
        .end('Method not allowed\n');
      return undefined;
    }
    if (pathname.startsWith('/api/')) return answerApi(pathname, searchParams, response);
    return answerFile(files, pathname, request, response);
  }, port);
  origin = server.url;
  files = loadSite(GOOD, origin);
  return server;
}

function startPoorSite(port?: number): Promise<HttpServer> {
  const shell = loadSite(POOR, '').get('/');
  return startHttpServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(shell?.bytes);
  }, port);
}

function answerApi(pathname: string, query: URLSearchParams, response: ServerResponse): void {
  if (pathname !== '/api/high-tides')
    return sendProblem(response, 404, 'No such resource', `${pathname} does not exist`);
  const parsed = tideQuery.safeParse(Object.fromEntries(query));
  if (!parsed.success) {
    const names = parsed.error.issues.map(({ path }) => path.join('.') || 'an unknown parameter').join(', ');
    return sendProblem(
      response,
      400,
      'Invalid parameter',
      `wrong: ${names}; after is a date and time in RFC 3339, count is 1 to 8`,
    );
  }
  const body = JSON.stringify({ high_tides: computeHighTides(parsed.data.after, parsed.data.count) });
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=3600' }).end(body);
  return undefined;
}

function sendProblem(response: ServerResponse, status: number, title: string, detail: string): void {
  response
    .writeHead(status, { 'content-type': 'application/problem+json' })
    .end(JSON.stringify({ title, status, detail }));
}

function answerFile(
  files: ReadonlyMap<string, SiteFile>,
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const page = files.get(pathname);
  const found = pathname !== '/404' ? page : undefined;
  if (found === undefined) return send(response, request, 404, files.get('/404'), { 'cache-control': 'no-store' });
  const markdown = found.markdown === undefined ? undefined : files.get(found.markdown);
  const wantsMarkdown = markdown !== undefined && hasMarkdownPreference(request.headers.accept);
  const chosen = wantsMarkdown ? markdown : found;
  const links = listPageLinks(found, wantsMarkdown ? pathname : chosen.page);
  return send(response, request, 200, chosen, {
    'cache-control': 'public, max-age=3600',
    etag: chosen.etag,
    'last-modified': chosen.lastModified,
    vary: found.markdown === undefined ? 'Accept-Encoding' : 'Accept, Accept-Encoding',
    ...(links.length > 0 ? { link: links.join(', ') } : {}),
    ...(OPEN_TO_ALL.has(pathname) ? CORS : {}),
  });
}

/** What a page says in its Link header; a Markdown copy also names the page that it copies. */
function listPageLinks({ markdown }: SiteFile, copyOf: string | undefined): readonly string[] {
  const page =
    markdown === undefined ? [] : [...DISCOVERY_LINKS, `<${markdown}>; rel="alternate"; type="text/markdown"`];
  return copyOf === undefined ? page : [...page, `<${copyOf}>; rel="canonical"`];
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Content-Type, If-None-Match',
  'access-control-expose-headers': 'ETag',
};

function send(
  response: ServerResponse,
  request: IncomingMessage,
  status: number,
  file: SiteFile | undefined,
  headers: Record<string, string>,
): void {
  if (file === undefined) throw new Error('the demo site lacks a page it needs');
  const base = {
    'content-type': file.type,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'self'",
    'referrer-policy': 'no-referrer',
    ...headers,
  };
  if (status === 200 && request.headers['if-none-match'] === file.etag) {
    response.writeHead(304, base).end();
    return;
  }
  const zip =
    file.bytes.length >= MIN_GZIP_BYTES && /(^|,)\s*gzip\s*(,|$)/.test(request.headers['accept-encoding'] ?? '');
  const body = zip ? file.gzip : file.bytes;
  response.writeHead(status, {
    ...base,
    ...(zip ? { 'content-encoding': 'gzip' } : {}),
    'content-length': body.length,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Whether an Accept header prefers Markdown to HTML: named itself, and not with a lower quality. */
export function hasMarkdownPreference(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').map((range) => {
    const [type = '', ...parameters] = range
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { type, quality: quality === undefined ? 1 : Number(quality) || 0 };
  });
  const qualityOf = (type: string): number | undefined => ranges.find((range) => range.type === type)?.quality;
  const markdown = qualityOf('text/markdown') ?? 0;
  const page = qualityOf('text/html') ?? qualityOf('text/*') ?? qualityOf('*/*') ?? 0;
  return markdown > 0 && markdown > page;
}
