/** A value of a PDF, as far as it is looked at. Names have their slash; strings and words are `null`. */
export type PdfValue = string | number | PdfRef | PdfArray | PdfDict | null;
export type PdfRef = { ref: number };
export type PdfArray = readonly PdfValue[];
export type PdfDict = ReadonlyMap<string, PdfValue>;

/** An object of a file. `behind`: where the text goes on; a stream has its keyword there. */
export type PdfObject = { number: number; value: PdfValue; behind: number };

/** Values within values. Writers of PDFs need about ten. */
const MAX_NESTING = 60;
/** Characters of one file that are read as objects: fake ones may lie within others. */
const MAX_READ_CHARS = 32 * 1024 * 1024;
/** What a value counts beside its characters, for each takes memory. */
const VALUE_CHARS = 48;
/** Before the word `obj`, as far as its number is looked for. */
const HEADER_CHARS = 40;
const HEADER = /(?<![-+.\d])(\d{1,10})[\s\0]{1,9}\d{1,10}[\s\0]{0,9}$/;
/** The same in a spelling that readers understand and no writer uses: with comments, signs, or much white space. */
const IS_ODD_HEADER = /\d(?:[\s\0]|%[^\r\n]{0,40}[\r\n])*$/;
/** White space and what begins something else: names, numbers and words end there. */
const SPECIAL = new Set('\0\t\n\f\r ()<>[]{}/%');
const WHITE = new Set('\0\t\n\f\r ');

/** Thrown for what no reader can judge in bounded work; `listPdfObjects` answers `undefined` for it. */
class Unjudged extends Error {}
/** Characters of one file that may still be read as objects; below 0 there are too many. */
export type ReadingBudget = { left: number };
type Text = { text: string; reading: ReadingBudget };

export const createReadingBudget = (): ReadingBudget => ({ left: MAX_READ_CHARS });
type ParsedValue = { value: PdfValue; end: number };

export const isDict = (value: PdfValue | undefined): value is PdfDict => value instanceof Map;
export const isArray = (value: PdfValue | undefined): value is PdfArray => Array.isArray(value);
export const isRef = (value: PdfValue | undefined): value is PdfRef =>
  typeof value === 'object' && value !== null && 'ref' in value;

/**
 * Every object of a file, wherever it is: tables of the file are not trusted, so that one with several texts comes with
 * each of them. Undefined where they cannot be read in bounded work, or one with a dictionary has no number that is
 * seen here.
 */
export function listPdfObjects(text: string, reading: ReadingBudget): readonly PdfObject[] | undefined {
  const source = { text, reading };
  const found: PdfObject[] = [];
  try {
    for (let at = text.indexOf('obj'); at !== -1; at = text.indexOf('obj', at + 3)) {
      if (text.startsWith('end', at - 3)) continue;
      const before = text.slice(Math.max(0, at - HEADER_CHARS), at);
      const header = HEADER.exec(before);
      if (!header && IS_ODD_HEADER.test(before) && SPECIAL.has(text[at + 3] ?? ' ')) return undefined;
      const { value, end } = readValue(source, at + 3, 0);
      const behind = findBlankEnd(source, end);
      if (header) found.push({ number: Number(header[1]), value, behind });
      else if (isDict(value) && text.startsWith('stream', behind)) return undefined;
    }
    return found;
  } catch (error) {
    if (error instanceof Unjudged) return undefined;
    throw error;
  }
}

/**
 * The objects of an object stream: pairs of a number and a place, then the objects at these places.
 * @param first where places are counted from @param count of the objects
 */
export function listPackedObjects(
  text: string,
  { first, count }: { first: number; count: number },
  reading: ReadingBudget,
): readonly PdfObject[] | undefined {
  const source = { text, reading };
  const numbers = (/^[\s\0\d]*/.exec(text)?.[0] ?? '').split(/[\s\0]+/).filter((part) => part !== '');
  if (numbers.length < count * 2) return undefined; // Its table is written otherwise than writers do.
  const found: PdfObject[] = [];
  try {
    for (let at = 0; at < count * 2; at += 2) {
      const { value } = readValue(source, first + Number(numbers[at + 1]), 0);
      found.push({ number: Number(numbers[at]), value, behind: text.length });
    }
    return found;
  } catch (error) {
    if (error instanceof Unjudged) return undefined;
    throw error;
  }
}

