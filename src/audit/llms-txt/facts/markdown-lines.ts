/** One line of a Markdown text; `number` is 1-based, `code` tells that it belongs to a fenced block, fences included. */
export type Line = { text: string; number: number; code: boolean };

/** Lines that front matter may have; a longer opening block is text. */
const FRONT_MATTER_LINES = 200;

/**
 * Marks the lines of fenced code blocks (CommonMark 4.5). `leftOpen` is the number of the line that opens a fence which
 * never closes: all that follows is code to a reader.
 */
export function readFences(texts: readonly string[]): { lines: readonly Line[]; leftOpen: number | undefined } {
  let fence = '';
  let opened = 0;
  const lines = texts.map((text, index) => {
    const marker = /^ {0,3}(`{3,}|~{3,})/u.exec(text)?.[1] ?? '';
    const closes = fence !== '' && marker.startsWith(fence) && text.trim() === marker;
    const opens =
      fence === '' && marker !== '' && !(marker.startsWith('`') && text.trim().slice(marker.length).includes('`'));
    const code = fence !== '' || opens;
    if (opens) opened = index + 1;
    if (closes) fence = '';
    else if (opens) fence = marker;
    return { text, number: index + 1, code };
  });
  return { lines, leftOpen: fence === '' ? undefined : opened };
}

/** Parts a file into the YAML block that opens it, delimiters left out, and the rest; a block that never closes is text. */
export function splitFrontMatter(lines: readonly Line[]): { matter: readonly Line[]; rest: readonly Line[] } {
  if (lines[0]?.text.trimEnd() !== '---') return { matter: [], rest: lines };
  const end = lines.slice(1, FRONT_MATTER_LINES).findIndex(({ text }) => /^(?:---|\.\.\.)\s*$/u.test(text));
  return end === -1 ? { matter: [], rest: lines } : { matter: lines.slice(1, end + 1), rest: lines.slice(end + 2) };
}

/** An ATX heading outside code, as a list of none or one; `line` is 1-based. */
export function readHeading({ text, number, code }: Line): { level: number; text: string; line: number }[] {
  const marks = code ? undefined : /^ {0,3}(#{1,6})(?=[ \t]|$)/u.exec(text);
  if (!marks?.[1]) return [];
  const title = text.slice(marks[0].length).trim();
  return [{ level: marks[1].length, text: withoutClosingMarks(title), line: number }];
}

function withoutClosingMarks(title: string): string {
  let end = title.length;
  while (title[end - 1] === '#') end -= 1;
  return end === 0 || title[end - 1] === ' ' ? title.slice(0, end).trim() : title;
}
