import { rememberPerObject } from '../../lib/memo.ts';
import { readAdvice } from './advice.ts';
import type { FoldedText } from './folded-text.ts';
import {
  adviseAgainst,
  adviseAgainstIt,
  advisedAgainst,
  heldAgainst,
  mayBeRecommended,
  negatedAround,
  negatesWarning,
  partsCue,
  recommended,
  recommendIt,
  recommends,
  takesBack,
} from './words/recommending-data.ts';
import {
  adviseAgainstMore,
  advisedAgainstMore,
  heldAgainstBehind,
  heldAgainstMore,
  noMistake,
  notOnly,
  notOnlyBehind,
  recommendedInJapanese,
  recommendedMore,
  recommendsMore,
} from './words/recommending-more-data.ts';
import { findClause, type Span } from './sentences.ts';
import { isBehindWarning } from './warning-titles.ts';

/** What a sentence says of a name: advises against it, offers it, holds another against it, or only names it. */
export type SentenceVerdict = 'against' | 'offered' | 'compared' | 'neutral';

/** Characters before and after a name in which its cue is looked for, and words that may be in between. */
const MAX_CUE_CHARS = 160;
const MAX_WORDS_BEFORE = 9;
const MAX_WORDS_AFTER = 9;

/**
 * What the sentence says of the name from `start` to `end`. The nearest cue before the name decides ("avoid
 * Acme", "alternatives to Acme"), then the first behind it ("Acme is a great choice"), within the clause; a later
 * clause that speaks of "it" overrules both. `next` is the sentence behind it, in which "it" may still be advised
 * against. A question neither offers nor advises against.
 */
export function judgeSentence(
  text: FoldedText,
  sentence: Span,
  start: number,
  end: number,
  next: Span | undefined,
): SentenceVerdict {
  const clause = findClause(text, sentence, start, end);
  const before = text.lower.slice(Math.max(clause.from, start - MAX_CUE_CHARS), start);
  const after = text.lower.slice(end, Math.min(clause.to, end + MAX_CUE_CHARS));
  const rest = text.lower.slice(end, Math.min(sentence.to, end + 2 * MAX_CUE_CHARS));
  const isForeign = canBeForeign(text);
  if (isForeign && heldAgainstBehind.test(after)) return 'compared';
  const isPraised =
    (isForeign || after.startsWith(' is')) &&
    (notOnly.test(before.slice(-40)) || notOnlyBehind.test(after) || noMistake.test(rest));
  const first = isPraised ? 'offered' : (findCueBefore(before, after, isForeign) ?? findCueAfter(after, isForeign));
  const advice = readAdvice(text, sentence, start, end, next);
  const isWarned = advice === 'against' || isBehindWarning(text.lower.slice(sentence.from, start));
  if (isWarned && !isAskingSentence(text, sentence)) return 'against';
  if (first === 'compared' || advice === 'compared') return 'compared';
  const asks = isAskingSentence(text, sentence);
  if (!asks && (first === 'against' || adviseAgainstIt.test(rest))) return 'against';
  if (next !== undefined && isAgainstIt(text, next)) return 'against';
  if (asks)
    return next !== undefined &&
      noMistake.test(text.lower.slice(next.from, Math.min(next.to, next.from + MAX_CUE_CHARS)))
      ? 'offered'
      : 'neutral';
  if (takesBack.test(rest)) return 'neutral';
  if (first === 'offered' || advice === 'offered' || recommendIt.test(rest)) return 'offered';
  return 'neutral';
}

/** Characters at the end of a sentence in which its question mark is looked for. */
const MAX_END_CHARS = 24;

