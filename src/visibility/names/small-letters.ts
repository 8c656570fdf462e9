import type { AnswerStructure } from '../structure/structure.ts';
import { foldBlocks, type FoldedText } from './folded-text.ts';
import type { NameForm } from './forms.ts';
import { CONTRASTED, SELLS_THEM } from './ordinary-use.ts';
import { verbsOfSellers, wordsAfterBrands } from './words/ordinary-use-data.ts';
import { isAlone, isCapital, isListed, type Near, type Place, createWordSet, readNeighbours } from './place.ts';
import { findHits, type NameHit } from './scan.ts';
import { findSentence } from './sentences.ts';

/** Blocks of an answer, and first words in them, that are read for its capitals. */
const MAX_CASED_BLOCKS = 400;
const MAX_OPENINGS = 60;
/** Sentences with a capital for each that has none, where an answer is written with capitals. */
const MIN_CAPITALS_PER_SMALL = 4;

const OPENINGS = /(?:^|[.!?]["')\]]{0,2} )["'([]{0,2}(\p{L})(\p{L}?)/gu;

const casings = new WeakMap<AnswerStructure, boolean>();

/** Whether an answer begins its sentences with capitals: there a name that has one keeps it. In chat small letters say nothing. */
export function isWrittenWithCapitals(answer: AnswerStructure): boolean {
  const known = casings.get(answer);
  if (known !== undefined) return known;
  let capitals = 0;
  let small = 0;
  const texts = foldBlocks(answer);
  for (const [index, block] of answer.blocks.slice(0, MAX_CASED_BLOCKS).entries()) {
    if (capitals + small >= MAX_OPENINGS) break;
    if (block.kind !== 'paragraph' && block.kind !== 'quote') continue;
    const exact = texts[index]?.exact ?? '';
    OPENINGS.lastIndex = 0;
    for (let found = OPENINGS.exec(exact); found !== null; found = OPENINGS.exec(exact)) {
      if (capitals + small >= MAX_OPENINGS) break;
      const [, first = '', second = ''] = found;
      if (/\p{Lu}/u.test(first)) capitals += 1;
      // "iRobot", "eBay".
      else if (/\p{Ll}/u.test(first) && !/\p{Lu}/u.test(second)) small += 1;
    }
  }
  const made = capitals > 0 && capitals >= small * MIN_CAPITALS_PER_SMALL;
  casings.set(answer, made);
  return made;
}

/**
 * Whether a place that has no capital, of a name that has one, is the ordinary word: the answer is written with capitals, and
 * nothing beside the place shows a name. Joined words ("clickup" for ClickUp) and letters that words of the language do not end
 * in ("scalapay" in Italian) are no words.
 */
export function isSmallWord(place: Place, near: Near, { form, isSplit }: NameHit): boolean {
  const { wordExact } = near;
  if (!place.isCased || place.isHead || place.isBold || place.isTitle) return false;
  if (!/^[\p{Ll} '-]{2,60}$/u.test(wordExact) || !/[a-z]/u.test(wordExact)) return false;
  if (!form.parts.some(({ exact }) => /\p{Lu}/u.test(exact)) || form.kind !== 'full') return false;
  if (form.parts.length > 1 && !isSplit) return false;
  // English has an article before things, and a verb before what they are like: "only nescafe left" is a name.
  if (isEnglishText(place) && !DETERMINERS.has(near.previous) && !BEFORE_QUALITY.has(near.previous)) return false;
  return !isShownAsName(place, near) && !isForeignWord(place, near);
}

/** Before the name of who sells or makes something; a thing has its article there. */
const BY =
  /(?:^|[^\p{L}])(?:at|from|by|via|von|bei|chez|bij|use|uses|using|try|choose|prefer|recommend|suggest|vs\.?|versus) $/u;
const ENDED = /^(?:[.,;:!?)]|$| (?:and|or|und|oder|et|ou|y|o|e|en|of|for|fur|pour|para|per|voor|if|wenn) )/u;
/** What only sellers do. */
const SELLS =
  /^ (?:offers|sells|ships|charges|bietet|verkauft|verlangt|liefert|propose|vend|ofrece|vende|offre|oferece|biedt|verkoopt|levert)(?!\p{L})/u;
const DETERMINERS = createWordSet(
  "the a an this that your our their its my no any some each every all these those much more most der die das den dem des ein eine einen einem einer kein keine le la les l' l un une des du de au aux cette ce ces el los las una unas unos al del il lo i gli uno un' dell dell' della dello dei degli delle nel nella o os as um uma do da dos das no na nos nas ao aos het een de veel geen deze dit",
);

/** A row of names, a model's name behind it, a quote around it, or a place where a thing would have an article. */
function isShownAsName(place: Place, near: Near): boolean {
  const { before, after, nextExact, previous } = near;
  if (isListed(near, () => true) || /\d/u.test(nextExact)) return true;
  if (/["'(]$/u.test(before) && /^["')]/u.test(after)) return true;
  if (BY.test(before) && ENDED.test(after)) return true;
  if (DETERMINERS.has(previous)) return false;
  return SELLS.test(after) || (isCapital(nextExact) && !isGermanText(place));
}

const BEFORE_QUALITY = createWordSet(
  "is are was were be been being it's that's seems sounds looks very so too more most quite less as",
);

const ENGLISH = /(?<!\p{L})(?:the|and|are|with|you|your|it|has|there|this|that|which|from)(?!\p{L})/u;

/** Whether a sentence is English. */
export const isEnglishText = ({ text, from, to }: Pick<Place, 'text' | 'from' | 'to'>): boolean =>
  ENGLISH.test(text.lower.slice(from, to));

const GERMAN = /(?<!\p{L})(?:und|ist|nicht|mit|fur|wird|auch|oder|bei|auf|einen|sich|wenn)(?!\p{L})/u;
const isGermanText = ({ text, from, to }: Pick<Place, 'text' | 'from' | 'to'>): boolean =>
  GERMAN.test(text.lower.slice(from, to));

/** Words of Italian, Spanish and Portuguese, by which a sentence in one of them is known. */
const LANGUAGES: readonly { words: RegExp; foreign: RegExp }[] = [
  {
    words: /(?<!\p{L})(?:il|gli|che|di|della|con|per|e|una|non|nel|alla|sono)(?!\p{L})/gu,
    foreign: /[jkwxy]|[^aeiou ]$/u,
  },
  {
    words: /(?<!\p{L})(?:el|los|las|que|con|para|y|una|por|del|pero|esta)(?!\p{L})/gu,
    foreign: /[kw]|[^aeiounsrlzdjxy ]$/u,
  },
  {
    words: /(?<!\p{L})(?:os|as|que|com|para|uma|um|do|da|no|na|nao|mas|em|ao)(?!\p{L})/gu,
    foreign: /[kwy]|[^aeiousrlzmnx ]$/u,
  },
];
const MIN_LANGUAGE_WORDS = 3;

/** Letters that no word of the language of the sentence has, or ends in. */
function isForeignWord({ text, from, to }: Place, { word }: Near): boolean {
  const sentence = text.lower.slice(from, to);
  const [best] = LANGUAGES.map(({ words, foreign }) => ({
    count: sentence.match(words)?.length ?? 0,
    foreign,
  })).toSorted((a, b) => b.count - a.count);
  return (
    best !== undefined &&
    best.count >= MIN_LANGUAGE_WORDS &&
    !isGermanText({ text, from, to }) &&
    best.foreign.test(word)
  );
}

/** Whether the answer uses the word of a name as a word: small inside a sentence, and nowhere inside one with a capital. */
export function isUsedSmall(answer: AnswerStructure, forms: readonly NameForm[], settingOf: SettingIn): boolean {
  let isUsed = false;
  for (const [index, text] of foldBlocks(answer).slice(0, MAX_CASED_BLOCKS).entries()) {
    if (!forms.some(({ parts }) => text.lower.includes(parts[0]?.lower ?? ''))) continue;
    for (const hit of findHits(text, forms)) {
      const { start, end } = hit;
      const place = { text, start, end, ...findSentence(text, start, end), ...settingOf(index, text)(start, end) };
      const near = readNeighbours(place);
      if (hit.isDomain) continue;
      if (/^\p{Lu}/u.test(near.wordExact)) {
        if (!near.opens && !place.isTitle) return false;
        isUsed ||= BEFORE_INFINITIVE.test(near.after);
      } else isUsed ||= !near.opens && isSmallWord(place, near, hit);
    }
  }
  return isUsed;
}

type SettingIn = (
  index: number,
  text: FoldedText,
) => (start: number, end: number) => Omit<Place, 'text' | 'start' | 'end' | 'from' | 'to'>;

/** "Prima di firmare": no name has a preposition and an infinitive behind it. */
const BEFORE_INFINITIVE = /^ (?:di|de|da) \p{L}{2,16}(?:are|ere|ire|rre|rsi|ar|er|ir)(?!\p{L})/u;

/**
 * Whether a place that opens its sentence has its capital for that, where the answer uses the word elsewhere: nothing behind it
 * is of a name. "Rompslomp met de fiscus valt mee", and "veel rompslomp" before.
 */
export function isWordAtFront(place: Place, near: Near): boolean {
  // Behind a colon or a bracket a capital is a name's own.
  if (!/(?:^|\| )[^\p{L}|]{0,60}$/u.test(near.before) || place.isHead || place.isBold) return false;
  if (!/^\p{Lu}[\p{Ll} '-]+$/u.test(near.wordExact)) return false;
  if (isListed(near, () => true) || isAlone(near) || isCapital(near.nextExact) || /\d/u.test(near.nextExact))
    return false;
  if (CONTRASTED.test(near.after.replace(/^,/u, '')) || SELLS_THEM.test(near.after)) return false;
  return !(VERBS_OF_BRANDS.has(near.next) || SELLS.test(near.after) || /^'s |^ ?["(:€$£]/u.test(near.after));
}

const CONJUNCTIONS = /^(?:and|or|und|oder|et|ou|y|o|e|reste)$/u;
const VERBS_OF_BRANDS: ReadonlySet<string> = new Set(
  [...createWordSet(wordsAfterBrands), ...createWordSet(verbsOfSellers)].filter((word) => !CONJUNCTIONS.test(word)),
);
