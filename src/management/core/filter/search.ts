import { isObject, isText, type Json } from '../../../lib/json.ts';
import { type Meter, createMeter, spend } from './meter.ts';

/** What parts tokens: the delimiters of BigQuery's LOG_ANALYZER, but for the percent-encoded ones. */
const DELIMITERS = /[[\]<>(){}|!;,'"*&?+/:=@.\-$%\\_\s]/;
const EDGE = '`';
/** Units of work (meter.ts): for each character of a text that is split, and for each value of an entry. */
const PARTED_UNITS = 3;
const ITEM_UNITS = 5;

/** What SEARCH looks for: single tokens, and phrases whose tokens follow each other in one text. */
export type Query = { tokens: readonly string[]; phrases: readonly (readonly string[])[] };

/** Tokens of a text, in order, without letter case. */
export function extractSearchTokens(text: string, meter: Meter = createMeter()): string[] {
  spend(meter, text.length * PARTED_UNITS);
  return fold(text, meter)
    .split(DELIMITERS)
    .filter((token) => token !== '');
}

/** The terms of a search: text between backticks is a phrase. */
export function searchQuery(text: string): Query {
  const tokens: string[] = [];
  const phrases: string[][] = [];
  for (const [index, part] of text.split(EDGE).entries()) {
    const found = extractSearchTokens(part);
    if (index % 2 === 0) tokens.push(...found);
    else if (found.length > 0) phrases.push(found);
  }
  return { tokens, phrases };
}

/** Whether the texts in a value contain all that a search asks for, each of it anywhere. */
export function hasAll(value: Json, { tokens, phrases }: Query, meter: Meter = createMeter()): boolean {
  const missing = new Set(tokens);
  const open = new Set(phrases);
  const look = (scalar: Json): boolean => {
    if (!isText(scalar)) return false;
    const found = extractSearchTokens(scalar, meter);
    spend(meter, found.length * (1 + open.size));
    for (const token of found) missing.delete(token);
    for (const phrase of open) if (hasRun(found, phrase)) open.delete(phrase);
    return missing.size === 0 && open.size === 0;
  };
  hasMatchingScalar(value, look, meter);
  return missing.size === 0 && open.size === 0;
}

/** Whether one of the scalars in a value passes a test. Walks without recursion: foreign JSON may be deep. */
export function hasMatchingScalar(
  value: Json,
  test: (scalar: string | number | boolean | null) => boolean,
  meter: Meter = createMeter(),
): boolean {
  const waiting: Json[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    spend(meter, ITEM_UNITS);
    if (Array.isArray(next)) {
      for (const each of next) waiting.push(each);
    } else if (isObject(next)) {
      for (const each of Object.values(next)) waiting.push(each);
    } else if (test(next)) return true;
  }
  return false;
}

function hasRun(tokens: readonly string[], phrase: readonly string[]): boolean {
  const last = tokens.length - phrase.length;
  for (let at = 0; at <= last; at += 1) if (phrase.every((token, index) => tokens[at + index] === token)) return true;
  return false;
}

const NON_ASCII = /[\u0080-\uffff]/;
/** Units of work (meter.ts): of a text, of so many characters of ASCII, of any other character. */
const TEXT_UNITS = 2;
const PLAIN_CHARS = 8;
const FOLDED_UNITS = 10;
const NOBODY = createMeter();

/**
 * A text as the language compares it, without letter case: Unicode's NFKC_Casefold, but for ignorable code points. It goes
 * by way of capitals, which unfold one sharp s to two; the sigma at the end of a word is a sigma.
 * @param meter counts the text's length. @throws FilterTooSlow by the meter's limit
 */
export function fold(text: string, meter: Meter = NOBODY): string {
  if (!NON_ASCII.test(text)) {
    spend(meter, TEXT_UNITS + text.length / PLAIN_CHARS);
    return text.toLowerCase();
  }
  spend(meter, TEXT_UNITS + text.length * FOLDED_UNITS);
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').replaceAll('ς', 'σ');
}
