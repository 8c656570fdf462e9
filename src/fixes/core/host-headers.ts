import { formatJsonFile } from '../files/generated-file.ts';
import type { Host } from '../files/fix.ts';
import { formatApache } from './apache-config.ts';
import { formatNginx } from './nginx-config.ts';
import { EVERYWHERE, joinServerParts, type ServerPart } from './server-plan.ts';

/** The same setting for each server and platform, as text. */
export type Configure = Readonly<Partial<Record<Host, string>>>;

/**
 * A setting of the server: its parts, from which those of several fixes are composed for nginx and Apache, and its text
 * for the platforms. A text for nginx or Apache takes the place of what the parts give.
 */
export type ServerSetting = { parts: readonly ServerPart[]; texts: Configure };

/** The setting as each server and platform writes it. */
export function formatConfigure({ parts, texts }: ServerSetting): Configure {
  if (parts.length === 0) return texts;
  const plan = joinServerParts(parts);
  const [nginx, apache] = [formatNginx(plan), formatApache(plan)];
  return {
    nginx: `${nginx.http === '' ? '' : `# In http\n${nginx.http}`}${nginx.server === '' ? '' : `# In server\n${nginx.server}`}`,
    apache: `${apache.outside}${apache.inside}`,
    ...texts,
  };
}

/** Response headers by name. Values are ours: no setting holds text of a site. */
type Headers = Readonly<Record<string, string>>;

/** Sets response headers for one path, or for `EVERYWHERE`. A media type is set apart from the other headers. */
export function setHeaders(path: string, headers: Headers): ServerSetting {
  const rows = Object.entries(headers);
  const list = rows.map(([key, value]) => ({ key, value }));
  return {
    parts: rows.map(([name, value]) =>
      name.toLowerCase() === 'content-type' ? { kind: 'type', path, value } : { kind: 'header', path, name, value },
    ),
    texts: {
      cloudflare: `# File _headers of Workers static assets or Pages\n${path}\n${rows.map(([name, value]) => `  ${name}: ${value}`).join('\n')}\n`,
      nextjs: formatNextConfig('headers', [{ source: formatNextSource(path), headers: list }]),
      vercel: formatJsonFile({ headers: [{ source: formatVercelSource(path), headers: list }] }),
    },
  };
}

/** Takes a response header away. */
export const removeHeader = (name: string): ServerSetting => ({
  parts: [{ kind: 'without', name }],
  texts: {
    cloudflare: `# File _headers of Workers static assets or Pages\n/*\n  ! ${name}\n`,
    nextjs: `// next.config.js: delete the entry { key: '${name}' } from headers(), and in middleware.js:\nresponse.headers.delete('${name}');\n`,
    vercel: `// vercel.json: delete { "key": "${name}" } from every entry of "headers".\n`,
  },
});

/** Settings for several paths in one piece. */
export function setHeadersOnPaths(paths: readonly string[], headers: Headers): ServerSetting {
  const each = paths.map((path) => setHeaders(path, headers));
  const list = Object.entries(headers).map(([key, value]) => ({ key, value }));
  return {
    parts: each.flatMap(({ parts }) => parts),
    texts: {
      cloudflare: each.map(({ texts }) => texts.cloudflare ?? '').join('\n'),
      nextjs: formatNextConfig(
        'headers',
        paths.map((path) => ({ source: formatNextSource(path), headers: list })),
      ),
      vercel: formatJsonFile({ headers: paths.map((path) => ({ source: formatVercelSource(path), headers: list })) }),
    },
  };
}

/** An async function of next.config.js that returns these entries. Rewrites that come before the pages are an object. */
export const formatNextConfig = (name: 'headers' | 'redirects' | 'rewrites', entries: unknown): string =>
  `// next.config.js\nmodule.exports = {\n  async ${name}() {\n    return ${JSON.stringify(entries, null, 2).replaceAll('\n', '\n    ')};\n  },\n};\n`;

const isEverywhere = (path: string): boolean => path === EVERYWHERE;
const formatNextSource = (path: string): string => (isEverywhere(path) ? '/:path*' : path);
const formatVercelSource = (path: string): string => (isEverywhere(path) ? '/(.*)' : path);
