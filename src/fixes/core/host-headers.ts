import { formatJsonFile } from '../files/generated-file.ts';
import type { Host } from '../files/fix.ts';

/** The same setting for each server and platform. */
export type Configure = Readonly<Partial<Record<Host, string>>>;

/** Response headers by name. Values are ours: no setting holds text of a site. */
type Headers = Readonly<Record<string, string>>;

/** Every page of the site. */
export const EVERYWHERE = '/*';

/**
 * Sets response headers for one path, or for `EVERYWHERE`. nginx sets the media type apart from the other headers,
 * because `add_header Content-Type` would send a second one.
 */
export function setHeaders(path: string, headers: Headers): Configure {
  const rows = Object.entries(headers);
  const list = rows.map(([key, value]) => ({ key, value }));
  return {
    nginx: formatNginxHeaders(path, rows),
    apache: formatApacheHeaders(path, rows),
    cloudflare: `# File _headers of Workers static assets or Pages\n${path}\n${rows.map(([name, value]) => `  ${name}: ${value}`).join('\n')}\n`,
    nextjs: formatNextHeaders(path, list),
    vercel: formatJsonFile({ headers: [{ source: formatVercelSource(path), headers: list }] }),
  };
}

/** Takes a response header away. */
export const removeHeader = (name: string): Configure => ({
  nginx: `# Delete every "add_header ${name}" of the server, and hide the one of an application behind it:\nproxy_hide_header ${name};\n`,
  apache: `Header always unset ${name}\nHeader unset ${name}\n`,
  cloudflare: `# File _headers of Workers static assets or Pages\n/*\n  ! ${name}\n`,
  nextjs: `// next.config.js: delete the entry { key: '${name}' } from headers(), and in middleware.js:\nresponse.headers.delete('${name}');\n`,
  vercel: `// vercel.json: delete { "key": "${name}" } from every entry of "headers".\n`,
});

/** Settings for several paths in one piece. */
export function setHeadersOnPaths(paths: readonly string[], headers: Headers): Configure {
  const each = paths.map((path) => setHeaders(path, headers));
  const list = Object.entries(headers).map(([key, value]) => ({ key, value }));
  const joined = (host: 'nginx' | 'apache' | 'cloudflare'): string => each.map((one) => one[host] ?? '').join('\n');
  return {
    nginx: joined('nginx'),
    apache: joined('apache'),
    cloudflare: joined('cloudflare'),
    nextjs: formatNextConfig(
      'headers',
      paths.map((path) => ({ source: formatNextSource(path), headers: list })),
    ),
    vercel: formatJsonFile({ headers: paths.map((path) => ({ source: formatVercelSource(path), headers: list })) }),
  };
}

/** An async function of next.config.js that returns these entries. Rewrites that come before the pages are an object. */
export const formatNextConfig = (name: 'headers' | 'redirects' | 'rewrites', entries: unknown): string =>
  `// next.config.js\nmodule.exports = {\n  async ${name}() {\n    return ${JSON.stringify(entries, null, 2).replaceAll('\n', '\n    ')};\n  },\n};\n`;

const isEverywhere = (path: string): boolean => path === EVERYWHERE;
const formatNextSource = (path: string): string => (isEverywhere(path) ? '/:path*' : path);
const formatVercelSource = (path: string): string => (isEverywhere(path) ? '/(.*)' : path);

function formatNginxHeaders(path: string, rows: readonly (readonly [string, string])[]): string {
  const lines = rows.flatMap(([name, value]) =>
    name.toLowerCase() === 'content-type'
      ? ['types { }', `default_type "${value}";`]
      : [`add_header ${name} "${value.replaceAll('"', String.raw`\"`)}" always;`],
  );
  if (isEverywhere(path)) return `${lines.join('\n')}\n`;
  // nginx takes no add_header of the server into a block that has one of its own.
  return `# Repeat the add_header lines of the server in it; behind an application its proxy_pass as well\nlocation = ${path} {\n${lines.map((line) => `    ${line}`).join('\n')}\n}\n`;
}

function formatApacheHeaders(path: string, rows: readonly (readonly [string, string])[]): string {
  const lines = rows.map(([name, value]) =>
    name.toLowerCase() === 'content-type'
      ? `ForceType "${value}"`
      : `Header always ${appendOrSet(name)} ${name} "${value.replaceAll('"', String.raw`\"`)}"`,
  );
  if (isEverywhere(path)) return `${lines.join('\n')}\n`;
  return `<Location "${path}">\n${lines.map((line) => `    ${line}`).join('\n')}\n</Location>\n`;
}

const formatNextHeaders = (path: string, list: readonly { key: string; value: string }[]): string =>
  formatNextConfig('headers', [{ source: formatNextSource(path), headers: list }]);

/** Vary and Link are lists that other settings have a part in; `merge` names nothing twice. */
const appendOrSet = (name: string): string => (name === 'Vary' || name === 'Link' ? 'merge' : 'set');
