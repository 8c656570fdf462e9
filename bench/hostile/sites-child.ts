/**
 * Hostile sites, each on a port of its own, in a process of their own: prints `{ sites }` (origins by name) and ends with
 * its parent. Pages go out gzipped, so that a site of 25 MiB costs its owner next to nothing.
 */
import { createServer, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { bombOf } from './bombs.ts';
import { heavyPage, worstPages } from './pages.ts';

export type HostileSites = { sites: Readonly<Record<string, string>> };

const BOMB_MEBIBYTES = 1024;
const HTML = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' };
/** Answers a path; the query only makes an address a new one. False: there is no such file. */
type Site = (path: string, origin: string, response: ServerResponse) => boolean;

const start = gzipSync(
  '<!doctype html><html lang="en"><head><title>A site</title></head><body><main><h1>A site</h1><p>Some words.</p></main></body></html>',
);
const bomb = bombOf(BOMB_MEBIBYTES);
const heavy = gzipSync(heavyPage('heavy'));
const wide = gzipSync(heavyPage('heavy', ' — wide'));

const bombed: Site = (path, origin, response) => {
  if (path === '/') response.writeHead(200, HTML).end(start);
  else if (path === '/robots.txt')
    response
      .writeHead(200, { 'content-type': 'text/plain' })
      .end(`User-agent: *\nAllow: /\nSitemap: ${origin}/s.xml.gz\n`);
  else if (path === '/s.xml.gz') response.writeHead(200, { 'content-type': 'application/gzip' }).end(bomb);
  else return false;
  return true;
};

const onePage =
  (body: Buffer): Site =>
  (path, _origin, response) => {
    if (path !== '/') return false;
    response.writeHead(200, HTML).end(body);
    return true;
  };

const largeOf =
  (body: Buffer): Site =>
  (path, _origin, response) => {
    if (path !== '/' && !path.startsWith('/page-')) return false;
    response.writeHead(200, HTML).end(body);
    return true;
  };

const kinds: Readonly<Record<string, Site>> = {
  'gz sitemap of 1 GiB': bombed,
  ...Object.fromEntries(worstPages.map(({ shape, html }) => [`5 MiB of ${shape}`, onePage(gzipSync(html()))])),
  'site of 25 MiB': largeOf(heavy),
  'wide site of 25 MiB': largeOf(wide),
};

const origins = await Promise.all(
  Object.entries(kinds).map(async ([name, site]) => [name, await serve(site)] as const),
);
console.log(JSON.stringify({ sites: Object.fromEntries(origins) } satisfies HostileSites));
process.stdin.resume().once('end', () => process.exit());

function serve(site: Site): Promise<string> {
  let origin = '';
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (!site(path, origin, response)) response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('a TCP server has a numeric address');
      origin = `http://127.0.0.1:${address.port}`;
      resolve(origin);
    });
  });
}
