import { type FoldedText, foldText } from './folded-text.ts';
import type { NameForm } from './forms.ts';
import { hitsOf } from './scan.ts';
import { labelWords } from './ordinary-use-data.ts';
import { setOf } from './place.ts';

/** Texts in which the word stands in small letters inside a sentence, before it counts as an ordinary word of the run. */
const MIN_ORDINARY_TEXTS = 2;
/** And how many texts that write it with a capital they must stand against: one slip of an engine proves nothing. */
const MAX_CAPITAL_TEXTS_PER_ORDINARY = 4;
const MAX_CORPUS_TEXTS = 100;

/** Truecasing: whether the answers of the run use the only word of a name in small letters, as words are used. */
export function isWordOfCorpus({ parts }: NameForm, corpus: readonly string[]): boolean {
  const [only] = parts;
  if (only === undefined || parts.length > 1 || only.exact === '') return false;
  const form: NameForm = { parts, kind: 'full', mark: '' };
  let ordinary = 0;
  let capital = 0;
  for (const folded of foldedTexts(corpus)) {
    if (!folded.lower.includes(only.lower)) continue;
    const hits = hitsOf(folded, [form]).filter(({ isDomain }) => !isDomain);
    if (hits.some(({ start, end }) => isSmallInside(folded.exact, start, end))) ordinary += 1;
    if (hits.some(({ start }) => /\p{Lu}/u.test(folded.exact.charAt(start)))) capital += 1;
  }
  // A name that is itself written small is no ordinary word for being so.
  if (!/\p{Lu}/u.test(only.exact) && capital < ordinary) return false;
  return ordinary >= MIN_ORDINARY_TEXTS && ordinary * MAX_CAPITAL_TEXTS_PER_ORDINARY >= capital;
}

const isSmallInside = (exact: string, start: number, end: number): boolean =>
  /^\p{Ll}+$/u.test(exact.slice(start, end)) && /[\p{Ll},] $/u.test(exact.slice(Math.max(0, start - 2), start));

/**
 * Whether a text of the run names a common word as a brand beyond doubt: its line begins with it and goes on with the mark
 * of an entry, or it has a capital inside a sentence whose other words have small letters.
 */
export function isSurelyNamed(form: NameForm, corpus: readonly string[]): boolean {
  const [first] = form.parts;
  if (first === undefined) return false;
  return foldedTexts(corpus).some((text) => text.lower.includes(first.lower) && isSureIn(text, form));
}

const folds = new WeakMap<readonly string[], readonly FoldedText[]>();

/** Folded once per run: every rival that may be a word asks for them. */
function foldedTexts(corpus: readonly string[]): readonly FoldedText[] {
  const known = folds.get(corpus);
  if (known !== undefined) return known;
  const made = corpus.slice(0, MAX_CORPUS_TEXTS).map(foldText);
  folds.set(corpus, made);
  return made;
}

function isSureIn(text: FoldedText, form: NameForm): boolean {
  const { exact } = text;
  return hitsOf(text, [form]).some(({ start, end }) => {
    const word = exact.slice(start, end);
    if (!/^\p{Lu}/u.test(word) || !/\p{Ll}/u.test(word)) return false;
    const before = exact.slice(Math.max(0, start - MAX_AROUND_CHARS), start);
    const after = exact.slice(end, end + MAX_AROUND_CHARS);
    if (/(?:^|\n)$/u.test(before) && /^(?:$|\n| ?[:–—(|]| - )/u.test(after)) return !LABELS.has(word.toLowerCase());
    return /\p{Ll}{2},? $/u.test(before) && !ARTICLE.test(before) && /^(?:$|[\n.,;:!?)]|'s | \p{Ll})/u.test(after);
  });
}

const MAX_AROUND_CHARS = 24;
const LABELS = setOf(labelWords);
const ARTICLE =
  /(?<!\p{L})(?:an?|the|your|our|their|its|my|his|her|each|every|this|that|any|some|no|right|clear|new) $/iu;
