import { inflateAtMost } from '../../net/inflate.ts';
import { asciiDecoded } from './pdf-ascii.ts';
import { mappedCodes } from './pdf-cmaps.ts';
import { isDict, objectsIn, packedObjects, type PdfDict, type PdfObject, type PdfValue } from './pdf-objects.ts';
import { workOf } from './pdf-operators.ts';
import { MAX_PDF_INFLATED } from './pdf-reader.ts';
import { type DrawnStream, isTooMuchWork } from './pdf-work.ts';

/** What a stream costs beside its bytes: each has a decoder of its own. */
const STREAM_PRICE = 1_024;
/** Read at once. */
const STEP_BYTES = 4_096;
/** The same where data is likely to have ended: it shows whether it has. */
const TAIL_BYTES = 32;
/** DEFLATE makes at most so many bytes of one. */
const MOST = 1_032;
/** Filters of one stream that inflate one after the other. */
const MAX_LAYERS = 4;
/** Before a stream, as far as its dictionary is looked for. */
const DICTIONARY_CHARS = 4_096;
const KEYWORD = 'stream';
const END = 'endstream';

/** Pictures, and metadata in XML: the title is taken from the file's own table, and a reader of XML may take for ever. */
const IS_BLANK = /\/Subtype\s{0,9}\/(?:Image|XML)(?![\w#])/;
const IS_ASCII = /\/(?:ASCIIHexDecode|AHx|ASCII85Decode|A85)(?![\w#])/;
const IS_ENCRYPTED = /\/Encrypt\s{0,9}(?:\d|<<)/;

type Budget = { left: number };

/**
 * A copy of a PDF that can be opened: its pictures and XML are blank, for nothing of them is read, whatever else it has in streams
 * inflates to no more than `MAX_PDF_INFLATED`, and drawing its pages is no more work than pdf-work.ts allows. Streams are found by their keyword, wherever it stands, and inflated to the
 * end that they have themselves: lengths and tables of the file are not believed.
 *
 * What it does not see: streams of LZW and run lengths count by their size (a run of 128 bytes takes two, LZW can make a
 * thousandfold), and so does what is encrypted, which is why that is refused. A filter that is named in another object, or
 * with `#` escapes, is known only where its data begins as DEFLATE's does. What it does not see, nor what fonts and tables
 * cost, ends with the time that the Worker of PDFs has.
 */
export async function safePdf(bytes: Uint8Array): Promise<Uint8Array | 'too_large' | 'encrypted'> {
  const copy = new Uint8Array(bytes);
  for (const { at, end, dictionary } of streamsIn(latin1(bytes))) if (IS_BLANK.test(dictionary)) copy.fill(0, at, end);
  const text = latin1(copy); // What is judged is what will be read.
  if (IS_ENCRYPTED.test(text)) return 'encrypted';
  const file = fileOf(objectsIn(text) ?? 'unjudged');
  const budget = { left: MAX_PDF_INFLATED };
  for (const { word, at, end, dictionary } of streamsIn(text)) {
    budget.left -= STREAM_PRICE + Math.max(0, end - at);
    const isText = IS_ASCII.test(dictionary);
    const data = isText ? asciiDecoded(copy.subarray(at, end)) : copy.subarray(at);
    const layers: Uint8Array[] = [data.subarray(0, isText ? data.length : Math.max(0, end - at))];
    if (budget.left >= 0) await inflate(data, { first: isText ? data.length : end - at, budget, layers });
    if (budget.left < 0 || !file?.add(word, layers)) return 'too_large';
  }
  return file && !isTooMuchWork(file) ? copy : 'too_large';
}

/** The objects of a file, to which streams are added as they are inflated. Undefined where they cannot be judged. */
function fileOf(objects: readonly PdfObject[] | 'unjudged') {
  if (objects === 'unjudged') return undefined;
  const values = new Map<number, PdfValue[]>();
  const streams = new Map<number, DrawnStream[]>();
  const owners = new Map<number, { number: number; dict: PdfDict }[]>();
  for (const { number, value, behind } of objects) {
    added(values, number, value);
    if (isDict(value)) added(owners, behind, { number, dict: value });
  }
  return {
    values,
    streams,
    /** @param layers what its filters make of it, one after the other: any may be what is read @returns false: it cannot be judged */
    add(word: number, layers: readonly Uint8Array[]): boolean {
      const mine = owners.get(word) ?? [];
      if (mine.length === 0) return true; // The word within something else: no object has it as its stream.
      for (const layer of layers) {
        const work = workOf(layer);
        const codes = mappedCodes(layer);
        for (const { number, dict } of mine) {
          added(streams, number, { dict, work, codes });
          const [first, count] = [dict.get('/First'), dict.get('/N')];
          if (first === undefined || count === undefined) continue;
          const packed =
            typeof first === 'number' && typeof count === 'number'
              ? packedObjects(latin1(layer), first, count)
              : undefined;
          if (!packed) return false;
          for (const { number: own, value } of packed) added(values, own, value);
        }
      }
      return true;
    },
  };
}

function added<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** A character for each byte. */
const latin1 = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

/** `word`: where the keyword is. */
type Span = { word: number; at: number; end: number; dictionary: string };

/** Where the data of each stream begins, and where the next `endstream` is. */
function* streamsIn(text: string): Generator<Span> {
  const ends = { line: lineFrom(text, 0), stream: 0 };
  for (let word = text.indexOf(KEYWORD); word !== -1; word = text.indexOf(KEYWORD, word + KEYWORD.length)) {
    if (text.startsWith('end', word - 3)) continue;
    const behind = word + KEYWORD.length;
    // Both only ever go forwards: the whole takes as long as the file.
    if (ends.line < behind) ends.line = lineFrom(text, behind);
    const at = ends.line + (text.startsWith('\r\n', ends.line) ? 2 : 1);
    if (ends.stream < at) ends.stream = endFrom(text, at);
    const before = text.slice(Math.max(0, word - DICTIONARY_CHARS), word);
    yield { word, at, end: ends.stream, dictionary: before.slice(before.lastIndexOf('obj') + 1) };
  }
}

/** Readers go on to the next line behind the keyword. */
function lineFrom(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) if (text[at] === '\n' || text[at] === '\r') return at;
  return text.length;
}

function endFrom(text: string, start: number): number {
  const at = text.indexOf(END, start);
  return at === -1 ? text.length : at;
}

/**
 * Takes what data inflates to from a budget, if it begins as DEFLATE's does (zlib: RFC 1950), and adds it to the layers.
 * @param first where it is likely to end
 */
async function inflate(
  data: Uint8Array<ArrayBuffer>,
  { first, budget, layers }: { first: number; budget: Budget; layers: Uint8Array[] },
): Promise<void> {
  if (!isDeflated(data)) return;
  if (layers.length > MAX_LAYERS) {
    budget.left = -1;
    return;
  }
  const feeding = { failsWith: 0 };
  const { bytes: inner, end } = await inflateAtMost(
    steps(data, trimmed(data, first), budget, feeding),
    'deflate',
    budget.left,
  );
  budget.left -= inner.length + (end === 'broken' ? feeding.failsWith * MOST : 0);
  if (end === 'cut') budget.left = -1;
  if (inner.length === 0 || budget.left < 0) return;
  layers.push(inner);
  await inflate(inner, { first: inner.length, budget, layers });
}

/**
 * Cuts data into steps for the decoder. A Worker forgets what a step made that fails, so one that fails with data in it counts
 * for as much as it can have made: `failsWith` is its size, 0 where data has most likely ended before it.
 */
function* steps(
  data: Uint8Array<ArrayBuffer>,
  first: number,
  budget: Budget,
  feeding: { failsWith: number },
): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < data.length && budget.left >= 0;) {
    const isBehind = at >= first;
    const step = at === first ? TAIL_BYTES : STEP_BYTES;
    const next = data.subarray(at, Math.min(at + step, isBehind ? data.length : first));
    if (isBehind) budget.left -= next.length; // Up to there it is counted already.
    feeding.failsWith = at === first ? 0 : next.length;
    yield next;
    at += next.length;
  }
  feeding.failsWith = 0;
}

/** Where data ends without the white space that stands behind it. */
function trimmed(data: Uint8Array, end: number): number {
  let at = Math.min(end, data.length);
  while (at > 0 && (data[at - 1] ?? 0) <= 0x20) at -= 1;
  return at;
}

const isDeflated = ([method = 0, check = 0]: Uint8Array): boolean =>
  method % 16 === 8 && (method * 256 + check) % 31 === 0;
