import { decodeStreamData } from './decode.ts';
import { type Chain, listFilterChains, hasNamedFilters } from './filters.ts';
import { type Budget, inflateData } from './decompress.ts';
import {
  isDict,
  isRef,
  createReadingBudget,
  listPdfObjects,
  listPackedObjects,
  type PdfDict,
  type PdfObject,
  type PdfValue,
  type ReadingBudget,
} from './objects.ts';
import { countOperators } from './operators.ts';
import { MAX_PDF_INFLATED } from './reader.ts';
import { type DrawnStream, isTooMuchWork } from './work.ts';

/** Tokens of a character map, as readers take it apart. Strings are left out by `endOfString`. */
const TOKENS = /<<|>>|<[^<>]*>|[<()[\]]|%[^\r\n]*|[^\s\0()<>[\]{}/%]+/gu;
/** A number may directly precede the word. */
const RANGES = /begin(?:bf|cid|notdef)range$/u;
const CODESPACES = /begincodespacerange$/u;
const MENTIONED = /begin(?:bf|cid|notdef|codespace)range/u;
const INTEGER = /^[-+]?\d+$/u;
/** Codespaces of one map: a reader tries each of them for each character. Honest maps have one to four. */
const MAX_CODESPACES = 1_000;

/**
 * Codes that a stream maps one by one when it is read as a character map (CMap; ISO 32000-1, 9.7.5): the widths of all its
 * ranges. 0 where it is none; `Infinity` where ranges or their strings are written as no writer does.
 */
function countMappedCodes(bytes: Uint8Array): number {
  const text = new TextDecoder('latin1').decode(bytes);
  if (!MENTIONED.test(text)) return 0;
  let [codes, codespaces, low] = [0, 0, 0];
  let next: 'low' | 'high' | 'target' | 'targets' | 'codespace' | undefined;
  TOKENS.lastIndex = 0;
  for (let found = TOKENS.exec(text); found !== null; found = TOKENS.exec(text)) {
    const [token] = found;
    const isHex = token.startsWith('<') && token !== '<<';
    if (token === '<') return Infinity;
    if (token === '(') {
      const end = endOfString(text, TOKENS.lastIndex);
      if (end === undefined || next !== undefined) return Infinity;
      TOKENS.lastIndex = end;
    } else if (RANGES.test(token)) next = 'low';
    else if (CODESPACES.test(token)) next = 'codespace';
    else if (token.startsWith('%') || next === undefined) continue;
    else if (next === 'codespace') [codespaces, next] = isHex ? [codespaces + 1, next] : [codespaces, undefined];
    else if (next === 'targets') next = token === ']' ? 'low' : 'targets';
    else if (next === 'low') [low, next] = isHex ? [parseCode(token), 'high'] : [low, undefined];
    else if (next === 'high') {
      codes += isHex ? Math.max(0, parseCode(token) - low + 1) : 0;
      next = isHex ? 'target' : undefined;
    } else if (token === '[') next = 'targets';
    else next = isHex || INTEGER.test(token) ? 'low' : undefined;
  }
  return codespaces > 2 * MAX_CODESPACES ? Infinity : codes;
}

/** Where a string ends that begins before `from`; undefined where it has no end, or brackets inside. */
function endOfString(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === ')') return at + 1;
    if (text[at] === '(') return undefined;
    if (text[at] === '\\') at += 1;
  }
  return undefined;
}

/** The number of a code as readers take it: the last four of its bytes. */
function parseCode(token: string): number {
  const digits = token.replaceAll(/[^\da-f]/giu, '');
  const bytes = digits.length % 2 === 0 ? digits : `${digits}0`;
  return bytes === '' ? 0 : Number.parseInt(bytes.slice(-8), 16);
}

/** What a stream costs beside its bytes: each has a decoder of its own. */
const STREAM_PRICE = 1_024;
/** Objects that have the same stream: comments may make more of them. */
const MAX_OWNERS = 4;
/** Bytes in front of DEFLATE's own. */
const ZLIB_HEADER = 2;
/** Filters of one stream that inflate one after the other. */
const MAX_LAYERS = 4;
/** Before a stream, as far as its dictionary is looked for. */
const DICTIONARY_CHARS = 4_096;
const KEYWORD = 'stream';
const END = 'endstream';

