import type { Hono } from 'hono';
import { buildProblem } from '../../../src/problems/codes.ts';
import { selectPreferredType } from '../../../src/openapi/accept.ts';
import { formatDiscoveryLinks } from '../../../src/openapi/discovery-documents.ts';
import { parseDocsAddress } from '../../../src/web/start/docs-address.ts';
import { buildSiteGraph, renderJsonLd } from '../../../src/web/start/page-graph.ts';
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
const NOT_BUILT = 'The documentation of this deployment is not built yet: `npm run docs:site` builds it.';
const FILE_POLICY = {
  'content-security-policy': "default-src 'none'; sandbox",
  'referrer-policy': 'no-referrer',
} as const;

/** The documentation: its pages in HTML and in Markdown, and the files that the pages need. */
export function registerDocsRoutes(app: Hono<AppEnv>): void {
  app.get('/docs', (c) => c.redirect(DOCS, 308));
  app.get('/docs/assets/*', (c) => serveAddress(c));
  app.get('/docs/*', guardFreeRoute, (c) => serveAddress(c));
}

/** All pages of the documentation in one text. */
export const answerWholeDocs = (c: AppContext): Promise<Response> => serveFile(c, `${DOCS}llms-full.txt`);

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

/** Answers one spelling of each address, so that no caller can fill what is remembered with others. */
async function serveAddress(c: AppContext): Promise<Response> {
  const address = parseDocsAddress(new URL(c.req.url).pathname);
  if (address.kind === 'moved') return c.redirect(address.to, 308);
  if (address.kind === 'page') return servePage(c, address.stem);
  return address.kind === 'file' ? serveFile(c, address.path) : answerNothing(c);
}

async function servePage(c: AppContext, stem: string): Promise<Response> {
  const wanted = selectPreferredType(c.req.header('accept') ?? null, PAGE_TYPES);
  const file = `${stem}.${wanted === 'text/html' ? 'html' : 'md'}`;
  const found = await fetchBuilt(c, file);
  if (found === undefined) return answerElsewhere(c, stem);
  return wanted === 'text/html'
    ? serveHtml(c, found, file)
    : serveText(c, found, { key: `page ${file}`, type: MARKDOWN_TYPE, headers: buildSharedHeaders(c) });
}

/** A page of a folder is at its address with a slash, any other without. */
async function answerElsewhere(c: AppContext, stem: string): Promise<Response> {
  const other = stem.endsWith('/index') ? stem.slice(0, -'/index'.length) : `${stem}/index`;
  const isThere = (await fetchBuilt(c, `${other}.html`)) !== undefined;
  return isThere ? c.redirect(other.replace(/\/index$/, '/'), 308) : answerNothing(c);
}

async function answerNothing(c: AppContext): Promise<Response> {
  const isPerson = (c.req.header('accept') ?? '').includes('text/html');
  if (!isPerson) return c.notFound();
  const isBuilt = (await fetchBuilt(c, `${DOCS}index.html`)) !== undefined;
  return refuseRequest(c, buildProblem('not_found', { detail: isBuilt ? NO_PAGE : NOT_BUILT }));
}

async function serveHtml(c: AppContext, found: Response, file: string): Promise<Response> {
  const { BASE_URL: baseUrl, CONTACT_EMAIL: contact, OPERATOR_IDENTITIES: identities = [] } = c.get('settings');
  const publisher = String(await renderJsonLd(buildSiteGraph(baseUrl, { contact, identities })));
  const { 'cache-control': _kept, ...policy } = buildPageHeaders({ script: true, drawn: true });
  return serveStaticDocument(c, `${file} ${found.headers.get('etag') ?? ''} ${publisher}`, async () => ({
    type: HTML_TYPE,
    body: (await found.text()).replaceAll(BUILT_ORIGIN, baseUrl).replace('</head>', () => `${publisher}</head>`),
    headers: { ...policy, ...buildSharedHeaders(c), 'cache-control': 'public, max-age=300' },
  }));
}

type TextVariant = { key: string; type: string; headers: Readonly<Record<string, string>> };

/** A text with our own address in it. */
async function serveText(c: AppContext, found: Response, { key, type, headers }: TextVariant): Promise<Response> {
  return serveStaticDocument(c, `${key} ${found.headers.get('etag') ?? ''}`, async () => ({
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
async function serveFile(c: AppContext, path: string): Promise<Response> {
  const isText = path.endsWith('.md') || path.endsWith('.txt');
  const found = await fetchBuilt(c, path, isText ? undefined : c.req.header('if-none-match'));
  if (found === undefined) return c.notFound();
  if (path.endsWith('.txt')) return serveText(c, found, { key: path, type: TEXT_TYPE, headers: FILE_POLICY });
  if (path.endsWith('.md')) {
    const page = formatDocsPath(path.slice(DOCS.length, -'.md'.length));
    const link = `<${c.get('settings').BASE_URL}${page}>; rel="canonical"`;
    return serveText(c, found, { key: path, type: MARKDOWN_TYPE, headers: { ...FILE_POLICY, link } });
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
