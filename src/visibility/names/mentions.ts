import { rememberPerObject } from '../../lib/memo.ts';
import type { AnswerStructure, AnswerBlock } from '../structure/structure.ts';
import { isRefusal } from './advice.ts';
import { foldBlocks, type FoldedText, toOriginalIndex } from './folded-text.ts';
import { type BlockContext, readBlockContexts } from './block-contexts.ts';
import { computeNameKey, computeUmlautKey, removeLegalForm } from './forms.ts';
import { createMatcher, type NameMatcher, type Naming, findNamings, canName, type SettingOf } from './matcher.ts';
import { adviseAgainstIt, headingOfOthers, headNotOffering } from './words/recommending-data.ts';
import {
  labelBeforeName,
  noMistake,
  openingOfAnswer,
  refusingCellMore,
  thingOfName,
} from './words/recommending-more-data.ts';
import { isDescribedAsChoice } from './described.ts';
import { judgeSentence } from './recommending.ts';
import { isUsedSmall, isWrittenWithCapitals } from './small-letters.ts';
import { formatQuote, findSentence } from './sentences.ts';
import { isWhyNotTitle } from './warning-titles.ts';

/**
 * The role of a name in its block: the entry itself (it heads a list item, a heading, a bold entry or a row), as an entry
 * that offers nothing ("Acme vs Beta", "Slack integration"), or inside the text.
 */
type EntryKind = 'entry' | 'no_offer' | 'text';

/** The kind of the place from `start` to `end` of the folded text of `block`. */
function classifyEntry(block: AnswerBlock, text: FoldedText, start: number, end: number): EntryKind {
  const from = toOriginalIndex(text, start);
  const to = toOriginalIndex(text, end);
  const title = findTitleAround(block, from, to);
  if (title === undefined) return isBareEntry(block, text, start, end) ? 'entry' : 'text';
  const before = block.text.slice(title.from, from);
  const after = block.text.slice(to, title.to);
  if (/[?？]\s?$/u.test(after) || NOT_OF_NAME.test(after) || headNotOffering.test(`${before} | ${after}`.toLowerCase()))
    return 'no_offer';
  // "L'offerta d'Eni Plenitude": what ends with the name is a thing of it.
  return isFront(before) || (!/\p{L}/u.test(after) && thingOfName.test(before.toLowerCase())) ? 'entry' : 'text';
}

/** Whether the place is all of the title it is in ("**Acme**: ..."), marks aside. */
function isWholeTitle(block: AnswerBlock, text: FoldedText, start: number, end: number): boolean {
  const from = toOriginalIndex(text, start);
  const to = toOriginalIndex(text, end);
  const title = findTitleAround(block, from, to);
  return (
    title !== undefined && !/[\p{L}\p{N}]/u.test(block.text.slice(title.from, from) + block.text.slice(to, title.to))
  );
}

/** Whether the place, the first of its words in the block, is set in bold by itself. */
function isBoldAlone({ bold, text }: AnswerBlock, folded: FoldedText, start: number, end: number): boolean {
  const from = toOriginalIndex(folded, start);
  const name = text.slice(from, toOriginalIndex(folded, end));
  return bold.slice(0, MAX_BOLD).some((one) => one.replace(/ ?[:.]$/u, '') === name) && text.indexOf(name) === from;
}

/** Bold texts of a block that are compared. */
const MAX_BOLD = 40;

