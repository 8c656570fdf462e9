import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A file as it is served. `markdown` is the path of the same page as Markdown, `page` that of the page a Markdown file copies. */
export type SiteFile = {
  type: string;
  bytes: Buffer;
  gzip: Buffer;
  etag: string;
  lastModified: string;
  markdown?: string;
  page?: string;
};

const PLACEHOLDER = '{{origin}}';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.json': 'application/json',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Files whose name does not say their type. */
const TYPES_BY_PATH: Record<string, string> = {
  '/feed.xml': 'application/atom+xml; charset=utf-8',
  '/mcp/server-card': 'application/mcp-server-card+json',
  '/.well-known/ai-catalog.json': 'application/ai-catalog+json',
  '/.well-known/api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
};

/** Reads a site's folder once, by URL path: `/setup` is `setup.html`. `{{origin}}` in a file becomes the site's origin. */
export function loadSite(folder: string, origin: string): ReadonlyMap<string, SiteFile> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const names = new Set(paths.map((path) => formatFileName(folder, path)));
  return new Map(
    paths.map((path) => [
      formatUrlPath(formatFileName(folder, path)),
      readSiteFile(path, formatFileName(folder, path), names, origin),
    ]),
  );
}

const formatFileName = (folder: string, path: string): string => `/${relative(folder, path).split(sep).join('/')}`;

/** The path under which a file is served: pages have none of their names' endings. */
function formatUrlPath(name: string): string {
  if (name === '/index.html') return '/';
  return name.endsWith('.html') ? name.slice(0, -'.html'.length) : name;
}

function readSiteFile(path: string, name: string, names: ReadonlySet<string>, origin: string): SiteFile {
  const bytes = Buffer.from(readFileSync(path, 'utf8').replaceAll(PLACEHOLDER, origin));
  const markdown = name.replace(/\.html$/, '.md');
  const page = name.replace(/\.md$/, '.html');
  const hasMarkdown = markdown !== name && names.has(markdown);
  return {
    type: TYPES_BY_PATH[name] ?? TYPES[extname(name)] ?? 'application/octet-stream',
    bytes,
    gzip: gzipSync(bytes),
    etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"`,
    lastModified: statSync(path).mtime.toUTCString(),
    ...(hasMarkdown ? { markdown } : {}),
    ...(name.endsWith('.md') && names.has(page) ? { page: formatUrlPath(page) } : {}),
  };
}
