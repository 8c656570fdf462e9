import { extractElementTexts } from '../../text/facts/placeholders.ts';
import { findCovertUnicode, MAX_INSTRUCTION_CHARS } from './instruction-patterns.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { getMetaContent } from '../../page/facts/page.ts';

/** Invisible code points that carry text; `where` names the place, `excerpt` the code points and what they spell. */
export type CovertText = { where: string; line?: number; excerpt: string };

const MAX_FINDINGS = 20;
/** Characters searched in all, hidden and attribute texts counted: more than a page of 5 MiB shows. */
const MAX_CHARS = 10_000_000;
/** Nearly every page has none of these; asking for any of them first spares the search for runs. */
const SUSPICIOUS = /[\u200B-\u200D\u2060\uFEFF\u202D\u202E\u{E0000}-\u{E007F}]|\p{Variation_Selector}/u;
const OVERRIDES = /[\u202D\u202E]/gu;
const CODE = ['code', 'pre', 'samp', 'kbd'];

/**
 * Covert Unicode of a page: tag characters outside flag emoji, eight or more zero-width characters or variation selectors
 * in a row, and bidirectional overrides outside code. Joined emoji, a joiner inside a word and soft hyphens are none.
 * @param html the raw page, asked for its code only when the text holds an override.
 */
export function findCovertTexts(page: PageFacts, html: string): readonly CovertText[] {
  const found: CovertText[] = [];
  let chars = 0;
  for (const place of listTextPlaces(page)) {
    chars += place.text.length;
    if (chars > MAX_CHARS || found.length >= MAX_FINDINGS) break;
    if (!SUSPICIOUS.test(place.text)) continue;
    const codeOverrides =
      place.where === 'visible text' ? countOverrides(extractElementTexts(html, CODE).join('\n')) : 0;
    const allowed = countOverrides(place.text) <= codeOverrides;
    for (const excerpt of listExcerpts(place.text)) {
      if (allowed && excerpt.startsWith('bidirectional')) continue;
      found.push({ where: place.where, excerpt, ...(place.line === undefined ? {} : { line: place.line }) });
    }
  }
  return found.slice(0, MAX_FINDINGS);
}

const countOverrides = (text: string): number => text.match(OVERRIDES)?.length ?? 0;

/** The search reads a bounded text: a longer one goes to it in pieces. */
function listExcerpts(text: string): readonly string[] {
  const excerpts: string[] = [];
  for (let from = 0; from < text.length && excerpts.length < MAX_FINDINGS; from += MAX_INSTRUCTION_CHARS) {
    const piece = text.slice(from, from + MAX_INSTRUCTION_CHARS);
    if (SUSPICIOUS.test(piece)) excerpts.push(...findCovertUnicode(piece).map(({ excerpt }) => excerpt));
  }
  return excerpts;
}

type Place = { where: string; line?: number; text: string };

function* listTextPlaces(page: PageFacts): Generator<Place> {
  yield { where: 'visible text', text: page.text };
  yield { where: 'title', text: page.titles.join('\n') };
  yield { where: 'meta[name=description]', text: getMetaContent(page, 'description') };
  for (const { text, tag, line } of page.hiddenTexts) yield { where: `hidden ${tag}`, text, line };
  for (const { attribute, tag, text, line } of page.attributeTexts) yield { where: `${tag}[${attribute}]`, text, line };
}
