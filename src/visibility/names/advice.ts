import { hasRole, canHaveRole, readAdviceWords } from './advice-words.ts';
import { type FoldedText, toOriginalIndex } from './folded-text.ts';
import type { Span } from './sentences.ts';

/** What grammar says of a name, whatever the verb: "I'd ... Acme" offers it, "I wouldn't ... Acme" advises against it. */
export type Advice = 'offered' | 'against' | 'compared' | undefined;

/** Reads the part of a sentence that has the name from `start` to `end`: who would do what with it. `next` goes on about it. */
export function readAdvice(
  text: FoldedText,
  sentence: Span,
  start: number,
  end: number,
  next: Span | undefined,
): Advice {
  const part = findPart(text, sentence, start, end);
  const before = text.lower.slice(part.from, start);
  const after = text.lower.slice(end, part.to);
  const wordsBefore = readAdviceWords(before);
  if (
    NEVER_AGAIN.test(before) ||
    isWarnedOf(before, wordsBefore, after) ||
    isRefusedShortly(text, sentence, end) ||
    isChosenNot(before, after)
  )
    return 'against';
  if (isContrasted(before, after)) return 'compared';
  if (isNotRegretted(before + after)) return 'offered';
  const reach = text.lower.slice(end, followList(text, sentence, part, wordsBefore.length).to);
  const words = cutToName(wordsBefore, readAdviceWords(reach));
  const isOwn =
    (MAY_HAVE_OWN.test(before) || MAY_HAVE_OWN.test(reach)) && isOwnChoice(words, hasAccentedConditional(text, part));
  const advice = isOwn ? judgeOwnChoice(words) : undefined;
  if (advice !== undefined) return advice;
  if (isYourChoice(words) && isAvoidedIn(words, /(?:du|sie|ihr|je|kunt|kannst)(?: |$)/u.test(words.join(' '))))
    return 'against';
  return isRefusedLater(text, { from: part.to, to: sentence.to }, next) ? 'against' : undefined;
}

