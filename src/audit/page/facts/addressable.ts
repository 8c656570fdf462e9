import { isContent } from '../../text/facts/content.ts';
import type { Heading, PageFacts } from './page-facts.ts';

/** Headings of the second and third level of the main content, and which of them an address can point at. */
export type Addressable = { headings: readonly Heading[]; linkable: readonly Heading[] };

/**
 * A heading can be linked when it, or the section it opens, has an id that no other element has, or when a link beside it
 * or in a table of contents points at an id of the page (`<h2>Setup <a href="#setup" id="setup">`).
 */
export function findAddressableHeadings(page: PageFacts): Addressable {
  const headings = page.headings.filter(
    (heading) => (heading.level === 2 || heading.level === 3) && heading.text !== '' && isContent(page, heading),
  );
  const twice = new Set(page.duplicateIds);
  const ids = new Set(page.ids);
  const isUnique = (id: string): boolean => id !== '' && !twice.has(id);
  const jumps = page.anchors.filter(
    ({ rawHref }) => rawHref.startsWith('#') && ids.has(decodeFragment(rawHref)) && isUnique(decodeFragment(rawHref)),
  );
  const lines = new Set(jumps.map(({ line }) => line));
  const texts = new Set(jumps.map(({ text }) => text.toLowerCase()));
  const linkable = headings.filter(
    ({ id, sectionId, line, text }) =>
      isUnique(id) || isUnique(sectionId) || lines.has(line) || texts.has(text.toLowerCase()),
  );
  return { headings, linkable };
}

function decodeFragment(href: string): string {
  try {
    return decodeURIComponent(href.slice(1));
  } catch {
    return href.slice(1); // A stray percent sign: the id is compared as it is written.
  }
}
