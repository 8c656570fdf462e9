import { DEFINITION_UNSPACED, DEFINITION_WORDS, EVERYDAY_ACRONYMS } from './definition-words-data.ts';
import { getSentenceLines, type MainText } from './sample-text.ts';
import { STOP_WORDS } from '../../language/stop-words-data.ts';
import type { PageFacts } from '../../page/facts/page-facts.ts';
import { toOneLine } from '../../language/words.ts';

/** A sentence that says what something is; `subject` without its article. */
export type DefinitionSentence = { subject: string; sentence: string };

const MAX_DEFINITIONS = 50;
/** A sentence is looked at up to here: a definition begins with what it defines. */
const MAX_SENTENCE_CHARS = 300;
const MAX_SUBJECT_WORDS = 6;

/** How a subject may begin, and the verb that ends it, per language. */
const SPACED: ReadonlyMap<string, { article: RegExp; copula: RegExp }> = new Map(
  Object.entries(DEFINITION_WORDS).map(([language, { articles, copula }]) => [
    language,
    {
      article: new RegExp(`^(?:${articles || '-'})\\s`, 'iu'),
      copula: new RegExp(`\\s(?:${copula})(?=[\\s'’])`, 'iu'),
    },
  ]),
);
const UNSPACED: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(DEFINITION_UNSPACED).map(([language, source]) => [language, new RegExp(source, 'u')]),
);

/** Words that point elsewhere instead of naming what is defined, beside the words without content of any language. */
const POINTERS = new Set('below above following whether either both each another one such qué quién cuál'.split(' '));

/** Sentences of the form "X is a ..." in a text; undefined for a language whose form we do not know. */
export function listDefinitionSentences(
  main: Pick<MainText, 'text'>,
  language: string,
): readonly DefinitionSentence[] | undefined {
  if (!SPACED.has(language) && !UNSPACED.has(language)) return undefined;
  const found: DefinitionSentence[] = [];
  for (const { sentences } of getSentenceLines(main)) {
    for (const sentence of sentences) {
      const subject = extractSubject(sentence.slice(0, MAX_SENTENCE_CHARS), language);
      if (isSubject(subject)) found.push({ subject, sentence });
      if (found.length === MAX_DEFINITIONS) return found;
    }
  }
  return found;
}

/** The text before the verb, without its article and a parenthesis behind it; '' when there is no such verb. */
function extractSubject(sentence: string, language: string): string {
  const unspaced = UNSPACED.get(language)?.exec(sentence)?.[1];
  if (unspaced !== undefined) return unspaced.trim();
  const words = SPACED.get(language);
  const verb = words?.copula.exec(sentence);
  if (!words || !verb) return '';
  const before = sentence.slice(0, verb.index).replace(words.article, '');
  return before.replace(/\s\([^()]{1,60}\)$/u, '').trim();
}

