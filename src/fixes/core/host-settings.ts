import { formatJsonFile } from '../files/generated-file.ts';
import { type Configure, formatNextConfig } from './host-headers.ts';

/** Markdown only for who prefers it, by the q-values of RFC 9110, 12.5.1. */
const NEGOTIATING_WORKER = `const quality = (accept, type) => {
  const ranges = accept.toLowerCase().split(',').map((range) => range.split(';').map((part) => part.trim()));
  const [, ...parameters] = ranges.find(([name]) => name === type) ?? [type, 'q=0'];
  const q = parameters.find((parameter) => parameter.startsWith('q='));
  return q === undefined ? 1 : Number(q.slice(2)) || 0;
};

export default {
  fetch: async (request, env) => {
    const accept = request.headers.get('accept') ?? '';
    const markdown = quality(accept, 'text/markdown') > quality(accept, 'text/html');
    const url = new URL(request.url);
    url.pathname += url.pathname.endsWith('/') ? 'index.md' : '.md';
    const copy = markdown ? await env.ASSETS.fetch(new Request(url, request)) : undefined;
    const hasCopy = copy !== undefined && (copy.ok || copy.status === 304);
    const found = hasCopy ? copy : await env.ASSETS.fetch(request);
    const answer = new Response(found.body, found);
    answer.headers.append('vary', 'Accept');
    if (hasCopy) answer.headers.set('content-type', 'text/markdown; charset=utf-8');
    return answer;
  },
};
`;

/** Rewrites of vercel.json come after the files, so that they never see a page that exists: the middleware comes before. */
const MARKDOWN_MIDDLEWARE = `// middleware.js at the root of the project (npm install @vercel/functions); name the pages that have a copy
import { next, rewrite } from '@vercel/functions';

export const config = { matcher: ['/', '/docs/:path*'] };

export default function middleware(request) {
  const headers = { vary: 'Accept' };
  const url = new URL(request.url);
  const isFile = /\\.[a-z0-9]+$/i.test(url.pathname);
  if (isFile || !/^[^;]*text\\/markdown/i.test(request.headers.get('accept') ?? '')) return next({ headers });
  url.pathname += url.pathname.endsWith('/') ? 'index.md' : '.md';
  return rewrite(url, { headers });
}
`;

/** Plain http answered by a permanent redirect to https on the same host. */
export const redirectToHttps: Configure = {
  nginx: 'server {\n    listen 80;\n    listen [::]:80;\n    return 308 https://$host$request_uri;\n}\n',
  apache:
    '<VirtualHost *:80>\n    RewriteEngine On\n    RewriteRule ^ https://%{HTTP_HOST}%{REQUEST_URI} [R=308,L]\n</VirtualHost>\n',
  cloudflare: 'SSL/TLS > Edge Certificates > Always Use HTTPS: on\n',
  nextjs: '// The server in front of Next.js redirects (nginx, the platform): the application never sees plain http.\n',
  vercel: '// Vercel redirects http to https with 308 by itself: look for a proxy in front of it that does not.\n',
};

/** Compressed text with the header that keeps caches from mixing the variants up. */
export const compression: Configure = {
  nginx:
    'gzip on;\ngzip_vary on;\ngzip_proxied any;\ngzip_min_length 1024;\ngzip_types text/plain text/css text/markdown text/xml application/json application/javascript application/xml image/svg+xml;\n',
  apache:
    '# mod_brotli or mod_deflate; both add Vary: Accept-Encoding\nAddOutputFilterByType BROTLI_COMPRESS;DEFLATE text/html text/plain text/css text/markdown text/xml application/json application/javascript image/svg+xml\n',
  cloudflare:
    'Cloudflare compresses text by itself: look for "Cache-Control: no-transform" or a Compression Rule that turns it off.\n',
  nextjs: '// next.config.js: compress is on unless it was set to false\nmodule.exports = { compress: true };\n',
  vercel: '// Vercel compresses by itself: look for a proxy in front of it that strips Accept-Encoding.\n',
};

/** Unknown paths answered by 404 in place of the application's start page. */
export const notFoundStatus: Configure = {
  nginx:
    '# In place of "try_files $uri $uri/ /index.html;"\nlocation / {\n    try_files $uri $uri/ =404;\n}\n# Client-side routes, by name:\nlocation ~ ^/(app|account)(/|$) {\n    try_files /index.html =404;\n}\nerror_page 404 /404.html;\n',
  apache:
    '# In place of a rewrite of everything to /index.html, and of FallbackResource\nErrorDocument 404 /404.html\nRewriteEngine On\nRewriteRule ^/?(app|account)(/.*)?$ /index.html [L]\n',
  cloudflare:
    '# wrangler.toml, in place of not_found_handling = "single-page-application"\n[assets]\nnot_found_handling = "404-page"\n',
  nextjs:
    "// In catch-all routes such as app/[...slug]/page.js\nimport { notFound } from 'next/navigation';\n// ...\nif (!page) notFound();\n",
  vercel: formatJsonFile({ rewrites: [{ source: '/app/:path*', destination: '/index.html' }] }),
};

