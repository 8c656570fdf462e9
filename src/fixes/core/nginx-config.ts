import { buildRangePatterns, COMPRESSED_TYPES, EVERYWHERE, GREATER_Q, type ServerPlan } from './server-plan.ts';

/** What goes into the `http` block, and what goes into the `server` block of the site. */
type NginxConfig = { http: string; server: string };

/**
 * The plan for nginx. Headers are set in the server block, by variables that depend on the address, since a location
 * with an `add_header` of its own would lose all others; only media types and redirects take a location.
 */
export function formatNginx(plan: ServerPlan): NginxConfig {
  const http = [
    ...(plan.does.has('https') ? [HTTPS] : []),
    ...(plan.does.has('retry-after')
      ? [
          formatMap('$status', 'sightline_retry_after', [
            ['429', '60'],
            ['503', '60'],
          ]),
        ]
      : []),
    ...(plan.does.has('markdown') ? MARKDOWN_MAPS : []),
    ...listVaryMaps(plan),
    ...formatHeaderMaps(plan),
  ];
  const server = [
    ...plan.removed.map(
      (name) =>
        `# Delete every "add_header ${name}" as well: this hides the one of an application behind nginx\nproxy_hide_header ${name};`,
    ),
    ...(plan.does.has('compression') ? [GZIP] : []),
    ...(plan.does.has('validators') ? ['etag on;\nif_modified_since before;'] : []),
    ...formatAddHeaders(plan),
    ...(plan.types.has('/') ? ['charset utf-8;'] : []),
    ...(plan.does.has('markdown') ? [MARKDOWN_REWRITE] : []),
    ...formatLocations(plan),
  ];
  return { http: joinBlocks(http), server: joinBlocks(server) };
}

const joinBlocks = (blocks: readonly string[]): string => (blocks.length === 0 ? '' : `${blocks.join('\n')}\n`);

const quote = (text: string): string => `"${text.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`)}"`;

/** A value that nginx would read variables in has none: ours hold no dollar sign but those that are meant. */
function formatMap(
  source: string,
  variable: string,
  rows: readonly (readonly [string, string])[],
  otherwise = '',
): string {
  const lines = [['default', quote(otherwise)], ...rows.map(([key, value]) => [quote(key), quote(value)])];
  return `map ${source} $${variable} {\n${lines.map(([key, value]) => `    ${key} ${value};`).join('\n')}\n}`;
}

const HTTPS =
  '# Plain http\nserver {\n    listen 80;\n    listen [::]:80;\n    return 308 https://$host$request_uri;\n}';

const GZIP = `gzip on;\ngzip_vary on;\ngzip_proxied any;\ngzip_min_length 1024;\ngzip_types ${COMPRESSED_TYPES.join(' ')};`;

const formatVariableName = (header: string): string => `sightline_${header.toLowerCase().replaceAll('-', '_')}`;

const isVary = (name: string): boolean => name.toLowerCase() === 'vary';
const isFixed = (byPath: ReadonlyMap<string, string>): boolean => byPath.size === 1 && byPath.has(EVERYWHERE);

/** Pages and their copies vary by Accept; a picture or a style sheet does not. */
function listVaryMaps(plan: ServerPlan): readonly string[] {
  return hasVary(plan)
    ? [formatMap('$uri', 'sightline_vary', [[String.raw`~*\.(?!html?$|md$)[a-z0-9]+$`, '']], 'Accept')]
    : [];
}

const hasVary = ({ headers, does }: ServerPlan): boolean =>
  does.has('markdown') || [...headers.keys()].some((name) => isVary(name));

const formatHeaderMaps = ({ headers }: ServerPlan): readonly string[] =>
  [...headers]
    .filter(([name, byPath]) => !isVary(name) && !isFixed(byPath))
    .map(([name, byPath]) => {
      const rows = [...byPath]
        .filter(([path]) => path !== EVERYWHERE)
        .flatMap(([path, value]) => listKeys(path).map((key) => [key, value] as const));
      return formatMap('$uri', formatVariableName(name), rows, byPath.get(EVERYWHERE));
    });

