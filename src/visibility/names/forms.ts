import { foldText } from './folded-text.ts';
import { rememberNames } from './remember-names.ts';

/** Longest name that is looked for, in UTF-16 units; what is longer is cut. Requests allow 120. */
export const MAX_SEARCHED_NAME_CHARS = 120;

/** A complete word or a symbol of a name, and what a text may have between it and the one before. */
export type NamePart = {
  /** Folded, lower case. */
  lower: string;
  /** Folded, as the name has it. */
  exact: string;
  /** A word, a symbol that must be there ("++"), or "&", which may be written "and". */
  kind: 'word' | 'symbol' | 'and';
  /** Characters of which one may precede this part; '' when it follows directly. */
  gap: string;
  /** The name's own separator before this part: allowed as well. */
  ownGap: string;
  /** Whether quotes may precede it as well: one of the two words is a single letter, as in Toys "R" Us. */
  isQuotable: boolean;
};

/** One way to write a name; `stem` is a domain without its ending, which is the name only where nothing else is meant. */
export type NameForm = {
  parts: readonly NamePart[];
  kind: 'full' | 'stem';
  /** The mark that the name ends in and that texts may leave out: the "!" of "Yahoo!". */
  mark: string;
  /** It is the name with "u" for "ue", and only counts where the text has an umlaut. */
  isWithUmlaut?: boolean;
  /** Some text has its letters with spaces between them. */
  isApart?: boolean;
};

/** Names of registries that make a name a domain. */
export const TOP_LEVEL =
  /^(?:com|io|ai|co|org|net|app|dev|so|me|tv|de|fr|es|it|nl|ch|at|eu|uk|us|ca|au|in|jp|cn|gg|fm|ly|to|xyz|inc|shop|store)$/u;

/**
 * The ways to write a name: with its words parted by a space, a hyphen or nothing, and, for a name with umlauts, with
 * "ae" for "ä". A name such as "Booking.com" has its first part as a `stem`. Empty for a name without any character.
 */
export function listNameForms(name: string): readonly NameForm[] {
  const bare = removeCompanySuffix(name);
  const full = splitNameParts(foldText(bare).exact);
  if (full.length === 0) return [];
  const umlauts = spellOut(bare);
  const folded = bare.replaceAll(/(?<=[^aeq])(?:ae|oe|ue)(?![aeiou])|^(?:ae|oe|ue)/giu, (pair) => pair.charAt(0));
  const stem = findStem(full);
  const mark = /[!?]$/u.exec(bare)?.[0] ?? '';
  return [
    { parts: full, kind: 'full' as const, mark },
    ...(umlauts === bare ? [] : [{ parts: splitNameParts(foldText(umlauts).exact), kind: 'full' as const, mark }]),
    ...(folded === bare
      ? []
      : [{ parts: splitNameParts(foldText(folded).exact), kind: 'full' as const, mark, isWithUmlaut: true }]),
    ...(stem === undefined ? [] : [{ parts: stem, kind: 'stem' as const, mark }]),
  ];
}

/** Two names with the same key are the same name. It has no spaces, hyphens, accents, capitals or meaningless marks. */
export const computeNameKey = (name: string): string => nameKeys(name);

function makeNameKey(name: string): string {
  const parts = splitNameParts(foldText(removeCompanySuffix(name)).exact);
  const kept = findStem(parts) ?? parts;
  const key = kept.map(({ kind, lower }) => (kind === 'and' ? '&' : lower.replaceAll("'", ''))).join('');
  return key === '' ? foldText(name).lower.trim() : key;
}

const nameKeys = rememberNames(makeNameKey);

/** The same key with "ue" for "ü": one of the two is alike for two spellings of a name. */
export const computeUmlautKey = (name: string): string => computeNameKey(spellOut(name.normalize('NFC')));

const spellOut = (name: string): string => name.replaceAll(/[äöüÄÖÜ]/gu, (letter) => UMLAUTS[letter] ?? letter);

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', Ä: 'Ae', Ö: 'Oe', Ü: 'Ue' };

const LEGAL_SUFFIX =
  /[\s,]\s{0,3}(?:inc|llc|ltd|limited|gmbh|gmbh & co\. ?kg|ag|s\. ?a\.|sa|corp|corporation|plc)\.?$/iu;
const MORE_LEGAL_SUFFIX =
  /[\s,]\s{0,3}(?:pty ltd|ug \(haftungsbeschränkt\)|ohg|e\. ?k\.|s\. ?r\. ?l\.|srl|s\. ?p\. ?a\.|s\. ?n\. ?c\.|sarl|eurl|sasu|s\. ?l\. ?(?:u\.)?|s\/a|ltda|eireli|b\. ?v\.|n\. ?v\.|llp)\.?$/iu;
/** With these capitals alone: in others they are words ("Bliss Spa") or units. */
const CAPITAL_SUFFIX = /[\s,]\s{0,3}(?:SpA|SAS|BV|(?:& Co\. ?)?KG)$/u;
const JAPANESE_COMPANY = /^(?:株式会社|合同会社|有限会社)\s{0,3}|\s{0,3}(?:株式会社|合同会社|有限会社)$/gu;

