import { cleanSiteText } from '../../fixes/files/safe-site.ts';
import { formatPlainLine } from '../../lib/safe-text.ts';
import { withoutSlots } from '../../lib/slots.ts';

/**
 * Whether a topic seems to speak to a model instead of naming what buyers ask: it has a word of orders ("always",
 * "must", "ignore") or of models ("assistant", "prompt", "instructions"), or has something recommended first or only.
 * For English stricter than `findInstructions`, because a topic has a harmless title in its place and so little to
 * lose: "care instructions" or "AI assistants for lawyers" are no topics either. For other languages it does nothing:
 * of their orders those are caught that `cleanSiteText` takes out before (`isModelOrder`). What is reworded goes unseen.
 */
function isAddressedToModel(topic: string): boolean {
  const text = foldText(topic);
  return MODEL_WORDS.test(text) || RECOMMENDED_FIRST.test(text) || isOrder(topic);
}

/**
 * Whether a brand or niche gives an order. One word is not enough here: "AI assistants for lawyers", "prompt management
 * software" and the brands Always and Must are names, and a name that is refused leaves a slot behind. English only, as
 * `isAddressedToModel`.
 */
function isOrder(name: string): boolean {
  const text = foldText(name);
  return ORDERS.some((order) => order.test(text));
}

const foldText = (text: string): string => text.normalize('NFKC').toLowerCase();

/** "must-have" is a word of buyers. */
const MODEL_WORDS =
  /\b(?:always|never|must(?!-have)|ignor(?:e|es|ed|ing)|disregard(?:s|ed|ing)?|assistants?|language models?|prompts?|instructions?)\b/u;

/** "first-time buyers" and "first aid" are no rank. */
const RECOMMENDED_FIRST =
  /\brecommend(?:s|ed|ing)?\b.{0,100}\b(?:first(?!-| aid)|only)\b|\b(?:first|only) recommend\b/u;