/** The start page is an internal redirect to its index file by the time that headers are set. */
const listKeys = (path: string): readonly string[] => (path === '/' ? ['/', '/index.html'] : [path]);

function formatAddHeaders(plan: ServerPlan): readonly string[] {
  const lines = [...plan.headers]
    .filter(([name]) => !isVary(name))
    .map(([name, byPath]) => {
      const value = isFixed(byPath) ? quote(byPath.get(EVERYWHERE) ?? '') : `$${formatVariableName(name)}`;
      return `add_header ${name} ${value} always;`;
    });
  const all = [
    ...lines,
    ...(hasVary(plan) ? ['add_header Vary $sightline_vary always;'] : []),
    ...(plan.does.has('retry-after') ? ['add_header Retry-After $sightline_retry_after always;'] : []),
  ];
  return all.length === 0
    ? []
    : [
        ['# Repeat these lines in a location that has an add_header of its own: it takes none from here', ...all].join(
          '\n',
        ),
      ];
}

function formatLocations({ types, redirects, does }: ServerPlan): readonly string[] {
  const paths = new Set([...types.keys(), ...redirects.keys()]);
  const exact = [...paths]
    .filter((path) => path !== '/')
    .map((path) => {
      const to = redirects.get(path);
      const lines =
        to === undefined ? ['types { }', `default_type ${quote(types.get(path) ?? '')};`] : [`return 308 ${to};`];
      return `location = ${path} {\n${lines.map((line) => `    ${line}`).join('\n')}\n}`;
    });
  return [
    ...exact,
    ...(does.has('markdown')
      ? ['location ~ \\.md$ {\n    types { }\n    default_type "text/markdown; charset=utf-8";\n}']
      : []),
    ...(does.has('not-found') ? [NOT_FOUND] : []),
  ];
}

const NOT_FOUND = `# In the place of your "location /". Client-side routes are named one by one, for example:
# location ~ ^/(app|account)(/|$) { try_files /index.html =404; }
location / {
    try_files $uri $uri.html $uri/ =404;
}`;

/** Names of the groups are variables of nginx, so each pattern has its own. */
function formatQualityMap(variable: string, ranges: readonly string[]): string {
  const rows = ranges.flatMap((range, index) => {
    const { weighted, plain } = buildRangePatterns(range);
    const [whole, fraction] = [`${variable}_a${index}`, `${variable}_b${index}`];
    return [
      [`~*${weighted([`?<${whole}>`, `?<${fraction}>`])}`, `$${whole}$${fraction}`],
      [`~*${plain}`, '1'],
    ] as const;
  });
  return formatMap('$http_accept', variable, rows, '0');
}

const MARKDOWN_MAPS = [
  '# How much a client wants Markdown, and how much HTML (RFC 9110, 12.5.1)',
  formatQualityMap('sightline_q_markdown', ['text/markdown']),
  formatQualityMap('sightline_q_html', ['text/html', 'text/*', '*/*']),
  formatMap(
    '"$sightline_q_markdown|$sightline_q_html"',
    'sightline_wants_markdown',
    GREATER_Q.map((pattern) => [`~${pattern}`, '1'] as const),
    '0',
  ),
  formatMap(
    '"$sightline_wants_markdown$uri"',
    'sightline_copy',
    [
      ['~^1(?<sightline_folder>.*/)$', '${sightline_folder}index.md'],
      [String.raw`~^1(?<sightline_page>.*)\.html?$`, '${sightline_page}.md'],
      ['~^1(?<sightline_bare>.*/[^./]+)$', '${sightline_bare}.md'],
    ],
    '/',
  ),
];

const MARKDOWN_REWRITE = `# The Markdown copy of a page, where the client wants it and there is one beside the page
if (-f $document_root$sightline_copy) {
    rewrite ^ $sightline_copy last;
}`;