/** Pictures, and metadata in XML: the title is taken from the file's own table, and a reader of XML may take for ever. */
const IS_BLANK = /\/Subtype\s{0,9}\/(?:Image|XML)(?![\w#])/;
const IS_ENCRYPTED = /\/Encrypt\s{0,9}(?:\d|<<)/;

/**
 * A copy of a PDF that can be opened: its pictures and XML are blank, for nothing of them is read, whatever else it has
 * in streams comes to no more than `MAX_PDF_INFLATED`, and drawing its pages is no more work than pdf-work.ts allows.
 * Streams are found by their keyword, wherever it occurs; the tables of the file are not trusted. Each is judged as it is,
 * as it inflates (to the end that it has itself), and as the filters of its dictionary make it, whatever these may be.
 * What is encrypted is refused, for nothing of it can be judged. What fonts and tables cost is not seen: that ends with
 * the time that the Worker of PDFs has.
 */
export async function sanitisePdf(bytes: Uint8Array): Promise<Uint8Array | 'too_large' | 'encrypted'> {
  const copy = new Uint8Array(bytes);
  const blank = createBlanker(copy);
  for (const { at, end, before } of listStreams(decodeLatin1(bytes))) if (IS_BLANK.test(before())) blank(at, end);
  let text = decodeLatin1(copy); // What is judged is what will be read.
  if (IS_ENCRYPTED.test(text)) return 'encrypted';
  let file = readFileFacts(listPdfObjects(text, createReadingBudget()));
  if (file && clearPictures(copy, text, file)) {
    text = decodeLatin1(copy);
    file = readFileFacts(listPdfObjects(text, createReadingBudget()));
    if (file && clearPictures(copy, text, file)) return 'too_large'; // They were hidden in one another.
  }
  return file && (await isJudged(copy, text, file)) && !isTooMuchWork(file) ? copy : 'too_large';
}

type FileFacts = NonNullable<ReturnType<typeof readFileFacts>>;

/** Makes the data of each stream blank that a filter turns into pixels. @returns whether there were any that were not */
function clearPictures(copy: Uint8Array, text: string, file: FileFacts): boolean {
  const blank = createBlanker(copy);
  let found = false;
  for (const { word, at, end } of listStreams(text)) {
    const isPicture = file.owners(word).some((dict) => (file.chains(dict) ?? []).some(hasPixels));
    if (isPicture && blank(at, end)) found = true;
  }
  return found;
}

/** Makes parts of a file blank, which begin and end one behind the other: each byte is looked at once. Says whether any was not. */
function createBlanker(copy: Uint8Array): (at: number, end: number) => boolean {
  let blankTo = 0;
  return (at, end) => {
    const start = Math.max(at, blankTo);
    if (start >= end) return false;
    blankTo = end;
    const isBlank = copy.subarray(start, end).every((byte) => byte === 0);
    copy.fill(0, start, end);
    return !isBlank;
  };
}

const hasPixels = (chain: Chain): boolean => chain.some(({ does }) => does === 'picture');

/** Adds what the streams of a file hold to it. False where they come to too much, or cannot be judged. */
async function isJudged(copy: Uint8Array<ArrayBuffer>, text: string, file: FileFacts): Promise<boolean> {
  const budget: Budget = { left: MAX_PDF_INFLATED };
  const reading = createReadingBudget();
  const isPacked = ({ word }: Span): boolean => file.owners(word).some((dict) => dict.has('/First'));
  // Filters of others may be named in these.
  for (const isFirst of [true, false])
    for (const span of listStreams(text))
      if (isPacked(span) === isFirst && !(await isStreamJudged(copy, span, file, { budget, reading }))) return false;
  return true;
}

async function isStreamJudged(
  copy: Uint8Array<ArrayBuffer>,
  { word, at, end }: Span,
  file: FileFacts,
  { budget, reading }: { budget: Budget; reading: ReadingBudget },
): Promise<boolean> {
  const dicts = file.owners(word);
  if (dicts.length > MAX_OWNERS) return false;
  const size = Math.max(0, end - at);
  budget.left -= STREAM_PRICE + size;
  const layers: Uint8Array<ArrayBuffer>[] = [copy.subarray(at, at + size)];
  let next = { data: copy.subarray(at), likelyEnd: size };
  while (budget.left >= 0) {
    const inner = await inflateData(next.data, next.likelyEnd, budget);
    if (inner === undefined || inner.length === 0) break;
    if (layers.push(inner) > MAX_LAYERS) return false;
    next = { data: inner, likelyEnd: inner.length };
  }
  if (budget.left < 0) return false;
  const isBlank = layers[0]?.every((byte) => byte === 0) === true; // A picture, or XML.
  for (const dict of dicts) {
    if (dict.has('/First') && hasNamedFilters(dict)) return false; // No writer does that, and a reader could not start.
    const chains = file.chains(dict);
    if (!chains && isBlank) continue;
    if (!chains) return false;
    const lengths = file.lengths(dict);
    const whole = copy.subarray(at, Math.max(end, ...lengths.map((length) => at + length)));
    for (const chain of chains) {
      if (chain.length === 0) {
        // Its reader ends it by its length, where that leads to an `endstream`, or by the first `endstream`.
        const others = lengths.filter((length) => length > 0 && length < copy.length - at && length !== size);
        for (const data of [whole, ...others.map((length) => copy.subarray(at, at + length))]) {
          if (data.length === size) continue;
          budget.left -= data.length;
          layers.push(data);
        }
        if (budget.left < 0) return false;
        continue;
      }
      if (chain[0]?.does === 'inflate' && !isBlank && size > ZLIB_HEADER && !layers[1]) return false; // A reader's own way may be more patient.
      if (chain.every(({ does }) => does === 'inflate')) continue; // It is among the layers.
      if (hasPixels(chain)) {
        if (!isBlank) return false; // Only another stream showed that it is a picture.
        continue;
      }
      const made = await decodeStreamData(whole, chain, budget, layers[1]);
      if (!made) return false;
      layers.push(made);
    }
  }
  return file.add(word, layers, reading);
}

/** The objects of a file, to which streams are added as they are inflated. Undefined where they cannot be judged. */
function readFileFacts(objects: readonly PdfObject[] | undefined) {
  if (!objects) return undefined;
  const values = new Map<number, PdfValue[]>();
  const streams = new Map<number, DrawnStream[]>();
  const owners = new Map<number, { number: number; dict: PdfDict }[]>();
  for (const { number, value, behind } of objects) {
    appendToList(values, number, value);
    if (isDict(value)) appendToList(owners, behind, { number, dict: value });
  }
  const resolve = (value: PdfValue): readonly PdfValue[] => (isRef(value) ? (values.get(value.ref) ?? []) : [value]);
  return {
    values,
    streams,
    /** The dictionaries of the stream whose keyword is there; none where the word is within something else. */
    owners: (word: number): readonly PdfDict[] => (owners.get(word) ?? []).map(({ dict }) => dict),
    chains: (dict: PdfDict) => listFilterChains(dict, resolve),
    /** The lengths that a stream may say it has, in bytes. */
    lengths: (dict: PdfDict): readonly number[] =>
      resolve(dict.get('/Length') ?? null).filter((value) => typeof value === 'number'),
    /** @param layers what its filters make of it: any may be what is read @returns false: it cannot be judged */
    add(word: number, layers: readonly Uint8Array[], reading: ReadingBudget): boolean {
      const mine = owners.get(word) ?? [];
      if (mine.length === 0) return true; // The word within something else: no object has it as its stream.
      for (const [depth, layer] of layers.entries()) {
        // What is there before a filter has the form of content by chance only.
        const isRaw = depth === 0 && layers.length > 1;
        const counted = countOperators(layer);
        const work = isRaw ? { ...counted, isOpen: false } : counted;
        const codes = countMappedCodes(layer);
        for (const { number, dict } of mine) {
          appendToList(streams, number, { dict, work, codes });
          const [first, count] = [dict.get('/First'), dict.get('/N')];
          if (first === undefined || count === undefined) continue;
          const packed =
            typeof first === 'number' && typeof count === 'number'
              ? listPackedObjects(decodeLatin1(layer), { first, count }, reading)
              : undefined;
          if (!packed && isRaw) continue;
          if (!packed) return false;
          for (const { number: own, value } of packed) appendToList(values, own, value);
        }
      }
      return true;
    },
  };
}

function appendToList<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** A character for each byte. */
const decodeLatin1 = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

/** `word`: where the keyword is. `before`: what is likely to be its dictionary. */
type Span = { word: number; at: number; end: number; before: () => string };

/** Where the data of each stream begins, and where the next `endstream` is. */
function* listStreams(text: string): Generator<Span> {
  const ends = { line: findNextLine(text, 0), stream: 0 };
  for (let word = text.indexOf(KEYWORD); word !== -1; word = text.indexOf(KEYWORD, word + KEYWORD.length)) {
    if (text.startsWith('end', word - 3)) continue;
    const behind = word + KEYWORD.length;
    // Both only ever go forwards: the whole takes as long as the file.
    if (ends.line < behind) ends.line = findNextLine(text, behind);
    const at = ends.line + (text.startsWith('\r\n', ends.line) ? 2 : 1);
    if (ends.stream < at) ends.stream = endFrom(text, at);
    const before = (): string => {
      const chars = text.slice(Math.max(0, word - DICTIONARY_CHARS), word);
      return chars.slice(chars.lastIndexOf('obj') + 1);
    };
    yield { word, at, end: ends.stream, before };
  }
}

/** Readers go on to the next line behind the keyword. */
function findNextLine(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) if (text[at] === '\n' || text[at] === '\r') return at;
  return text.length;
}

function endFrom(text: string, start: number): number {
  const at = text.indexOf(END, start);
  return at === -1 ? text.length : at;
}