/** "Take Beta, not Acme", "Beta is faster than Acme" in Italian, "not Acme but" in Japanese. */
const isContrasted = (before: string, after: string): boolean =>
  /^ ?(?:not|nicht|pas|no|non|nao|niet|und nicht|and not|et pas|y no|e non|e nao|en niet) (?:\p{L}{1,4} )?$/u.test(
    before,
  ) ||
  /(?<!\p{L})(?:piu|meno|meglio|peggio|miglior[ei]?) (?:[\p{L}']{1,16} ){0,2}d(?:i|el|ella|ell'|ei|egli|elle|a) ?$/u.test(
    before,
  ) ||
  /^[」』"]?(?:ではなく|じゃなく|でなく)/u.test(after);

/** "One does not regret Acme." */
function isNotRegretted(part: string): boolean {
  if (!canHaveRole(part, 'regretting')) return false;
  const words = readAdviceWords(part);
  return words.some((word) => hasRole(word, 'regretting')) && words.some((word) => hasRole(word, 'negator'));
}

/** Parts behind "Acme, Beta and Gamma" that still speak of its first name. */
const MAX_LISTED_PARTS = 3;
const MAX_NAME_WORDS = 3;

/** A part with hardly more than the name is one of a list: its verb comes behind the last of them. */
function followList(text: FoldedText, sentence: Span, part: Span, wordsBefore: number): Span {
  let { to } = part;
  if (wordsBefore > 1) return part;
  for (let count = 0; count < MAX_LISTED_PARTS; count += 1) {
    if (
      text.lower.charAt(to) !== ',' ||
      readAdviceWords(text.lower.slice(part.from, to)).length > MAX_NAME_WORDS * (count + 1) + 1
    )
      break;
    to = findPart(text, sentence, to + 1, to + 1).to;
  }
  return { from: part.from, to };
}

/** "I'd pick Acme and avoid Beta": what the second verb is about is not the first name. */
function cutToName(before: readonly string[], after: readonly string[]): readonly string[] {
  const turn = after.findIndex((word, index) => AND.has(word) && isVerbOfChoice(after[index + 1] ?? ''));
  const last = before.findLastIndex((word, index) => AND.has(word) && isVerbOfChoice(before[index + 1] ?? ''));
  const subject = last === -1 ? before : [...before.slice(0, 2), ...before.slice(last + 1)];
  return [...subject, NAME, ...(turn === -1 ? after : after.slice(0, turn))];
}

const AND: ReadonlySet<string> = new Set(['and', 'und', 'et', 'y', 'e', 'en', 'or', 'oder', 'ou', 'o', 'of']);
const isVerbOfChoice = (word: string): boolean => hasRole(word, 'avoiding') || hasRole(word, 'choosing');

/** "You can forget Acme." */
const isYourChoice = (words: readonly string[]): boolean =>
  words.some(
    (word, index) =>
      YOU_CAN_FRONTS.has(word) && (YOU_CAN.has(`${word} ${words[index + 1] ?? ''}`) || YOU_CAN.has(word)),
  );
const YOU_CAN: ReadonlySet<string> = new Set([
  'you can',
  'you should',
  'you may',
  'kannst du',
  'du kannst',
  'konnen sie',
  'konnt ihr',
  'tu peux',
  'vous pouvez',
  'puedes',
  'puoi',
  'potete',
  'podes',
  'voce pode',
  'kun je',
  'je kunt',
  'kan je',
  'olvidate',
  'oublie',
  'oubliez',
]);

const YOU_CAN_FRONTS: ReadonlySet<string> = new Set(Array.from(YOU_CAN, (words) => words.split(' ')[0] ?? ''));

/** German and Dutch verbs come last; in the other languages what is avoided is behind its verb. */
function isAvoidedIn(words: readonly string[], isVerbLast: boolean): boolean {
  const at = words.findIndex((word) => hasRole(word, 'avoiding'));
  return at !== -1 && (isVerbLast || at < words.indexOf(NAME)) && !words.some((word) => hasRole(word, 'negator'));
}

/** Characters behind a sentence's part in which "it" may be advised against. */
const MAX_ON_CHARS = 240;

/** Whether a later part, or the sentence behind, says "I would not go there", and names nothing else before. */
function isRefusedLater(text: FoldedText, rest: Span, next: Span | undefined): boolean {
  return [rest, ...(next === undefined ? [] : [next])].some((span) => {
    const to = Math.min(span.to, span.from + MAX_ON_CHARS);
    if (AGAINST_THIS.test(text.lower.slice(span.from, to))) return true;
    const later = text.exact.slice(span.from, to);
    if (!MAY_HAVE_OWN.test(later)) return false;
    const parts = later.split(PARTS);
    return parts.some((part, index) => {
      const words = readAdviceWords(part.toLowerCase());
      if (!isOwnChoice(words, hasAccentedConditional(text, span)) || judgeOwnChoice(words) !== 'against') return false;
      const isGerman = words.includes('ich') || words.includes('wir');
      const isOther = !isGerman && parts.slice(0, index + 1).some((one) => /[\p{L},] \p{Lu}\p{L}/u.test(one));
      return !isOther && isAboutIt(words);
    });
  });
}

/** The letters that some word of an own choice has: most sentences have none of them. */
const MAY_HAVE_OWN = /'d|would|wurd|zou|rei|rais|ia|ava/iu;

const PARTS = /[,;:()–—.!]| (?:if|who|that|which|because|when|weil|wenn|si|que|perche|porque|omdat) /u;

const isAboutIt = (words: readonly string[]): boolean =>
  words.some(
    (word, index) => hasRole(word, 'anaphor') || (hasRole(word, 'clitic') && isOwnVerb(words[index + 1] ?? '')),
  );

const isOwnVerb = (word: string): boolean => /^(?:wurde|wurd|zou)$|(?:rei|rais|ria)$/u.test(word);

/** "This shop is better left alone", in Japanese. */
const AGAINST_THIS =
  /^[^\p{L}]{0,4}(?:この|その|ここ|こちら|そこ|同|利用|購入|予約|契約|申し込み)[^。]{0,24}(?:やめ(?:て|た)|避け|控え|おすすめ(?:し|でき)ません|お勧め(?:し|でき)ません)/u;

/** In the place of the name among words: a letter and figures, which no list has. */
const NAME = 'x0x';

/** "I would ..." with a negation or a verb of avoiding; both together are none. */
export function judgeOwnChoice(words: readonly string[]): Advice {
  const isNegated = words.some((word) => hasRole(word, 'negator'));
  if (words.some((word) => hasRole(word, 'doubting') && !hasRole(word, 'avoiding')))
    return isNegated ? 'offered' : undefined;
  const isAvoiding = words.some((word) => hasRole(word, 'avoiding'));
  if (isNegated && isAvoiding) return undefined;
  return isNegated || isAvoiding ? 'against' : 'offered';
}

/** Whether the words say what the writer would do. `isAccented`: a Spanish conditional is among them. */
export function isOwnChoice(words: readonly string[], isAccented: boolean): boolean {
  // Hardly a word begins or ends so: only around those is anything read.
  return words.some((word, index) => MAY_BE_OWN.test(word) && isOwnAt(words, index, isAccented));
}

const MAY_BE_OWN = /^(?:i'd$|we'd$|would|wurd|zou)|(?:rei|rais|ia|ava)$/u;

function isOwnAt(words: readonly string[], index: number, isAccented: boolean): boolean {
  const word = words[index] ?? '';
  const near = words.slice(Math.max(0, index - 3), index + 3);
  const back = words.slice(Math.max(0, index - 4), index);
  if (word === "i'd" || word === "we'd") return true;
  if (word.startsWith('would')) return index === 0 || back.some((one) => one === 'i' || one === 'we');
  if (word === 'wurde' || word === 'wurd' || word === 'wurden')
    return near.some((one) => one === 'ich' || one === 'wir');
  if (word === 'zou' || word === 'zouden') return near.some((one) => one === 'ik' || one === 'wij' || one === 'we');
  if (ITALIAN_CONDITIONAL.test(word)) return true;
  if (/.{3}rais$|^irais$/u.test(word)) return back.some((one) => one === 'je' || one === "j'");
  if (/ia$|ava$/u.test(word) && back.includes('eu')) return true;
  if (/[aei]ria$/u.test(word) && words[index - 1] === 'nao') return true;
  if (/[aeidbr]ria$/u.test(word))
    return back.includes('yo') || (isAccented && (index === 0 || back.some((one) => CLITIC.has(one))));
  return false;
}

/** First person only. "Comprei" is a past in Portuguese. */
const ITALIAN_CONDITIONAL = /.{2}(?:[eirdv]rei)$|^(?:darei|farei|starei|saprei)$/u;

/** Before a Spanish verb without its subject. */
const CLITIC: ReadonlySet<string> = new Set(['no', 'tampoco', 'nunca', 'lo', 'la', 'los', 'las', 'le', 'me', 'te']);

const hasAccentedConditional = (text: FoldedText, { from, to }: Span): boolean =>
  /[aeidbr]r(?:í|i\u0301)a(?!\p{L})/iu.test(
    text.original.slice(toOriginalIndex(text, from), toOriginalIndex(text, to)),
  );

/** "Never again Acme." */
const NEVER_AGAIN =
  /(?<!\p{L})(?:passez (?:\p{L}{3,9} )?votre chemin|never again|nie wieder|nie mehr|plus jamais|nunca mas|mai piu|nunca mais|nooit meer|nooit weer)(?: [\p{L}']{1,12}){0,2} $/u;

/** "The regulator warns of Acme", "Vor Acme warnt die Aufsicht", "I regret Acme". */
function isWarnedOf(before: string, words: readonly string[], after: string): boolean {
  if (words.some((word) => hasRole(word, 'negator'))) return false;
  return (
    WARNS_OF.test(before) ||
    (REGRETS.test(before) && !words.some((word) => hasRole(word, 'avoiding'))) ||
    (WARNED_BEFORE.test(before) && /^[^,.;:]{0,60} (?:warnt|warnen|gewarnt|rat|raten)(?!\p{L})/u.test(after))
  );
}

const WARNS_OF =
  /(?<!\p{L})(?:warn(?:s|ed|ing|ings|t|e|en|ung|ungen)?|gewarnt|advierten?|advirtio|advertencias?|alert(?:a|an|ou|o|am|as)|avvert(?:e|ono|enze)|in guardia|en garde|waarschuw(?:t|en|ing|ingen)|avisan?) (?:\p{L}{2,14} ){0,2}(?:of|about|against|off|vor|de|del|sobre|contra|da|dal|dalla|contre|voor|tegen|para) (?:[\p{L}']{1,12} ){0,2}$/u;
const REGRETS =
  /(?<!\p{L})(?:regret|regretted|bereue|bereut|arrepiento|arrepenti|arrependo|arrependi|mi pento|pentit[oa]|regrette|spijt)(?!\p{L})[^,.;:]{0,50}$/u;
const WARNED_BEFORE = /(?<!\p{L})(?:vor|von) (?:\p{L}{2,14} ){0,2}$/u;

/** "Then take no Acme": German and Dutch negate the thing, not the verb. */
const isChosenNot = (before: string, after: string): boolean =>
  /(?<!\p{L})(?:kein|keine|keinen|geen) (?:\p{L}{2,14} )?$/u.test(before) &&
  readAdviceWords(`${before} ${after}`).some((word) => hasRole(word, 'choosing'));

/** Words that a refusal without a verb may have: "Acme: rather not". */
const MAX_REFUSAL_WORDS = 4;
const MAX_REFUSAL_CHARS = 40;

/** "Acme: better not" and "Acme - avoid:": a part of few words, with nothing but a negation or a verb of avoiding. */
function isRefusedShortly({ lower }: FoldedText, { to }: Span, end: number): boolean {
  const rest = lower.slice(end, Math.min(to, end + MAX_REFUSAL_CHARS));
  const part = /^ ?[,:：–—|-] ?([^,.;:：|–—()!]{2,36})(?:[,.;:：|–—()!]|$)/u.exec(rest)?.[1];
  return part !== undefined && isRefusal(part);
}

/** Whether a few words refuse, by themselves: "niet doen", "da evitare". */
export function isRefusal(part: string): boolean {
  const words = readAdviceWords(part);
  if (words.length === 0 || words.length > MAX_REFUSAL_WORDS) return false;
  const refuses = (word: string): boolean => hasRole(word, 'negator') || hasRole(word, 'avoiding');
  // "Ja | nein" in a row answers a question of its column.
  if (words.length === 1) return hasRole(words[0] ?? '', 'avoiding');
  if (words.some((word) => hasRole(word, 'negator')) && words.some((word) => hasRole(word, 'avoiding'))) return false;
  return words.some(refuses) && words.every((word) => refuses(word) || hasRole(word, 'filler') || LITTLE.has(word));
}

const LITTLE: ReadonlySet<string> = new Set(['a', 'da', 'te', 'zu', 'to', 'it']);

/** The part of a sentence between commas, dashes, brackets and colons, as the name is in it. */
export function findPart({ lower }: FoldedText, sentence: Span, start: number, end: number): Span {
  const before = lower.slice(sentence.from, start);
  const from = sentence.from + (/^.*[,;:：()|–—、]/su.exec(before)?.[0].length ?? 0);
  const length = /[,;:：()|–—、]| - /u.exec(lower.slice(end, sentence.to))?.index;
  return { from, to: length === undefined ? sentence.to : end + length };
}
