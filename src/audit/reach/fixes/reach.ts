import { parityAgents } from '../../crawlers/facts/ai-agents.ts';
import {
  FIX_FILES,
  defineAdvice,
  reportOnly,
  type FixDraft,
  type Recipe,
  type Recipes,
} from '../../../fixes/core/recipe.ts';
import {
  formatConfigure,
  type ServerSetting,
  setHeaders,
  setHeadersOnPaths,
} from '../../../fixes/core/host-headers.ts';
import { EVERYWHERE, isPlainPath } from '../../../fixes/core/server-plan.ts';
import { isOpen } from '../../core/fix-order.ts';
import { readExistence } from '../facts/existence.ts';
import type { FixContext } from '../../../fixes/core/fix-context.ts';
import {
  allowAgentsAtEdge,
  compression,
  conditionalRequests,
  htmlCaching,
  notFoundStatus,
  redirectToHttps,
  retryAfter,
} from '../../../fixes/core/host-settings.ts';

/** A setting of the server, in the words of each. */
export function buildServerSetting(
  setting: ServerSetting | ((fixing: FixContext) => ServerSetting),
  draft: Pick<FixDraft, 'expect'> & Partial<FixDraft>,
): Recipe {
  const read = typeof setting === 'function' ? setting : () => setting;
  return {
    remedy(fixing) {
      const chosen = read(fixing);
      const configure = formatConfigure(chosen);
      // What has no part for a server is work that a person does, in the words of each.
      const whole = chosen.parts.length > 0 ? { ready: true as const } : {};
      return { file: FIX_FILES.server, action: 'configure', effort: 'minutes', configure, ...whole, ...draft };
    },
    server: (fixing) => read(fixing).parts,
  };
}

/** Work on the server that no setting does alone. */
export const buildServerWork = (draft: Pick<FixDraft, 'expect'> & Partial<FixDraft>): Recipe =>
  defineAdvice({ file: FIX_FILES.server, action: 'configure', effort: 'hours', ...draft });

/** Files for programs: where they are, and by which request the audit looked for them. */
const DISCOVERY_FILES = [
  { path: '/robots.txt', role: 'robots', kind: 'text' },
  { path: '/llms.txt', role: 'llms', kind: 'text' },
  { path: '/sitemap.xml', role: 'sitemap-usual:0', kind: 'xml' },
  { path: '/.well-known/ai-catalog.json', role: 'mcp-ai-catalog', kind: 'json' },
  { path: '/.well-known/agent-card.json', role: 'agent-card', kind: 'json' },
] as const;

/** The files for programs that the site has, and those that a fix of it makes. */
function listPublishedPaths(fixing: FixContext): readonly string[] {
  const { find, audited } = fixing;
  const made = new Set(audited.judged.flatMap((one) => (isOpen(one) ? [one.check.id] : [])));
  const there = DISCOVERY_FILES.filter(
    ({ role, kind }) => readExistence(find(role), find('control'), kind).state === 'exists',
  ).map(({ path }) => path);
  const sitemaps = (fixing.read('sitemaps')?.tries ?? []).flatMap(({ state, exchange }) =>
    state === 'found' ? [getOwnPath(fixing, exchange.url)] : [],
  );
  const api = getOwnPath(fixing, fixing.read('openapi')?.found?.answer.url);
  const coming = [
    ...(made.has('agent.llms.exists') ? ['/llms.txt'] : []),
    ...(made.has('aeo.sitemap.exists') ? ['/sitemap.xml'] : []),
  ];
  return [...new Set([...there, ...sitemaps, api, ...coming])].filter((path) => path !== '');
}

/** The path of an address of the site, if it is a plain one; else ''. */
function getOwnPath({ audited }: FixContext, href: string | undefined): string {
  const url = URL.parse(href ?? '');
  return url?.origin === audited.site.start.origin && isPlainPath(url.pathname) ? url.pathname : '';
}

/** The links of a start page to the files for programs that are there. */
function formatLinks(fixing: FixContext): string {
  const api = getOwnPath(fixing, fixing.read('openapi')?.found?.answer.url);
  const has = (role: string, kind: 'json' | 'text'): boolean =>
    readExistence(fixing.find(role), fixing.find('control'), kind).state === 'exists';
  const llms = has('llms', 'text') || listPublishedPaths(fixing).includes('/llms.txt');
  return [
    ...(api === '' ? [] : [`<${api}>; rel="service-desc"`]),
    ...(has('api-catalog', 'json') ? ['</.well-known/api-catalog>; rel="api-catalog"'] : []),
    ...(llms ? ['</llms.txt>; rel="describedby"'] : []),
  ].join(', ');
}

