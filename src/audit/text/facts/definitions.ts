import { DEFINITION_UNSPACED, DEFINITION_WORDS } from './definition-words-data.ts';
import { type MainText, getSentenceLines } from './sample-text.ts';
import { STOP_WORDS } from '../../language/stop-words-data.ts';

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
