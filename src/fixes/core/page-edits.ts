import type { RewriterElement } from '../files/html-rewriter.ts';
import type { FixContext, PageSource } from './fix-context.ts';
import type { JsonLdModel } from './json-ld-model.ts';
import { markSlots } from './slot-answers.ts';

/**
 * Where lines for the head can go. `head`: the element has both of its tags; `open` is what follows `<head>`, `close`
 * the indentation of `</head>`, `unit` one step more. `before`: the head has no tags of its own, which a page may leave
 * out (HTML, 13.1.2.4), and a new one goes before the first element that belongs to it or follows it.
 */
export type HeadPlace =
  | { kind: 'head'; open: string; close: string; unit: string }
  | { kind: 'before'; selector: string }
  | { kind: 'none' };

/** Elements that show where the head is, in the order in which a page has them as a rule. */
const NEIGHBOURS = [
  ['title', /<title[\s>]/i],
  ['meta', /<meta[\s>]/i],
  ['link', /<link[\s>]/i],
  ['body', /<body[\s>]/i],
] as const;

/** Finds the place by the tags of the page; `none` when it has not one of them. */
export function findHeadPlace(html: string): HeadPlace {
  const open = /<head(?:\s[^<>]{0,2000})?>(\s{0,200})/i.exec(html);
  const close = /(\n[ \t]{0,80})?<\/head\s{0,9}>/i.exec(html);
  if (open && close && close.index >= open.index) {
    const indent = (close[1] ?? '\n').slice(1);
    const inner = /\n([ \t]{0,80})$/.exec(open[1] ?? '')?.[1] ?? indent;
    const unit = inner.startsWith(indent) ? inner.slice(indent.length) : '';
    return { kind: 'head', open: open[1]?.includes('\n') === true ? `\n${inner}` : '', close: indent, unit };
  }
  const found = NEIGHBOURS.flatMap(([selector, tag]) => {
    const at = tag.exec(html)?.index;
    return at === undefined ? [] : [{ selector, at }];
  });
  const [first] = found.toSorted((a, b) => a.at - b.at);
  return first ? { kind: 'before', selector: first.selector } : { kind: 'none' };
}

/** The lines, each with `indent` before all but the first, and a line end after each. */
export const joinHeadLines = (lines: readonly HeadLine[], indent: string): string =>
  `${lines.map(({ html }) => html).join(`\n${indent.replace(/^\n/, '')}`)}\n`;

/** A head for a page that shows no place for one: after its doctype and its `html` tag, where it has them. */
export function withHead(html: string, lines: readonly HeadLine[]): string {
  const lead =
    /^\s{0,200}(?:<!doctype[^<>]{0,500}>\s{0,200})?(?:<html(?:\s[^<>]{0,2000})?>\s{0,200})?/i.exec(html)?.[0] ?? '';
  return `${lead}<head>\n${joinHeadLines(lines, '')}</head>\n${html.slice(lead.length)}`;
}

/**
 * A change to every element that `selector` finds in the rendered page (not inside `template` or `svg`, which the page
 * facts leave out as well). `index` counts those elements from 0, in the order of the page facts.
 */
export type ElementEdit = { selector: string; edit: (element: RewriterElement, index: number) => void };

/** An element for the head. Of two with one key the first counts. `first`: right after `<head>`, for the charset. */
export type HeadLine = { key: string; html: string; first?: true };

/** What one fix changes in the page. Several of them can be made in one pass. */
export type PageEdits = {
  head?: readonly HeadLine[];
  elements?: readonly ElementEdit[];
  /** Changes the structured data in place: its blocks are written again, new nodes become one block more. */
  jsonLd?: (model: JsonLdModel) => void;
  /** A change of characters, wherever they are. Keeps every tag. */
  text?: (html: string) => string;
};

/** Decides what to change, from the facts of the page; `undefined` where a machine cannot know. */
export type PageEdit = (fixing: FixContext) => PageEdits | undefined;

/** The edits of several fixes, made in the given order. */
export const joinEdits = (all: readonly PageEdits[]): PageEdits => ({
  head: all.flatMap(({ head }) => head ?? []),
  elements: all.flatMap(({ elements }) => elements ?? []),
  jsonLd: (model) => {
    for (const { jsonLd } of all) jsonLd?.(model);
  },
  text: (html) => all.reduce((done, { text }) => text?.(done) ?? done, html),
});

/** The same edits, whose slots say which check asks for them. */
export function markEdits(edits: PageEdits, check: string): PageEdits {
  const { head, elements, jsonLd } = edits;
  const tag = (text: string): string => markSlots(text, check);
  return {
    ...edits,
    ...(head && { head: head.map((line) => ({ ...line, html: tag(line.html) })) }),
    ...(elements && {
      elements: elements.map(({ selector, edit }) => ({
        selector,
        edit: (element: RewriterElement, index: number) => edit(markElement(element, tag), index),
      })),
    }),
    ...(jsonLd && {
      jsonLd(model: JsonLdModel) {
        jsonLd(model);
        for (const { changed, value } of model.blocks) if (changed) markTexts(value, tag, 0);
        for (const node of model.added) markTexts(node, tag, 0);
      },
    }),
  };
}

function markElement(element: RewriterElement, tag: (text: string) => string): RewriterElement {
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
    getAttribute: (name) => element.getAttribute(name),
    setAttribute: (name, value) => element.setAttribute(name, tag(value)),
    removeAttribute: (name) => element.removeAttribute(name),
    prepend: (content, options) => element.prepend(tag(content), options),
    append: (content, options) => element.append(tag(content), options),
    before: (content, options) => element.before(tag(content), options),
    after: (content, options) => element.after(tag(content), options),
    setInnerContent: (content, options) => element.setInnerContent(tag(content), options),
    remove: () => element.remove(),
  };
}

/** Levels of structured data that are looked at. */
const MAX_DEPTH = 32;

function markTexts(value: unknown, tag: (text: string) => string, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  const members = value as Record<string, unknown>; // Of an array, too: its indexes are keys.
  for (const [key, member] of Object.entries(members))
    if (typeof member === 'string') members[key] = tag(member);
    else markTexts(member, tag, depth + 1);
}

/**
 * Whether every element of these names has an end tag of its own, as far as counting shows. HTML lets many be left out;
 * a rewriter then takes the end tag of the element around for it, and would rename or move that one.
 */
export function hasClosingTags(source: PageSource, names: readonly string[]): boolean {
  if (!source.ok) return true;
  return names.every((name) => {
    const count = (tag: RegExp): number => source.html.match(tag)?.length ?? 0;
    const [open, close] = TAGS[name] ?? [/$^/g, /$^/g];
    return count(open) === count(close);
  });
}

const NAMES = [
  'article',
  'b',
  'div',
  'em',
  'figure',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'i',
  'span',
  'strong',
  'td',
  'title',
] as const;

const TAGS: Readonly<Record<string, readonly [RegExp, RegExp]>> = Object.fromEntries(
  NAMES.map((name) => [name, [new RegExp(`<${name}[\\s/>]`, 'gi'), new RegExp(`</${name}[\\s>]`, 'gi')]]),
);
