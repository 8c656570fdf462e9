import { isAccentedWord, isAlwaysCapital, isCommonWord, isEverydayWord } from './common-words.ts';
import { type FoldedText, foldText, toOriginalIndex } from './folded-text.ts';
import { listNameForms, MAX_SEARCHED_NAME_CHARS, type NameForm, computeNameKey } from './forms.ts';
import { labelWords, namesOfOthers } from './words/ordinary-use-data.ts';
import { isOrdinaryPhrase, isOrdinaryUse, isSymbolUse, isVerbOfSentence } from './ordinary-use.ts';
import { isOtherSense } from './other-senses.ts';
import { type Place, createWordSet, readNeighbours, type Use } from './place.ts';
import { findHits, joinApartLetters, listMarkedWords, type NameHit } from './scan.ts';
import { findSentence, type Span } from './sentences.ts';
import { isEnglishText, isSmallWord, isWordAtFront } from './small-letters.ts';

/** Texts that have the word in small letters inside a sentence, before it counts as an ordinary word of the run. */
const MIN_ORDINARY_TEXTS = 2;
/** And the most texts with a capital for each of them: one slip of an engine proves nothing. */
const MAX_CAPITAL_TEXTS_PER_ORDINARY = 4;
const MAX_CORPUS_TEXTS = 100;

