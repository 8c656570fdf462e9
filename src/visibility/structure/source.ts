/** What is hidden from a reader of the page, and how each ends. Scripts are cut at the `>` of their closing tag. */
const hiddenParts = { '<!--': '-->', '<script': '</script', '<style': '</style' } as const;
type HiddenStart = keyof typeof hiddenParts;

const HIDDEN_START = /<!--|<(?:script|style)(?=[\s/>])/gu;
/** A tag of HTML; an autolink (`<https://...>`) is none. */
const TAG = /<(\/?)([a-z][a-z0-9-]{0,30})(?:[\s/][^<>]{0,300})?>/giu;
const BOLD_TAGS = new Set(['b', 'strong']);
const INLINE_TAGS = new Set([
  'a',
  'abbr',
  'cite',
  'code',
  'em',
  'font',
  'i',
  'kbd',
  'mark',
  'small',
  'span',
  'sub',
  'sup',
  'u',
]);

/** Bullets that Markdown does not know, and keycap digits that represent the numbers of a list. */
const FOREIGN_BULLET = /^([ \t]{0,12})[•●▪◦‣∙○■]\s{0,3}/u;
const KEYCAP_NUMBER = /^([ \t]{0,12})([0-9])\uFE0F?\u20E3[.:)]?\s{0,3}/u;

const HAS_FOREIGN_MARK = /[•●▪◦‣∙○■]|\u20E3/u;

const FENCE = /^[ \t>]{0,40}(?:[-*+] {1,3}|\d{1,3}[.)] {1,3})?(`{3,200}|~{3,200})/u;

/**
 * `markdown` with what no reader sees taken out: HTML comments, scripts, styles and tags (`<b>` becomes bold). Bullets of
 * other kinds become list items, bold that CommonMark would not close for want of a space gets one. Fenced code stays as
 * it is. A comment or script that is never closed is text.
 * Takes any string, in linear time.
 */
export function extractVisibleSource(markdown: string): string {
  const source = unwrapFence(markdown.replaceAll(/\r\n?/gu, '\n').replace(/^\uFEFF/u, ''));
  const hide = source.includes('<') ? createHider(source) : HIDES_NOTHING;
  const hasFences = source.includes('```') || source.includes('~~~');
  let fence: string | undefined;
  let start = 0;
  const lines: string[] = [];
  for (const line of source.split('\n')) {
    const mark = hasFences ? FENCE.exec(line) : null;
    const from = start;
    start += line.length + 1;
    if (fence !== undefined || (mark !== null && !hide.isHiding())) {
      fence = findOpenFence(fence, mark?.[1] ?? '', line.slice(mark?.[0].length));
      lines.push(line);
      continue;
    }
    lines.push(truncateLongLine(hide.visibleIn(line, from)));
  }
  return lines.join('\n');
}

/** The fence that is open after a line: a closing fence is as long as the opening one and has no info string. */
function findOpenFence(open: string | undefined, marks: string, info: string): string | undefined {
  if (open === undefined) return info.includes('`') ? undefined : marks;
  return marks.startsWith(open) && info.trim() === '' ? undefined : open;
}

/** Some models put the whole answer into one fence of Markdown: what is inside is the answer. */
function unwrapFence(source: string): string {
  const trimmed = source.trim();
  const opening = /^```(?:markdown|md)[ \t]{0,9}\n/u.exec(trimmed);
  if (opening === null || !trimmed.endsWith('\n```')) return source;
  const inside = trimmed.slice(opening[0].length, -4);
  return inside.includes('```') ? source : inside;
}

type Hider = { isHiding: () => boolean; visibleIn: (line: string, from: number) => string };

/** Of a source without a tag. */
const HIDES_NOTHING: Hider = { isHiding: () => false, visibleIn: (line) => line };

/** Cuts hidden parts out of the lines of a source, given one after the other. */
function createHider(source: string): Hider {
  const lower = source.replaceAll(/[A-Z]+/gu, (letters) => letters.toLowerCase());
  let until: string | undefined;
  // A start without an end after it hides nothing; knowing the last ends keeps the search linear.
  const lastEnds = new Map<string, number>(
    Object.values(hiddenParts).map((end) => [end, lower.lastIndexOf(end)] as const),
  );
  const visibleIn = (line: string, from: number): string => {
    const low = lower.slice(from, from + line.length);
    let shown = '';
    let at = 0;
    while (at < line.length) {
      if (until !== undefined) {
        const end = low.indexOf(until, at);
        if (end === -1) return shown;
        at = until === '-->' ? end + until.length : findTagEnd(low, end);
        until = undefined;
        continue;
      }
      HIDDEN_START.lastIndex = at;
      const match = HIDDEN_START.exec(low);
      if (match === null) return shown + line.slice(at);
      const ending = hiddenParts[match[0] as HiddenStart];
      const hides = (lastEnds.get(ending) ?? -1) > from + match.index;
      shown += line.slice(at, hides ? match.index : HIDDEN_START.lastIndex);
      at = HIDDEN_START.lastIndex;
      if (hides) until = ending;
    }
    return shown;
  };
  return { isHiding: () => until !== undefined, visibleIn };
}

function findTagEnd(line: string, at: number): number {
  const end = line.indexOf('>', at);
  return end === -1 ? line.length : end + 1;
}

/** Columns of a table; the reader of Markdown fills every short row up to as many. */
const MAX_COLUMNS = 50;

const isTooWide = (line: string): boolean =>
  line.length > MAX_COLUMNS && /^[|:\-\s]+$/u.test(line) && line.split('|').length - 1 > MAX_COLUMNS;

function truncateLongLine(line: string): string {
  if (isTooWide(line)) return line.replaceAll('|', '\\|');
  const untagged = line.includes('<') ? line.replaceAll(TAG, replaceTag) : line;
  const listed = HAS_FOREIGN_MARK.test(untagged)
    ? untagged.replace(FOREIGN_BULLET, '$1- ').replace(KEYCAP_NUMBER, '$1$2. ')
    : untagged;
  return listed.includes('**') ? spaceBoldMarks(listed) : listed;
}

/** What replaces a tag: bold marks, nothing inside a line, a space where the page breaks. */
function replaceTag(_tag: string, _slash: string, name: string): string {
  const lower = name.toLowerCase();
  if (BOLD_TAGS.has(lower)) return '**';
  return INLINE_TAGS.has(lower) ? '' : ' ';
}

/** Bold marks between a letter and another mark. */
const HAS_ODD_BOLD = /\*\*(?:(?<=[^\p{L}\p{N}\s]\*\*)[\p{L}\p{N}]|(?<=[\p{L}\p{N}]\*\*)[^\p{L}\p{N}\s])/u;

/**
 * `**小米：**性价比` is not bold in CommonMark, as a mark between punctuation and a letter does not close; people see models
 * write it in every language, and their readers see bold. A space outside the marks fixes it.
 * @see https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run
 */
function spaceBoldMarks(line: string): string {
  if (line.includes('***') || !HAS_ODD_BOLD.test(line)) return line;
  const parts = line.split('**');
  return parts
    .map((part, index) => {
      if (index % 2 === 1) return part;
      const before = parts[index - 1] ?? '';
      const after = parts[index + 1] ?? '';
      const left = /[^\p{L}\p{N}\s]$/u.test(before) && /^[\p{L}\p{N}]/u.test(part) ? ' ' : '';
      const right = /^[^\p{L}\p{N}\s]/u.test(after) && /[\p{L}\p{N}]$/u.test(part) ? ' ' : '';
      return left + part + right;
    })
    .join('**');
}
