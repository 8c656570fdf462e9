import type { PdfOutcome, PrintedFile } from '../../../src/report/pdf.ts';
import { createBoundBrowser } from './browser.ts';
import type { Env } from './env.ts';

type PdfEnv = Pick<Env, 'ASSETS' | 'BROWSER' | 'PDF_BROWSER'>;

/** Whether this deployment can print: a browser, and the style sheets of the page. */
export const hasPdfBrowser = ({ ASSETS, BROWSER, PDF_BROWSER }: PdfEnv): boolean =>
  ASSETS !== undefined && (PDF_BROWSER ?? BROWSER) !== undefined;

/** Prints the page of a report; its style sheets and pictures come from the static files of this Worker. */
export async function printReport(
  { ASSETS, BROWSER, PDF_BROWSER }: PdfEnv,
  page: string,
): Promise<PdfOutcome | { ok: false; reason: 'no_browser'; detail: string }> {
  const browser = PDF_BROWSER ?? BROWSER;
  if (browser === undefined || ASSETS === undefined)
    return { ok: false, reason: 'no_browser', detail: 'Neither PDF_BROWSER nor BROWSER is bound' };
  // Loaded when it is first used: few requests print.
  const { printToPdf } = await import('../../../src/report/pdf.ts');
  const body = new TextEncoder().encode(page);
  return printToPdf(
    async (path) => (path === '/' ? { type: 'text/html; charset=utf-8', body } : readAsset(ASSETS, path)),
    createBoundBrowser(browser),
  );
}

async function readAsset(assets: Fetcher, path: string): Promise<PrintedFile | undefined> {
  if (!path.startsWith('/web/')) return undefined;
  const answer = await assets.fetch(`https://assets.internal${path}`);
  if (!answer.ok) {
    await answer.body?.cancel();
    return undefined;
  }
  const type = answer.headers.get('content-type') ?? 'application/octet-stream';
  return { type, body: new Uint8Array(await answer.arrayBuffer()) };
}
