import type { RewriterElement } from '../files/html-rewriter.ts';

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
