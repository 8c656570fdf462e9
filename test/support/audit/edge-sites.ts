import { goodPage } from '../../sites/good.ts';
import { type FetchTarget } from '../../../src/net/fetched.ts';
import { html, type Served, type SiteAnswer, type SiteMap, text } from './site-fetch.ts';

/** What Cloudflare writes in front of a robots.txt since July 2026: ten groups and 501 bytes between its two markers. */
export const CLOUDFLARE_BLOCK = `# BEGIN Cloudflare Managed content

User-agent: *
Content-Signal: search=yes,ai-train=no,use=reference
Allow: /

User-agent: Amazonbot
Disallow: /

User-agent: Applebot-Extended
Disallow: /

User-agent: Bytespider
Disallow: /

User-agent: CCBot
Disallow: /

User-agent: ClaudeBot
Disallow: /

User-agent: CloudflareBrowserRenderingCrawler
Disallow: /

User-agent: Google-Extended
Disallow: /

User-agent: GPTBot
Disallow: /

User-agent: meta-externalagent
Disallow: /

# END Cloudflare Managed Content
`;

/** The comment that stands above the block, as its documentation has it. */
export const CLOUDFLARE_COMMENT = `# As a condition of accessing this website, you agree to abide by the
# following content signals:

# (a)  If a content-signal = yes, you may collect content for the
#      corresponding use.
# (b)  If a content-signal = no, you may not collect content for the
#      corresponding use.

# ANY RESTRICTIONS EXPRESSED VIA CONTENT SIGNALS ARE EXPRESS RESERVATIONS OF
# RIGHTS UNDER ARTICLE 4 OF THE EUROPEAN UNION DIRECTIVE 2019/790 ON COPYRIGHT
# AND RELATED RIGHTS IN THE DIGITAL SINGLE MARKET.

`;

export const page = html(goodPage('/'));

/** Answers `refusal` to every visitor whose User-Agent contains one of the names, whatever its case, else `other`. */
export const refuseAgents =
  (names: readonly string[], refusal: SiteAnswer, other: SiteAnswer = page): SiteAnswer =>
  ({ headers = {} }: FetchTarget) => {
    const agent = (headers['user-agent'] ?? '').toLowerCase();
    return names.some((name) => agent.includes(name.toLowerCase())) ? refusal : other;
  };

export const forbidden: Served = html('<h1>Forbidden</h1>', { status: 403 });

/** The thirteen names that a server refused while the three that were asked for before got in. */
export const THIRTEEN = [
  'GPTBot',
  'ChatGPT-User',
  'ClaudeBot',
  'Claude-SearchBot',
  'Googlebot',
  'bingbot',
  'Applebot',
  'Perplexity-User',
  'DuckAssistBot',
  'Amzn-SearchBot',
  'meta-webindexer',
  'MistralAI-Index',
  'CCBot',
];

export const CLOUDFLARE = { server: 'cloudflare', 'cf-ray': '8c1a2b3c4d5e6f70-FRA' };

/** The agents that Cloudflare counts as Agent or as of several purposes. */
export const AGENT_AND_MULTI = ['Claude-User', 'ChatGPT-User', 'Googlebot', 'bingbot', 'Applebot'];

const ADS = '<script async src="https://pagead2.googlesyndication.com/pagead/js/adsbygoogle.js"></script>';

/** Cloudflare's setting against agents and training, which catches crawlers of several purposes; the page has ads. */
export const edgeOfCloudflare: SiteMap = {
  '/': refuseAgents(
    AGENT_AND_MULTI,
    html('error code: 1010', { status: 403, headers: CLOUDFLARE }),
    html(goodPage('/', ADS), { headers: CLOUDFLARE }),
  ),
  '/robots.txt': text('User-agent: *\nAllow: /\n', { headers: CLOUDFLARE }),
};

/** The start page is open to all; a page with ads that the sitemap lists is shut to agents. */
export const edgeOnAds: SiteMap = {
  '/': html(goodPage('/').replaceAll(/ href="[^"]*"/g, ' href="/"')),
  '/sitemap.xml': {
    status: 200,
    headers: { 'content-type': 'application/xml' },
    body: '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://acme.example/ads</loc></url></urlset>',
  },
  '/ads': refuseAgents(['Claude-User', 'Googlebot', 'GPTBot'], forbidden, html(goodPage('/ads', ADS))),
};