/** How the site can be reached, and how its server answers. */
export const reachRecipes: Recipes = {
  'aeo.reach.http-200': buildServerWork({
    how: 'Look in the log of the server for the status the evidence shows: a redirect without an end, a login, or an error of the application.',
    configure: formatConfigure(setHeaders('/', { 'Content-Type': 'text/html; charset=utf-8' })),
    expect: 'The last answer has status 200 and Content-Type text/html.',
  }),
  'aeo.reach.https': buildServerSetting(redirectToHttps, {
    how: 'Once all pages load over https, add Strict-Transport-Security, first with a short max-age.',
    expect: 'Over http the first answer is 308 or 301 to the same host over https.',
    ask: 'plainHttp',
  }),
  'aeo.reach.redirect-chain': buildServerWork({
    how: 'One rule can do it all: scheme, host and path together.',
    configure: {
      nginx:
        '# In http\nserver {\n    listen 80;\n    server_name example.com www.example.com;\n    return 308 https://example.com$request_uri;\n}\n# In server, that of https://www.example.com\nreturn 308 https://example.com$request_uri;\n',
      apache:
        'RewriteEngine On\nRewriteCond %{HTTPS} off [OR]\nRewriteCond %{HTTP_HOST} ^www\\.\nRewriteRule ^ https://example.com%{REQUEST_URI} [R=308,L]\n',
    },
    expect: 'At most one line "location:" before the status 200.',
  }),
  'aeo.reach.soft-404': buildServerSetting(notFoundStatus, {
    how: 'Name the routes of the client in the place of "app" and "account"; let everything else answer 404 with a short page that links to the start page.',
    expect: 'The status is 404.',
    at: '/sightline-verifies-that-this-page-does-not-exist',
  }),
  'aeo.reach.ttfb': buildServerSetting(htmlCaching, {
    how: 'Pages that are the same for all visitors can come from a cache near them.',
    effort: 'hours',
    expect: 'The first byte arrives within 800 ms, the second time as well.',
  }),
  'aeo.reach.html-size': buildServerWork({
    file: FIX_FILES.page,
    action: 'replace',
    how: 'What is inlined is loaded again with every page; the browser caches a file.',
    expect: 'The HTML is smaller than 1 MB.',
  }),
  'aeo.reach.compression': buildServerSetting(compression, {
    expect: 'With "Accept-Encoding: gzip, br" the answer has Content-Encoding, and Vary names Accept-Encoding.',
    ask: 'compressed',
  }),
  'aeo.reach.ua-parity': buildServerSetting(allowAgentsAtEdge, {
    how: 'Find the rule that answers the agents of the evidence otherwise than a browser, and exempt agents that are verified by address. The fix of aeo.reach.edge-policy names the setting of your provider.',
    effort: 'hours',
    expect: 'The status is 200, and the text is that of the page in a browser.',
    userAgent: parityAgents[1].userAgent,
  }),
  'aeo.reach.no-interstitial': buildServerSetting(allowAgentsAtEdge, {
    how: 'They belong in front of actions: sending a form, signing in, paying.',
    effort: 'hours',
    expect: 'The first answer holds the content of the page, without a challenge.',
  }),
  'aeo.reach.http-errors-in-sample': buildServerWork({
    how: 'A page that took the place of another is the target of its redirect; one that is gone for good answers 410.',
    expect: 'The address of the evidence answers 200.',
  }),
  'aeo.url.readable': buildServerWork({
    how: 'Redirect each old address to the new one (308), and change links and sitemap to it.',
    expect: 'The new address answers 200, the old one 308 to it.',
  }),
  'aeo.archive.presence': reportOnly('Whether it comes is for Common Crawl to decide.'),
  'agent.http.head': buildServerWork({
    how: 'Servers do it by themselves for files, and frameworks for routes, unless a route names its methods one by one or a rule (limit_except, LimitExcept) shuts HEAD out.',
    configure: {
      nextjs:
        "// app/**/route.js: HEAD follows from GET; in pages/api handle it\nif (req.method === 'HEAD') return res.status(200).end();\n",
    },
    expect: 'A request with method HEAD has the status and headers of GET.',
    ask: 'head',
  }),
  'agent.http.conditional': buildServerSetting(conditionalRequests, {
    expect: 'The answer has an ETag, and with If-None-Match its status is 304.',
    ask: 'conditional',
  }),
  'agent.http.cache': buildServerSetting(
    (fixing) => setHeadersOnPaths(listPublishedPaths(fixing), { 'Cache-Control': 'public, max-age=3600' }),
    {
      expect: 'Cache-Control is public with a max-age between 60 and 86,400 seconds.',
      at: '/robots.txt',
    },
  ),
  'agent.http.cors': buildServerSetting(
    (fixing) =>
      setHeadersOnPaths(
        listPublishedPaths(fixing).filter((path) => path !== '/robots.txt'),
        { 'Access-Control-Allow-Origin': '*' },
      ),
    {
      how: 'Only files that everybody may read.',
      expect: 'Access-Control-Allow-Origin is *.',
      at: '/llms.txt',
    },
  ),
  'agent.http.link-headers': buildServerSetting((fixing) => setHeaders('/', { Link: formatLinks(fixing) }), {
    how: 'It belongs to the start page, and names only files that are there.',
    expect: 'The Link header names a file that answers 200.',
  }),
  'agent.http.rate-limit': buildServerSetting(retryAfter, {
    expect: 'An answer 429 or 503 has Retry-After in seconds.',
  }),
  'agent.http.errors-machine': defineAdvice({
    file: FIX_FILES.api,
    action: 'configure',
    effort: 'hours',
    how: 'Answer so for unknown paths below the server of the API, too.',
    content:
      'HTTP/1.1 404 Not Found\nContent-Type: application/problem+json\n\n{\n  "type": "about:blank",\n  "title": "Not Found",\n  "status": 404,\n  "detail": "No such resource."\n}\n',
    media_type: 'text/plain',
    expect: 'An unknown path of the API answers with application/problem+json.',
  }),
  'agent.sec.headers': buildServerSetting(
    setHeaders(EVERYWHERE, {
      'Strict-Transport-Security': 'max-age=31536000',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "object-src 'none'; base-uri 'self'",
      'Content-Security-Policy-Report-Only': "default-src 'self'; object-src 'none'; base-uri 'self'",
    }),
    {
      how: 'They protect browsers; agents do not read them. The first policy stops plug-ins and foreign base addresses only, which no page of today needs. The second one stops nothing and reports what the strict policy would stop: read the reports, name what is missing, then move it into the first.',
      effort: 'hours',
      expect: 'Strict-Transport-Security, X-Content-Type-Options and Content-Security-Policy.',
    },
  ),
};
