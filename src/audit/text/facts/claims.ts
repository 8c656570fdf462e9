import { METHOD_PHRASES, SAMPLE_SIZE, SUPERLATIVES } from './claim-words-data.ts';
import type { CitedSource } from './cited-sources.ts';
import { type MainText, getSentenceLines } from './sample-text.ts';
import { hasNamedSource } from './quotations.ts';

const MAX_CLAIMS = 100;
/** A line is looked at up to here; a paragraph is shorter. */
const MAX_LINE_CHARS = 20_000;

const METHODS = createPatternsByLanguage(METHOD_PHRASES, 'iu');
const SIZE = new RegExp(SAMPLE_SIZE, 'u');
const PRAISE = createPatternsByLanguage(SUPERLATIVES, 'giu');

/** Sentences in which the authors say that they tested, measured or asked, with a number; at most 100. */
export function listFirstHandSentences(main: Pick<MainText, 'text'>, language: string): readonly string[] {
  const methods = METHODS(language);
  const says = (text: string): boolean => SIZE.test(text) || methods.some((method) => method.test(text));
  const found: string[] = [];
  for (const { line, sentences } of getSentenceLines(main)) {
    if (!/\p{N}/u.test(line) || !says(line.slice(0, MAX_LINE_CHARS))) continue;
    found.push(...sentences.filter((sentence) => /\p{N}/u.test(sentence) && says(sentence)));
    if (found.length >= MAX_CLAIMS) break;
  }
  return found.slice(0, MAX_CLAIMS);
}

/** Link texts that are looked for in a line. */
const MAX_LINK_TEXTS = 100;
const MIN_LINK_CHARS = 5;

/** Superlatives of the text whose block has no link to a source and names none, as written; at most 100. */
export function listBareSuperlatives(
  main: Pick<MainText, 'text'>,
  sources: readonly CitedSource[],
  language: string,
): readonly string[] {
  const patterns = PRAISE(language);
  const links = sources
    .map(({ text }) => text)
    .filter((text) => text.length >= MIN_LINK_CHARS)
    .slice(0, MAX_LINK_TEXTS);
  const found: string[] = [];
  for (const { line: whole } of getSentenceLines(main)) {
    const line = whole.slice(0, MAX_LINE_CHARS);
    const praise = patterns.flatMap((pattern) => line.match(pattern) ?? []);
    if (praise.length === 0 || hasNamedSource(line.slice(0, 5000)) || links.some((text) => line.includes(text)))
      continue;
    found.push(...praise.map((words) => words.trim()));
    if (found.length >= MAX_CLAIMS) break;
  }
  return found.slice(0, MAX_CLAIMS);
}

/** The expressions of one language: those of others are never run, since the first run of each takes its time. Unknown languages are read as English. */
function createPatternsByLanguage(
  sources: Readonly<Record<string, readonly string[]>>,
  flags: string,
): (language: string) => readonly RegExp[] {
  const rows = new Map(
    Object.entries(sources).map(([language, list]) => [language, list.map((source) => new RegExp(source, flags))]),
  );
  return (language) => rows.get(language) ?? rows.get('en') ?? [];
}