/** A permanent redirect from one path of ours to another. */
export const redirectPath = (from: string, to: string): Configure => ({
  nginx: `location = ${from} {\n    return 308 ${to};\n}\n`,
  apache: `RewriteEngine On\nRewriteRule ^/?${from.slice(1).replaceAll('.', String.raw`\.`)}$ ${to} [R=308,L]\n`,
  cloudflare: `# File _redirects of Workers static assets or Pages\n${from} ${to} 308\n`,
  nextjs: formatNextConfig('redirects', [{ source: from, destination: to, permanent: true }]),
  vercel: formatJsonFile({ redirects: [{ source: from, destination: to, permanent: true }] }),
});

/** HTML that caches may keep for a while and check again cheaply. */
export const htmlCaching: Configure = {
  nginx:
    '# In http\nproxy_cache_path /var/cache/nginx levels=1:2 keys_zone=pages:10m inactive=60m;\n# In the location of pages that are the same for everybody, beside its proxy_pass\nlocation / {\n    proxy_pass http://127.0.0.1:3000;\n    proxy_cache pages;\n    proxy_cache_valid 200 5m;\n    proxy_cache_use_stale updating error timeout;\n    etag on;\n}\n',
  apache:
    '# mod_cache_disk; pages that are the same for everybody\nCacheRoot /var/cache/apache2\nCacheQuickHandler off\nCacheEnable disk /\nCacheDefaultExpire 300\nFileETag MTime Size\n<LocationMatch "/$|\\.html$">\n    Header set Cache-Control "public, max-age=0, s-maxage=300, stale-while-revalidate=600"\n</LocationMatch>\n',
  cloudflare: 'Caching > Cache Rules: eligible for cache, edge TTL 5 minutes, for pages without a session cookie\n',
  nextjs: '// In the page: build it ahead and renew it every five minutes\nexport const revalidate = 300;\n',
  vercel: formatJsonFile({
    headers: [
      {
        source: '/(.*)',
        headers: [{ key: 'Cache-Control', value: 'public, s-maxage=300, stale-while-revalidate=600' }],
      },
    ],
  }),
};

/** Verified AI agents let through a firewall that challenges the others. */
export const allowAgentsAtEdge: Configure = {
  nginx:
    '# Rules of a firewall module (ModSecurity, CrowdSec): exempt the addresses that the vendors publish, not the\n# User-Agent, which anybody can send:\n#   https://openai.com/searchbot.json  https://openai.com/chatgpt-user.json  https://www.perplexity.com/perplexitybot.json\n',
  apache:
    '# As for nginx: exempt the published address ranges in the rule that answers 403, e.g. with "Require ip" in a\n# <RequireAny> beside it. Do not go by the User-Agent alone.\n',
  cloudflare:
    'Security Settings > Bot traffic: set Search and Agent to allow. Training is your choice, but Googlebot, Bingbot and Applebot follow the strictest of the three settings.\nAI Crawl Control: allow the search crawlers and assistants that a rule of your own blocks.\nSecurity > WAF > Custom rules, above the challenge: (cf.client.bot) or (cf.verified_bot_category in {"AI Search" "AI Assistant"}) -> Skip\n',
  nextjs: '// Look in middleware.js for a test of the User-Agent that answers 403, and take the AI agents out of it.\n',
  vercel:
    'Firewall > Bot Management: set "AI bots" to allow (or off); add a rule that bypasses the challenge for verified bots.\n',
};

/** Markdown for requests that prefer it, HTML for all others, both marked for caches. */
export const markdownNegotiation: Configure = {
  nginx:
    '# In http\nmap $http_accept $markdown {\n    default "";\n    "~*^[^;]*text/markdown" ".md";\n}\nmap "$markdown$uri" $markdown_copy {\n    default "/no-copy";\n    "~^\\.md(?<folder>.*/)$" "${folder}index.md";\n    "~^\\.md(?<page>.*[^/])$" "${page}.md";\n}\n# In server; a types block alone would take all other types away\ninclude mime.types;\ntypes { text/markdown md; }\ncharset utf-8;\ncharset_types text/plain text/css text/xml text/markdown;\nlocation / {\n    add_header Vary Accept always;\n    try_files $markdown_copy $uri $uri/ =404;\n}\n',
  apache:
    'AddType "text/markdown; charset=utf-8" .md\nHeader always merge Vary Accept\nRewriteEngine On\n# Folders have their copy in index.md, pages beside them\nRewriteCond %{HTTP_ACCEPT} ^[^;]*text/markdown\nRewriteCond %{DOCUMENT_ROOT}/$1index.md -f\nRewriteRule ^/?((?:.*/)?)$ /$1index.md [L]\nRewriteCond %{HTTP_ACCEPT} ^[^;]*text/markdown\nRewriteCond %{DOCUMENT_ROOT}/$1.md -f\nRewriteRule ^/?(.+?)(?:\\.html)?$ /$1.md [L]\n',
  cloudflare: `AI Crawl Control > Markdown for Agents: on. Or in a Worker in front of the pages:\n\n${NEGOTIATING_WORKER}`,
  nextjs: `// A route handler at app/markdown/[[...path]]/route.js answers with the copies, as text/markdown and with Vary: Accept.\n${formatNextConfig(
    'rewrites',
    {
      beforeFiles: [
        {
          source: '/:path*',
          has: [{ type: 'header', key: 'accept', value: '[^;]*text/markdown.*' }],
          destination: '/markdown/:path*',
        },
      ],
    },
  )}`,
  vercel: MARKDOWN_MIDDLEWARE,
};
