import { siteText } from '../../fixes/files/safe-site.ts';
import { plainLine } from '../../lib/safe-text.ts';
import { withoutSlots } from '../../lib/slots.ts';
import { isOrder, speaksToModel } from './steering.ts';

/** Characters of a brand, a niche or a topic in a generated text (rule X3). */
export const MAX_NAME_CHARS = 120;
/** Characters of what the caller saw, quoted back. */
export const MAX_EVIDENCE_CHARS = 400;

/** Characters of a quote that must fit beside its counts; else they are cut with it. */
const MIN_QUOTE_CHARS = 40;

/** Characters of a caller's text that are read. */
const MAX_READ_CHARS = 5000;

/**
 * A brand or niche for a generated text: one line of at most `MAX_NAME_CHARS`, nothing unseen, no markup and no slot of its
 * own. '' when it says nothing or gives a model an order: its place is then a slot, as if it had not been given.
 */
export function callerName(text: string): string {
  const line = callerTopic(text);
  return isOrder(line) ? '' : line;
}

/** A topic by the same rules, before `isPublishable`: what it is about can be told from one that speaks to a model too. */
export function callerTopic(text: string): string {
  const line = clipped(withoutMarkup(siteText(prepared(text), MAX_READ_CHARS)), MAX_NAME_CHARS);
  return /[\p{L}\p{N}]/u.test(line) ? line : '';
}

/** Whether a topic may stand in a generated text: it says something, and nothing to a model. */
export const isPublishable = (topic: string): boolean => topic !== '' && !speaksToModel(topic);

/**
 * What the caller saw, as one harmless line of at most `MAX_EVIDENCE_CHARS`; '' when there is nothing. What is too long
 * is cut inside its quote: the counts behind it are what it proves.
 */
export function callerEvidence(text: string): string {
  const line = withoutMarkup(withoutSlots(plainLine(prepared(text), MAX_READ_CHARS)));
  const { quote, counts } = quoteAndCounts(line);
  const room = MAX_EVIDENCE_CHARS - counts.length;
  return room < MIN_QUOTE_CHARS ? clipped(line, MAX_EVIDENCE_CHARS) : clipped(quote, room) + counts;
}

/** The line up to the mark that closes its quote, and the rest of it; all of it and '' when it quotes nothing. */
function quoteAndCounts(line: string): { quote: string; counts: string } {
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

function prepared(text: string): string {
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

/** Like `plainLine`, but a number is left out rather than cut: half of it would be a number of ours. */
function clipped(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line.trim();
  const cut = plainLine(line, maxChars).replace(/…$/u, '');
  return `${withoutCutNumber(cut).trimEnd()}…`;
}

function withoutCutNumber(text: string): string {
  const characters = Array.from(text);
  const last = characters.findLastIndex((character) => !/\p{N}/u.test(character));
  return characters.slice(0, last + 1).join('');
}
