import type { NewRewriter, Rewriter, RewriterElement } from '../../../fixes/files/html-rewriter.ts';
import {
  findHeadPlace,
  type HeadLine,
  type HeadPlace,
  joinHeadLines,
  type PageEdits,
  withHead,
} from '../../../fixes/core/page-edits.ts';
import { buildAddedScript, listChangedBlocks, readJsonLdModel } from '../../../fixes/core/json-ld-model.ts';
import type { PageFacts } from '../facts/page-facts.ts';

/** Takes texts into a rewriter and back out of what it wrote. */
export type Crossing = {
  element: (element: RewriterElement) => RewriterElement;
  restore: (html: string) => string;
};

/** Marks that are tried; a page cannot hold all of them without being made for it. */
const MAX_MARKS = 1000;

/**
 * Lets only ASCII cross into the rewriter: other characters go as their code units in hexadecimal between two marks
 * that the page does not hold, and are put back into the output. The Node polyfill (htmlrewriter 0.0.13) was seen to
 * panic on longer strings outside ASCII (401 characters with one "é") and to fail on later pages of the process.
 * @returns undefined for a page that holds every mark: it cannot be carried across.
 */
export function createAsciiCrossing(html: string): Crossing | undefined {
  const marks = Array.from({ length: MAX_MARKS }, (_, index) => `zq${index}u`);
  const mark = marks.find((each) => !html.includes(each));
  if (mark === undefined) return undefined;
  const encode = (text: string): string =>
    text.replaceAll(/[^\0-\x7f]+/g, (run) => mark + run.split('').map(toHexUnit).join('') + mark);
  const decode = (text: string): string =>
    text
      .split(mark)
      .map((part, index) => (index % 2 === 1 ? decodeHexText(part) : part))
      .join('');
  // What is added ends its lines as the page does.
  const lines = html.includes('\r\n')
    ? (text: string): string => text.replaceAll('\n', '\r\n')
    : (text: string) => text;
  return { element: (element) => encodeElement(element, { encode, decode, lines }), restore: decode };
}

const toHexUnit = (unit: string): string => unit.charCodeAt(0).toString(16).padStart(4, '0');
const decodeHexText = (hex: string): string =>
  (hex.match(/[\da-f]{4}/g) ?? []).map((code) => String.fromCharCode(Number.parseInt(code, 16))).join('');

type Recode = (text: string) => string;

function encodeElement(
  element: RewriterElement,
  { encode, decode, lines }: Record<'encode' | 'decode' | 'lines', Recode>,
): RewriterElement {
  const html = (content: string): string => encode(lines(content));
  return {
    get tagName() {
      return element.tagName;
    },
    set tagName(name) {
      element.tagName = name;
    },
    get attributes() {
      return element.attributes;
    },
    getAttribute(name) {
      const value = element.getAttribute(name);
      return value === null ? null : decode(value);
    },
    setAttribute: (name, value) => element.setAttribute(name, encode(value)),
    removeAttribute: (name) => element.removeAttribute(name),
    prepend: (content, options) => element.prepend(html(content), options),
    append: (content, options) => element.append(html(content), options),
    before: (content, options) => element.before(html(content), options),
    after: (content, options) => element.after(html(content), options),
    setInnerContent: (content, options) => element.setInnerContent(html(content), options),
    remove: () => element.remove(),
  };
}

export type Patched = { ok: true; html: string } | { ok: false; why: string };

/** What the head gets and which JSON-LD blocks change: known before any HTML is written. */
export type PlannedEdits = { head: readonly HeadLine[]; blocks: ReadonlyMap<number, string> };

/** Runs the changes of the structured data, and collects what they add to the head. */
export function planEdits(page: PageFacts, edits: PageEdits): PlannedEdits {
  if (!edits.jsonLd) return { head: removeRepeatedLines(edits.head ?? []), blocks: new Map() };
  const model = readJsonLdModel(page);
  edits.jsonLd(model);
  const script = buildAddedScript(model);
  const lines = [...(edits.head ?? []), ...(script === undefined ? [] : [{ key: 'json-ld', html: script }])];
  return { head: removeRepeatedLines(lines), blocks: listChangedBlocks(model) };
}

