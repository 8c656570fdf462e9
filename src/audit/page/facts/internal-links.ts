import type { Anchor, PageFacts } from './page-facts.ts';

/** Visible links of a page to other pages of its host, in order; links to parts of the page itself are none. */
export function internalLinks(page: PageFacts): readonly Anchor[] {
  const { host } = new URL(page.url);
  const here = page.url.split('#')[0];
  return page.anchors.filter(
    ({ href, hidden }) =>
      (hidden === undefined || hidden === 'aria-hidden') &&
      /^https?:/.test(href) &&
      new URL(href).host === host &&
      href.split('#')[0] !== here,
  );
}
