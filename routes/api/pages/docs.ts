import type { Hono } from 'hono';
import { buildProblem } from '../../../src/problems/codes.ts';
import { selectPreferredType } from '../../../src/openapi/accept.ts';
import { formatDiscoveryLinks } from '../../../src/openapi/discovery-documents.ts';
import { buildSiteGraph, renderJsonLd } from '../../../src/web/start/page.tsx';
import { serveStaticDocument } from '../../shared/static-document.ts';
import { buildPageHeaders, buildTransportHeaders } from '../../shared/page-headers.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { refuseRequest } from './pages.ts';

/** Where the documentation is; `scripts/build-docs.js` writes its files into `public/docs`. */
const DOCS = '/docs/';
/** What the built pages have in the place of our own address. */
const BUILT_ORIGIN = 'https://origin.invalid';
const HTML_TYPE = 'text/html; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
const PAGE_TYPES = ['text/html', 'text/markdown'] as const;
/** Names of these files have a hash of their content. */
const HASHED = /^\/docs\/assets\//;
const NO_PAGE = 'No page of the documentation has this address. It begins at /docs/.';
/** Files of the site that are no pages. */
const FILE = /\.(?:css|js|json|md|png|svg|txt)$/;
const FILE_POLICY = {
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
} as const;

/** The documentation: its pages in HTML and in Markdown, all of it in one text, and the files that the pages need. */
export function registerDocsRoutes(app: Hono<AppEnv>): void {
  app.get('/docs', (c) => c.redirect(DOCS, 308));
  app.get('/docs/assets/*', (c) => serveFile(c));
  app.get('/docs/*', guardFreeRoute, async (c): Promise<Response> => {
    const { path } = c.req;
    if (path.endsWith('.html')) return c.redirect(path.replace(/(?:\/index)?\.html$/, ''), 308);
    return await (FILE.test(path) ? serveFile(c) : servePage(c));
  });
  app.get('/llms-full.txt', guardFreeRoute, (c) => serveFile(c, `${DOCS}llms-full.txt`));
}

/** A page that search engines may list, as the build wrote it down: its path below `/docs/`, without an ending. */
export type DocsPage = { path: string; title: string; description: string; changed: string };

/** The pages of the documentation; none where it was not built. */
export async function listDocsPages(c: AppContext): Promise<readonly DocsPage[]> {
  const found = await fetchBuilt(c, `${DOCS}pages.json`);
  return found === undefined ? [] : await found.json<readonly DocsPage[]>(); // Our own build wrote it.
}

/** The address of a page below the origin. */
export const formatDocsPath = (path: string): string => `${DOCS}${path.replace(/(?:^|(?<=\/))index$/, '')}`;

/** The address of its Markdown twin. */
export const formatTwinPath = (path: string): string => `${DOCS}${path}.md`;

/** Whether a list of pages names the page: those of single checks and decisions are found by the page that lists them. */
export const isListedAlone = ({ path }: DocsPage): boolean =>
  !/^(?:reference\/checks|project\/adr|adr)\/(?!index$)/.test(path);

async function servePage(c: AppContext): Promise<Response> {
  const { path } = c.req;
  const wanted = selectPreferredType(c.req.header('accept') ?? null, PAGE_TYPES);
  const stem = path.endsWith('/') ? `${path}index` : path;
  const found = await fetchBuilt(c, `${stem}.${wanted === 'text/html' ? 'html' : 'md'}`);
  if (found === undefined) return answerElsewhere(c);
  return wanted === 'text/html' ? serveHtml(c, found) : serveMarkdown(c, found);
}

/** A page of a folder is at its address with a slash, any other without. */
async function answerElsewhere(c: AppContext): Promise<Response> {
  const { path } = c.req;
  const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
  const stem = other.endsWith('/') ? `${other}index` : other;
  const isThere = other !== '/docs' && (await fetchBuilt(c, `${stem}.html`)) !== undefined;
  if (isThere) return c.redirect(other, 308);
  const isPerson = (c.req.header('accept') ?? '').includes('text/html');
  return isPerson ? refuseRequest(c, buildProblem('not_found', { detail: NO_PAGE })) : c.notFound();
}

async function serveHtml(c: AppContext, found: Response): Promise<Response> {
  const { BASE_URL: baseUrl, CONTACT_EMAIL: contact, OPERATOR_IDENTITIES: identities = [] } = c.get('settings');
  const publisher = String(await renderJsonLd(buildSiteGraph(baseUrl, { contact, identities })));
  const { 'cache-control': _kept, ...policy } = buildPageHeaders({ script: true, drawn: true });
  return serveStaticDocument(c, `${c.req.path} ${found.headers.get('etag') ?? ''} ${publisher}`, async () => ({
    type: HTML_TYPE,
    body: (await found.text()).replaceAll(BUILT_ORIGIN, baseUrl).replace('</head>', () => `${publisher}</head>`),
    headers: { ...policy, ...buildSharedHeaders(c), 'cache-control': 'public, max-age=300' },
  }));
}

async function serveMarkdown(c: AppContext, found: Response): Promise<Response> {
  return serveText(c, found, MARKDOWN_TYPE, buildSharedHeaders(c));
}

/** A text with our own address in it. */
async function serveText(
  c: AppContext,
  found: Response,
  type: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  return serveStaticDocument(c, `${c.req.path} ${type} ${found.headers.get('etag') ?? ''}`, async () => ({
    type,
    body: (await found.text()).replaceAll(BUILT_ORIGIN, c.get('settings').BASE_URL),
    headers: { ...headers, 'cache-control': 'public, max-age=300' },
  }));
}

function buildSharedHeaders(c: AppContext): Readonly<Record<string, string>> {
  const baseUrl = c.get('settings').BASE_URL;
  return {
    link: formatDiscoveryLinks(baseUrl),
    vary: 'Accept',
    ...buildTransportHeaders(baseUrl),
  };
}

/** A file as it was built. A Markdown twin names the page that it is a copy of. */
async function serveFile(c: AppContext, path = c.req.path): Promise<Response> {
  const isText = path.endsWith('.md') || path.endsWith('.txt');
  const found = await fetchBuilt(c, path, isText ? undefined : c.req.header('if-none-match'));
  if (found === undefined) return c.notFound();
  if (path.endsWith('.txt')) return serveText(c, found, TEXT_TYPE, FILE_POLICY);
  if (path.endsWith('.md')) {
    const page = formatDocsPath(path.slice(DOCS.length, -'.md'.length));
    const link = `<${c.get('settings').BASE_URL}${page}>; rel="canonical"`;
    return serveText(c, found, MARKDOWN_TYPE, { ...FILE_POLICY, link });
  }
  const answer = new Response(found.body, found);
  for (const [name, value] of Object.entries(FILE_POLICY)) answer.headers.set(name, value);
  answer.headers.set(
    'cache-control',
    HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
  );
  return answer;
}

/** A file of `public`; undefined where there is none. */
async function fetchBuilt(c: AppContext, path: string, tag?: string): Promise<Response | undefined> {
  const address = new URL(path, c.req.url);
  const headers = tag === undefined ? {} : { 'if-none-match': tag };
  const found = await c.env.ASSETS?.fetch(new Request(address, { headers }));
  return found?.status === 200 || found?.status === 304 ? found : undefined;
}
