import { isAccentedWord, isAlwaysCapital, isCommonWord, isEverydayWord } from './common-words.ts';
import { type FoldedText, foldText, originalIndex } from './folded-text.ts';
import { formsOf, MAX_NAME_CHARS, type NameForm, nameKey } from './name-forms.ts';
import { hitsOf, type NameHit } from './name-scan.ts';
import { isOrdinaryPhrase, isOrdinaryUse, isSymbolUse, type Place } from './ordinary-use.ts';
import { namesOfOthers } from './ordinary-use-data.ts';
import { sentenceAround, type Span } from './sentences.ts';

/** A name made ready for looking. Only `name` and `caseSensitive` are for others. */
export type NameMatcher = {
  name: string;
  /** Whether only its own capitals count: it is a common word, or has at most three letters. */
  caseSensitive: boolean;
  forms: readonly NameForm[];
  /** Longer names that contain it: what stands inside one of them is not this name. */
  longer: readonly NameForm[];
  /** At most three letters and no sign such as + or &. */
  isShort: boolean;
  /** Its words in one are an ordinary word, here or in the answers of the run. */
  isCommon: boolean;
  /** As the name writes itself, folded; without capitals when it has none to insist on. */
  spelling: string;
};

/** A place that names it, with its sentence. `isWord`: only its capitals tell it from ordinary words. */
export type Naming = { start: number; end: number; sentence: Span; isWord: boolean };

/** Longer names that are looked at for one name. */
const MAX_LONGER_NAMES = 100;
const MAX_SHORT_LETTERS = 3;

/** What tells the name from ordinary words and from longer names. `corpus` and `longerNames` as in `compileName`. */
export function matcherOf(name: string, corpus: readonly string[], longerNames: readonly string[]): NameMatcher {
  const forms = formsOf(name);
  const [full] = forms;
  const spelling = full?.parts.map(({ exact }) => exact).join('') ?? '';
  const isShort = full !== undefined && isShortName(spelling);
  const isCommon = full !== undefined && (isWordOrWords(full) || isWordOfCorpus(full, corpus));
  return {
    name,
    caseSensitive: isShort || isCommon,
    forms,
    longer: longerForms(name, [...longerNames.slice(0, MAX_LONGER_NAMES), ...othersWith(nameKey(name))]),
    isShort,
    isCommon,
    spelling,
  };
}

/** The places of a text that name it, and how many others were refused for their capitals or as the ordinary word. */
export function namingsIn(
  text: FoldedText,
  matcher: NameMatcher,
  setting: SettingOf,
): { namings: readonly Naming[]; rejected: number } {
  const hits = hitsOf(text, matcher.forms);
  if (hits.length === 0) return { namings: [], rejected: 0 };
  const longer = matcher.longer.length === 0 ? [] : hitsOf(text, matcher.longer);
  const free = hits.filter(({ start, end }) => !longer.some((one) => one.start <= start && end <= one.end));
  const placed = free.map((hit) => ({ hit, sentence: sentenceAround(text, hit.start, hit.end) }));
  const kept = placed.filter(({ hit, sentence }) => isMeant(text, matcher, hit, sentence, setting(hit.start, hit.end)));
  return {
    namings: kept.map(({ hit, sentence }) => ({
      start: hit.start,
      end: hit.end,
      sentence,
      isWord: !hit.isDomain && isOrdinaryWords(matcher, hit),
    })),
    rejected: free.length - kept.length,
  };
}

/** What a place of a text stands in, as `Place` has it. */
export type SettingOf = (start: number, end: number) => Pick<Place, 'isTitle' | 'isColumnHead'>;

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
  if (isOrdinarySpelling(text, hit)) return false;
  if (hit.isDomain) return !matcher.isShort || start === 0 || text.exact.charAt(start - 1) !== '.';
  if (matcher.isShort)
    return (
      hasCapitalsOf(literal, matcher, form, false) && !isSymbolUse(place) && !(matcher.isCommon && isOrdinaryUse(place))
    );
  if (!isOrdinaryWords(matcher, hit)) return true;
  // English never writes a day small: "monday CRM" is meant.
  const isSmallDay = isAlwaysCapital(literal) && /^\p{Ll}/u.test(literal) && !matcher.isCommon;
  return (
    (isSmallDay || hasCapitalsOf(literal, matcher, form, true)) &&
    !(hit.isSplit ? isOrdinaryPhrase(place) : isOrdinaryUse(place))
  );
}

/** "über" is not Uber: the text has accents, and with them it is a word. */
function isOrdinarySpelling(text: FoldedText, { start, end }: NameHit): boolean {
  const written = text.original.slice(originalIndex(text, start), originalIndex(text, end));
  return written !== text.exact.slice(start, end) && isAccentedWord(written);
}

/** Whether the words as they stand there are ordinary language: "made in", and "outlook" for Out Look. */
function isOrdinaryWords(matcher: NameMatcher, { form, isSplit }: NameHit): boolean {
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

/** Texts in which the word stands in small letters inside a sentence, before it counts as an ordinary word of the run. */
const MIN_ORDINARY_TEXTS = 2;
/** And how many texts that write it with a capital they must stand against: one slip of an engine proves nothing. */
const MAX_CAPITAL_TEXTS_PER_ORDINARY = 4;
const MAX_CORPUS_TEXTS = 100;

/** Truecasing: whether the answers of the run use the only word of a name in small letters, as words are used. */
function isWordOfCorpus({ parts }: NameForm, corpus: readonly string[]): boolean {
  const [only] = parts;
  if (only === undefined || parts.length > 1 || only.exact === '') return false;
  const form: NameForm = { parts, kind: 'full', mark: '' };
  let ordinary = 0;
  let capital = 0;
  for (const text of corpus.slice(0, MAX_CORPUS_TEXTS)) {
    if (!text.toLowerCase().includes(only.lower)) continue;
    const folded = foldText(text);
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

/** Forms of the names that contain this one and are other names. */
function longerForms(name: string, names: readonly string[]): readonly NameForm[] {
  const key = nameKey(name);
  const own = formsOf(name).filter(({ kind }) => kind === 'full');
  return names
    .filter(
      (other) =>
        other.length <= 2 * MAX_NAME_CHARS && nameKey(other) !== key && hitsOf(foldText(other), own).length > 0,
    )
    .flatMap((other) => formsOf(other).filter(({ kind }) => kind === 'full'));
}

const othersWith = (key: string): readonly string[] =>
  namesOfOthers.split(/[|\n]/u).filter((other) => other !== '' && nameKey(other).includes(key));
