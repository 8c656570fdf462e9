import { hasUnspaced } from '../../hidden-text/facts/characters.ts';
import { STOP_WORDS } from '../../language/stop-words-data.ts';
import { countWords, hasSentenceEnd } from '../../language/words.ts';
import type { PageFacts, QuoteFacts } from '../../page/facts/page-facts.ts';
import { EXAMPLE_WORDS, SPEECH, SPEECH_UNSPACED } from './quotation-words-data.ts';

/** Shorter spans in quotation marks are names and words, not quotations. */
const MIN_QUOTE_CHARS = 25;
/** A span is a quotation with so many words, or with fewer where it ends as a sentence. */
const QUOTE_WORDS = { long: 8, sentence: 5 };
const MAX_QUOTATIONS = 100;
/** How near to a quotation its speaker must be named. */
const ATTRIBUTION_CHARS = 160;
/** Characters behind the name at the end of a quotation: a role, a place, a year. */
const NAME_DETAIL_CHARS = 80;
/** Lines of source within which a `cite` element belongs to a quotation. */
const CITE_LINES = 6;

export type Quotation = { text: string; attributed: boolean };

/** Pairs of quotation marks; those that cannot be mistaken for one another may go over the end of a paragraph. */
const MARKS =
  /[“„]([^“”„]{25,1000})[”“]|[「『]([^「」『』]{15,1000})[」』]|(?<![\p{L}\p{N}="])"([^"\n“”]{25,1000})[”"](?![\p{L}\p{N}])|(?<![\p{L}\p{N}="])"([^"\n]{25,1000})"(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])[‘‚]([^‘‚\n]{25,600}?[.,!?])[’‘](?!\p{L})|(?<![\p{L}\p{N}='’])'(?=\p{L})((?:[^'\n]|'(?=\p{L})){25,600}?[.,!?])'(?!\p{L})/gu;

/** Angle marks open to either side: the first one of a text says to which. */
const ANGLES = { outward: /«([^«»]{25,1000})»/gu, inward: /»([^«»]{25,1000})«/gu };

function listMarked(text: string): readonly RegExpExecArray[] {
  const first = /[«»]/.exec(text)?.[0];
  const angled = first === undefined ? [] : text.matchAll(first === '»' ? ANGLES.inward : ANGLES.outward);
  return [...text.matchAll(MARKS), ...angled].toSorted((a, b) => a.index - b.index);
}

const SPOKEN = new RegExp(
  [...SPEECH.map((words) => `(?<!\\p{L})(?:${words})(?!\\p{L})`), SPEECH_UNSPACED].join('|'),
  'iu',
);
const NAME = String.raw`\p{Lu}[\p{L}.'’-]{1,30}(?:\s\p{Lu}[\p{L}.'’-]{0,30}){0,4}`;
const DASH_NAME_AFTER = new RegExp(`^[\\s”"»«“]{0,4}[-–—―~]\\s?${NAME}`, 'u');
const DASH_NAME = new RegExp(`^[-–—―~]\\s?${NAME}`, 'u');
/** `Sabine Riewenherm, president of the agency: „...“` */
const NAMES = new RegExp(NAME, 'gu');
const UP_TO_COLON = /^[^.!?\n]{0,90}:\s{0,3}$/u;
/** `„...“ (Maurice Chevalier)` */
const NAME_IN_BRACKETS_AFTER = new RegExp(`^[.,]?\\s?[(\\[]${NAME}[^()\\[\\]\\n]{0,60}[)\\]]`, 'u');
/** A verb that no list has, then a name of two words: `„...“, mutmaßt Petra Keller` */
const VERB_NAME_AFTER =
  /^[.,]?\s?(?:[-–—]\s)?(?:\p{Ll}{2,20}\s){1,3}(?:\p{Lu}[\p{L}.'’-]{1,30}\s){1,2}\p{Lu}[\p{L}.'’-]{1,30}/u;

const EXAMPLE_BEFORE = new RegExp(`(?<!\\p{L})(?:${EXAMPLE_WORDS})\\s?(?:[:：…]|\\.{3})\\s{0,3}$`, 'iu');

/**
 * Quotations in the main text: `blockquote` and `q` elements and spans in quotation marks that are a sentence or at least
 * eight words. `attributed` when a speaker or source is named beside them, in a dash and a name, in brackets, or in a
 * `cite`.
 */
export function findQuotations(text: string, page: Pick<PageFacts, 'quotes'>): readonly Quotation[] {
  const flat = text.replaceAll('\n', ' ');
  const marked = page.quotes.filter((quote) => quote.kind !== 'cite' && quote.hidden === undefined);
  const elements = marked
    .filter(
      (quote) => quote.text.length >= MIN_QUOTE_CHARS && (quote.inContent || flat.includes(quote.text.slice(0, 60))),
    )
    .slice(0, MAX_QUOTATIONS)
    .map((quote) => ({ text: quote.text, attributed: isAttributed(flat, quote, page.quotes) }));
  const spans: Quotation[] = [];
  for (const match of listMarked(text)) {
    if (spans.length >= MAX_QUOTATIONS) break;
    const inner = match.slice(1).find((part) => part !== undefined) ?? '';
    if (!isSentence(inner)) continue;
    const from = match.index;
    spans.push({ text: match[0], attributed: hasSpeaker(flat, from, from + match[0].length) });
  }
  return [...elements, ...spans];
}

/** Titles, names and single expressions stand in quotation marks too. */
function isSentence(text: string): boolean {
  if (hasUnspaced(text)) return true;
  const words = countWords(text);
  return words >= QUOTE_WORDS.long || (words >= QUOTE_WORDS.sentence && /[.!?…,][\s”"’]{0,2}$/u.test(text));
}

/** Whether the last line ends in a dash, a name and little more. Each dash is tried by itself: a text of dashes costs no more. */
function hasDashName(text: string): boolean {
  const tail = text.slice(-ATTRIBUTION_CHARS);
  return Array.from(tail.matchAll(/[-–—―~]/g)).some(({ index }) => {
    const name = DASH_NAME.exec(tail.slice(index))?.[0];
    const rest = name === undefined ? undefined : tail.slice(index + name.length);
    return rest !== undefined && rest.length <= NAME_DETAIL_CHARS && !rest.includes('\n');
  });
}

function isAttributed(flat: string, quote: QuoteFacts, quotes: readonly QuoteFacts[]): boolean {
  if (quote.cite !== '' || hasDashName(quote.text)) return true;
  const from = flat.indexOf(quote.text.slice(0, 60));
  const to = from + quote.text.length;
  if (
    quotes.some(
      (cite) => cite.kind === 'cite' && isCiteOf(cite, quote, from < 0 ? '' : flat.slice(to, to + ATTRIBUTION_CHARS)),
    )
  )
    return true;
  return from >= 0 && hasSpeaker(flat, from, to);
}

/**
 * A `cite` in or behind a quotation; on the same line of source it may be anywhere, so the text decides. Text that begins
 * with the name is about that person.
 */
function isCiteOf(cite: QuoteFacts, quote: QuoteFacts, after: string): boolean {
  if (cite.text === '' || quote.text.startsWith(cite.text)) return false;
  if (cite.line > quote.line) return cite.line <= quote.line + CITE_LINES;
  return cite.line === quote.line && (quote.text.includes(cite.text) || after.includes(cite.text));
}

function hasSpeaker(flat: string, from: number, to: number): boolean {
  const before = flat.slice(Math.max(0, from - ATTRIBUTION_CHARS), from);
  const after = flat.slice(to, to + ATTRIBUTION_CHARS);
  if (EXAMPLE_BEFORE.test(before)) return false;
  return (
    SPOKEN.test(before) ||
    SPOKEN.test(after) ||
    [DASH_NAME_AFTER, NAME_IN_BRACKETS_AFTER, VERB_NAME_AFTER].some((pattern) => pattern.test(after)) ||
    hasNameAndColon(before)
  );
}

/** The first word of a sentence has a capital too: a function word is no name. */
const hasNameAndColon = (before: string): boolean =>
  Array.from(before.matchAll(NAMES)).some(
    ({ 0: name, index }) => !STOP_WORDS.has(name.toLowerCase()) && UP_TO_COLON.test(before.slice(index + name.length)),
  );

const NAMED_SOURCE = new RegExp(
  [
    String.raw`(?<!\p{L})(?:according to|source:|reported by|published by|data from|(?:study|survey|report|research|figures) (?:by|from|of)|found that)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:según|fuente:|selon(?!\squ)|d'après|source :|laut|zufolge|zu folge|quelle:|secondo|fonte:|segundo|de acordo com|volgens|bron:|по данным|согласно|wg|według|enligt)(?!\p{L})`,
    String.raw`(?<!\p{L})(?:nach angaben|nach berechnungen|einer studie|folgenden zahlen|(?:studie|umfrage|erhebung|untersuchung|analyse|statistik|bericht) (?:der|des|von|vom)|(?:étude|enquête|rapport|chiffres) (?:de|du|des)|(?:estudio|encuesta|informe|datos) (?:de|del)|(?:badani\p{L}{1,2}|raport\p{L}{0,2}) \p{L})`,
    'によると|によれば|(?:調査|アンケート|統計|研究)(?:結果)?(?:では|で明らかに|から)|(?:调查|研究|统计|調查|統計)(?:显示|表明|发现|顯示|發現)|(?:조사|설문) ?결과|에 따르면|根据|根據|据[^据\n]{1,20}(?:报告|统计|数据)|وفقا ل|بحسب',
    String.raw`\[\d{1,3}\]`,
    String.raw`\((?:[^()\n]{1,60},\s?)(?:1[89]|20)\d\d[a-z]?\)`,
  ].join('|'),
  'iu',
);

/** Whether a line names where it is from: "according to", "source:", a bracketed note number, (Name, 2024), or a name that speaks. */
export const hasNamedSource = (line: string, isKnownName: NameTest = () => false): boolean =>
  NAMED_SOURCE.test(line) || hasNamedSpeaker(line, isKnownName);

/** Whether a word that begins a sentence is a name by what the rest of the text says. */
type NameTest = (word: string) => boolean;

const SPOKEN_ALL = new RegExp(SPOKEN.source, 'giu');
/** Verbs of speech that are looked at in one line. */
const MAX_SPOKEN = 20;
/** How near to a verb of speech the name must be. */
const SPEAKER_CHARS = { before: 60, after: 40 };

/** A verb of speech alone names no person: it needs a capital beside it that begins no sentence. */
function hasNamedSpeaker(line: string, isKnownName: NameTest): boolean {
  let looked = 0;
  for (const { 0: verb, index } of line.matchAll(SPOKEN_ALL)) {
    looked += 1;
    if (looked > MAX_SPOKEN) return false;
    const from = Math.max(0, index - SPEAKER_CHARS.before);
    const near = line.slice(from, index + verb.length + SPEAKER_CHARS.after);
    if (SPEAKER_UNSPACED.test(verb) || hasName(near, from === 0, isKnownName)) return true;
  }
  return false;
}

const SPEAKER_UNSPACED = new RegExp(SPEECH_UNSPACED, 'u');
const SENTENCE_START = /(?:[.!?:]["”’)]?\s["“„«(]?|["“„«(])$/u;

/** Whether a text has a name: of two words or more, or a capital inside of a sentence. */
const hasName = (text: string, isStart: boolean, isKnownName: NameTest): boolean =>
  Array.from(text.matchAll(NAMES)).some(({ 0: name, index }) => {
    if (STOP_WORDS.has(name.toLowerCase())) return false;
    if (/\s/.test(name)) return true;
    const begins = SENTENCE_START.test(text.slice(0, index)) || (isStart && index === 0);
    return !begins || isKnownName(name);
  });

/** Names kept of one text. */
const MAX_NAMES = 5000;

/** Tests whether a text has a word with its capital inside of a sentence too; the text is read at the first question. */
export function createNameTest(text: string): NameTest {
  let names: ReadonlySet<string> | undefined;
  return (word) => {
    names ??= collectInnerNames(text);
    return names.has(word);
  };
}

function collectInnerNames(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const line of text.split('\n')) {
    if (!hasSentenceEnd(line)) continue;
    for (const { 0: word, index } of line.matchAll(/(?<!\p{L})\p{Lu}[\p{L}’'-]{1,30}/gu)) {
      if (index > 0 && !SENTENCE_START.test(line.slice(Math.max(0, index - 4), index))) names.add(word);
      if (names.size === MAX_NAMES) return names;
    }
  }
  return names;
}
