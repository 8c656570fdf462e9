/** A part of a text, in UTF-16 code units. */
export type Span = { start: number; end: number };

/** How far back from where it must be cut a text is looked at for the end of a word. */
const WORD_REACH = 200;

/**
 * The parts of a section that stay whole, each at most `maxChars` and the white space after it with it: blocks between blank
 * lines; of a larger one its lines; of a larger one its sentences; of a larger one runs of words. Together they are
 * the section.
 */
export function unitsOf(text: string, section: Span, maxChars: number): readonly Span[] {
  return SPLITTERS.reduce<readonly Span[]>(
    (spans, split) =>
      spans.flatMap((span) => (span.end - span.start <= maxChars ? [span] : split(text, span, maxChars))),
    [{ start: section.start, end: section.end }],
  );
}

type Splitter = (text: string, span: Span, maxChars: number) => readonly Span[];

const SPLITTERS: readonly Splitter[] = [
  (text, span) => cutAfter(text, span, /\n(?:[ \t]{0,100}\n){1,100}/g),
  (text, span) => cutAfter(text, span, /\n/g),
  (text, span) => cutAfter(text, span, /[.!?]["'”’)]?\s|[。！？]/gu),
  cutAtWords,
];

function cutAfter(text: string, { start, end }: Span, pattern: RegExp): readonly Span[] {
  const found: Span[] = [];
  let from = start;
  const part = text.slice(start, end);
  for (const match of part.matchAll(pattern)) {
    const to = start + match.index + match[0].length;
    found.push({ start: from, end: to });
    from = to;
  }
  return from < end ? [...found, { start: from, end }] : found;
}

function cutAtWords(text: string, { start, end }: Span, maxChars: number): readonly Span[] {
  const found: Span[] = [];
  for (let from = start; from < end;) {
    const to = end - from <= maxChars ? end : cutBefore(text, from, from + maxChars);
    found.push({ start: from, end: to });
    from = to;
  }
  return found;
}

/** The last place up to `limit` after a space, or else between two characters. */
function cutBefore(text: string, from: number, limit: number): number {
  const least = Math.max(from + 1, limit - WORD_REACH);
  for (let at = limit; at > least; at -= 1) if (/\s/.test(text.charAt(at - 1))) return at;
  const code = text.charCodeAt(limit);
  return code >= 0xdc00 && code <= 0xdfff ? limit - 1 : limit;
}