/** Whether a sentence asks. */
export const isAskingSentence = ({ lower }: FoldedText, { from, to }: Span): boolean =>
  /[?？][?!？！]{0,9}["'”」』)\]]{0,3}\s{0,10}$/u.test(lower.slice(Math.max(from, to - MAX_END_CHARS), to));

/** Whether the sentence behind the one that names it advises against "it", and nothing else was named in between. */
function isAgainstIt(text: FoldedText, sentence: Span): boolean {
  const { lower, exact } = text;
  const { from, to } = sentence;
  const found = adviseAgainstIt.exec(lower.slice(from, Math.min(to, from + MAX_CUE_CHARS)));
  if (found === null || isAskingSentence(text, sentence)) return false;
  const between = exact.slice(from, from + found.index);
  return !/(?<=[\p{L},] )\p{Lu}\p{L}/u.test(between);
}

/** In a text with these the cues of the other languages are not looked for: most answers are English. */
const ENGLISH_WORDS = / (?:the|and|with|your|you|for|is) /u;

/** Whether the cues of the second list may be in the text at all. */
const canBeForeign = rememberPerObject(({ lower }: FoldedText) => !ENGLISH_WORDS.test(lower) || lower.includes("i'd "));

/** A verdict, the expression of its cue, and whether that is of the second list. */
type Cue = readonly [verdict: SentenceVerdict, cue: RegExp, isFurther: boolean];

const BEFORE: readonly Cue[] = [
  ['against', adviseAgainst, false],
  ['against', adviseAgainstMore, true],
  ['compared', heldAgainst, false],
  ['compared', heldAgainstMore, true],
  ['offered', recommends, false],
  ['offered', recommendsMore, true],
];

/**
 * The verdict whose cue ends nearest before the name, when nothing parts the two; the more severe one of equals. None when
 * that cue is a warning that is negated.
 */
function findCueBefore(before: string, after: string, isForeign: boolean): SentenceVerdict | undefined {
  if (!HAS_LETTER.test(before)) return undefined;
  let nearest: { verdict: SentenceVerdict | undefined; end: number } | undefined;
  for (const [verdict, cue, isFurther] of BEFORE) {
    if (isFurther && !isForeign) continue;
    const last = findLastMatch(cue, before);
    if (last === null) continue;
    const end = last.index + last[0].length;
    if (FORMERLY.test(before.slice(0, last.index))) continue;
    if (!canReachName(before.slice(end), verdict, after)) continue;
    if (nearest !== undefined && end <= nearest.end) continue;
    const isNegated =
      verdict === 'against' && (isNegatedBy(before.slice(0, last.index)) || negatedAround.test(last[0] + after));
    nearest = { verdict: isNegated ? undefined : verdict, end };
  }
  return nearest?.verdict;
}

/** No cue is without a letter. */
const HAS_LETTER = /\p{L}/u;

/** The last match of a global expression. Without `matchAll`, which makes a copy of the expression each time. */
function findLastMatch(cue: RegExp, text: string): RegExpExecArray | null {
  let last: RegExpExecArray | null = null;
  cue.lastIndex = 0;
  for (let found = cue.exec(text); found !== null; found = cue.exec(text)) last = found;
  return last;
}

/** Characters before a warning in which its negation is looked for. */
const MAX_NEGATION_CHARS = 60;

/** Whether a warning behind `text` is negated by it. */
const isNegatedBy = (text: string): boolean => negatesWarning.test(text.slice(-MAX_NEGATION_CHARS));

/** "I used to recommend", "no one should avoid": the cue is reported, not given. */
const FORMERLY = /(?:used to|no one should|nobody should|why people|many people|most people) $/u;

/** Whether a cue still speaks of the name behind `gap`. */
function canReachName(gap: string, verdict: SentenceVerdict, after: string): boolean {
  if (countWords(gap) > MAX_WORDS_BEFORE) return false;
  // "My top pick is Acme": with a noun the verb belongs to the cue.
  const bare = verdict === 'offered' ? gap.replace(LINKING, ' ') : gap;
  if (partsCue.test(bare)) return false;
  if (!gap.includes(',')) return true;
  // "Avoid Beta, Acme is better": behind a comma without "and" a verb makes it a sentence of its own.
  return verdict === 'offered' || ENUMERATION.test(gap) || !STARTS_SENTENCE.test(after);
}

const LINKING =
  /^(?:[^\p{L}]{0,3}(?:here|overall|for (?:\p{L}{1,14} ){1,4}))?[^\p{L}]{0,3}(?:is|are|would be|remains?|include|includes|will be|ist|sind|ware|est|sont|serait|es|son|seria)(?!\p{L})/u;
const ENUMERATION = /(?:,|\p{L}) (?:and|or|und|oder|et|ou|y|o) (?:\p{L}{1,12} )?$/u;
const STARTS_SENTENCE =
  /^ (?:is|are|has|have|offers|does|was|lets|can|will|gives|costs|needs|opens|makes|keeps|shows|charges|starts)(?!\p{L})/u;

const AFTER: readonly Cue[] = [
  ['against', advisedAgainst, false],
  ['against', advisedAgainstMore, true],
  ['offered', recommended, false],
  ['offered', recommendedMore, true],
  ['offered', recommendedInJapanese, true],
];

function findCueAfter(after: string, isForeign: boolean): SentenceVerdict | undefined {
  if (!HAS_LETTER.test(after)) return undefined;
  let nearest: { verdict: SentenceVerdict; start: number } | undefined;
  for (const [verdict, cue, isFurther] of AFTER) {
    if (isFurther && !isForeign) continue;
    if (cue === recommended && !mayBeRecommended.test(after)) continue;
    cue.lastIndex = 0;
    const first = cue.exec(after);
    if (first === null) continue;
    const gap = after.slice(0, first.index);
    if (countWords(gap) > MAX_WORDS_AFTER) continue;
    if (verdict === 'offered' ? NO_OFFER.test(gap + first[0]) : isNegatedBy(gap)) continue;
    if (nearest === undefined || first.index < nearest.start) nearest = { verdict, start: first.index };
  }
  return nearest?.verdict;
}

/** Before or in a cue these take the recommendation back, or give it to someone else. */
const NO_OFFER =
  /(?<!\p{L})(?:not|n't|never|no|nor|last|poor|bad|worse|worst|wrong|weak|letzte|schlechte|schlechteste|falsche|dernier|derniere|mauvais|mauvaise|pire|ultim[ao]|peor|kein(?:e|en)?|nicht|pas|than|unlike|offers?|has|have|gives?|includes?)(?!\p{L})|, \p{L}{1,20} (?:is|are|has|offers)(?!\p{L})|^, (?:then )?(?:picks?|choose|default)$/u;

const countWords = (text: string): number => text.match(/[\p{L}\p{N}']{1,60}/gu)?.length ?? 0;
