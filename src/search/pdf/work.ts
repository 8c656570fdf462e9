import { sum } from '../../lib/numbers.ts';
import { isArray, isDict, isRef, type PdfDict, type PdfValue } from './objects.ts';
import type { StreamWork } from './operators.ts';

/** Price of all operators that the pages of one file draw, each as often as it is drawn (`workOf`): 625,000 that show text. */
export const MAX_PRICE = 2_500_000;
/** Bytes of the same: a form that many pages share counts at each. */
export const MAX_DRAWN_BYTES = 8 * 1024 * 1024;
/** Saved states at once: a reader goes through all of them for each operator. Honest files have about ten. */
export const MAX_SAVED = 1_000;
/** Forms within forms, and nodes above a page. */
const MAX_DEPTH = 20;
/** Arrays within arrays of contents. */
const MAX_ARRAYS = 4;
/** Codes that the character maps of all fonts map one by one: sixteen fonts with each code of two bytes. */
export const MAX_MAPPED_CODES = 16 * 65_536;
/** Bytes of a row that a predictor or a fax decoder holds at once, whatever data there is: 65,000 pixels of four colours. */
export const MAX_ROW_BYTES = 256 * 1024;
/** Pages of a file that are read; one that is named twice may be all of them. */
export const MAX_PDF_PAGES = 200;

/** All texts of each object of a file: which of them a reader takes is not known. */
export type PdfFile = {
  values: ReadonlyMap<number, readonly PdfValue[]>;
  streams: ReadonlyMap<number, readonly DrawnStream[]>;
};
/** `codes`: what it maps one by one when it is read as a character map (pdf-cmaps.ts). */
export type DrawnStream = { dict: PdfDict; work: StreamWork; codes: number };

type Cost = { price: number; bytes: number; deepest: number; saved: number };
const NOTHING: Cost = { price: 0, bytes: 0, deepest: 0, saved: 0 };
const ENDLESS: Cost = { price: Infinity, bytes: Infinity, deepest: Infinity, saved: Infinity };

/**
 * Whether reading the pages of a file is more work than it may be. Streams count once for each time that a page names them,
 * and forms once for each time that they are drawn; where an object has several texts, the costliest counts. Forms that draw
 * themselves are endless.
 */
export function isTooMuchWork(file: PdfFile): boolean {
  const judge = new Judge(file);
  const often = judge.isTreeRepeated() ? MAX_PDF_PAGES : 1;
  const costs: Cost[] = [];
  let codes = 0;
  for (const dict of judge.dicts()) {
    codes += judge.mappedCodes(dict);
    if (codes > MAX_MAPPED_CODES || judge.rowBytes(dict) > MAX_ROW_BYTES) return true;
    if (dict.has('/Contents')) costs.push(judge.page(dict));
    const glyphs = dict.get('/CharProcs');
    if (glyphs !== undefined) costs.push(judge.glyphs(dict, glyphs));
    if (judge.isOver) return true;
  }
  const worst = costs.toSorted((a, b) => b.price - a.price).slice(0, MAX_PDF_PAGES);
  const price = often * sum(worst.map((cost) => cost.price));
  const bytes =
    often *
    sum(
      costs
        .map((cost) => cost.bytes)
        .toSorted((a, b) => b - a)
        .slice(0, MAX_PDF_PAGES),
    );
  return price > MAX_PRICE || bytes > MAX_DRAWN_BYTES || costs.some(({ deepest }) => deepest > MAX_SAVED);
}

/** Steps of one judgement: names that are looked up, and streams that are added. */
const MAX_LOOKUPS = 500_000;

class Judge {
  readonly #file: PdfFile;
  /** What forms with resources of their own cost, by their numbers; undefined while they are counted. */
  readonly #forms = new Map<number, Cost | undefined>();
  #lookups = 0;

  constructor(file: PdfFile) {
    this.#file = file;
  }

  get isOver(): boolean {
    return this.#lookups > MAX_LOOKUPS;
  }