function isSubject(subject: string): boolean {
  const words = subject.toLowerCase().split(' ');
  if (subject === '' || words.length > MAX_SUBJECT_WORDS || /[,;:!?()"“”„«»]/u.test(subject)) return false;
  const [first = ''] = words;
  return !POINTERS.has(first) && !STOP_WORDS.has(first);
}

/** Paths of legal texts in the languages that name them in Latin letters. */
const LEGAL =
  /\/(?:terms(?:-of-(?:service|use))?|tos|privacy(?:-policy)?|legal(?:-notice)?|imprint|impressum|cookies?(?:-policy)?|disclaimer|datenschutz(?:erklaerung)?|agb|mentions-legales|cgv|cgu|aviso-legal|privacidad|termini|termos|voorwaarden)(?:\.html?)?\/?$/i;

/** Whether a URL is that of a legal text, by its path. */
export const isLegalUrl = (url: string): boolean => LEGAL.test(new URL(url).pathname);

/** An acronym of the text, whether it is spelled out where it is first used, and that first use. */
export type Acronym = { acronym: string; expanded: boolean; excerpt: string };

/** Acronyms looked into; a text with more of them has shown its habit. */
const MAX_ACRONYMS = 60;
/** Words in capitals that are looked up in small letters; each costs a search of the text. */
const MAX_SOUGHT = 300;
/** Places in the block of the first use where an expansion is looked for. */
const MAX_PLACES = 10;
const REACH_CHARS = 150;

const EVERYDAY = new Set(EVERYDAY_ACRONYMS.split(' '));
// Two letters are country codes, initials and units too often, six are a word for stress; digits make a name of a
// model. The lookbehind comes after the first capital: nearly every position of a text fails at the capital, at less
// cost.
const ACRONYM = /\p{Lu}(?<![\p{L}\p{N}\p{M}_/.@#&-]\p{Lu})\p{Lu}{2,4}(?=s?(?![\p{L}\p{N}\p{M}_/@&-]))/gu;
const ROMAN = /^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/;

/**
 * The acronyms of running text (three to five capitals) that not everybody knows, in order of their first use. Left out:
 * headings, code, lines in capitals, words that also occur in small letters, Roman numerals, and `names` of the site itself.
 */
export function listAcronyms(page: PageFacts, main: MainText, names: readonly string[]): readonly Acronym[] {
  const left = new Set([
    ...page.headings.map(({ text }) => text),
    ...page.codeBlocks.flatMap(({ text }) => text.split('\n').map(toOneLine)),
  ]);
  const explained = listExplainedAcronyms(page);
  const skipped = new Set(names.flatMap((name) => name.toUpperCase().split(/[^\p{L}]{1,20}/u)));
  const found = new Map<string, Acronym>();
  let sought = 0;
  for (const line of main.text.split('\n')) {
    if (left.has(line) || !/\p{Ll}|\p{Lo}/u.test(line)) continue;
    for (const { 0: acronym, index } of line.matchAll(ACRONYM)) {
      if (found.has(acronym) || EVERYDAY.has(acronym) || ROMAN.test(acronym) || skipped.has(acronym)) continue;
      if (++sought > MAX_SOUGHT) return [...found.values()];
      if (isWordIn(main.text, acronym.toLowerCase())) {
        skipped.add(acronym);
        continue;
      }
      const excerpt = line.slice(Math.max(0, index - REACH_CHARS), index + REACH_CHARS);
      found.set(acronym, { acronym, expanded: explained.has(acronym) || isExpandedIn(line, index, acronym), excerpt });
      if (found.size === MAX_ACRONYMS) return [...found.values()];
    }
  }
  return [...found.values()];
}

/** Acronyms that the page explains by markup: `abbr[title]` and description lists. */
function listExplainedAcronyms(page: PageFacts): ReadonlySet<string> {
  const titled = page.attributeTexts
    .filter(({ tag, attribute }) => tag === 'abbr' && attribute === 'title')
    .flatMap(({ text }) => [text]);
  const initials = titled.map((text) => (text.match(/(?<!\p{L})\p{L}/gu) ?? []).join('').toUpperCase());
  return new Set([...initials, ...page.definitions.map(({ term }) => term.trim())]);
}

/** Whether the text holds this as an ordinary word: capitals were only for stress then. */
function isWordIn(text: string, word: string): boolean {
  let at = text.indexOf(word);
  for (let places = 0; at !== -1 && places < MAX_PLACES; places += 1) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + word.length] ?? ' '];
    if (/[\s("“]/u.test(before) && /[\s,.;:!?)"”]/u.test(after)) return true;
    at = text.indexOf(word, at + word.length);
  }
  return false;
}

/** Looks for the expansion in the block of the first use: `Long Form (LF)`, `LF (Long Form)`, or words that say so. */
function isExpandedIn(line: string, first: number, acronym: string): boolean {
  let at = first;
  for (let places = 0; at !== -1 && places < MAX_PLACES; places += 1) {
    const before = line.slice(Math.max(0, at - REACH_CHARS), at);
    const after = line.slice(at + acronym.length, at + acronym.length + REACH_CHARS);
    if (isIntroduced(before, after, acronym)) return true;
    at = line.indexOf(acronym, at + acronym.length);
  }
  return false;
}

const OPENED = /^s?\s?[(（—–:]\s?([^()（）]{3,120})/u;
const SAYS =
  /^s?["”’]?,?\s(?:stands for|short for|is short for|means|steht für|kurz für|signifie|significa|sta per|staat voor|означает|расшифровывается|oder|or)\s(.{3,120})/iu;

function isIntroduced(before: string, after: string, acronym: string): boolean {
  const opened = /[(（]["“‘]?$/u.exec(before);
  if (opened && /^s?["”’]?[)）,;]/u.test(after) && hasExpansionAtEnd(before.slice(0, opened.index), acronym))
    return true;
  const follows = OPENED.exec(after)?.[1] ?? SAYS.exec(after)?.[1];
  return follows !== undefined && hasExpansionAtStart(follows, acronym);
}

const splitLetterRuns = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}{1,60}/gu) ?? [];
const hasOwnScript = (text: string): boolean => /[\p{Lo}]/u.test(text);

/** Whether the words before a parenthesis spell the acronym: its letters in order, the first at the start of a word (Schwartz and Hearst). */
function hasExpansionAtEnd(text: string, acronym: string): boolean {
  // A script without capitals has no initials to compare: the parenthesis is the explanation.
  if (hasOwnScript(text.trimEnd().slice(-1))) return true;
  const words = splitLetterRuns(text).slice(-(acronym.length + 5));
  return words.some((_, index) => isExpansion(words.slice(index), acronym));
}

function hasExpansionAtStart(text: string, acronym: string): boolean {
  if (hasOwnScript(text.slice(0, 1))) return true;
  const words = splitLetterRuns(text).slice(0, acronym.length + 5);
  const from = words.findIndex((word) => word.startsWith(acronym.slice(0, 1).toLowerCase()));
  return from >= 0 && from <= 2 && isExpansion(words.slice(from), acronym);
}

function isExpansion(words: readonly string[], acronym: string): boolean {
  const [initial = '', ...rest] = acronym.toLowerCase();
  const joined = words.join('');
  // An expansion is longer than what it expands, or it is the acronym itself.
  if (!(words[0] ?? '').startsWith(initial) || joined.length <= acronym.length + 1) return false;
  let at = 0;
  return rest.every((letter) => {
    at = joined.indexOf(letter, at + 1);
    return at > 0;
  });
}
