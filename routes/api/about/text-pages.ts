import { formatDiscoveryLinks } from '../../../src/openapi/discovery-documents.ts';
import { selectPreferredType } from '../../../src/openapi/accept.ts';
import { formatPageMarkdown, type PageText } from '../../../src/web/start/document.ts';
import { formatMarkdownPath, type PageOf, renderSitePage } from '../../../src/web/start/page.tsx';
import { buildPageHeaders, buildTransportHeaders } from '../../shared/page-headers.ts';
import { type StaticDocument, serveStaticDocument } from '../../shared/static-document.ts';
import type { AppContext } from '../context.ts';
import { getOperator } from '../pages/site-pages.ts';

const PAGE_TYPES = ['text/html', 'text/markdown'] as const;

/** `copy`: Markdown at an address of its own. */
type PageForm = 'html' | 'markdown' | 'copy';

/** Which form of a page a request is for. */
function selectForm(c: AppContext, path: string): PageForm {
  if (c.req.path === formatMarkdownPath(path)) return 'copy';
  return selectPreferredType(c.req.header('accept') ?? null, PAGE_TYPES) === 'text/markdown' ? 'markdown' : 'html';
}

/** A page that depends on the settings and on `variant` alone, in the form that is asked for. */
export async function answerTextPage(
  c: AppContext,
  { page, variant, feed }: { page: PageText; variant: string; feed?: PageOf['feed'] },
): Promise<Response> {
  const form = selectForm(c, page.path);
  const key = `${page.path} ${form} ${c.get('language')} ${JSON.stringify(getOperator(c))} ${variant}`;
  return serveStaticDocument(c, key, () => renderForm(c, page, { form, feed }));
}

/** A page of the moment. @param maxAgeS seconds that it may be kept */
export async function answerMomentaryPage(c: AppContext, page: PageText, maxAgeS: number): Promise<Response> {
  const { type, body, headers } = await renderForm(c, page, { form: selectForm(c, page.path), feed: undefined });
  return c.body(body, 200, { ...headers, 'content-type': type, 'cache-control': `public, max-age=${maxAgeS}` });
}

async function renderForm(
  c: AppContext,
  page: PageText,
  { form, feed }: { form: PageForm; feed: PageOf['feed'] },
): Promise<StaticDocument> {
  const baseUrl = c.get('settings').BASE_URL;
  if (form !== 'html')
    return {
      type: 'text/markdown; charset=utf-8',
      body: formatPageMarkdown(page, baseUrl),
      headers:
        form === 'copy'
          ? { link: `<${baseUrl}${page.path}>; rel="canonical"` }
          : { link: formatDiscoveryLinks(baseUrl), vary: 'Accept', ...buildTransportHeaders(baseUrl) },
    };
  const { 'cache-control': _kept, ...policy } = buildPageHeaders({ script: true });
  const of = { page, baseUrl, operator: getOperator(c), language: c.get('language') };
  return {
    type: 'text/html; charset=utf-8',
    body: String(await renderSitePage(feed === undefined ? of : { ...of, feed })),
    headers: {
      ...policy,
      link: formatDiscoveryLinks(baseUrl),
      vary: 'Accept, Accept-Language, Cookie',
      ...buildTransportHeaders(baseUrl),
    },
  };
}