/** @throws Unjudged for values that lie too deep in others, or are too many */
function readValue(source: Text, start: number, depth: number): ParsedValue {
  const { text } = source;
  source.reading.left -= VALUE_CHARS;
  if (depth > MAX_NESTING || source.reading.left < 0) throw new Unjudged();
  const at = findBlankEnd(source, start);
  const first = text[at] ?? '';
  if (text.startsWith('<<', at)) return readDictionary(source, at + 2, depth);
  if (first === '[') return readArray(source, at + 1, depth);
  if (first === '(') return { value: null, end: countRead(source, at, findStringEnd(text, at)) };
  if (first === '<') {
    const close = text.indexOf('>', at);
    return { value: null, end: countRead(source, at, close === -1 ? text.length : close + 1) };
  }
  if (first === '/') {
    const end = findWordEnd(source, at + 1);
    return { value: decodeName(text.slice(at, end)), end };
  }
  const end = findWordEnd(source, at);
  if (end === at) return { value: null, end: countRead(source, at, at + 1) };
  return readNumberOrReference(source, text.slice(at, end), end);
}

/** A reference as no writer spells it, and readers read it: with signs in its numbers, or without white space. */
const IS_ODD_REF = /^(?:[+-][\r\n]{0,9})?\d[\d-]{0,20}(?:[\s\0]{0,9}[+-]?\d[\d-]{0,20})?[\s\0]{0,9}R(?![A-Za-z])/;
const ODD_REF_CHARS = 60;

function readNumberOrReference(source: Text, word: string, end: number): ParsedValue {
  const number = Number(word);
  if (!Number.isFinite(number)) {
    if (IS_ODD_REF.test(source.text.slice(end - word.length, end + ODD_REF_CHARS))) throw new Unjudged();
    return { value: null, end };
  }
  const generationAt = findBlankEnd(source, end);
  const generationEnd = findWordEnd(source, generationAt);
  const isPair =
    generationEnd > generationAt && Number.isInteger(Number(source.text.slice(generationAt, generationEnd)));
  const behind = isPair ? findBlankEnd(source, generationEnd) : end;
  if (!isPair || source.text[behind] !== 'R' || findWordEnd(source, behind) !== behind + 1) {
    if (IS_ODD_REF.test(source.text.slice(end - word.length, end + ODD_REF_CHARS))) throw new Unjudged();
    return { value: number, end };
  }
  return { value: { ref: number }, end: behind + 1 };
}

function readDictionary(source: Text, start: number, depth: number): ParsedValue {
  const { text } = source;
  const value = new Map<string, PdfValue>();
  let at = findBlankEnd(source, start);
  while (at < text.length && !text.startsWith('>>', at)) {
    const key = readValue(source, at, depth + 1);
    // Readers go on behind the first sign of it.
    if (isArray(key.value) || isDict(key.value)) throw new Unjudged();
    at = findBlankEnd(source, key.end);
    if (typeof key.value !== 'string') continue;
    const read = readValue(source, at, depth + 1);
    value.set(key.value, read.value);
    at = findBlankEnd(source, read.end);
  }
  const end = Math.min(at + 2, text.length);
  // Readers take it for a stream, within any other value.
  if (depth > 0 && text.startsWith('stream', findBlankEnd(source, end))) throw new Unjudged();
  return { value, end };
}

function readArray(source: Text, start: number, depth: number): ParsedValue {
  const { text } = source;
  const value: PdfValue[] = [];
  let at = findBlankEnd(source, start);
  while (at < text.length && text[at] !== ']') {
    const read = readValue(source, at, depth + 1);
    value.push(read.value);
    at = findBlankEnd(source, read.end);
  }
  return { value, end: Math.min(at + 1, text.length) };
}

/** Counts what was read. @returns where that ends */
function countRead(source: Text, start: number, end: number): number {
  source.reading.left -= end - start + 1;
  if (source.reading.left < 0) throw new Unjudged();
  return end;
}

/** Where white space and comments end. */
function findBlankEnd(source: Text, start: number): number {
  const { text } = source;
  let at = start;
  for (;;) {
    while (at < text.length && WHITE.has(text[at] ?? '')) at += 1;
    if (text[at] !== '%') return countRead(source, start, at);
    while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at += 1;
  }
}

function findWordEnd(source: Text, start: number): number {
  const { text } = source;
  let at = start;
  while (at < text.length && !SPECIAL.has(text[at] ?? '')) at += 1;
  return countRead(source, start, at);
}

/** Where a string ends that begins with its parenthesis. */
function findStringEnd(text: string, start: number): number {
  let open = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '(') open += 1;
    else if (char === ')') {
      open -= 1;
      if (open === 0) return at + 1;
    }
  }
  return text.length;
}

/** A name without its escapes: `/F#6f` is `/Fo`. */
const decodeName = (written: string): string =>
  written.replaceAll(/#([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
