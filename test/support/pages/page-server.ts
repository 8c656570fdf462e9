import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPageHeaders } from '../../../routes/shared/page-headers.ts';

const PUBLIC = fileURLToPath(new URL('../../../public/', import.meta.url));

/** Media types of what pages load. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

export type PageServer = { url: string; close: () => Promise<void> };

/**
 * Serves pages that are rendered from what a test makes up, with the headers and static files of the real service: for what
 * a whole stack would only be in the way of. Nothing else of the service is there: requests of scripts get 404.
 * @param findPage the HTML at a path; undefined for a path without a page
 */
export async function servePages(findPage: (path: string) => Promise<string | undefined>): Promise<PageServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const asset = pathname.startsWith('/web/') ? readAsset(pathname) : undefined;
    if (asset !== undefined) {
      response.writeHead(200, { 'content-type': TYPES[extname(pathname)] ?? 'application/octet-stream' }).end(asset);
      return;
    }
    findPage(pathname).then(
      (html) =>
        html === undefined
          ? response.writeHead(404).end()
          : response
              .writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...buildPageHeaders({ script: true }) })
              .end(html),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function readAsset(pathname: string): Buffer | undefined {
  const file = normalize(join(PUBLIC, pathname));
  if (!file.startsWith(PUBLIC)) return undefined;
  try {
    return readFileSync(file);
  } catch {
    return undefined; // Not there: the page gets 404, which the browser complains of.
  }
}
