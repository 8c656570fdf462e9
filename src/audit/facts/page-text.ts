/** Ends a block: becomes a line break in the visible text. U+2029 is white space, so that single-line text loses it. */
const BLOCK_END = '\u2029';

/**
 * The page's text in document order, as the pieces the parser handed out. A capture is a start index into it, so
 * that nested elements share the pieces instead of copying them.
 */
export type TextStream = {
  pieces: string[];
  shown: boolean[];
  /** Whether a piece is main content by its landmark. */
  content: boolean[];
  /** Visible and hidden characters so far, white space at the ends of pieces not counted. */
  shownChars: number;
  hiddenChars: number;
  nosnippetChars: number;
};

export const newTextStream = (): TextStream => ({
  pieces: [],
  shown: [],
  content: [],
  shownChars: 0,
  hiddenChars: 0,
  nosnippetChars: 0,
});

export function addText(
  stream: TextStream,
  text: string,
  how: { shown: boolean; content: boolean; nosnippet: boolean },
): void {
  stream.pieces.push(text);
  stream.shown.push(how.shown);
  stream.content.push(how.content);
  const chars = text.trim().length;
  if (!how.shown) {
    stream.hiddenChars += chars;
    return;
  }
  stream.shownChars += chars;
  if (how.nosnippet) stream.nosnippetChars += chars;
}

export function endBlock(stream: TextStream): void {
  if (stream.pieces.at(-1) === BLOCK_END) return;
  stream.pieces.push(BLOCK_END);
  stream.shown.push(true);
  stream.content.push(true);
}

/** Raw text from piece `from` to piece `to`, at most `chars` characters; hidden pieces only when `withHidden`, other than main content not when `contentOnly`. */
export function textBetween(
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