const ARTICLE = /^(?:the|le|la|les|het|de|die|der|das|el|los|il|lo|'t)$/iu;

/**
 * A name as answers write it: without the legal forms of eight languages. What may be asked is judged by the whole name, as
 * before, so that every stored measurement is still one that could be bought.
 */
export function removeLegalForm(name: string): string {
  const line = name.slice(0, MAX_SEARCHED_NAME_CHARS).trim();
  const bare = line.replace(MORE_LEGAL_SUFFIX, '').replace(CAPITAL_SUFFIX, '').replace(JAPANESE_COMPANY, '').trim();
  return bare === '' || ARTICLE.test(bare) ? name : bare;
}

const URL_FRONT = /^(?:https?:\/\/)?www\.|^https?:\/\//iu;
const COUNTRY_ENDING = /\.(?:com?|org|net|ac)\.[a-z]{2}\/?$/iu;
/** "1und1" is how Germans spell 1&1. */
const NUMBERS = /^(\d{1,4}) ?und ?(\d{1,4})$/iu;

function removeCompanySuffix(name: string): string {
  const line = name
    .normalize('NFC')
    .slice(0, MAX_SEARCHED_NAME_CHARS)
    .replaceAll(/\s{1,120}/gu, ' ')
    .trim();
  const host = line.replace(URL_FRONT, '').replace(COUNTRY_ENDING, '.com').replace(NUMBERS, '$1&$2');
  const bare = host.replace(LEGAL_SUFFIX, '').trim();
  return bare === '' ? line : bare;
}

/** A word with its inner apostrophes, or one other character. */
const PIECE = /[\p{L}\p{N}\p{Mn}\p{Mc}]{1,120}|[^]/gu;

/** Where a word changes into the next without a space: "HelpScout", "Office365". */
const CAMEL = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L}{3})(?=\p{N}{2})/u;

function splitNameParts(exact: string): readonly NamePart[] {
  const parts: NamePart[] = [];
  let ownGap = '';
  const pieces = exact.trim().match(PIECE) ?? [];
  for (const [index, piece] of pieces.entries()) {
    const isFirst = parts.length === 0;
    const before = ownGap;
    if (isWord(piece)) {
      for (const [at, word] of piece.split(CAMEL).entries())
        parts.push(buildWordPart(word, at > 0 ? '' : before, isFirst && at === 0, parts.at(-1)));
      ownGap = '';
    } else if (isSymbol(piece, pieces[index - 1], pieces[index + 1], pieces.length - index)) {
      parts.push({
        lower: piece,
        exact: piece,
        kind: piece === '&' ? 'and' : 'symbol',
        gap: piece === '&' ? ' ' : '',
        ownGap: before,
        isQuotable: false,
      });
      ownGap = '';
    } else ownGap += piece;
  }
  if (parts.length > 0 || exact.trim() === '') return parts;
  // A name of marks and pictures only: it is found as it is written.
  return [
    { lower: exact.trim().toLowerCase(), exact: exact.trim(), kind: 'symbol', gap: '', ownGap: '', isQuotable: false },
  ];
}

const isWord = (piece: string | undefined): boolean => piece !== undefined && /^[\p{L}\p{N}]/u.test(piece);

function buildWordPart(word: string, ownGap: string, isFirst: boolean, before: NamePart | undefined): NamePart {
  const lower = word.toLowerCase();
  const isAnd = lower === 'and' && !isFirst;
  const own = ownGap.slice(0, MAX_OWN_GAP);
  // An apostrophe or a dot inside a word may be missing, and nothing else is there: "Levi's", "Levis".
  const follows = before?.kind === 'symbol' || own === "'";
  // Toys "R" Us; die "Zeit".
  const isQuotable = !isFirst && (word.length === 1 || before?.lower.length === 1 || ARTICLES.has(before?.lower ?? ''));
  return {
    lower,
    exact: word,
    kind: isAnd ? 'and' : 'word',
    gap: isFirst || follows ? '' : GAPS,
    ownGap: own,
    isQuotable,
  };
}

/** What a name may begin with and a text may leave outside its quotes. */
const ARTICLES: ReadonlySet<string> = new Set('der die das the le la les el los las il lo o os as de het'.split(' '));

/** What parts the words of a name in other spellings of it. */
const GAPS = ' -_\n';
const MAX_OWN_GAP = 3;

/** Whether a mark carries meaning: C++, C#, AT&T, .NET, and the dot of a domain at the end. */
function isSymbol(piece: string, before: string | undefined, after: string | undefined, left: number): boolean {
  if (piece === '+' || piece === '#') return before !== undefined && before !== ' ';
  if (piece === '&') return before !== undefined && after !== undefined;
  if (piece !== '.' || !isWord(after)) return false;
  return before === undefined || (left === 2 && isWord(before) && TOP_LEVEL.test(after ?? ''));
}

/** The name without its top-level domain: "Booking" of "Booking.com". */
function findStem(parts: readonly NamePart[]): readonly NamePart[] | undefined {
  const dot = parts.at(-2);
  const isDomain = parts.length > 2 && dot?.kind === 'symbol' && dot.lower === '.';
  return isDomain ? parts.slice(0, -2) : undefined;
}