  /** All dictionaries of the file, those within others as well. */
  *dicts(): Generator<PdfDict> {
    for (const values of this.#file.values.values()) for (const value of values) yield* listDictionaries(value);
  }

  /**
   * A page or node is named more than once: the tree of pages may be any number of pages. A file that was saved again has its
   * nodes once more, each with another text: these name the same pages, and a reader takes one of them.
   */
  isTreeRepeated(): boolean {
    const namedBy = new Map<number, number>();
    for (const [number, values] of this.#file.values)
      for (const value of values) {
        const named = new Set<number>();
        for (const kid of this.#kidsIn(value)) {
          if (named.has(kid) || (namedBy.get(kid) ?? number) !== number) return true;
          named.add(kid);
          namedBy.set(kid, number);
        }
      }
    return false;
  }

  /** Pages and nodes that a node names, as often as it does. */
  *#kidsIn(value: PdfValue): Generator<number> {
    for (const dict of listDictionaries(value))
      for (const kids of this.#resolved(dict.get('/Kids')))
        if (isArray(kids)) for (const kid of kids) if (isRef(kid)) yield kid.ref;
  }

  /** A page: all its streams one after the other, in one state. */
  page(page: PdfDict): Cost {
    const resources = this.#inherited(page, 0);
    let total = NOTHING;
    let isOpen = false;
    for (const ref of this.#contents(page.get('/Contents'), 0)) {
      if (isOpen) return ENDLESS; // Readers put the streams of a page together: what was open in one goes on in the next.
      total = addCosts(total, this.#stream(ref, resources, 0));
      isOpen = (this.#file.streams.get(ref) ?? []).some(({ work }) => work.isOpen);
    }
    return total;
  }

  /** Codes that a font maps before its first character is read, once for each map that it names. */
  mappedCodes(font: PdfDict): number {
    const maps = ['/ToUnicode', '/Encoding'].map((key) => font.get(key)).filter(isRef);
    return sum(maps.map(({ ref }) => this.#codesOf(ref, 0)));
  }

  #codesOf(number: number, depth: number): number {
    this.#lookups += 1;
    if (depth > MAX_ARRAYS || this.isOver) return 0;
    const own = sum((this.#file.streams.get(number) ?? []).map(({ codes }) => codes));
    const named = (this.#file.values.get(number) ?? []).filter(isRef);
    return own + sum(named.map(({ ref }) => this.#codesOf(ref, depth + 1)));
  }

  /** Bytes of a row in the parameters of a decoder; 0 for any other dictionary. */
  rowBytes(parameters: PdfDict): number {
    if (!parameters.has('/Columns')) return 0;
    const largest = (key: string, usual: number): number =>
      Math.max(usual, ...this.#resolved(parameters.get(key)).map((value) => (typeof value === 'number' ? value : 0)));
    return (
      (largest('/Columns', 1) * largest('/Colors', 1) * Math.max(largest('/BPC', 8), largest('/BitsPerComponent', 8))) /
      8
    );
  }

  /** The glyphs of a font that draws them, each once. */
  glyphs(font: PdfDict, glyphs: PdfValue): Cost {
    const resources = this.#resolved(font.get('/Resources'));
    let total = NOTHING;
    for (const procs of this.#resolved(glyphs)) {
      if (!isDict(procs)) continue;
      for (const proc of procs.values()) {
        if (!isRef(proc)) continue;
        const isDrawing = (this.#file.streams.get(proc.ref) ?? []).some(({ work }) => work.draws.size > 0);
        if (isDrawing && resources.length === 0) return ENDLESS; // It draws what any page calls so.
        total = addParallelCosts(total, this.#stream(proc.ref, resources, 1));
      }
    }
    return total;
  }

  /** Numbers of streams, each as often as it is named. */
  *#contents(value: PdfValue | undefined, depth: number): Generator<number> {
    this.#lookups += 1;
    if (depth > MAX_ARRAYS || this.isOver) return;
    if (isArray(value)) for (const part of value) yield* this.#contents(part, depth + 1);
    if (!isRef(value)) return;
    if (this.#file.streams.has(value.ref)) yield value.ref;
    for (const named of this.#file.values.get(value.ref) ?? [])
      if (isArray(named) || isRef(named)) yield* this.#contents(named, depth + 1);
  }

  #stream(number: number, resources: readonly PdfValue[], depth: number): Cost {
    this.#lookups += 1;
    if (depth > MAX_DEPTH) return ENDLESS;
    if (this.isOver) return NOTHING;
    let worst = NOTHING;
    for (const { dict, work } of this.#file.streams.get(number) ?? []) {
      const own = this.#resolved(dict.get('/Resources'));
      const isCertain = depth > 0 && own.length > 0 && own.every(isDict); // To a page's own streams, readers give both.
      worst = getLargerCost(worst, this.#drawn(work, isCertain ? own : [...own, ...resources], depth));
    }
    return worst;
  }

  #drawn({ bytes, price, deepest, saved, draws }: StreamWork, resources: readonly PdfValue[], depth: number): Cost {
    const total = { bytes, price, deepest, saved };
    for (const [name, times] of draws) {
      const form = this.#named(name, resources, depth + 1);
      total.price += times * form.price;
      total.bytes += times * form.bytes;
      total.deepest = Math.max(total.deepest, deepest + 1 + form.deepest);
    }
    return total;
  }

  /** The costliest form of a name. Pictures cost nothing: they are blank. */
  #named(name: string, resources: readonly PdfValue[], depth: number): Cost {
    let worst = NOTHING;
    for (const resource of resources) {
      if (!isDict(resource)) continue;
      for (const forms of this.#resolved(resource.get('/XObject'))) {
        const form = isDict(forms) ? forms.get(name) : undefined;
        if (isRef(form)) worst = getLargerCost(worst, this.#form(form.ref, resources, depth));
      }
    }
    return worst;
  }

  #form(number: number, resources: readonly PdfValue[], depth: number): Cost {
    if (this.#forms.has(number)) return this.#forms.get(number) ?? ENDLESS;
    this.#forms.set(number, undefined);
    const cost = this.#stream(number, resources, depth);
    const hasOwn = (this.#file.streams.get(number) ?? []).every(({ dict }) => dict.has('/Resources') || isPlain(dict));
    if (hasOwn) this.#forms.set(number, cost);
    else this.#forms.delete(number); // The next stream that draws it may have others.
    return cost;
  }

  /** Resources of a page: its own, and those of the nodes above, for readers put them together. */
  #inherited(node: PdfDict, depth: number): readonly PdfValue[] {
    this.#lookups += 1;
    const own = this.#resolved(node.get('/Resources'));
    if (depth > MAX_DEPTH || this.isOver) return own;
    const above = this.#resolved(node.get('/Parent')).filter(isDict);
    return [...own, ...above.flatMap((parent) => this.#inherited(parent, depth + 1))];
  }

  /** What a value may be where it names an object. */
  #resolved(value: PdfValue | undefined): readonly PdfValue[] {
    this.#lookups += 1;
    if (value === undefined) return [];
    return isRef(value) ? (this.#file.values.get(value.ref) ?? []) : [value];
  }
}

const isPlain = (dict: PdfDict): boolean => dict.get('/Subtype') === '/Image';

function* listDictionaries(value: PdfValue): Generator<PdfDict> {
  if (isDict(value)) {
    yield value;
    for (const part of value.values()) yield* listDictionaries(part);
  } else if (isArray(value)) for (const part of value) yield* listDictionaries(part);
}

/** One after the other in the same state. */
const addCosts = (one: Cost, next: Cost): Cost => ({
  price: one.price + next.price,
  bytes: one.bytes + next.bytes,
  deepest: Math.max(one.deepest, one.saved + next.deepest),
  saved: one.saved + next.saved,
});
const addParallelCosts = (one: Cost, next: Cost): Cost => ({
  ...addCosts(one, next),
  deepest: Math.max(one.deepest, next.deepest),
  saved: 0,
});
const getLargerCost = (one: Cost, other: Cost): Cost => ({
  price: Math.max(one.price, other.price),
  bytes: Math.max(one.bytes, other.bytes),
  deepest: Math.max(one.deepest, other.deepest),
  saved: Math.max(one.saved, other.saved),
});
