import { isAccentedWord, isAlwaysCapital, isCommonWord, isEverydayWord } from './common-words.ts';
import { type FoldedText, foldText, originalIndex } from './folded-text.ts';
import { formsOf, MAX_NAME_CHARS, type NameForm, nameKey } from './forms.ts';
import { hitsOf, type NameHit } from './scan.ts';
import { type Place } from './place.ts';
import { isOrdinaryPhrase, isOrdinaryUse, isSymbolUse } from './ordinary-use.ts';
import { namesOfOthers } from './ordinary-use-data.ts';
import { isSurelyNamed, isWordOfCorpus } from './corpus.ts';
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
  /** Whether the run surely names it: at the front of a line as an entry, or with its capitals inside a sentence. */
  isSure: boolean;
  /** As the name writes itself, folded; without capitals when it has none to insist on. */
  spelling: string;
};

/** A place that names it, with its sentence. */
export type Naming = { start: number; end: number; sentence: Span };

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
    caseSensitive: isShort || isCommon || hasCommonStem(forms),
    forms,
    longer: longerForms(name, [...longerNames.slice(0, MAX_LONGER_NAMES), ...othersWith(nameKey(name))]),
    isShort,
    isCommon,
    isSure: isCommon && full !== undefined && isSurelyNamed(full, corpus),
    spelling,
  };
}

/** The places of a text that name it, and how many others were refused for their capitals or as the ordinary word. */
export function namingsIn(
  text: FoldedText,
  matcher: NameMatcher,
  setting: SettingOf,
): { namings: readonly Naming[]; rejected: number } {
  const free = freeHitsOf(text, matcher);
  const placed = free.map((hit) => ({ hit, sentence: sentenceAround(text, hit.start, hit.end) }));
  const kept = placed.filter(({ hit, sentence }) => isMeant(text, matcher, hit, sentence, setting(hit.start, hit.end)));
  return {
    namings: kept.map(({ hit: { start, end }, sentence }) => ({ start, end, sentence })),
    rejected: free.length - kept.length,
  };
}

/** Where a form of the name stands and no longer name does, whatever is meant. */
export function freeHitsOf(text: FoldedText, { forms, longer }: NameMatcher): readonly NameHit[] {
  const hits = hitsOf(text, forms);
  if (hits.length === 0 || longer.length === 0) return hits;
  const others = hitsOf(text, longer);
  return hits.filter(({ start, end }) => !others.some((one) => one.start <= start && end <= one.end));
}

/** What a place of a text stands in, as `Place` has it. */
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
  const use = { isStem: form.kind === 'stem', isSure: matcher.isSure };
  if (isOrdinarySpelling(text, hit) || isTailOfName(text, start)) return false;
  if (hit.isDomain) return !matcher.isShort || start === 0 || text.exact.charAt(start - 1) !== '.';
  if (matcher.isShort)
    return (
      (hasCapitalsOf(literal, matcher, form, false) || isSmallButMeant(literal, matcher, place)) &&
      !isSymbolUse(place) &&
      !(matcher.isCommon && isOrdinaryUse(place, use))
    );
  if (!isOrdinaryWords(matcher, hit)) return true;
  // English never writes a day small: "monday CRM" is meant.
  const isSmallDay = isAlwaysCapital(literal) && /^\p{Ll}/u.test(literal) && !matcher.isCommon;
  return (
    (isSmallDay || hasCapitalsOf(literal, matcher, form, true)) &&
    !(hit.isSplit ? isOrdinaryPhrase(place) : isOrdinaryUse(place, use))
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

/** ".NET" behind letters is the end of another name: "ASP.NET". */
const isTailOfName = ({ exact }: FoldedText, start: number): boolean =>
  exact.charAt(start) === '.' && /[\p{L}\p{N}]/u.test(exact.charAt(start - 1));

/** "über" is not Uber: the text has accents, and with them it is a word. */
function isOrdinarySpelling(text: FoldedText, { start, end }: NameHit): boolean {
  const written = text.original.slice(originalIndex(text, start), originalIndex(text, end));
  return written !== text.exact.slice(start, end) && isAccentedWord(written);
}

/** Whether the words as they stand there are ordinary language: "made in", and "outlook" for Out Look. */
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
  keyedOthers().flatMap(([other, otherKey]) => (otherKey.includes(key) ? [other] : []));

let keyed: readonly (readonly [string, string])[] | undefined;

/** Laid out once: a measurement compiles a matcher for each of its rivals. */
const keyedOthers = (): readonly (readonly [string, string])[] =>
  (keyed ??= namesOfOthers
    .split(/[|\n]/u)
    .flatMap((other) => (other === '' ? [] : [[other, nameKey(other)] as const])));
