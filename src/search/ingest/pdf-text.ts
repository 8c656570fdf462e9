/** Pages that are read of one PDF. */
export const MAX_PDF_PAGES = 200;
/** Characters that are kept of one PDF. */
const MAX_PDF_CHARS = 4 * 1024 * 1024;

type Item = { str: string; hasEOL: boolean } | object;

/**
 * The text of a PDF, page after page, and its title; undefined when it is broken or wants a password. What is drawn as
 * pictures has no text: a scan comes back empty.
 */
export async function textOfPdf(bytes: Uint8Array): Promise<{ text: string; title: string } | undefined> {
  const { getDocumentProxy } = await import('unpdf'); // As large as the rest of the Worker: loaded for those who send one.
  try {
    const document = await getDocumentProxy(new Uint8Array(bytes), QUIET); // The library takes its buffer away.
    try {
      return await readPages(document);
    } finally {
      await document.loadingTask.destroy();
    }
  } catch {
    return undefined; // It throws for whatever is wrong with a file; which it was is no matter.
  }
}

/** No messages on the console, no fonts of a system, no pictures. */
const QUIET = { verbosity: 0, disableFontFace: true, useSystemFonts: false, maxImageSize: 0 };

type Document = {
  numPages: number;
  getPage: (
    page: number,
  ) => Promise<{ getTextContent: () => Promise<{ items: readonly Item[] }>; cleanup: () => unknown }>;
  getMetadata: () => Promise<{ info: object }>;
};

async function readPages(document: Document): Promise<{ text: string; title: string }> {
  const pages: string[] = [];
  let chars = 0;
  for (let number = 1; number <= Math.min(document.numPages, MAX_PDF_PAGES) && chars < MAX_PDF_CHARS; number += 1) {
    const page = await document.getPage(number);
    const text = textOfPage((await page.getTextContent()).items);
    page.cleanup();
    pages.push(text);
    chars += text.length;
  }
  const { info } = await document.getMetadata();
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim() : '';
  return {
    text: pages
      .filter((text) => text !== '')
      .join('\n\n')
      .slice(0, MAX_PDF_CHARS),
    title,
  };
}

function textOfPage(items: readonly Item[]): string {
  const parts = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''));
  const lines = parts.join('').replaceAll('\0', '').split('\n');
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}
