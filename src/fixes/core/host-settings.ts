import { formatJsonFile } from '../files/generated-file.ts';
import { formatNextConfig, type ServerSetting } from './host-headers.ts';

/** Whether a client prefers Markdown, for runtimes of JavaScript. */
const QUALITY = `const quality = (accept, type) => {
  const ranges = accept.toLowerCase().split(',').map((range) => range.split(';').map((part) => part.trim()));
  const found = [type, type.replace(/\\/.*/, '/*'), '*/*'].flatMap((name) => ranges.filter((range) => range[0] === name))[0];
  const q = (found ?? ['', 'q=0']).slice(1).find((parameter) => parameter.startsWith('q='));
  return q === undefined ? 1 : Number(q.slice(2)) || 0;
};
// Markdown is for who names it and likes it better than HTML (RFC 9110, 12.5.1).
const isMarkdownWanted = (accept) =>
  accept.toLowerCase().includes('text/markdown') && quality(accept, 'text/markdown') > quality(accept, 'text/html');
`;

/** Markdown only for who prefers it. */
const NEGOTIATING_WORKER = `${QUALITY}
export default {
  fetch: async (request, env) => {
    const markdown = isMarkdownWanted(request.headers.get('accept') ?? '');
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

${QUALITY}
export default function middleware(request) {
  const headers = { vary: 'Accept' };
  const url = new URL(request.url);
  const isFile = /\\.[a-z0-9]+$/i.test(url.pathname);
  if (isFile || !isMarkdownWanted(request.headers.get('accept') ?? '')) return next({ headers });
  url.pathname += url.pathname.endsWith('/') ? 'index.md' : '.md';
  return rewrite(url, { headers });
}
`;

/** Plain http answered by a permanent redirect to https on the same host. */
export const redirectToHttps: ServerSetting = {
  parts: [{ kind: 'https' }],
  texts: {
    cloudflare: 'SSL/TLS > Edge Certificates > Always Use HTTPS: on\n',
    nextjs:
      '// The server in front of Next.js redirects (nginx, the platform): the application never sees plain http.\n',
    vercel: '// Vercel redirects http to https with 308 by itself: look for a proxy in front of it that does not.\n',
  },
};

/** Compressed text with the header that keeps caches from mixing the variants up. */
export const compression: ServerSetting = {
  parts: [{ kind: 'compression' }],
  texts: {
    cloudflare:
      'Cloudflare compresses text by itself: look for "Cache-Control: no-transform" or a Compression Rule that turns it off.\n',
    nextjs: '// next.config.js: compress is on unless it was set to false\nmodule.exports = { compress: true };\n',
    vercel: '// Vercel compresses by itself: look for a proxy in front of it that strips Accept-Encoding.\n',
  },
};

/** Unknown paths answered by 404 in place of the application's start page. */
export const notFoundStatus: ServerSetting = {
  parts: [{ kind: 'not-found' }],
  texts: {
    cloudflare:
      '# wrangler.toml, in place of not_found_handling = "single-page-application"\n[assets]\nnot_found_handling = "404-page"\n',
    nextjs:
      "// In catch-all routes such as app/[...slug]/page.js\nimport { notFound } from 'next/navigation';\n// ...\nif (!page) notFound();\n",
    vercel: formatJsonFile({ rewrites: [{ source: '/app/:path*', destination: '/index.html' }] }),
  },
};

/** A permanent redirect from one path of ours to another. */
export const redirectPath = (from: string, to: string): ServerSetting => ({
  parts: [{ kind: 'redirect', from, to }],
  texts: {
    cloudflare: `# File _redirects of Workers static assets or Pages\n${from} ${to} 308\n`,
    nextjs: formatNextConfig('redirects', [{ source: from, destination: to, permanent: true }]),
    vercel: formatJsonFile({ redirects: [{ source: from, destination: to, permanent: true }] }),
  },
});

