import type { Anchor } from '../../page/facts/page-facts.ts';
import { GENERIC_LINK_TEXTS, LINK_WORDS, type LinkWords } from './link-words-data.ts';

/** A longer link text is a sentence, not the name of a page. */
const MAX_NAME_CHARS = 60;

/** A link text in one spelling: lower case, one kind of apostrophe, no arrows or dots around it. */
export const normaliseLinkText = (text: string): string =>
  text
    .slice(0, 200)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}\p{M}'-]+/gu, ' ')
    .trim();

/** Whether a link text says nothing of its target: one of a list in twelve languages, or no letter at all. */
export function isGenericLinkText(text: string): boolean {
  if (text.trim() === '') return false;
  const plain = normaliseLinkText(text);
  return plain === '' || GENERIC_LINK_TEXTS.has(plain);
}

export type LinkPurpose = keyof typeof LINK_WORDS;

/** The first link of a list that names a page of each purpose, by its text or by the end of its path. */
export function findPurposeLinks<P extends LinkPurpose>(
  anchors: readonly Anchor[],
  purposes: readonly P[],
): Map<P, Anchor> {
  const found = new Map<P, Anchor>();
  for (const anchor of anchors) {
    if (found.size === purposes.length) break;
    const name = buildLinkName(anchor);
    for (const purpose of purposes) if (!found.has(purpose) && isPurposeLink(purpose, name)) found.set(purpose, anchor);
  }
  return found;
}

type LinkName = { text: string; segment: string };

const buildLinkName = ({ href, text }: Anchor): LinkName => ({
  text: text.length > MAX_NAME_CHARS ? '' : normaliseLinkText(text),
  segment: extractLastSegment(href),
});

function isPurposeLink(purpose: LinkPurpose, { text, segment }: LinkName): boolean {
  const words: LinkWords = LINK_WORDS[purpose];
  return (
    words.segments.includes(segment) ||
    words.exact.includes(text) ||
    words.begins.some((start) => hasBeginning(text, start))
  );
}

const UNSPACED_END = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u;

/** A beginning in a script without spaces needs no end of word after it. */
function hasBeginning(text: string, start: string): boolean {
  if (!text.startsWith(start)) return false;
  return text.length === start.length || text[start.length] === ' ' || UNSPACED_END.test(start);
}

/** Last segment of the path of an absolute web address, lower case, without a file ending; '' when there is none. */
function extractLastSegment(href: string): string {
  const path = /^https?:\/\/[^/?#]{0,300}([^?#]{0,2000})/.exec(href)?.[1] ?? '';
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  const last = trimmed.slice(trimmed.lastIndexOf('/') + 1).toLowerCase();
  return last.replace(/\.(?:html?|php|aspx?)$/, '');
}
