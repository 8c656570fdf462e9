import { isArray, isDict, isRef, type PdfDict, type PdfValue } from './objects.ts';
import type { Predictor } from './predictor.ts';
import { MAX_ROW_BYTES } from './work.ts';

/** One step of what a reader makes of a stream. `picture`: pixels, which no text is made of. */
export type FilterStep =
  | { does: 'inflate' | 'run-lengths' | 'hex' | 'base-85' | 'picture' }
  | { does: 'lzw'; early: boolean }
  | { does: 'predict'; predictor: Predictor };
/** The steps of one stream, the first one first. */
export type Chain = readonly FilterStep[];

/** Filters of one stream. Honest ones have one or two. */
const MAX_FILTERS = 4;
/** What the filters of one stream may be, where other objects have several texts. */
const MAX_CHAINS = 16;

/** Full names, and the short ones that readers take in any dictionary. */
const FILTERS: ReadonlyMap<string, FilterStep['does']> = new Map([
  ['/FlateDecode', 'inflate'],
  ['/Fl', 'inflate'],
  ['/LZWDecode', 'lzw'],
  ['/LZW', 'lzw'],
  ['/RunLengthDecode', 'run-lengths'],
  ['/RL', 'run-lengths'],
  ['/ASCIIHexDecode', 'hex'],
  ['/AHx', 'hex'],
  ['/ASCII85Decode', 'base-85'],
  ['/A85', 'base-85'],
  ['/DCTDecode', 'picture'],
  ['/DCT', 'picture'],
  ['/JPXDecode', 'picture'],
  ['/CCITTFaxDecode', 'picture'],
  ['/CCF', 'picture'],
  ['/JBIG2Decode', 'picture'],
]);

/** What readers know and we do not undo. No writer of today uses it. */
const NOT_UNDONE: ReadonlySet<string> = new Set(['/BrotliDecode']);

/** Thrown for what cannot be judged; `listFilterChains` answers undefined for it. */
class Unjudged extends Error {}

/** All that a value may be: each text of the object that it names. */
export type ResolveReference = (value: PdfValue) => readonly PdfValue[];

/**
 * What the filters of a stream may be. A reader takes the short key where both are there, and of an object with several texts
 * any: all of them count. Undefined where they are too many, or their parameters are none that honest files have.
 */
export function listFilterChains(dict: PdfDict, resolve: ResolveReference): readonly Chain[] | undefined {
  try {
    const chains = listOptions(dict, ['/F', '/Filter'], resolve).flatMap((filter) =>
      listOptions(dict, ['/DP', '/DecodeParms'], resolve).flatMap((parameters) =>
        buildChains(filter, parameters, resolve),
      ),
    );
    return chains.length > MAX_CHAINS ? undefined : chains;
  } catch (error) {
    if (error instanceof Unjudged) return undefined;
    throw error;
  }
}

/** Whether the filters or parameters of a stream are in other objects. */
export const hasNamedFilters = (dict: PdfDict): boolean =>
  ['/F', '/Filter', '/DP', '/DecodeParms'].some((key) => {
    const value = dict.get(key);
    return isRef(value) || (isArray(value) && value.some(isRef)) || (isDict(value) && [...value.values()].some(isRef));
  });

/** What the values of some keys may be; null where a dictionary has none of them. */
function listOptions(dict: PdfDict, keys: readonly string[], resolve: ResolveReference): readonly PdfValue[] {
  const found = keys.flatMap((key) => (dict.has(key) ? resolveAll(dict.get(key) ?? null, resolve) : []));
  return found.length === 0 ? [null] : found;
}

function resolveAll(value: PdfValue, resolve: ResolveReference): readonly PdfValue[] {
  const found = resolve(value);
  return found.length === 0 ? [null] : found;
}

function buildChains(filter: PdfValue, parameters: PdfValue, resolve: ResolveReference): readonly Chain[] {
  if (typeof filter === 'string') return [buildFilterSteps(filter, parameters, resolve)];
  if (!isArray(filter)) return [[]];
  if (filter.length > MAX_FILTERS) throw new Unjudged();
  let chains: readonly Chain[] = [[]];
  for (const [index, part] of filter.entries()) {
    const own = isArray(parameters) ? (parameters[index] ?? null) : null;
    const steps = resolveAll(part, resolve).flatMap((name) =>
      resolveAll(own, resolve).map((given) => (typeof name === 'string' ? buildFilterSteps(name, given, resolve) : [])),
    );
    chains = chains.flatMap((chain) => steps.map((next) => [...chain, ...next]));
    if (chains.length > MAX_CHAINS) throw new Unjudged();
  }
  return chains;
}

/** A filter that no reader knows leaves the data as it is. */
function buildFilterSteps(name: string, parameters: PdfValue, resolve: ResolveReference): Chain {
  const does = FILTERS.get(name);
  if (NOT_UNDONE.has(name)) throw new Unjudged();
  if (does === undefined) return [];
  const given = isDict(parameters) ? parameters : new Map<string, PdfValue>();
  if (does === 'lzw') {
    const early = readNumber(given, '/EarlyChange', 1, resolve);
    if (early !== 0 && early !== 1) throw new Unjudged();
    return [{ does, early: early === 1 }, ...buildPredictorChains(given, resolve)];
  }
  if (does === 'predict') return [];
  return does === 'inflate' ? [{ does }, ...buildPredictorChains(given, resolve)] : [{ does }];
}

const [TIFF, FIRST_PNG, LAST_PNG] = [2, 10, 15];
const BYTE_BITS = 8;

function buildPredictorChains(parameters: PdfDict, resolve: ResolveReference): Chain {
  const predictor = readNumber(parameters, '/Predictor', 1, resolve);
  const isPng = predictor >= FIRST_PNG && predictor <= LAST_PNG;
  if (predictor !== TIFF && !isPng) return []; // Nothing is predicted, or the reader gives the stream up.
  const [colors, bits, columns] = [
    readNumber(parameters, '/Colors', 1, resolve),
    readNumber(parameters, parameters.has('/BPC') ? '/BPC' : '/BitsPerComponent', BYTE_BITS, resolve),
    readNumber(parameters, '/Columns', 1, resolve),
  ];
  const rowBytes = Math.ceil((columns * colors * bits) / BYTE_BITS);
  const pixelBytes = Math.ceil((colors * bits) / BYTE_BITS);
  // Text has no bits of pixels.
  const isFit = [colors, bits, columns].every((number) => Number.isInteger(number) && number > 0);
  if (!isFit || rowBytes > MAX_ROW_BYTES || (predictor === TIFF && bits !== BYTE_BITS)) throw new Unjudged();
  return [{ does: 'predict', predictor: { kind: isPng ? 'png' : 'tiff', rowBytes, pixelBytes } }];
}

/** A number, as readers take it: theirs where there is none, or it is 0. */
function readNumber(dict: PdfDict, key: string, usual: number, resolve: ResolveReference): number {
  if (!dict.has(key)) return usual;
  const found = new Set(resolveAll(dict.get(key) ?? null, resolve));
  const [value] = found;
  if (found.size !== 1 || typeof value !== 'number') throw new Unjudged();
  return value === 0 && key !== '/EarlyChange' ? usual : value;
}
