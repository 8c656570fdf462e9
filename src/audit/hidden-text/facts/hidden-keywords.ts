import { STOP_WORDS } from '../../language/stop-words-data.ts';
import { countWords, splitWords } from '../../language/words.ts';
import type { HiddenText, PageFacts } from '../../page/facts/page-facts.ts';

/** A hidden text with fewer words is a label. */
const MIN_WORDS = 15;
const MIN_ITEMS = 8;
const MAX_ITEM_WORDS = 4;
/** Of the words of a hidden text without separators, the share of one content word from which it is a list of keywords. */
const MIN_WORD_SHARE = 0.2;
/** Items and words that are names of things, not numbers or codes. */
const MIN_LETTER_SHARE = 0.9;
/** Characters of one hidden text that are weighed. */
const MAX_CHARS = 5000;

/** Elements that open when a person asks for them: their texts are meant for people. */
const CLOSED = new Set([
  'dialog',
  'select',
  'option',
  'datalist',
  'menu',
  'nav',
  'form',
  'table',
  'pre',
  'code',
  'svg',
]);

/**
 * Hidden texts that are lists of keywords: short items between commas, or the same word again and again, without a
 * sentence. Style sheets are not read, so what they hide is not known. What is hidden only from assistive technology is seen.
 */
export const listHiddenKeywords = (page: Pick<PageFacts, 'hiddenTexts'>): readonly HiddenText[] =>
  page.hiddenTexts.filter(({ how, tag, text }) => how !== 'aria-hidden' && !CLOSED.has(tag) && isKeywordList(text));

function isKeywordList(whole: string): boolean {
  const text = whole.slice(0, MAX_CHARS);
  // The end of a sentence, a call, a rule of CSS or a path is none of a list of keywords.
  if (/[.!?。！？]\s|[{}()=<>]|https?:/u.test(text)) return false;
  const words = countWords(text);
  if (words < MIN_WORDS) return false;
  const items = text
    .split(/[,;|•·、，]/u)
    .map((item) => item.trim())
    .filter((item) => item !== '');
  if (items.filter((item) => /\p{L}{2}/u.test(item) && !/\d/u.test(item)).length < items.length * MIN_LETTER_SHARE)
    return false;
  return (
    (items.length >= MIN_ITEMS && words <= items.length * MAX_ITEM_WORDS) || computeTopShare(text) >= MIN_WORD_SHARE
  );
}

/** The share of the content word that occurs most. */
function computeTopShare(text: string): number {
  const words = [...splitWords(text.toLowerCase())];
  const counts = new Map<string, number>();
  for (const word of words) if (word.length > 2 && !STOP_WORDS.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return words.length === 0 ? 0 : Math.max(0, ...counts.values()) / words.length;
}
