import { buildRangePatterns, COMPRESSED_TYPES, EVERYWHERE, GREATER_Q, type ServerPlan } from './server-plan.ts';

/** What goes beside the virtual host of the site, and what goes into it. */
type ApacheConfig = { outside: string; inside: string };

/** The plan for Apache 2.4: one section for each address, rewriting in one piece. */
export function formatApache(plan: ServerPlan): ApacheConfig {
  const rules = [...listRedirects(plan), ...(plan.does.has('markdown') ? [MARKDOWN] : [])];
  const inside = [
    ...plan.removed.map((name) => `Header always unset ${name}\nHeader unset ${name}`),
    ...(plan.does.has('compression') ? [COMPRESSION] : []),
    ...(plan.does.has('validators') ? ['FileETag MTime Size'] : []),
    ...(plan.does.has('validators') || plan.does.has('compression') ? [KEPT_ETAG] : []),
    ...(plan.does.has('not-found') ? [NOT_FOUND] : []),
    ...(plan.types.has('/') ? ['AddDefaultCharset utf-8'] : []),
    ...(plan.does.has('markdown') ? ['AddType "text/markdown; charset=utf-8" .md'] : []),
    ...(plan.does.has('retry-after')
      ? [`Header always set Retry-After "60" "expr=%{REQUEST_STATUS} in {'429', '503'}"`]
      : []),
    ...listEverywhere(plan),
    ...(rules.length === 0 ? [] : ['RewriteEngine On', ...rules]),
    ...formatSections(plan),
  ];
  const outside = plan.does.has('https') ? HTTPS : '';
  return { outside, inside: inside.length === 0 ? '' : `${inside.join('\n')}\n` };
}

const HTTPS =
  '# Plain http\n<VirtualHost *:80>\n    RewriteEngine On\n    RewriteRule ^ https://%{HTTP_HOST}%{REQUEST_URI} [R=308,L]\n</VirtualHost>\n';

/** A module that is absent compresses nothing, and stops nothing. */
const COMPRESSION = `<IfModule mod_filter.c>
    <IfModule mod_deflate.c>
        <IfModule mod_brotli.c>
            AddOutputFilterByType BROTLI_COMPRESS;DEFLATE text/html ${COMPRESSED_TYPES.join(' ')}
        </IfModule>
        <IfModule !mod_brotli.c>
            AddOutputFilterByType DEFLATE text/html ${COMPRESSED_TYPES.join(' ')}
        </IfModule>
    </IfModule>
</IfModule>`;

/** Without it, compression changes the ETag, and Apache does not know it again: no answer would be 304. */
const KEPT_ETAG = `<IfModule mod_deflate.c>
    DeflateAlterETag NoChange
</IfModule>
<IfModule mod_brotli.c>
    BrotliAlterETag NoChange
</IfModule>`;

const NOT_FOUND = `# Delete the rewrite of everything to /index.html as well. Client-side routes are named one by one, for example:
# RewriteRule ^/?(app|account)(/.*)?$ /index.html [L]
FallbackResource disabled`;

const escapePattern = (path: string): string =>
  path.replaceAll(/[.~-]/g, (sign) => (sign === '.' ? String.raw`\.` : sign));

const listRedirects = ({ redirects }: ServerPlan): readonly string[] =>
  [...redirects].map(([from, to]) => `RewriteRule ^/?${escapePattern(from.slice(1))}$ ${to} [R=308,L]`);

const quote = (text: string): string => `"${text.replaceAll('"', String.raw`\"`)}"`;

/** Lists are joined with what is there; `merge` names nothing twice. */
const formatHeader = (name: string, value: string): string =>
  /^(?:vary|link)$/i.test(name) ? `Header merge ${name} ${quote(value)}` : `Header always set ${name} ${quote(value)}`;

function listEverywhere({ headers, does }: ServerPlan): readonly string[] {
  const lines = [...headers].flatMap(([name, byPath]) => {
    const value = byPath.get(EVERYWHERE);
    return value === undefined ? [] : [formatHeader(name, value)];
  });
  const vary = formatHeader('Vary', 'Accept');
  return does.has('markdown') && !lines.includes(vary) ? [...lines, vary] : lines;
}

/** The start page is its index file by the time that headers are set. */
const formatSectionPattern = (path: string): string =>
  path === '/' ? String.raw`^/(?:index\.[a-z0-9]+)?$` : `^${escapePattern(path)}$`;

function formatSections({ headers, types, redirects }: ServerPlan): readonly string[] {
  const paths = new Set([...types.keys(), ...[...headers.values()].flatMap((byPath) => [...byPath.keys()])]);
  return [...paths]
    .filter((path) => path !== EVERYWHERE && !redirects.has(path))
    .flatMap((path) => {
      const type = path === '/' ? undefined : types.get(path);
      const lines = [
        ...(type === undefined ? [] : [`ForceType ${quote(type)}`]),
        ...[...headers].flatMap(([name, byPath]) => {
          const value = byPath.get(path);
          return value === undefined ? [] : [formatHeader(name, value)];
        }),
      ];
      if (lines.length === 0) return [];
      const body = lines.map((line) => `    ${line}`).join('\n');
      return [`<LocationMatch "${formatSectionPattern(path)}">\n${body}\n</LocationMatch>`];
    });
}

/** Later lines win, so that the most exact range comes last. */
function listQualities(variable: string, ranges: readonly string[]): readonly string[] {
  const rows = ranges.flatMap((range) => {
    const { weighted, plain } = buildRangePatterns(range);
    return [
      `SetEnvIfNoCase Accept "${plain}" ${variable}=1`,
      `SetEnvIfNoCase Accept "${weighted(['', ''])}" ${variable}=$1$2`,
    ];
  });
  return [`SetEnvIf Request_Method "^" ${variable}=0`, ...rows];
}

const wanted = GREATER_Q.map(
  (pattern, index) =>
    `RewriteCond %{ENV:sightline_markdown}|%{ENV:sightline_html} "${pattern}"${index < GREATER_Q.length - 1 ? ' [OR]' : ''}`,
);

const MARKDOWN = [
  '# The Markdown copy of a page, where the client wants it more than HTML (RFC 9110, 12.5.1) and there is one',
  ...listQualities('sightline_markdown', ['text/markdown']),
  ...listQualities('sightline_html', ['*/*', 'text/*', 'text/html']),
  ...wanted,
  'RewriteCond %{DOCUMENT_ROOT}/$1index.md -f',
  'RewriteRule ^/?((?:.*/)?)$ /$1index.md [L]',
  ...wanted,
  'RewriteCond %{DOCUMENT_ROOT}/$1.md -f',
  String.raw`RewriteRule ^/?(.+?)(?:\.html?)?$ /$1.md [L]`,
].join('\n');