/** Validators, and answers 304 to those who have the page already. */
export const conditionalRequests: ServerSetting = {
  parts: [{ kind: 'validators' }],
  texts: {
    cloudflare:
      'Static assets have an ETag. In a Worker: set ETag from a hash of the body, compare it with If-None-Match, answer 304.\n',
    nextjs: '// next.config.js: on unless it was set to false\nmodule.exports = { generateEtags: true };\n',
    vercel: '// Static files have an ETag; functions set one themselves and answer 304 when If-None-Match names it.\n',
  },
};

/** How long a client that was refused for its haste has to wait. */
export const retryAfter: ServerSetting = {
  parts: [{ kind: 'retry-after' }],
  texts: {
    cloudflare:
      "Rate limiting rules send Retry-After by themselves; in a Worker: new Response('', { status: 429, headers: { 'retry-after': '60' } })\n",
    nextjs: "return new Response('', { status: 429, headers: { 'retry-after': '60' } });\n",
    vercel: "return new Response('', { status: 429, headers: { 'retry-after': '60' } });\n",
  },
};

/** HTML that caches may keep for a while and check again cheaply. */
export const htmlCaching: ServerSetting = {
  parts: [],
  texts: {
    nginx:
      '# In http; the folder above it has to exist\nproxy_cache_path /var/cache/nginx/pages levels=1:2 keys_zone=pages:10m inactive=60m;\n# In server, where its pages are the same for everybody\nproxy_cache pages;\nproxy_cache_valid 200 5m;\nproxy_cache_use_stale updating error timeout;\n',
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
  },
};

/** Verified AI agents let through a firewall that challenges the others. */
export const allowAgentsAtEdge: ServerSetting = {
  parts: [],
  texts: {
    nginx:
      '# Rules of a firewall module (ModSecurity, CrowdSec): exempt the addresses that the vendors publish, not the\n# User-Agent, which anyone can send:\n#   https://openai.com/searchbot.json  https://openai.com/chatgpt-user.json  https://www.perplexity.com/perplexitybot.json\n',
    apache:
      '# As for nginx: exempt the published address ranges in the rule that answers 403, e.g. with "Require ip" in a\n# <RequireAny> beside it. Do not go by the User-Agent alone.\n',
    cloudflare:
      'Security Settings > Bot traffic: set Search and Agent to allow. Training is your choice, but Googlebot, Bingbot and Applebot follow the strictest of the three settings.\nAI Crawl Control: allow the search crawlers and assistants that a rule of your own blocks.\nSecurity > WAF > Custom rules, above the challenge: (cf.client.bot) or (cf.verified_bot_category in {"AI Search" "AI Assistant"}) -> Skip\n',
    nextjs:
      '// Look in middleware.js for a test of the User-Agent that answers 403, and take the AI agents out of it.\n',
    vercel:
      'Firewall > Bot Management: set "AI bots" to allow (or off); add a rule that bypasses the challenge for verified bots.\n',
  },
};

/** Markdown for requests that prefer it, HTML for all others, both marked for caches. */
export const markdownNegotiation: ServerSetting = {
  parts: [{ kind: 'markdown' }],
  texts: {
    cloudflare: `AI Crawl Control > Markdown for Agents: on. Or in a Worker in front of the pages:\n\n${NEGOTIATING_WORKER}`,
    nextjs: `// A route handler at app/markdown/[[...path]]/route.js answers with the copies, as text/markdown and with Vary: Accept.\n${formatNextConfig(
      'rewrites',
      {
        beforeFiles: [
          {
            source: '/:path*',
            // Next.js compares no q-values: only who asks for nothing but Markdown gets it here.
            has: [{ type: 'header', key: 'accept', value: '\\s*text/markdown\\s*(,\\s*\\*/\\*;\\s*q=0.*)?' }],
            destination: '/markdown/:path*',
          },
        ],
      },
    )}`,
    vercel: MARKDOWN_MIDDLEWARE,
  },
};
