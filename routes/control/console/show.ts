import { renderConsoleShell } from '../../../src/web/console/shell.tsx';
import type { Html } from '../../../src/web/design/shell.tsx';
import { renderEmptyList } from '../../../src/web/console/refusal.tsx';
import { logLine } from '../../shared/telemetry.ts';
import { readControlSettings } from '../bindings/env.ts';
import type { ConsoleContext, ConsolePage, NothingToShow, ConsoleDownload } from './console-request.ts';
import { consolePages } from './console-pages.ts';
import { readNotice } from './return-url.ts';
import { answerPage, type ConsoleRefusal, type ConsoleRequest, type SignedIn, refuseWith } from './dependencies.ts';
import { buildPageHeaders } from '../../shared/page-headers.ts';

/** Actions need a sign-in younger than this (rule K10). */
const FRESH_MS = 15 * 60_000;

const NAV = consolePages
  .filter(({ under }) => under === undefined)
  .map(({ path, title }) => ({ href: path, text: title }));

/** What pages and actions work with. */
export function buildConsoleContext(c: ConsoleRequest, { session, csrf, hash }: SignedIn, url: URL): ConsoleContext {
  const isFresh = Date.now() - session.signedInAtMs < FRESH_MS;
  return {
    env: c.env,
    settings: readControlSettings(c.env),
    requestId: c.get('requestId'),
    session: { ...session, csrf, isFresh, hash },
    forms: { csrf, isFresh, returnTo: `${url.pathname}${url.search}` },
    url,
    query: url.searchParams,
    now: Date.now,
    pages: consolePages,
  };
}

/** Answers with a page of the registry. */
export async function showConsolePage(c: ConsoleRequest, page: ConsolePage, browser: SignedIn) {
  const { url, said } = await readNotice(new URL(c.req.url), browser.value);
  const context = buildConsoleContext(c, browser, url);
  const shown = await loadPageContent(page, context);
  const isPage = !('status' in shown);
  const { operator, signedInAtMs } = context.session;
  const { scripts = [] } = page;
  const content = renderConsoleShell({
    title: isPage ? page.title : shown.title,
    nav: NAV,
    path: page.under ?? page.path,
    operator,
    signedInAtMs,
    csrf: browser.csrf,
    said,
    scripts: isPage ? scripts : [],
    here: isPage ? `${url.pathname}${url.search}` : undefined,
    children: isPage ? shown.content : renderEmptyList(shown),
  });
  return answerPage(c, content, { status: isPage ? 200 : shown.status, script: scripts.length > 0 });
}

/** What a page shows. An error is logged, and never taken for "there is nothing". */
async function loadPageContent(page: ConsolePage, context: ConsoleContext): Promise<{ content: Html } | NothingToShow> {
  try {
    const shown = await page.show(context);
    return typeof shown === 'object' && 'status' in shown ? shown : { content: shown };
  } catch (error) {
    const { name } = error instanceof Error ? error : new Error();
    logLine({ event: 'console_page_failed', request_id: context.requestId, route: page.path, error: name });
    return COULD_NOT_LOOK;
  }
}

/** Answers with a file of the registry, to be saved and never shown. */
export async function answerDownload(c: ConsoleRequest, download: ConsoleDownload, browser: SignedIn) {
  const context = buildConsoleContext(c, browser, new URL(c.req.url));
  try {
    const file = await download.read(context);
    if ('status' in file) return refuseWith(c, { ...file, code: 'nothing_to_show' });
    return c.body(file.text, 200, {
      ...buildPageHeaders(),
      'content-type': file.type,
      'content-disposition': `attachment; filename="${file.name}"`,
      'x-content-type-options': 'nosniff',
    });
  } catch (error) {
    const { name } = error instanceof Error ? error : new Error();
    logLine({ event: 'console_download_failed', request_id: context.requestId, route: download.path, error: name });
    return refuseWith(c, FILE_NOT_READ);
  }
}

const COULD_NOT_LOOK: NothingToShow = {
  status: 503,
  title: 'Could not read',
  detail: 'What this page shows could not be read now. That says nothing about what there is: try again in a moment.',
};

const FILE_NOT_READ: ConsoleRefusal = {
  status: 503,
  code: 'could_not_look',
  title: 'Could not read',
  detail: 'What this file would hold could not be read now. Try again in a moment.',
};
