import type { Hono } from 'hono';
import { formatDiscoveryLinks } from '../../../src/openapi/discovery-documents.ts';
import { selectPreferredType } from '../../../src/openapi/accept.ts';
import { listCapabilityPaths } from '../../../src/web/capability/address.ts';
import { type PageText, formatPageMarkdown } from '../../../src/web/start/document.ts';
import { formatMarkdownPath, renderSitePage } from '../../../src/web/start/page.tsx';
import { startPage } from '../../../src/web/start/start-page.tsx';
import { PRICES_PATH, buildPricesText } from '../../../src/web/start/prices-text.ts';
import { DEFAULT_LANGUAGE, type PageLanguage } from '../../../src/web/language/language.ts';
import { type Operator, buildSiteTexts } from '../../../src/web/start/site-texts.ts';
import { formatSitemapXml } from '../../../src/web/start/sitemap.ts';
import { startText, WORDS_CHANGED } from '../../../src/web/start/text.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { guardFreeRoute } from '../free-guard.ts';
import { buildPageHeaders, buildTransportHeaders } from '../../shared/page-headers.ts';
import { listAboutPages } from '../about/available.ts';
import { formatDocsPath, listDocsPages } from './docs.ts';
import { readExample } from './example.ts';
import { serveStaticDocument } from '../../shared/static-document.ts';

/** Paths of the pages about the service, each with the day of its last change. */
const SITE_PAGES = [
  { path: PRICES_PATH, changed: WORDS_CHANGED },
  ...buildSiteTexts({ identities: [] }).map(({ path, changed }) => ({ path, changed })),
];
const HTML_TYPE = 'text/html; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
const PAGE_TYPES = ['text/html', 'text/markdown'] as const;

/** The pages about the service in HTML and in Markdown, and the sitemap that lists what search engines may show. */
export function registerSitePageRoutes(app: Hono<AppEnv>): void {
  for (const { path } of SITE_PAGES) {
    app.get(path, guardFreeRoute, (c) => {
      const chosen = selectPreferredType(c.req.header('accept') ?? null, PAGE_TYPES);
      return chosen === 'text/markdown' ? answerMarkdownPage(c, path) : answerSitePage(c, path);
    });
    app.get(formatMarkdownPath(path), guardFreeRoute, (c) => answerMarkdownPage(c, path));
  }
  // Never 429, as robots.txt: who is refused it once may look for a long time at an older one.
  app.get('/sitemap.xml', async (c) => {
    const [docs, about] = await Promise.all([listDocsPages(c), listAboutPages(c)]);
    return serveStaticDocument(c, `/sitemap.xml ${docs.length} ${about.length}`, () => ({
      type: 'application/xml; charset=utf-8',
      body: formatSitemapXml(c.get('settings').BASE_URL, [
        ...['/', ...listCapabilityPaths()].map((path) => ({ path, changed: WORDS_CHANGED })),
        ...SITE_PAGES,
        ...about,
        ...docs.map(({ path, changed }) => ({ path: formatDocsPath(path), changed })),
      ]),
    }));
  });
}

export const getOperator = (c: AppContext): Operator => {
  const { CONTACT_EMAIL, OPERATOR_IDENTITIES } = c.get('settings');
  return { contact: CONTACT_EMAIL, identities: OPERATOR_IDENTITIES ?? [] };
};

/** Start page and prices are in the reader's language, the others in English. */
function getPageText(c: AppContext, path: string, language: PageLanguage): PageText {
  const { BASE_URL } = c.get('settings');
  if (path === PRICES_PATH) return buildPricesText(BASE_URL, language);
  const page = buildSiteTexts(getOperator(c)).find((one) => one.path === path);
  return page ?? startText(BASE_URL, language);
}

/** A page of ours, which depends on the settings alone, in HTML. */
export async function answerSitePage(c: AppContext, path: string): Promise<Response> {
  const baseUrl = c.get('settings').BASE_URL;
  const operator = getOperator(c);
  const { 'cache-control': _kept, ...policy } = buildPageHeaders({ script: true });
  const language = c.get('language');
  return serveStaticDocument(c, `${path} html ${language} ${JSON.stringify(operator)}`, async () => {
    const of = { page: getPageText(c, path, language), baseUrl, operator, language };
    return {
      type: HTML_TYPE,
      body: String(await (path === '/' ? startPage({ ...of, example: await readExample(c) }) : renderSitePage(of))),
      headers: {
        ...policy,
        link: formatDiscoveryLinks(baseUrl),
        vary: 'Accept, Accept-Language, Cookie',
        ...buildTransportHeaders(baseUrl),
      },
    };
  });
}

/** The same in Markdown: at the page's own address where the client prefers it, and at an address for Markdown only. */
export function answerMarkdownPage(c: AppContext, path: string): Promise<Response> {
  const baseUrl = c.get('settings').BASE_URL;
  const isCopy = c.req.path === formatMarkdownPath(path);
  return serveStaticDocument(c, `${c.req.path} md ${JSON.stringify(getOperator(c))}`, () => ({
    type: MARKDOWN_TYPE,
    body: formatPageMarkdown(getPageText(c, path, DEFAULT_LANGUAGE), baseUrl),
    headers: isCopy
      ? { link: `<${baseUrl}${path}>; rel="canonical"` }
      : {
          link: formatDiscoveryLinks(baseUrl),
          vary: 'Accept',
          ...buildTransportHeaders(baseUrl),
        },
  }));
}
