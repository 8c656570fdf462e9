import type { PageFacts } from '../../page/facts/page-facts.ts';
import type { RewriterElement } from '../../../fixes/files/html-rewriter.ts';
import { cleanSiteText } from '../../../fixes/files/safe-site.ts';
import { escapeHtml } from '../../../lib/safe-text.ts';
import { formatSlot } from '../../../fixes/core/fix-slots.ts';
import { hasClosingTags, type PageEdit } from '../../../fixes/core/page-edits.ts';

const MAX_ALT_CHARS = 150;

/** Images without `alt` get their title's text; a decorative one an empty text; the others need a person to look. */
export const buildAltEdit: PageEdit = ({ page }) => {
  if (!page) return undefined;
  const bare = page.images.filter(({ alt }) => alt === null);
  return {
    elements: [
      {
        selector: 'img:not([alt])',
        edit(element, index) {
          const image = bare[index];
          if (!image) return;
          const text = cleanSiteText(element.getAttribute('title') ?? '', MAX_ALT_CHARS);
          element.setAttribute('alt', image.decorative ? '' : text || formatSlot('imageText'));
        },
      },
    ],
  };
};

/** Header cells say which cells they head; the first row of a table without any becomes its header. */
export const buildTableHeadersEdit: PageEdit = ({ page, source }) => {
  if (!page) return undefined;
  const closed = hasClosingTags(source, ['td']);
  let table = -1;
  const hasHeaders = (): boolean => (page.tables[table]?.headerCells ?? 1) > 0;
  const toHeader = (element: RewriterElement): void => {
    if (!closed || hasHeaders()) return;
    element.tagName = 'th';
    element.setAttribute('scope', 'col');
  };
  return {
    elements: [
      { selector: 'table', edit: () => void (table += 1) },
      { selector: 'thead th:not([scope])', edit: (element) => void element.setAttribute('scope', 'col') },
      { selector: 'tr:first-child > th:not([scope])', edit: (element) => void element.setAttribute('scope', 'col') },
      { selector: 'tr > th:first-child:not([scope])', edit: setRowScope },
      { selector: 'table > tr:first-child > td', edit: toHeader },
      { selector: 'tbody > tr:first-child > td', edit: toHeader },
    ],
  };
};

/** A header that no earlier edit scoped is at the head of its row. */
function setRowScope(element: RewriterElement): void {
  if (element.getAttribute('scope') === null) element.setAttribute('scope', 'row');
}

/** Captions to fill in for figures and tables that have none. */
export const buildCaptionsEdit: PageEdit = ({ page, source }) => {
  if (!page || !hasClosingTags(source, ['figure'])) return undefined;
  const text = formatSlot('caption');
  return {
    elements: [
      {
        selector: 'figure',
        edit(element, index) {
          if (page.figures[index]?.caption === '') element.append(`<figcaption>${text}</figcaption>`, { html: true });
        },
      },
      {
        selector: 'table',
        edit(element, index) {
          if (page.tables[index]?.caption === '') element.prepend(`<caption>${text}</caption>`, { html: true });
        },
      },
    ],
  };
};

/** Addresses of what the browser loads by itself over https. */
export const buildMixedContentEdit: PageEdit = ({ page }) =>
  page && {
    elements: [
      ...['script', 'iframe', 'img', 'video', 'audio', 'source', 'embed', 'track'].map((tag) => upgrade(tag, 'src')),
      upgrade('link', 'href'),
      upgrade('object', 'data'),
      upgrade('form', 'action'),
    ],
  };

const upgrade = (tag: string, attribute: string) => ({
  selector: `${tag}[${attribute}^="http:" i]`,
  edit(element: RewriterElement) {
    element.setAttribute(attribute, (element.getAttribute(attribute) ?? '').replace(/^http:/i, 'https:'));
  },
});

/**
 * Characters that carry invisible text: tag characters, bidirectional overrides, long runs of zero-width characters
 * and variation selectors. The flags of England, Scotland and Wales are written with tag characters and stay.
 */
const COVERT =
  /(\u{1F3F4}[\u{E0030}-\u{E007A}]{1,10}\u{E007F})|[\u{E0000}-\u{E007F}]+|[\u202D\u202E]+|(?:[\u200B-\u200D\u2060\uFEFF]|\p{Variation_Selector}){8,}/gu;

export const buildCovertTextEdit: PageEdit = ({ page }) =>
  page && { text: (html) => html.replaceAll(COVERT, (_, flag: string | undefined) => flag ?? '') };

/** Ends the main part of a page with more HTML: in its main element, else at the end of its body. */
export function appendToContent(page: PageFacts, html: string): ReturnType<PageEdit> {
  const selector = (page.elements['main'] ?? 0) > 0 ? 'main' : 'body';
  return {
    elements: [
      {
        selector,
        edit(element, index) {
          if (index === 0) element.append(html, { html: true });
        },
      },
    ],
  };
}

/** Questions with answers as closed boxes that readers can open. */
export const renderDetailsHtml = (pairs: readonly { name: string; answer: string }[]): string =>
  `<section>\n${pairs
    .map(
      ({ name, answer }) =>
        `<details>\n<summary>${escapeHtml(name)}</summary>\n<p>${escapeHtml(answer)}</p>\n</details>`,
    )
    .join('\n')}\n</section>\n`;
