import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Response } from 'miniflare';

const FOLDER = fileURLToPath(new URL('../../public/web', import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** Replaces the platform's static assets: files of `public/web`, as they are on disk now, with an ETag. */
export function findPublicFile(request: { url: string; headers: { get: (name: string) => string | null } }): Response {
  const name = basename(new URL(request.url).pathname); // The folder has no folders.
  const type = TYPES[extname(name)];
  const bytes = type === undefined ? undefined : readIfThere(join(FOLDER, name));
  if (bytes === undefined || type === undefined) return new Response(null, { status: 404 });
  const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`;
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: { etag } });
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': type, etag } });
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
