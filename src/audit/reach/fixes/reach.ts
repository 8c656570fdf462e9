import { parityAgents } from '../../crawlers/facts/ai-agents.ts';
import {
  FIX_FILES,
  defineAdvice,
  reportOnly,
  type FixDraft,
  type Recipe,
  type Recipes,
} from '../../../fixes/core/recipe.ts';
import { type Configure, EVERYWHERE, setHeaders, setHeadersOnPaths } from '../../../fixes/core/host-headers.ts';
import {
  allowAgentsAtEdge,
  compression,
  htmlCaching,
  notFoundStatus,
  redirectToHttps,
} from '../../../fixes/core/host-settings.ts';

/** A setting of the server, in the words of each. */
export const buildServerSetting = (configure: Configure, draft: Pick<FixDraft, 'expect'> & Partial<FixDraft>): Recipe =>
  defineAdvice({ file: FIX_FILES.server, action: 'configure', effort: 'minutes', configure, ready: true, ...draft });

/** Work on the server that no setting does alone. */
export const buildServerWork = (draft: Pick<FixDraft, 'expect'> & Partial<FixDraft>): Recipe =>
  defineAdvice({ file: FIX_FILES.server, action: 'configure', effort: 'hours', ...draft });

const DISCOVERY_PATHS = [
  '/robots.txt',
  '/llms.txt',
  '/sitemap.xml',
  '/openapi.json',
  '/.well-known/ai-catalog.json',
  '/.well-known/agent-card.json',
];

/** How the site can be reached, and how its server answers. */
export const reachRecipes: Recipes = {
  'aeo.reach.http-200': buildServerWork({
    how: 'Look in the log of the server for the status the evidence shows: a redirect without an end, a login, or an error of the application.',
    configure: setHeaders('/', { 'Content-Type': 'text/html; charset=utf-8' }),
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
        'server {\n    listen 80;\n    server_name example.com www.example.com;\n    return 308 https://example.com$request_uri;\n}\nserver {\n    listen 443 ssl;\n    server_name www.example.com;\n    return 308 https://example.com$request_uri;\n}\n',
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
    how: 'What is inlined is loaded anew with every page; a file is kept by the browser.',
    expect: 'The HTML is smaller than 1 MB.',
  }),
  'aeo.reach.compression': buildServerSetting(compression, {
    expect: 'With "Accept-Encoding: gzip, br" the answer has Content-Encoding, and Vary names Accept-Encoding.',
    ask: 'compressed',
  }),
  'aeo.reach.ua-parity': buildServerSetting(allowAgentsAtEdge, {
    how: 'Find the rule that answers the agents of the evidence otherwise than a browser, and exempt agents that are verified by address.',
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
    how: 'Frameworks do it by themselves, unless a route names its methods one by one.',
    configure: {
      nginx:
        '# "limit_except GET" allows HEAD, too; a proxied application must answer it\nlocation / {\n    limit_except GET POST {\n        deny all;\n    }\n}\n',
      nextjs:
        "// app/**/route.js: HEAD follows from GET; in pages/api handle it\nif (req.method === 'HEAD') return res.status(200).end();\n",
    },
    expect: 'A request with method HEAD has the status and headers of GET.',
    ask: 'head',
  }),
  'agent.http.conditional': buildServerSetting(
    {
      nginx:
        'etag on;\nif_modified_since before;\n# gzip weakens the ETag and keeps it; "add_header Last-Modified" of your own removes it\n',
      apache: 'FileETag MTime Size\n# with mod_deflate: DeflateAlterETag NoChange\n',
      cloudflare:
        'Static assets have an ETag. In a Worker: set ETag from a hash of the body, compare it with If-None-Match, answer 304.\n',
      nextjs: '// next.config.js: on unless it was set to false\nmodule.exports = { generateEtags: true };\n',
      vercel:
        '// Static files have an ETag; functions set one themselves and answer 304 when If-None-Match names it.\n',
    },
    { expect: 'The answer has an ETag, and with If-None-Match its status is 304.', ask: 'conditional' },
  ),
  'agent.http.cache': buildServerSetting(
    setHeadersOnPaths(DISCOVERY_PATHS, { 'Cache-Control': 'public, max-age=3600' }),
    {
      expect: 'Cache-Control is public with a max-age between 60 and 86,400 seconds.',
      at: '/robots.txt',
    },
  ),
  'agent.http.cors': buildServerSetting(
    setHeadersOnPaths(DISCOVERY_PATHS.slice(1), { 'Access-Control-Allow-Origin': '*' }),
    {
      how: 'Only files that everybody may read.',
      expect: 'Access-Control-Allow-Origin is *.',
      at: '/llms.txt',
    },
  ),
  'agent.http.link-headers': buildServerSetting(
    setHeaders('/', {
      Link: '</openapi.json>; rel="service-desc", </.well-known/api-catalog>; rel="api-catalog", </llms.txt>; rel="describedby"',
    }),
    { how: 'Name only files that are there.', expect: 'The Link header names a file that answers 200.' },
  ),
  'agent.http.rate-limit': buildServerSetting(
    {
      nginx:
        'limit_req_status 429;\nerror_page 429 = @busy;\nlocation @busy {\n    add_header Retry-After 60 always;\n    return 429;\n}\n',
      apache: 'Header always set Retry-After "60" "expr=%{REQUEST_STATUS} in {\'429\', \'503\'}"\n',
      cloudflare:
        "Rate limiting rules send Retry-After by themselves; in a Worker: new Response('', { status: 429, headers: { 'retry-after': '60' } })\n",
      nextjs: "return new Response('', { status: 429, headers: { 'retry-after': '60' } });\n",
      vercel: "return new Response('', { status: 429, headers: { 'retry-after': '60' } });\n",
    },
    { expect: 'An answer 429 or 503 has Retry-After in seconds.' },
  ),
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
      'Content-Security-Policy': "default-src 'self'; object-src 'none'; base-uri 'self'",
    }),
    {
      how: 'They protect browsers; agents do not read them. Try the Content-Security-Policy as Content-Security-Policy-Report-Only first: it stops what it does not name.',
      effort: 'hours',
      expect: 'Strict-Transport-Security, X-Content-Type-Options and Content-Security-Policy.',
    },
  ),
};
