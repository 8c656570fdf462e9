import type { PageFacts, Paragraph } from './page-facts.ts';
import { readPage } from './reader.ts';

/**
 * Reads the facts of an HTML page in one streaming pass, linear in its size. Never throws for what a page holds:
 * anything is HTML to a browser. Whether it was served as HTML is the caller's question (`isHtml`).
 * @param html decoded text; `bodyBytes` its size on the wire; `url` the final URL, base of relative links.
 */
export function parsePage(html: string, from: { url: string; bodyBytes: number }): PageFacts {
  return readPage(html, from);
}

/** The content of the first meta with this name or property (lower case), or '' when there is none. */
export function getMetaContent(page: PageFacts, name: string): string {
  return page.metas.find((meta) => meta.name === name || meta.property === name)?.content ?? '';
}

/** First paragraph below a heading (by its `order`) and before the next one. */
export function findParagraphBelow(page: PageFacts, heading: number): Paragraph | undefined {
  return page.paragraphs.find((paragraph) => paragraph.heading === heading && paragraph.text !== '');
}