/** The head that the place lies in, or the bold text that a mark parts from what is said about it: "**Acme**: ...". */
function findTitleAround(
  { head, bold, text }: AnswerBlock,
  from: number,
  to: number,
): { from: number; to: number } | undefined {
  for (const title of head === undefined ? bold : [head, ...bold]) {
    // Only a title that begins no farther away than it is long can hold the place.
    const low = Math.max(0, from - title.length);
    const at = text.slice(low, from + title.length).lastIndexOf(title, from - low);
    const start = low + at;
    const end = start + title.length;
    if (title === '' || at === -1 || to > end) continue;
    if (title === head || /^ ?[:–—(]|^ - |^$/u.test(text.slice(end, end + 3)) || /[:–—] ?$/u.test(title))
      return { from: start, to: end };
  }
  return undefined;
}

/** A short item or heading that starts with the name and has nothing but a mark behind it, or a number inside a line. */
function isBareEntry({ kind }: AnswerBlock, text: FoldedText, start: number, end: number): boolean {
  if (INLINE_FRONT.test(text.exact.slice(Math.max(0, start - 10), start))) return true;
  if (kind !== 'item' && kind !== 'heading') return false;
  return (
    !/[\p{L}\p{N}]/u.test(text.exact.slice(Math.max(0, start - 20), start)) &&
    /^(?:(?:\.[a-z]{2,3})?(?:[!.]?\s?$| ?[,(:–—|/]| - )|\.[a-z]{2,3}$)/u.test(text.exact.slice(end, end + 6)) &&
    start <= 20
  );
}

/** Lists on one line: "1. Acme - fast 2. Beta - cheap", and the answer to a case: "Tight budget → Acme". */
const INLINE_FRONT = /(?:(?:^|\s)\(?\d{1,2}[.)]|→|[-=]>) $/u;

/** Before a name that a title is about: nothing, a label with a mark, an article, or names and grades in capitals. */
const isFront = (before: string): boolean =>
  !/\p{L}/u.test(before) ||
  /[:–—|-] ?[^\p{L}]{0,10}$/u.test(before) ||
  !SMALL_WORD.test(before) ||
  /^(?:the|a) $|(?:and|&) $|(?:→|[-=]>) ?$/iu.test(before);

const SMALL_WORD = /(?<!\p{L})\p{Ll}/u;

const NOT_OF_NAME =
  /^-\p{L}|^(?:\.\p{L}{2,3})?の|^(?:'s|’s)? ?(?:pricing|prices|alternatives?|competitors?|users?|customers?|accounts?|integrations?|reviews?|limits|limitations|drawbacks|audience|support for)(?!\p{L})/iu;

export { hasName } from './in-niche.ts';
export type { NameMatcher } from './matcher.ts';

/** How an answer treats a name. `recommended` and `negative` are never both true. */
export type Presence = {
  mentioned: boolean;
  /** It heads an entry, or a sentence offers it, and nothing advises against it. */
  recommended: boolean;
  /** Its sentence, or the heading above it, advises against it. */
  negative: boolean;
  /** The first block that names it. */
  block: number | undefined;
  /** The sentence of that block as it is written, at most 240 characters; a longer one is cut at word ends with ellipses. */
  quote: string | undefined;
  /** Places that name it, and places refused because of their capitals, or because the word was meant as the word. */
  places: number;
  rejected: number;
};

/**
 * Makes a name ready for `readPresence`. Spacing, hyphens, CamelCase, accents, quotes and capitals may differ; a single
 * word is not found in several. Capitals count when the name is a common word, alone or before the ending of a domain,
 * or has at most three letters. Legal forms ("S.r.l.", "Ltda.") may be left out.
 * @param corpus plain texts of the run's answers: a name that occurs in small letters inside sentences is a common
 * word.
 * @param longerNames other names looked for that contain this one: what is inside those is theirs.
 */
export const compileName = (
  name: string,
  corpus: readonly string[],
  longerNames: readonly string[] = [],
): NameMatcher => ({ ...createMatcher(removeLegalForm(name), corpus, longerNames), name });

/** Of a name that an answer does not hold. */
export const ABSENT: Readonly<Presence> = {
  mentioned: false,
  recommended: false,
  negative: false,
  block: undefined,
  quote: undefined,
  places: 0,
  rejected: 0,
};

/** Reads how an answer treats a name. Never throws; linear in the length of the answer. */
export const readPresence = (answer: AnswerStructure, matcher: NameMatcher): Presence =>
  readPlaces(answer, matcher, false);

/** Whether an answer names and recommends a name, as `readPresence` says it: what is chosen in words is read no further. */
export const readRecommendation = (
  answer: AnswerStructure,
  matcher: NameMatcher,
): Pick<Presence, 'mentioned' | 'recommended'> => readPlaces(answer, matcher, true);

function readPlaces(answer: AnswerStructure, matcher: NameMatcher, isUntilChosen: boolean): Presence {
  const found: Presence = { ...ABSENT };
  const verdicts = new Set<BlockVerdict>();
  let judged = 0;
  const isUsed = createUseReader(answer, matcher);
  const texts = foldBlocks(answer);
  for (let index = 0; index < texts.length; index += 1) {
    const text = texts[index];
    if (isUntilChosen && verdicts.has('chosen')) break;
    if (text === undefined || !canName(text, matcher)) continue;
    const { namings, rejected } = findNamings(text, matcher, readSetting(answer, index, text, isUsed));
    found.places += namings.length;
    found.rejected += rejected;
    const [first] = namings;
    if (first === undefined) continue;
    if (!found.mentioned) {
      found.mentioned = true;
      found.block = index;
      found.quote = formatQuote(text, first.sentence, first.start, first.end);
    }
    for (const naming of namings) {
      // What is chosen in words stays chosen, whatever else is said of it.
      if (verdicts.has('chosen') || judged >= MAX_JUDGED) break;
      judged += 1;
      verdicts.add(judge(answer, index, text, naming));
    }
  }
  found.negative = verdicts.has('against') && !verdicts.has('chosen');
  found.recommended = verdicts.has('chosen') || (verdicts.has('listed') && !found.negative);
  return found;
}

/** Places of a name in the text of one block, in UTF-16 units of that text. */
export type NameSpan = { from: number; to: number };

/** For each block of an answer the places that `readPresence` counts, from the left: what a reader sees marked. */
export function findNameSpans(answer: AnswerStructure, matcher: NameMatcher): readonly (readonly NameSpan[])[] {
  const isUsed = createUseReader(answer, matcher);
  return foldBlocks(answer).map((text, index) => {
    const { namings } = findNamings(text, matcher, readSetting(answer, index, text, isUsed));
    return namings
      .map(({ start, end }) => ({ from: toOriginalIndex(text, start), to: toOriginalIndex(text, end) }))
      .filter(({ from, to }) => from < to)
      .toSorted((one, other) => one.from - other.from);
  });
}

/**
 * Whether two names are one: equal after NFKC and without accents, capitals, spaces, hyphens, legal suffixes, the ending of
 * a domain, and marks that carry no meaning, or with "ue" for "ü". C++, C# and C are three names; AT&T and "AT & T" are one.
 */
export const isSameName = (a: string, b: string): boolean =>
  computeNameKey(a) === computeNameKey(b) || computeUmlautKey(a) === computeUmlautKey(b);

/** What one place says: the brand is chosen in words, listed as an entry, advised against, or only named. */
type BlockVerdict = 'chosen' | 'listed' | 'against' | 'named';

/** Places of one answer whose sentences are judged; whether it is named at all is asked of every block. */
const MAX_JUDGED = 60;

const NO_BLOCK: AnswerBlock = { kind: 'paragraph', depth: 0, text: '', head: undefined, bold: [], parent: undefined };

/** Blocks before and behind an entry among which days of the week are looked for. */
const MAX_NEIGHBOURS = 7;
const MAX_FOLLOWING_CHARS = 60;
const DAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)days?$/iu;

/** Asks once, at the first place that depends on it, whether the answer uses the word of the name as a word. */
function createUseReader(answer: AnswerStructure, { forms }: NameMatcher): () => boolean {
  let known: boolean | undefined;
  return () => {
    known ??= isUsedSmall(answer, forms, (index, text) => readSetting(answer, index, text, () => false));
    return known;
  };
}

/** The blocks of an answer that a day of the week heads. */
const listDays = rememberPerObject(({ blocks }: AnswerStructure): readonly number[] =>
  blocks.flatMap(({ head }, index) => (head !== undefined && DAY.test(head) ? [index] : [])),
);

const isNear = (other: number, index: number): boolean =>
  other >= index - MAX_NEIGHBOURS && other < index + MAX_NEIGHBOURS;

function readSetting(answer: AnswerStructure, index: number, text: FoldedText, isUsed: () => boolean): SettingOf {
  const { blocks } = answer;
  const block = blocks[index] ?? NO_BLOCK;
  const next = blocks[index + 1];
  const below = block.kind === 'heading' && next?.kind === 'paragraph' ? next.text.slice(0, MAX_FOLLOWING_CHARS) : '';
  return (start, end) => {
    const rest = text.exact.slice(end, end + MAX_FOLLOWING_CHARS);
    return {
      isTitle: block.kind === 'heading' || classifyEntry(block, text, start, end) !== 'text',
      isColumnHead: block.kind === 'row' && block.head === undefined,
      isHead: isWholeTitle(block, text, start, end),
      isBold: isBoldAlone(block, text, start, end),
      isAmongDays: listDays(answer).some((day) => day !== index && isNear(day, index)),
      following: /[\p{L}\p{N}]/u.test(rest) ? rest : below,
      isCased: isWrittenWithCapitals(answer),
      isUsedSmall: isUsed,
    };
  };
}

function judge(answer: AnswerStructure, index: number, text: FoldedText, naming: Naming): BlockVerdict {
  const { start, end, sentence } = naming;
  const block = answer.blocks[index];
  if (block === undefined) return 'named';
  const next = sentence.to < text.exact.length ? findSentence(text, sentence.to, sentence.to + 1) : undefined;
  const verdict = judgeSentence(text, sentence, start, end, next);
  const kind = classifyEntry(block, text, start, end);
  if (isWhyNotTitle(answer, index)) return 'against';
  if (isAnsweredWell(answer, index, block)) return 'chosen';
  const standing: BlockContext = readBlockContexts(answer)[index] ?? 'open';
  if (verdict === 'against' || (kind === 'entry' && isRefusedRow(block, text))) return 'against';
  if (standing === 'against')
    return kind === 'entry' ||
      (kind === 'text' && verdict === 'neutral' && (sentence.from === 0 || isOpening(text, naming)))
      ? 'against'
      : 'named';
  if (verdict === 'compared') return 'named';
  if (kind === 'entry' && isAdvisedAgainstBelow(answer, index, block)) return 'against';
  if (verdict === 'offered') return 'chosen';
  if (kind === 'text' && standing === 'open' && isOfferedByPlace(answer, index, text, naming)) return 'listed';
  if (kind === 'text' && standing === 'open' && isDescribedAsChoice(answer, block, text, sentence, start, end))
    return 'listed';
  return kind === 'entry' && standing === 'open' ? 'listed' : 'named';
}

/**
 * Where a name is in the text and an offer all the same: behind a label with a colon, at the end of an item that names a thing
 * of it, or at the front of what a bold line announces.
 */
function isOfferedByPlace({ blocks }: AnswerStructure, index: number, text: FoldedText, naming: Naming): boolean {
  const { start, end, sentence } = naming;
  const block = blocks[index];
  if (block === undefined || /[?？]\s{0,3}$/u.test(text.exact.slice(sentence.from, sentence.to))) return false;
  const before = text.lower.slice(Math.max(sentence.from, start - MAX_PLACE_CHARS), start);
  const above = blocks[index - 1];
  const isAnswer =
    block.kind === 'paragraph' &&
    above?.kind === 'heading' &&
    above.depth === BOLD_TITLE_DEPTH &&
    start <= MAX_OPENING_CHARS;
  // What costs more is asked where the place may be one of these.
  if (!isAnswer && block.kind !== 'item' && !/[:：•▪]/u.test(before)) return false;
  if (headNotOffering.test(before) || NOT_OF_NAME.test(text.exact.slice(end, end + 24))) return false;
  if (block.kind === 'paragraph' && labelBeforeName.test(before.trimStart()))
    return PURPOSE.test(before) && !headingOfOthers.test(before);
  const isItem = block.kind === 'item' || /[•▪] ?[^•▪]{0,80}$/u.test(before);
  if (isItem && thingOfName.test(before)) return true;
  return isAnswer && openingOfAnswer.test(text.lower.slice(0, start));
}

/** What such a label says: whom or what it is for. */
const PURPOSE =
  /(?<!\p{L})(?:for|fur|als|pour|per|para|voor|om|da|con|com|with|cadeaux?|gifts?|regalo|presente|geschenk|kort|kurz|resumo|bref|tip|tipp)(?!\p{L})/u;
const MAX_PLACE_CHARS = 160;
const MAX_OPENING_CHARS = 30;
/** A bold line is a heading of this level. */
const BOLD_TITLE_DEPTH = 6;

/** A question as a title whose answer is that one cannot go wrong. */
const isAnsweredWell = (answer: AnswerStructure, index: number, { kind, text }: AnswerBlock): boolean => {
  if (kind !== 'heading' || !/[?？]\s?$/u.test(text)) return false;
  return noMistake.test(foldBlocks(answer)[index + 1]?.lower.slice(0, MAX_CHARS_BELOW) ?? '');
};

/** A cell of a row that is a verdict. */
const REFUSING_CELL =
  / \| [^\p{L}|]{0,4}(?:avoid(?: it)?|skip(?: it)?|not recommended|do not buy|don't buy|stay away|meiden|nicht empfohlen|a eviter|deconseille|evitar|no recomendado)[^\p{L}|]{0,4}(?: \||$)/u;

const MAX_ROW_CHARS = 2000;

const isRefusedRow = ({ kind }: AnswerBlock, { lower }: FoldedText): boolean =>
  kind === 'row' &&
  ([REFUSING_CELL, refusingCellMore].some((cell) => cell.test(lower.slice(0, MAX_ROW_CHARS))) ||
    lower
      .slice(0, MAX_ROW_CHARS)
      .split(' | ')
      .slice(1)
      .some((cell) => isRefusal(/^[^,.;:()]*/u.exec(cell)?.[0] ?? '')));

const isOpening = (text: FoldedText, { start, sentence }: Naming): boolean =>
  !/[\p{L}\p{N}]/u.test(text.exact.slice(Math.max(sentence.from, start - 40), start));

/** Blocks under an entry that are read for "I would not recommend it". */
const MAX_BLOCKS_BELOW = 6;
const MAX_CHARS_BELOW = 600;

function isAdvisedAgainstBelow(answer: AnswerStructure, index: number, { kind }: AnswerBlock): boolean {
  if (kind !== 'heading' && kind !== 'item') return false;
  return answer.blocks
    .slice(index + 1, index + 1 + MAX_BLOCKS_BELOW)
    .some(
      (below, at) =>
        below.parent === index &&
        below.head === undefined &&
        adviseAgainstIt.test(foldBlocks(answer)[index + 1 + at]?.lower.slice(0, MAX_CHARS_BELOW) ?? ''),
    );
}
