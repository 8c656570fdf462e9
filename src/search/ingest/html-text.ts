import { Parser } from 'htmlparser2';
import { findHiddenReason } from '../../audit/page/facts/hidden.ts';
import { cutPage } from '../../audit/reach/facts/html-page.ts';
import { PAGE_LIMITS } from '../../audit/page/facts/page-facts.ts';
import { capAttributes, capDepth, isVoidElement } from '../../audit/page/facts/parser-depth.ts';
import { toOneLine } from '../../audit/language/words.ts';
import { type MarkdownBlock, createMarkdownWriter, type Writer } from './html-blocks.ts';

/** Elements nested deeper are read as part of the one around them. */
const MAX_DEPTH = 512;
/** Parts of one text that are joined at once. */
const MAX_PARTS = 4096;

/** Elements whose content is no text of the page. */
const INERT = new Set(
  (
    'audio button canvas datalist iframe map noembed noframes noscript object script select style svg template textarea title ' +
    'video'
  ).split(' '),
);
const SECTIONING = new Set(['article', 'aside', 'main', 'nav', 'section']);
const ROLES: ReadonlyMap<string, Region> = new Map([
  ['main', 'main'],
  ['navigation', 'around'],
  ['banner', 'around'],
  ['contentinfo', 'around'],
  ['complementary', 'around'],
  ['search', 'around'],
]);
const AROUND = new Set(['nav', 'aside', 'search', 'header', 'footer']);

/** `around`: navigation, and header and footer of the page. Those of an article belong to it. */
type Region = 'main' | 'around' | 'none';

type Frame = { name: string; isOff: boolean; region: Region; isSectioned: boolean; isContent: boolean };

/**
 * The main content of a page as Markdown, and its title. Main content is what `main` or `article` contains, or, where
 * there is no such text, all but navigation, header, footer and asides. Hidden elements, scripts, forms' controls and
 * pictures are left out, and of links only their text stays. Linear; anything is HTML to it. It ends where a page of an
 * audit ends: at its tag 400,000 or its element 200,000, with 1,000 attributes of an element (B4).
 */
export function convertHtmlToMarkdown(html: string): { text: string; title: string } {
  const stack: Frame[] = [];
  const writer = createMarkdownWriter();
  let title: string | undefined;
  let isTitle = false;
  let isIgnored = false;
  let elements = 0;
  const isFull = (): boolean => elements > PAGE_LIMITS.elements;
  // The parser ends a part of a text at each `<` and each entity: they are one text to the writer.
  const parts: string[] = [];
  const endText = (): void => {
    if (parts.length === 0) return;
    writer.text(parts.join(''));
    parts.length = 0;
  };
  const isVoid = (name: string): boolean => isVoidElement(parser, name);
  const parser: Parser = new Parser({
    onopentagname(name) {
      elements += 1;
      isIgnored = isFull() || (stack.length >= MAX_DEPTH && !isVoid(name));
      endText();
    },
    onopentag(name, attributes) {
      if (isIgnored) return;
      const frame = openFrame(name, attributes, stack.at(-1));
      isTitle = name === 'title' && title === undefined && !stack.some((outer) => outer.name === 'svg');
      if (isTitle) title = '';
      if (!frame.isOff) writer.open(name, attributes, classifyBlock(frame));
      if (!isVoid(name)) stack.push(frame);
    },
    ontext(text) {
      const frame = stack.at(-1);
      if (isTitle) title = (title ?? '') + text;
      else if (frame?.isOff !== true) {
        parts.push(text);
        if (parts.length === MAX_PARTS) endText();
      }
    },
    onclosetag(name) {
      endText();
      if (isVoid(name)) return;
      isTitle = false;
      const frame = stack.pop();
      const outer = stack.at(-1);
      if (frame && !frame.isOff) writer.close(frame.name, outer ? classifyBlock(outer) : 'other');
    },
  });
  // It is asked before `onopentagname` has counted the element.
  capDepth(parser, MAX_DEPTH, () => (elements >= PAGE_LIMITS.elements ? MAX_DEPTH : stack.length));
  capAttributes(parser, PAGE_LIMITS.attributes, () => undefined);
  parser.end(cutPage(html) ?? html);
  endText();
  return finish(writer, toOneLine(title ?? ''));
}

function openFrame(name: string, attributes: Readonly<Record<string, string>>, outer: Frame | undefined): Frame {
  const role = (attributes['role'] ?? '').slice(0, 100).trim().toLowerCase().split(/\s/)[0] ?? '';
  const hidden = findHiddenReason(attributes);
  const region = classifyRegion(name, role, outer);
  return {
    name,
    isOff: outer?.isOff === true || INERT.has(name) || (hidden !== undefined && hidden !== 'aria-hidden'),
    region,
    isSectioned: outer?.isSectioned === true || SECTIONING.has(name),
    isContent: outer?.isContent === true || name === 'article' || role === 'article' || region === 'main',
  };
}

function classifyRegion(name: string, role: string, outer: Frame | undefined): Region {
  const inherited = outer?.region ?? 'none';
  const byRole = ROLES.get(role);
  if (byRole !== undefined) return byRole;
  if (name === 'main') return 'main';
  const isPageFrame = name !== 'header' && name !== 'footer';
  return AROUND.has(name) && (isPageFrame || outer?.isSectioned !== true) ? 'around' : inherited;
}

const classifyBlock = ({ region, isContent }: Frame): MarkdownBlock['mark'] => {
  if (region === 'around') return 'around';
  return isContent ? 'content' : 'other';
};

function finish(writer: Writer, title: string): { text: string; title: string } {
  const blocks = writer.end();
  const content = blocks.filter(({ mark }) => mark === 'content');
  const kept = content.length > 0 ? content : blocks.filter(({ mark }) => mark !== 'around');
  const text = kept.map(({ text: one, isTight }) => `${isTight ? '' : '\n'}${one}\n`).join('');
  const heading = kept.find(({ level }) => level === 1)?.text.slice(2) ?? '';
  return { text: text.trimStart(), title: title === '' ? heading : title };
}
