import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Response } from 'miniflare';

const FOLDER = fileURLToPath(new URL('../../public', import.meta.url));
/** The folders of `public` that the platform would serve. */
const SERVED = /^\/(?:web|docs)\//;
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** Replaces the platform's static assets: files of `public`, as they are on disk now, with an ETag. */
export function findPublicFile(request: { url: string; headers: { get: (name: string) => string | null } }): Response {
  const path = normalize(decodePath(new URL(request.url).pathname));
  const type = SERVED.test(path) && !path.includes(`..${sep}`) ? TYPES[extname(path)] : undefined;
  const bytes = type === undefined ? undefined : readIfThere(join(FOLDER, path));
  if (bytes === undefined || type === undefined) return new Response(null, { status: 404 });
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: { etag } });
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': type, etag } });
}

/** A path with `%` that is no escape names no file. */
const decodePath = (path: string): string => (/%(?![0-9a-f]{2})/i.test(path) ? '' : decodeURIComponent(path));

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR'))
      return undefined;
    throw error;
  }
}
