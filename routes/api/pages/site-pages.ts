import type { Hono } from 'hono';
import { discoveryLinks } from '../../../src/openapi/api-catalog.ts';
import { preferredType } from '../../../src/openapi/accept.ts';
import type { PageText } from '../../../src/web/start/document.ts';
import { pageMarkdown } from '../../../src/web/start/markdown.ts';
import { markdownPath, sitePage, startPage } from '../../../src/web/start/page.tsx';
import { type Operator, siteTexts } from '../../../src/web/start/site-texts.ts';
import { sitemapXml } from '../../../src/web/start/sitemap.ts';
import { startText, WORDS_CHANGED } from '../../../src/web/start/text.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { freeGuard } from '../free-guard.ts';
import { pageHeaders } from '../../shared/page-headers.ts';
import { staticDocument } from '../../shared/static-document.ts';

/** Paths of the pages about the service. */
const SITE_PATHS = siteTexts({ identities: [] }).map(({ path }) => path);
/** A year (RFC 6797); other hosts of the domain are not ours to decide for. */
const HTTPS_ONLY = 'max-age=31536000';
const HTML_TYPE = 'text/html; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
const PAGE_TYPES = ['text/html', 'text/markdown'] as const;

/** The pages about the service in HTML and in Markdown, and the sitemap that lists what search engines may show. */
export function sitePageRoutes(app: Hono<AppEnv>): void {
  for (const path of SITE_PATHS) {
    app.get(path, freeGuard, (c) => {
      const chosen = preferredType(c.req.header('accept') ?? null, PAGE_TYPES);
      return chosen === 'text/markdown' ? markdownAnswer(c, path) : pageAnswer(c, path);
    });
    app.get(markdownPath(path), freeGuard, (c) => markdownAnswer(c, path));
  }
  // Never 429, as robots.txt: who is refused it once may look for a long time at an older one.
  app.get('/sitemap.xml', (c) =>
    staticDocument(c, '/sitemap.xml', () => ({
      type: 'application/xml; charset=utf-8',
      body: sitemapXml(
        c.get('settings').BASE_URL,
        ['/', '/audit', ...SITE_PATHS].map((path) => ({ path, changed: WORDS_CHANGED })),
      ),
    })),
  );
}

const operatorOf = (c: AppContext): Operator => {
  const { CONTACT_EMAIL, OPERATOR_IDENTITIES } = c.get('settings');
  return { contact: CONTACT_EMAIL, identities: OPERATOR_IDENTITIES ?? [] };
};

function textAt(c: AppContext, path: string): PageText {
  const page = siteTexts(operatorOf(c)).find((one) => one.path === path);
  return page ?? startText(c.get('settings').BASE_URL);
}

/** A page of ours, which depends on the settings alone, in HTML. */
export function pageAnswer(c: AppContext, path: string): Promise<Response> {
  const baseUrl = c.get('settings').BASE_URL;
  const operator = operatorOf(c);
  const { 'cache-control': _kept, ...policy } = pageHeaders({ script: true });
  return staticDocument(c, `${path} html ${JSON.stringify(operator)}`, async () => {
    const show = path === '/' ? startPage : sitePage;
    return {
      type: HTML_TYPE,
      body: String(await show({ page: textAt(c, path), baseUrl, operator })),
      headers: {
        ...policy,
        link: discoveryLinks(baseUrl),
        vary: 'Accept',
        ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': HTTPS_ONLY } : {}),
      },
    };
  });
}

/** The same in Markdown: at the page's own address for whoever prefers it, and at one that is nothing else. */
export function markdownAnswer(c: AppContext, path: string): Promise<Response> {
  const baseUrl = c.get('settings').BASE_URL;
  const isCopy = c.req.path === markdownPath(path);
  return staticDocument(c, `${c.req.path} md ${JSON.stringify(operatorOf(c))}`, () => ({
    type: MARKDOWN_TYPE,
    body: pageMarkdown(textAt(c, path), baseUrl),
    headers: isCopy
      ? { link: `<${baseUrl}${path}>; rel="canonical"` }
      : {
          link: discoveryLinks(baseUrl),
          vary: 'Accept',
          ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': HTTPS_ONLY } : {}),
        },
  }));
}
