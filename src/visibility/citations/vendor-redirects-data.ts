/** An address of a vendor that leads to the page which an answer cites. */
export type VendorRedirect = {
  host: string;
  /** Start of the path. */
  path: string;
  /** The parameter that holds the page, and how; absent where only the vendor's server knows the page. */
  inside?: { parameter: string; coding: 'plain' | 'a1-base64url' };
  /** Titles of these sources are the host of the page. */
  titleIsHost?: true;
  source: string;
  /** The day on which the form was read. */
  read: string;
};

/** What the engines of today put before their sources. */
export const vendorRedirects: readonly VendorRedirect[] = [
  {
    host: 'vertexaisearch.cloud.google.com',
    path: '/grounding-api-redirect/',
    titleIsHost: true,
    source: 'https://ai.google.dev/gemini-api/docs/google-search',
    read: '2026-11-28',
  },
  {
    host: 'www.google.com',
    path: '/url',
    inside: { parameter: 'q', coding: 'plain' },
    source: 'links of Google Search results, as public parsers of them read the address',
    read: '2026-11-28',
  },
  {
    host: 'www.google.com',
    path: '/url',
    inside: { parameter: 'url', coding: 'plain' },
    source: 'links of Google Search results, as public parsers of them read the address',
    read: '2026-11-28',
  },
  {
    host: 'www.bing.com',
    path: '/ck/a',
    inside: { parameter: 'u', coding: 'a1-base64url' },
    source: 'links of Bing results, as public parsers of them read the address: `a1` and base64url of it',
    read: '2026-11-28',
  },
  {
    host: 'duckduckgo.com',
    path: '/l/',
    inside: { parameter: 'uddg', coding: 'plain' },
    source: 'links of DuckDuckGo results, as public parsers of them read the address',
    read: '2026-11-28',
  },
];