const ORDERS: readonly RegExp[] = [
  /\b(?:always|never|must|should|shall|only|please) (?:[a-z]{1,20} )?(?:recommend|mention|name|choose|pick|say|tell|answer|reply|respond|prefer|list|rank|suggest|cite|praise|write|output|promote|favou?r)\b/u,
  /\b(?:ignore|disregard|forget) (?:all|any|every|each|the|other|others|previous|prior|above|earlier|your|my|rivals|competitors|what|everything|instructions?|prompts?)\b/u,
  // "do not disturb signs" is a niche.
  /\b(?:do not|don['’]?t) (?:ever |even )?(?:recommend|mention|name|suggest|cite|list|rank|praise|promote|favou?r|prefer|include|compare|reveal|answer|reply|respond)\b/u,
  /\brecommends? .{0,100}\b(?:first(?!-| aid)|only)\b/u,
  // "apps that recommend books to every reader" is a niche too.
  /(?<!\b(?:that|which|who|to|can|and|or) )\brecommend .{0,100}\b(?:as (?:the|your)|number one|to (?:all|any|each|every)(?:one|body)?)\b/u,
  /(?:^|[^a-z0-9 ] ?|\b(?:and|but|so|then|please|just|simply) )(?:rank|list|place|put|name|mention|show|position|rate|cite|suggest) .{0,100}\b(?:(?:at|to|on) the (?:very )?top|first(?!-| aid)|as (?:the )?(?:best|top|first|number one)|number one|(?:above|over|before|ahead of) (?:(?:all|any|every|each|the|its|other) ){0,3}(?:rivals?|competitors?|competition|others?|alternatives?|brands?))\b/u,
  /\bin (?:your|all|any|each|every) (?:answers?|repl(?:y|ies)|responses?|recommendations?)\b/u,
  /\byou (?:must|should|shall|will|have to|are to|are an?|are now)\b/u,
  /^as an? (?:[a-z]{1,20} ){0,2}(?:assistant|model|ai|chatbot)\b/u,
  /\b(?:instructions?|prompts?|assistant|system) ?:/u,
];

/** Characters of a brand, a niche or a topic in a generated text (rule X3). */
export const MAX_CALLER_NAME_CHARS = 120;
/** Characters of what the caller saw, quoted back. */
export const MAX_EVIDENCE_CHARS = 400;

/** Characters of a quote that must fit beside its counts; else they are cut with it. */
const MIN_QUOTE_CHARS = 40;

/** Characters of a caller's text that are read. */
const MAX_READ_CHARS = 5000;

/**
 * A brand or niche for a generated text: one line of at most `MAX_CALLER_NAME_CHARS`, nothing unseen, no markup and no slot of its
 * own. '' when it says nothing or gives a model an order: its place is then a slot, as if it had not been given.
 */
export function cleanCallerName(text: string): string {
  const line = cleanCallerTopic(text);
  return isOrder(line) ? '' : line;
}

/**
 * A topic by the same rules, before `isPublishableTopic`: a topic that speaks to a model still says what it is about.
 */
export function cleanCallerTopic(text: string): string {
  const line = truncateLine(withoutMarkup(cleanSiteText(prepareText(text), MAX_READ_CHARS)), MAX_CALLER_NAME_CHARS);
  return /[\p{L}\p{N}]/u.test(line) ? line : '';
}

/**
 * A sentence or a value that a site or a caller states, whole and on one line of at most `maxChars`: '' when it is longer,
 * says nothing, or gives a model an order. What is cut could say something else.
 */
export function cleanStatedText(text: string, maxChars: number): string {
  const line = withoutMarkup(cleanSiteText(prepareText(text), MAX_READ_CHARS)).trim();
  return line.length > maxChars || !/[\p{L}\p{N}]/u.test(line) || isOrder(line) ? '' : line;
}

/** Whether a topic may be in a generated text: it says something, and nothing to a model. */
export const isPublishableTopic = (topic: string): boolean => topic !== '' && !isAddressedToModel(topic);

/**
 * What the caller saw, as one harmless line of at most `MAX_EVIDENCE_CHARS`; '' when there is nothing. What is too long
 * is cut inside its quote: the counts behind it are what it proves.
 */
export function cleanCallerEvidence(text: string): string {
  const line = withoutMarkup(withoutSlots(formatPlainLine(prepareText(text), MAX_READ_CHARS)));
  const { quote, counts } = splitQuote(line);
  const room = MAX_EVIDENCE_CHARS - counts.length;
  return room < MIN_QUOTE_CHARS ? truncateLine(line, MAX_EVIDENCE_CHARS) : truncateLine(quote, room) + counts;
}

/** The line up to the mark that closes its quote, and the rest of it; all of it and '' when it quotes nothing. */
function splitQuote(line: string): { quote: string; counts: string } {
  const colon = Math.max(line.lastIndexOf('": '), line.lastIndexOf('”: '));
  const end = colon > 0 ? colon : Math.max(line.lastIndexOf('"'), line.lastIndexOf('”'));
  return end > 0 ? { quote: line.slice(0, end), counts: line.slice(end).trimEnd() } : { quote: line, counts: '' };
}

/** Terminal sequences (CSI, and OSC with its end): without their control character they would stay as litter. */
const TERMINAL_SEQUENCE =
  /(?![\t\n\v\f\r])\p{Cc}(?:\[[0-9;:?]{0,32}[A-Za-z]|\][^\p{Cc}]{0,200}\p{Cc}\\?)|\u009B[0-9;:?]{0,32}[A-Za-z]/gu;

/** Unseen characters between digits: to drop them would write a number that the caller did not. */
const SPLIT_NUMBER =
  /(?<=\p{N})[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]+(?=\p{N})/gu;

function prepareText(text: string): string {
  const read = text.length > MAX_READ_CHARS ? withoutCutNumber(text.slice(0, MAX_READ_CHARS)) : text;
  return read.replaceAll(TERMINAL_SEQUENCE, ' ').replaceAll(SPLIT_NUMBER, ' ');
}

/** Signs that open markup, an address or a slot somewhere, and what is written in their place. */
const HARMLESS: Readonly<Record<string, string>> = {
  '[': '(',
  ']': ')',
  '［': '(',
  '］': ')',
  '<': '‹',
  '>': '›',
  '`': "'",
  '://': ': ',
};

const withoutMarkup = (line: string): string =>
  line.replaceAll(/~{2,}/gu, '~').replaceAll(/[[\]［］<>`]|:\/\//gu, (sign) => HARMLESS[sign] ?? '');

/** Like `formatPlainLine`, but a number is left out rather than cut: half of it would be a number of ours. */
function truncateLine(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line.trim();
  const cut = formatPlainLine(line, maxChars).replace(/…$/u, '');
  return `${withoutCutNumber(cut).trimEnd()}…`;
}

function withoutCutNumber(text: string): string {
  const characters = Array.from(text);
  const last = characters.findLastIndex((character) => !/\p{N}/u.test(character));
  return characters.slice(0, last + 1).join('');
}