/**
 * Writes the changed page with HTMLRewriter: everything that no edit names comes through byte for byte. Where the
 * rewriter stops, the answer says so: that is no exception.
 */
export async function patchPage(
  source: { html: string; page: PageFacts },
  edits: PageEdits,
  newRewriter: NewRewriter,
): Promise<Patched> {
  const { head, blocks } = planEdits(source.page, edits);
  const text = edits.text?.(source.html) ?? source.html;
  const place = findHeadPlace(text);
  const html = head.length > 0 && place.kind === 'none' ? withHead(text, head) : text;
  const crossing = createAsciiCrossing(html);
  if (!crossing) return { ok: false, why: 'it holds every marker that carries other characters through a rewriter' };
  const rewriter = newRewriter();
  const bugs: unknown[] = [];
  const on = createHandlerRegistrar(rewriter, crossing, bugs);
  if (head.length > 0) insertHead(on, place, head);
  if (blocks.size > 0) replaceBlocks(on, blocks);
  for (const { selector, edit } of edits.elements ?? []) on(selector, edit);
  try {
    return { ok: true, html: crossing.restore(await rewriter.transform(new Response(html)).text()) };
  } catch {
    // A rewriter also refuses what an edit hands it, such as a hostile name: the page stays as it is, and that is said.
    const why = bugs.length > 0 ? 'one of the changes was refused' : 'an HTML rewriter stops at it';
    return { ok: false, why };
  }
}

function removeRepeatedLines(lines: readonly HeadLine[]): readonly HeadLine[] {
  const byKey = new Map<string, HeadLine>();
  for (const line of lines) if (!byKey.has(line.key)) byKey.set(line.key, line);
  return [...byKey.values()];
}

type On = (selector: string, edit: (element: RewriterElement, index: number) => void) => void;

/** Elements whose content is no part of the rendered page, so that the page facts do not count it. */
const NOT_RENDERED = ['template', 'svg'];

/**
 * Registers handlers that skip the content of `template` and `svg` and count the rest; collects what an edit throws.
 */
function createHandlerRegistrar(rewriter: Rewriter, crossing: Crossing, bugs: unknown[]): On {
  return (selector, edit) => {
    let skipped = false;
    let count = 0;
    for (const outer of NOT_RENDERED) {
      rewriter.on(`${outer} ${selector}`, { element: () => void (skipped = true) });
    }
    rewriter.on(selector, {
      element(element) {
        const passedOver = skipped;
        skipped = false;
        if (passedOver) return;
        try {
          edit(crossing.element(element), count++);
        } catch (error) {
          bugs.push(error);
          throw error;
        }
      },
    });
  };
}

const AS_HTML = { html: true };

function insertHead(on: On, place: HeadPlace, lines: readonly HeadLine[]): void {
  if (place.kind === 'none') return;
  const early = lines.filter(({ first }) => first === true);
  const late = lines.filter(({ first }) => first !== true);
  on(place.kind === 'head' ? 'head' : place.selector, (element, index) => {
    if (index > 0) return;
    if (place.kind === 'before') {
      element.before(`<head>\n${joinHeadLines([...early, ...late], '')}</head>\n`, AS_HTML);
      return;
    }
    if (early.length > 0) element.prepend(`${place.open}${joinHeadLines(early, place.open).trimEnd()}`, AS_HTML);
    if (late.length > 0)
      element.append(`${place.unit}${joinHeadLines(late, place.close + place.unit)}${place.close}`, AS_HTML);
  });
}

/** JSON-LD scripts are counted as the page facts count them. */
function replaceBlocks(on: On, blocks: ReadonlyMap<number, string>): void {
  let index = 0;
  on('script[type]', (element) => {
    if (!/^\s{0,9}application\/ld\+json\s{0,9}(?:;|$)/i.test(element.getAttribute('type') ?? '')) return;
    const content = blocks.get(index);
    index += 1;
    if (content !== undefined) element.setInnerContent(content, AS_HTML);
  });
}
