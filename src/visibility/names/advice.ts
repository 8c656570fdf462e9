import { hasRole, splitWords } from './advice-words.ts';
import { type FoldedText, toOriginalIndex } from './folded-text.ts';
import type { Span } from './sentences.ts';

/** What grammar says of a name, whatever the verb: "I'd ... Acme" offers it, "I wouldn't ... Acme" advises against it. */
export type Advice = 'offered' | 'against' | undefined;

/** Reads the part of a sentence that has the name from `start` to `end`: who would do what with it. */
export function readAdvice(text: FoldedText, sentence: Span, start: number, end: number): Advice {
  const part = findPart(text, sentence, start, end);
  const before = text.lower.slice(part.from, start);
  const after = text.lower.slice(end, part.to);
  if (NEVER_AGAIN.test(before) || refusesShortly(text, sentence, end) || isChosenNot(before, after)) return 'against';
  const words = splitWords(`${before} ${NAME} ${after}`);
  if (!isOwnChoice(words, hasAccentedConditional(text, part))) return undefined;
  return judgeOwnChoice(words);
}

/** In the place of the name among words: a letter and figures, which no list has. */
const NAME = 'x0x';

/** "I would ..." with a negation or a verb of avoiding; both together are none. */
export function judgeOwnChoice(words: readonly string[]): Advice {
  const isNegated = words.some((word) => hasRole(word, 'negator'));
  if (words.some((word) => hasRole(word, 'doubting') && !hasRole(word, 'avoiding'))) return isNegated ? 'offered' : undefined;
  return isNegated !== words.some((word) => hasRole(word, 'avoiding')) ? 'against' : 'offered';
}

/** Whether the words say what the writer would do. `isAccented`: a Spanish conditional is among them. */
export function isOwnChoice(words: readonly string[], isAccented: boolean): boolean {
  return words.some((word, index) => {
    const near = words.slice(Math.max(0, index - 3), index + 3);
    const back = words.slice(Math.max(0, index - 4), index);
    if (word === "i'd" || word === "we'd") return true;
    if (word.startsWith('would')) return index === 0 || back.some((one) => one === 'i' || one === 'we');
    if (word === 'wurde' || word === 'wurd' || word === 'wurden') return near.some((one) => one === 'ich' || one === 'wir');
    if (word === 'zou' || word === 'zouden') return near.some((one) => one === 'ik' || one === 'wij' || one === 'we');
    if (/[aeiur]rei$/u.test(word)) return true;
    if (/.{3}rais$|^irais$|^n'irais$/u.test(word)) return word.startsWith("j'") || back.some((one) => one === 'je' || one === "j'y");
    if (/ia$|ava$/u.test(word) && back.includes('eu')) return true;
    if (/[aei]ria$/u.test(word))
      return back.includes('yo') || (isAccented && (index === 0 || back.some((one) => CLITIC.has(one))));
    return false;
  });
}

/** Before a Spanish verb without its subject. */
const CLITIC: ReadonlySet<string> = new Set(['no', 'tampoco', 'nunca', 'lo', 'la', 'los', 'las', 'le', 'me', 'te']);

const hasAccentedConditional = ({ original, ...text }: FoldedText, { from, to }: Span): boolean =>
  /[aei]r[ií]a(?!\p{L})/u.test(
    original.slice(toOriginalIndex({ original, ...text }, from), toOriginalIndex({ original, ...text }, to)),
  );

/** "Never again Acme." */
const NEVER_AGAIN =
  /(?<!\p{L})(?:never again|nie wieder|nie mehr|plus jamais|nunca mas|mai piu|nunca mais|nooit meer|nooit weer)(?: [\p{L}']{1,12}){0,2} $/u;

/** "Then take no Acme": German and Dutch negate the thing, not the verb. */
const isChosenNot = (before: string, after: string): boolean =>
  /(?<!\p{L})(?:kein|keine|keinen|geen) (?:\p{L}{2,14} )?$/u.test(before) &&
  splitWords(`${before} ${after}`).some((word) => hasRole(word, 'choosing'));

/** Words that a refusal without a verb may have: "Acme: rather not". */
const MAX_REFUSAL_WORDS = 4;
const MAX_REFUSAL_CHARS = 40;

/** "Acme: better not" and "Acme - avoid:": a part of few words, with nothing but a negation or a verb of avoiding. */
function refusesShortly({ lower }: FoldedText, { to }: Span, end: number): boolean {
  const rest = lower.slice(end, Math.min(to, end + MAX_REFUSAL_CHARS));
  const part = /^ ?[,:：–—|-] ?([^,.;:：|–—()!]{2,36})(?:[,.;:：|–—()!]|$)/u.exec(rest)?.[1];
  return part !== undefined && isRefusal(part);
}

/** Whether a few words refuse, by themselves: "niet doen", "da evitare". */
export function isRefusal(part: string): boolean {
  const words = splitWords(part);
  if (words.length === 0 || words.length > MAX_REFUSAL_WORDS) return false;
  const refuses = (word: string): boolean => hasRole(word, 'negator') || hasRole(word, 'avoiding');
  // "Ja | nein" in a row answers a question of its column.
  if (words.length === 1) return hasRole(words[0] ?? '', 'avoiding');
  return words.some(refuses) && words.every((word) => refuses(word) || hasRole(word, 'filler') || LITTLE.has(word));
}

const LITTLE: ReadonlySet<string> = new Set(['a', 'da', 'te', 'zu', 'to', 'it', 'e', 'es', 'is']);

/** The part of a sentence between commas, dashes, brackets and colons, as the name is in it. */
export function findPart({ lower }: FoldedText, sentence: Span, start: number, end: number): Span {
  const before = lower.slice(sentence.from, start);
  const from = sentence.from + (/^.*[,;:：()|–—、]/su.exec(before)?.[0].length ?? 0);
  const length = /[,;:：()|–—、]| - /u.exec(lower.slice(end, sentence.to))?.index;
  return { from, to: length === undefined ? sentence.to : end + length };
}
