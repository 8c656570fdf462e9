import type { CheckOutcome } from '../../../src/audit/core/check.ts';
import { checks } from '../../../src/audit/core/catalogue.ts';
import type { Snapshot } from '../../../src/audit/core/snapshot.ts';
import type { Audited } from '../../../src/fixes/files/generated-file.ts';
import { recipes } from '../../../src/fixes/core/all-recipes.ts';
import { CLOCK_MS } from './audit.ts';
import { SITE } from './site-fetch.ts';

const prose = 'Werkzeug aus Eiche — 樫の工具 — дуб: “quoted” & <b>bold</b> 🪵. '.repeat(20);

/** Pages whose markup two rewriters could write differently. */
export const oddPages: Readonly<Record<string, string>> = {
  tidy: `<!doctype html>\n<html>\n  <head>\n    <title>Home</title>\n  </head>\n  <body>\n    <h1>Oak</h1>\n    <p>${prose}</p>\n  </body>\n</html>\n`,
  minified: `<!doctype html><html><head><title>Home</title><meta name=robots content=noindex></head><body><h1>a</h1><h1>b</h1><img src=a.png><p>${prose}</body></html>`,
  careless: `<TITLE>x</TITLE><H4 CLASS=a>Größe?</H4><IMG SRC='a.png' ><a href="/b" rel=nofollow>more</A><table><tr><td>1 vs 2</table><div role=button onclick="go('é')">Öffnen</div><template><img></template><svg><title>s</title></svg>`,
  crlf: `<!doctype html>\r\n<html lang="xx">\r\n<head>\r\n\t<title>Home</title>\r\n</head>\r\n<body>\r\n<form><input placeholder="Größe"><button></button></form>\r\n<script type="application/ld+json">{"@type":"Organisation","name":"Höfe",}</script>\r\n</body>\r\n</html>`,
};

/** SHA-256 of each page with all page fixes in it: what the polyfill and the platform's own class must both write. */
export const PATCHED_SHA256: Readonly<Record<string, string>> = {
  tidy: '56669e097aee5fb350f41dc7642f43fd317a9cc6f909a3f1e101158b0075cedf',
  minified: '540135250270c379ff5978314ca0b4970c19c65a7295057d6c0363e6c2548418',
  careless: 'e0eb53cc9169c66a40c52523aafde276740a1feec932e1694e2876e74edfa30c',
  crlf: '1312e63aacdbd34f240e78641d10dfea6bfbf3ce6c2dcbaf713d3857806d99d0',
};

/** A page that leaves so many elements open that the platform's rewriter stops. */
export const tooDeep = `<html><head></head><body>${'<p>x'.repeat(17_000)}</body></html>`;

/** A site of one page in which every check that is mended inside the page has failed: independent of how checks judge. */
export function failedPage(page: string): Audited {
  const failed: CheckOutcome = { status: 'fail', value: 0, note: 'made up', evidence: [] };
  const answer = {
    ok: true,
    url: `${SITE}/`,
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: page,
    bodyBytes: page.length,
    sha256: page, // Facts are kept by hash: any text will do that is the page's own.
    truncated: false,
    redirects: [],
  } as const;
  const exchange = { role: 'page', method: 'GET', url: `${SITE}/`, requestHeaders: {}, answer, ms: 0 } as const;
  const snapshot: Snapshot = { version: 1, url: `${SITE}/`, clockMs: CLOCK_MS, exchanges: [exchange] };
  const profile = { name: 'content', rests_on: [], given: true } as const;
  return {
    snapshot,
    site: { start: new URL(SITE), local: false, profile, clockMs: CLOCK_MS },
    judged: checks.filter(({ id }) => recipes[id]?.page !== undefined).map((check) => ({ check, outcome: failed })),
  };
}
