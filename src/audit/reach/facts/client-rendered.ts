import type { PageFacts } from '../../page/facts/page-facts.ts';

/** A mount point with less text than this waits for a script to fill it. */
const EMPTY_ROOT_CHARS = 50;

/** Visible words below which a page with a module script is taken for an application shell. */
export const FEW_WORDS = 60;

/** The sign by which a page seems to be filled by a script, or undefined. */
export function findRenderSign(page: PageFacts): { selector: string; line?: number } | undefined {
  const root = page.appRoots.find(({ textChars }) => textChars < EMPTY_ROOT_CHARS);
  if (root) return { selector: root.marker, line: root.line };
  if (page.scripts.module > 0 && page.words < FEW_WORDS) return { selector: 'script[type=module]' };
  return page.scripts.total > page.jsonLd.length && page.words < 10 ? { selector: 'script' } : undefined;
}
