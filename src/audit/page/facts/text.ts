/** Ends a block: becomes a line break in the visible text. U+2029 is white space, so that single-line text loses it. */
const BLOCK_END = '\u2029';

/** Where a browser may break a word: no letter of it, so that a word that has some is one word. */
const SOFT_HYPHEN = '\u00AD';

/** Parts of one text node that are joined at once. */
const MAX_PARTS = 4_096;

/**
 * The page's text in document order, a piece for each text node. A capture is a start index into it, so that nested
 * elements share the pieces instead of copying them.
 */
export type TextStream = {
  pieces: string[];
  /** What the parser has handed out of the text node that is open: it ends a part at each `<` and each entity. */
  parts: string[];
  shown: boolean[];
  /** Whether a piece is main content by its landmark. */
  content: boolean[];
  /** The content block that a piece is in, -1 for none. */
  block: number[];
  /** Visible and hidden characters so far, white space at the ends of parts not counted. */
  shownChars: number;
  hiddenChars: number;
  nosnippetChars: number;
};

export const createTextStream = (): TextStream => ({
  pieces: [],
  parts: [],
  shown: [],
  content: [],
  block: [],
  shownChars: 0,
  hiddenChars: 0,
  nosnippetChars: 0,
});

/** Adds a part of a text node; `endText` makes a piece of its parts. */
export function addText(
  stream: TextStream,
  text: string,
  how: { shown: boolean; block: number; nosnippet: boolean },
): void {
  if (stream.parts.length === 0) {
    stream.shown.push(how.shown);
    stream.content.push(false);
    stream.block.push(how.block);
  }
  stream.parts.push(text);
  if (stream.parts.length === MAX_PARTS) endText(stream);
  const chars = text.trim().length;
  if (!how.shown) {
    stream.hiddenChars += chars;
    return;
  }
  stream.shownChars += chars;
  if (how.nosnippet) stream.nosnippetChars += chars;
}

/** Ends the open text node, if there is one. Call it at each tag, before anything is captured. */
export function endText(stream: TextStream): void {
  const { parts } = stream;
  if (parts.length === 0) return;
  const text = parts.length === 1 ? (parts[0] ?? '') : parts.join('');
  stream.pieces.push(text.includes(SOFT_HYPHEN) ? text.replaceAll(SOFT_HYPHEN, '') : text);
  parts.length = 0;
}

export function endBlock(stream: TextStream): void {
  if (stream.pieces.at(-1) === BLOCK_END) return;
  stream.pieces.push(BLOCK_END);
  stream.shown.push(true);
  stream.content.push(true);
  stream.block.push(-1);
}

/** Raw text from piece `from` to piece `to`, at most `chars` characters; hidden pieces only when `withHidden`, other than main content not when `contentOnly`. */
export function extractTextBetween(
  stream: TextStream,
  from: number,
  to: number,
  options: { chars: number; withHidden: boolean; contentOnly?: boolean },
): string {
  const parts: string[] = [];
  let left = options.chars;
  for (let index = from; index < to && left > 0; index += 1) {
    if (!options.withHidden && stream.shown[index] === false) continue;
    if (options.contentOnly === true && stream.content[index] === false) continue;
    const piece = (stream.pieces[index] ?? '').slice(0, left);
    parts.push(piece);
    left -= piece.length;
  }
  return parts.join('');
}

/** Visible text with one line per block and single spaces inside a line. */
export function asLines(raw: string): string {
  return raw
    .replace(/ [^\S\u2029]+|[^\S\u2029 ][^\S\u2029]*/g, ' ')
    .replace(/ ?\u2029[\u2029 ]*/g, '\n')
    .trim();
}