/** Truecasing: whether the answers of the run use the only word of a name in small letters, as words are used. */
function isWordOfCorpus({ parts }: NameForm, corpus: readonly string[]): boolean {
  const [only] = parts;
  if (only === undefined || parts.length > 1 || only.exact === '') return false;
  const form: NameForm = { parts, kind: 'full', mark: '' };
  let ordinary = 0;
  let capital = 0;
  for (const folded of foldCorpus(corpus)) {
    if (!folded.lower.includes(only.lower)) continue;
    const hits = findHits(folded, [form]).filter(({ isDomain }) => !isDomain);
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
function isSurelyNamed(form: NameForm, corpus: readonly string[]): boolean {
  const [first] = form.parts;
  if (first === undefined) return false;
  return foldCorpus(corpus).some((text) => text.lower.includes(first.lower) && isSureIn(text, form));
}

/**
 * How the run writes the word small, where each text that has it with a capital has it small inside a sentence too and none
 * surely as a name: behind an article, as things are ("la meta"), or otherwise.
 */
function readSmallUse(form: NameForm, corpus: readonly string[]): Use['smallUse'] {
  const [only] = form.parts;
  if (only === undefined || form.parts.length > 1) return undefined;
  const uses = foldCorpus(corpus)
    .filter(({ lower }) => lower.includes(only.lower))
    .map((text) => readUses(text, form));
  const capital = uses.filter(({ isCapital }) => isCapital);
  if (capital.length === 0 || !capital.every(({ isSmall, isSure }) => isSmall && !isSure)) return undefined;
  return capital.every(({ isThing }) => isThing) ? 'thing' : 'word';
}

/** `isThing`: in small letters behind an article. */
type Uses = { isCapital: boolean; isSmall: boolean; isThing: boolean; isSure: boolean };

function readUses(text: FoldedText, form: NameForm): Uses {
  const { exact } = text;
  const hits = findHits(text, [form]).filter(({ isDomain }) => !isDomain);
  const capital = hits.filter(({ start }) => /^\p{Lu}/u.test(exact.charAt(start)));
  const small = hits.filter(({ start, end }) => isSmallInside(exact, start, end));
  return {
    isCapital: capital.length > 0,
    isSmall: small.length > 0,
    isThing: small.some(({ start }) => BEFORE_THING.test(exact.slice(Math.max(0, start - MAX_AROUND_CHARS), start))),
    isSure: capital.some(({ start }) => /\p{L},? $/u.test(exact.slice(Math.max(0, start - 3), start))),
  };
}

const BEFORE_THING =
  /(?<!\p{L})(?:an?|the|your|my|la|el|una?|le|une|il|lo|o|um|uma|een|het|de|der|die|das|den|eine?|einen) $/u;

const folds = new WeakMap<readonly string[], readonly FoldedText[]>();

/** Folded once per run: every rival that may be a word asks for them. */
function foldCorpus(corpus: readonly string[]): readonly FoldedText[] {
  const known = folds.get(corpus);
  if (known !== undefined) return known;
  const made = corpus.slice(0, MAX_CORPUS_TEXTS).map(foldText);
  folds.set(corpus, made);
  return made;
}

const packs = new WeakMap<readonly string[], string>();

/** The texts of the run in lower case without spaces. */
function packCorpus(corpus: readonly string[]): string {
  const known = packs.get(corpus);
  if (known !== undefined) return known;
  const made = corpus.slice(0, MAX_CORPUS_TEXTS).join('\n').toLowerCase().replaceAll(' ', '');
  packs.set(corpus, made);
  return made;
}

/** Whether the letters of a form are in the corpus, with or without spaces between. */
function canBeApart(form: NameForm, corpus: readonly string[]): boolean {
  const letters = joinApartLetters(form);
  return letters !== undefined && corpus.length > 0 && packCorpus(corpus).includes(letters);
}

function isSureIn(text: FoldedText, form: NameForm): boolean {
  const { exact } = text;
  return findHits(text, [form]).some(({ start, end }) => {
    const word = exact.slice(start, end);
    if (!/^\p{Lu}/u.test(word) || !/\p{Ll}/u.test(word)) return false;
    const before = exact.slice(Math.max(0, start - MAX_AROUND_CHARS), start);
    const after = exact.slice(end, end + MAX_AROUND_CHARS);
    if (/(?:^|\n)$/u.test(before) && /^(?:$|\n| ?[:–—(|]| - )/u.test(after)) return !LABELS.has(word.toLowerCase());
    return /\p{Ll}{2},? $/u.test(before) && !ARTICLE.test(before) && /^(?:$|[\n.,;:!?)]|'s | \p{Ll})/u.test(after);
  });
}

const MAX_AROUND_CHARS = 24;
const LABELS = createWordSet(labelWords);
const ARTICLE =
  /(?<!\p{L})(?:an?|the|your|our|their|its|my|his|her|each|every|this|that|any|some|no|right|clear|new) $/iu;

/** A name made ready for looking. Only `name` and `caseSensitive` are for others. */
export type NameMatcher = {
  name: string;
  /** Whether only its own capitals count: it is a common word, or has at most three letters. */
  caseSensitive: boolean;
  forms: readonly NameForm[];
  /** Longer names that contain it: what is inside one of them is not this name. */
  longer: readonly NameForm[];
  /** At most three letters and no sign such as + or &. */
  isShort: boolean;
  /** Its words in one are an ordinary word, here or in the answers of the run. */
  isCommon: boolean;
  /** Whether the run surely names it: at the front of a line as an entry, or with its capitals inside a sentence. */
  isSure: boolean;
  smallUse: Use['smallUse'];
  /** As the name writes itself, folded; without capitals when it has none to insist on. */
  spelling: string;
};

/** A place that names it, with its sentence. */
export type Naming = { start: number; end: number; sentence: Span };

/** Longer names that are looked at for one name. */
const MAX_LONGER_NAMES = 100;
const MAX_SHORT_LETTERS = 3;

/**
 * What distinguishes the name from ordinary words and from longer names. `corpus` and `longerNames` as in
 * `compileName`.
 */
export function createMatcher(name: string, corpus: readonly string[], longerNames: readonly string[]): NameMatcher {
  const forms = listNameForms(name).map((form) => (canBeApart(form, corpus) ? { ...form, isApart: true } : form));
  const [full] = forms;
  const spelling = full?.parts.map(({ exact }) => exact).join('') ?? '';
  const isShort = full !== undefined && isShortName(spelling);
  const isCommon = full !== undefined && (isWordOrWords(full) || isWordOfCorpus(full, corpus));
  const isSure = isCommon && full !== undefined && isSurelyNamed(full, corpus);
  return {
    name,
    caseSensitive: isShort || isCommon || hasCommonStem(forms),
    forms,
    longer: listLongerForms(name, [...longerNames.slice(0, MAX_LONGER_NAMES), ...listOthersWith(computeNameKey(name))]),
    isShort,
    isCommon,
    isSure,
    smallUse: isCommon && full !== undefined ? readSmallUse(full, corpus) : undefined,
    spelling,
  };
}

/** The places of a text that name it, and how many others were refused for their capitals or as the ordinary word. */
export function findNamings(
  text: FoldedText,
  matcher: NameMatcher,
  setting: SettingOf,
): { namings: readonly Naming[]; rejected: number } {
  if (!canName(text, matcher)) return NOTHING;
  const free = findFreeHits(text, matcher);
  const placed = free.map((hit) => ({ hit, sentence: findSentence(text, hit.start, hit.end) }));
  const kept = placed.filter(({ hit, sentence }) => isMeant(text, matcher, hit, sentence, setting(hit.start, hit.end)));
  return {
    namings: kept.map(({ hit: { start, end }, sentence }) => ({ start, end, sentence })),
    rejected: free.length - kept.length,
  };
}

/** Whether a text may have a form of the name at all: most texts have none, which costs next to nothing to find out. */
export function canName(text: FoldedText, { forms }: NameMatcher): boolean {
  for (const { parts, isApart } of forms)
    if (isApart === true || text.lower.includes(parts[0]?.lower ?? '')) return true;
  return listMarkedWords(text).length > 0;
}

const NOTHING = { namings: [], rejected: 0 } as const;

/** Places of a form of the name that are not part of a longer name, whatever is meant. */
export function findFreeHits(text: FoldedText, { forms, longer }: NameMatcher): readonly NameHit[] {
  const hits = findHits(text, forms);
  if (hits.length === 0 || longer.length === 0) return hits;
  const others = findHits(text, longer);
  return hits.filter(({ start, end }) => !others.some((one) => one.start <= start && end <= one.end));
}

/** The context of a place of a text, as `Place` has it. */
export type SettingOf = (start: number, end: number) => Omit<Place, 'text' | 'start' | 'end' | 'from' | 'to'>;

function isMeant(
  text: FoldedText,
  matcher: NameMatcher,
  hit: NameHit,
  { from, to }: Span,
  setting: ReturnType<SettingOf>,
): boolean {
  const { start, end, form } = hit;
  const place = { text, start, end, from, to, ...setting };
  const literal = text.exact.slice(start, end);
  const use = { isStem: form.kind === 'stem', isSure: matcher.isSure, smallUse: matcher.smallUse };
  if (isOrdinarySpelling(text, hit) || isTailOfName(text, start)) return false;
  const near = readNeighbours(place);
  if (!hit.isDomain && (!hit.isSplit || /\d/u.test(literal)) && isOtherSense(place, near)) return false;
  if (hit.isDomain) return !matcher.isShort || start === 0 || text.exact.charAt(start - 1) !== '.';
  if (
    isWordAtFront(place, near) &&
    (place.isUsedSmall() || (matcher.isCommon && !matcher.isSure && !isEnglishText(place)))
  )
    return false;
  const isAmongKana = isBesideKana(text, start, end);
  if (matcher.isShort)
    return (
      (hasCapitalsOf(literal, matcher, form, place.isHead) ||
        isSmallButMeant(literal, matcher, place) ||
        ((isAmongKana || place.isHead) && literal === matcher.spelling)) &&
      !isSymbolUse(place) &&
      !(matcher.isCommon && !isAmongKana && isOrdinaryUse(place, use))
    );
  // 'die "Zeit"'.
  if (/^\p{L}{2,3} "\p{Lu}/u.test(literal)) return true;
  if (!hit.isSplit && isVerbOfSentence(near)) return false;
  if (!isOrdinaryWords(matcher, hit)) return !isSmallWord(place, near, hit);
  // English never writes a day small: "monday CRM" is meant.
  const isSmallDay = isAlwaysCapital(literal) && /^\p{Ll}/u.test(literal) && !matcher.isCommon;
  return (
    (isSmallDay || hasCapitalsOf(literal, matcher, form, true)) &&
    (isAmongKana || !(hit.isSplit ? isOrdinaryPhrase(place) : isOrdinaryUse(place, use)))
  );
}

/**
 * People write "o2" and "hp" small. A letter with a digit is seldom a word, unless an article makes it a substance; letters
 * alone count where they are all of an entry or in bold.
 */
function isSmallButMeant(literal: string, { isCommon }: NameMatcher, { text, start, isHead, isBold }: Place): boolean {
  if (isCommon || !/^\p{Ll}/u.test(literal) || /\p{Lu}/u.test(literal)) return false;
  if (isHead || isBold) return true;
  return (
    /\p{N}/u.test(literal) &&
    !/(?:^|[^\p{L}])(?:the|blood|of|an?) $/u.test(text.lower.slice(Math.max(0, start - 8), start))
  );
}

/** A word in Latin letters that Japanese goes on behind is no word of another language: "auが". */
const isBesideKana = ({ lower }: FoldedText, start: number, end: number): boolean =>
  /^[a-z]/u.test(lower.charAt(end - 1)) &&
  /^[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(lower.slice(end, end + 2)) &&
  !/[a-z] ?$/u.test(lower.slice(Math.max(0, start - 2), start));

/** ".NET" behind letters is the end of another name: "ASP.NET". */
const isTailOfName = ({ exact }: FoldedText, start: number): boolean =>
  exact.charAt(start) === '.' && /[\p{L}\p{N}]/u.test(exact.charAt(start - 1));

/** "über" is not Uber: the text has accents, and with them it is a word. */
function isOrdinarySpelling(text: FoldedText, { start, end }: NameHit): boolean {
  const written = text.original.slice(toOriginalIndex(text, start), toOriginalIndex(text, end));
  return written !== text.exact.slice(start, end) && isAccentedWord(written);
}

/** Whether the words in this place are ordinary language: "made in", and "outlook" for Out Look. */
export function isOrdinaryWords(matcher: NameMatcher, { form, isSplit }: NameHit): boolean {
  const words = form.parts.filter(({ kind }) => kind !== 'symbol').map(({ lower }) => lower);
  if (form.parts.some(({ kind, lower }) => kind === 'symbol' && lower !== '!')) return false;
  if (words.length === 1) return form.kind === 'stem' ? isCommonWord(words[0] ?? '') : matcher.isCommon;
  return isSplit ? words.every((word) => word.length < 3 || isEverydayWord(word)) : isCommonWord(words.join(''));
}

/** Capitals as the name writes them, or all capitals; with `title` also a capital at the front of each word. */
function hasCapitalsOf(literal: string, { spelling }: NameMatcher, form: NameForm, title: boolean): boolean {
  const letters = literal.replaceAll(/[^\p{L}\p{N}]/gu, '');
  const own = (form.kind === 'stem' ? form.parts.map(({ exact }) => exact).join('') : spelling).replaceAll(
    /[^\p{L}\p{N}]/gu,
    '',
  );
  const hasOwn = /\p{Lu}/u.test(own) || !/\p{Ll}/u.test(own);
  if (hasOwn && letters === own) return true;
  if (!/\p{Ll}/u.test(letters)) return true;
  if (!title && hasOwn) return false;
  // A small letter that opens a word, where the name has none of its own.
  return !/(?<![\p{L}\p{N}'])\p{Ll}/u.test(literal);
}

/** "Hotels.com" without its ending is a word. */
const hasCommonStem = (forms: readonly NameForm[]): boolean =>
  forms.some(({ kind, parts }) => kind === 'stem' && isCommonWord(parts.map(({ lower }) => lower).join('')));

const isShortName = (spelling: string): boolean => {
  const letters = spelling.match(/\p{L}/gu)?.length ?? 0;
  return letters > 0 && letters <= MAX_SHORT_LETTERS && /\p{Lu}|\p{Ll}/u.test(spelling) && !/[+#&]/u.test(spelling);
};

function isWordOrWords({ parts }: NameForm): boolean {
  if (parts.some(({ kind }) => kind === 'symbol')) return false;
  const words = parts.map(({ lower }) => lower);
  if (parts.every(({ ownGap }) => ownGap === '')) return isCommonWord(words.join(''));
  return words.every((word) => word.length < MAX_SHORT_LETTERS || isEverydayWord(word));
}

/** Forms of the names that contain this one and are other names. */
function listLongerForms(name: string, names: readonly string[]): readonly NameForm[] {
  const key = computeNameKey(name);
  const own = listNameForms(name).filter(({ kind }) => kind === 'full');
  return names
    .filter(
      (other) =>
        other.length <= 2 * MAX_SEARCHED_NAME_CHARS &&
        computeNameKey(other) !== key &&
        findHits(foldText(other), own).length > 0,
    )
    .flatMap((other) => listNameForms(other).filter(({ kind }) => kind === 'full'));
}

const listOthersWith = (key: string): readonly string[] =>
  loadKeyedOthers()
    .filter(([, otherKey]) => otherKey.includes(key))
    .map(([other]) => other);

let keyed: readonly (readonly [string, string])[] | undefined;

/** Laid out once: a measurement compiles a matcher for each of its rivals. */
const loadKeyedOthers = (): readonly (readonly [string, string])[] =>
  (keyed ??= namesOfOthers
    .split(/[|\n]/u)
    .flatMap((other) => (other === '' ? [] : [[other, computeNameKey(other)] as const])));
