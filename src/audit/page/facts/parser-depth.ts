import { Parser } from 'htmlparser2';

/**
 * Keeps the parser's own stack as short as `depth()`, the caller's mirror of it: its work per tag grows with the depth,
 * so a page of a million open tags would take hours. An element beyond `max` is a void one to the parser while it
 * opens, and so never pushed; the caller must not push it either.
 */
export function capDepth(parser: Parser, max: number, depth: () => number): void {
  let opening = false;
  const openTag = Parser.prototype['emitOpenTag'];
  Object.assign(parser, {
    isVoidElement: (name: string) => isVoidElement(parser, name) || (opening && depth() >= max),
    emitOpenTag(name: string) {
      opening = true;
      openTag.call(parser, name);
      opening = false;
    },
  });
}

/** Whether the parser takes an element for a void one (`br`, `img`), whatever the depth. */
export const isVoidElement = (parser: Parser, name: string): boolean =>
  Parser.prototype['isVoidElement'].call(parser, name);

/**
 * Keeps the attributes of one element to `max`: a tag may hold a million of them. `onMore` is called for each that is left out.
 */
export function capAttributes(parser: Parser, max: number, onMore: () => void): void {
  const end = Parser.prototype['onattribend'];
  let held: unknown;
  let count = 0;
  Object.assign(parser, {
    onattribend(...args: Parameters<typeof end>) {
      const attributes = parser['attribs'];
      if (attributes !== held) {
        held = attributes;
        count = 0;
      }
      count += 1;
      if (count <= max) return end.apply(parser, args);
      onMore();
      parser['attribvalue'] = '';
    },
  });
}
