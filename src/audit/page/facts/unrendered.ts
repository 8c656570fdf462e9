import { getJsonLd } from '../../structured-data/facts/json-ld.ts';
import { listNodesOfType } from '../../structured-data/facts/schema-nodes.ts';
import type { PageFacts } from './page-facts.ts';
import { getMetaContent } from './page.ts';

/** A page with so many words shows its article. */
const ENOUGH_WORDS = 200;
/** State that a script shows: so many characters, and so many times what the page shows, are more than its settings. */
const STATE = { chars: 40_000, times: 30 };

/** Whether a page that calls itself an article shows a few words of it, and keeps the rest as data for a script. */
export function hasArticleInState(page: PageFacts): boolean {
  const { state } = page.inlineChars;
  if (page.words >= ENOUGH_WORDS || state < STATE.chars || state < STATE.times * page.text.length) return false;
  const typed = getMetaContent(page, 'og:type').trim().toLowerCase() === 'article';
  return typed || listNodesOfType(getJsonLd(page).graph, 'Article').length > 0;
}
