import { yieldToEventLoop } from '../../lib/concurrency.ts';
import { waitOrAbort } from '../../net/deadline.ts';
import { MAX_PDF_CHARS, type PdfText } from './reader.ts';
import { sanitisePdf } from './streams.ts';
import { MAX_PDF_PAGES } from './work.ts';

/** Pieces of text that are read of one page. */
const MAX_PAGE_ITEMS = 200_000;
/** All pages together; it is looked at whenever the reader gives something out. */
const PDF_MS = 10_000;

type Item = { str: string; hasEOL: boolean } | object;

/**
 * The text of a PDF, page after page, and its title. `unreadable`: it is broken or encrypted; `too_large`: its streams inflate
 * to more than their limit, or it takes too long. What is drawn as pictures has no text: a scan comes back empty.
 */
export async function extractPdfText(bytes: Uint8Array): Promise<PdfText> {
  const safe = await sanitisePdf(bytes);
  if (safe === 'too_large') return 'too_large';
  if (safe === 'encrypted') return 'unreadable';
  const { getDocumentProxy, getResolvedPDFJS } = await import('unpdf');
  await getResolvedPDFJS(); // What it loads itself takes none of the file's time.
  const time = AbortSignal.timeout(PDF_MS);
  try {
    const document = await getDocumentProxy(safe, QUIET); // The library takes its buffer away.
    try {
      return await waitOrAbort(readPages(document, time), time);
    } finally {
      await document.loadingTask.destroy();
    }
  } catch {
    return time.aborted ? 'too_large' : 'unreadable'; // It throws for whatever is wrong with a file; which it was is no matter.
  }
}

/** No messages on the console, no fonts of a system, no pictures. */
const QUIET = { verbosity: 0, disableFontFace: true, useSystemFonts: false, maxImageSize: 0 };

type Page = { streamTextContent: () => ReadableStream<{ items: readonly Item[] }>; cleanup: () => unknown };
type Document = {
  numPages: number;
  getPage: (page: number) => Promise<Page>;
  getMetadata: () => Promise<{ info: object }>;
};

async function readPages(document: Document, time: AbortSignal): Promise<PdfText> {
  const { info } = await document.getMetadata();
  if ('EncryptFilterName' in info && info.EncryptFilterName !== null) return 'unreadable';
  const pages: string[] = [];
  let chars = 0;
  for (let number = 1; number <= Math.min(document.numPages, MAX_PDF_PAGES) && chars < MAX_PDF_CHARS; number += 1) {
    await yieldToEventLoop(); // Clocks of a Worker do not advance while it computes.
    time.throwIfAborted();
    const page = await document.getPage(number);
    const text = formatPageText(await listTextItems(page, time));
    page.cleanup();
    pages.push(text);
    chars += text.length;
  }
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim() : '';
  return {
    text: pages
      .filter((text) => text !== '')
      .join('\n\n')
      .slice(0, MAX_PDF_CHARS),
    title,
  };
}

/** What is behind the limit is dropped, but read to its end: the library goes on writing after it was cancelled, and throws. */
async function listTextItems(page: Page, time: AbortSignal): Promise<readonly Item[]> {
  const reader = page.streamTextContent().getReader();
  const items: Item[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return items;
    time.throwIfAborted();
    if (items.length < MAX_PAGE_ITEMS) items.push(...value.items);
  }
}

function formatPageText(items: readonly Item[]): string {
  const parts = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''));
  const lines = parts.join('').replaceAll('\0', '').split('\n');
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}
