import { splitSentences } from '../../audit/language/words.ts';
import { isSlot } from '../../lib/slots.ts';

/**
 * How much of generated texts is filled: of `sentences`, `to_write` have a slot and are for the owner to write; `share` is
 * that of the others, in hundredths, 0 to 1.
 */
export type FilledShare = { share: number; sentences: number; to_write: number };

/** Counts sentences, or what has their place in a file: a line of a list, a text of a JSON document. */
export function computeFilledShare(sentences: readonly string[]): FilledShare {
  const open = sentences.filter((sentence) => isSlot(sentence)).length;
  const share = sentences.length === 0 ? 0 : (sentences.length - open) / sentences.length;
  return { share: Math.floor(100 * share) / 100, sentences: sentences.length, to_write: open };
}

/** Sentences of Markdown: headings are none, and a line of a list is one. */
export const listMarkdownSentences = (markdown: string): readonly string[] =>
  markdown
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !line.startsWith('#'))
    .flatMap((line) => (/^(?:[-*>]|\d{1,9}\.) /u.test(line) ? [line] : splitSentences(line)));

const MAX_DEPTH = 20;

/** Texts of a JSON document, the comments about it left out. */
export function listJsonTexts(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([key, member]) => (/^[_$]/u.test(key) ? [] : listJsonTexts(member, depth + 1)));
}
