import { oneLine } from '../../audit/language/words.ts';

/** A part of a text from a heading to the next. Sections follow each other without a gap. */
export type Section = { start: number; end: number; heading: string };

/** Between the parts of a heading's path. */
const BETWEEN = ' > ';
const MAX_HEADING_CHARS = 200;
/** A path is cut here, from its front. */
const MAX_PATH_CHARS = 600;

/**
 * The sections of Markdown, with the path of headings down to each: `Title > Chapter > Part`. Headings are those of `#` and
 * those underlined by `=` or `-`, outside fenced blocks. A heading without text of its own belongs to the section after it.
 */
export function sectionsOf(text: string, title: string): readonly Section[] {
  const found: Section[] = [];
  const path: string[] = [];
  let isBare = true;
  let open: Section = { start: 0, end: 0, heading: pathOf(title, path) };
  for (const line of linesOf(text)) {
    if (line.level === 0) {
      isBare &&= line.isBlank;
    } else {
      if (!isBare) {
        found.push({ ...open, end: line.start });
        open = { ...open, start: line.start };
      }
      path.length = Math.min(path.length, line.level - 1);
      path[line.level - 1] = line.heading;
      open.heading = pathOf(title, path);
      isBare = true;
    }
  }
  return [...found, { ...open, end: text.length }];
}

function pathOf(title: string, path: readonly (string | undefined)[]): string {
  const parts = path.filter((part) => part !== undefined && part !== '');
  const all = title === '' || parts[0] === title ? parts : [title, ...parts];
  return all.join(BETWEEN).slice(-MAX_PATH_CHARS).toWellFormed();
}

/** `level` is 0 for what is no heading; else `heading` is its text. An underline is part of its heading. */
type Line = { start: number; level: number; heading: string; isBlank: boolean };

function* linesOf(text: string): Generator<Line> {
  let fence = '';
  let held: Line | undefined;
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline + 1;
    const line = text.slice(start, end).trimEnd();
    const mark = /^ {0,3}(`{3,1000}|~{3,1000})/.exec(line)?.[1] ?? '';
    const wasFenced = fence !== '';
    if (wasFenced && mark.startsWith(fence)) fence = '';
    else if (!wasFenced) fence = mark;
    const isCode = wasFenced || fence !== '';
    const underline = isCode || !held || held.level > 0 || held.isBlank ? 0 : underlineOf(line);
    if (held && underline > 0) {
      yield { ...held, level: underline };
      held = undefined;
    } else {
      if (held) yield held;
      held = { start, ...(isCode ? PLAIN : headingOf(line)) };
    }
    start = end;
  }
  if (held) yield held;
}

const PLAIN = { level: 0, heading: '', isBlank: false };

function headingOf(line: string): Omit<Line, 'start'> {
  const level = /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(line)?.[1]?.length ?? 0;
  const words = level === 0 ? line : line.trimStart().slice(level);
  const heading = oneLine(words.slice(0, MAX_HEADING_CHARS)).replace(/ #{1,6}$/, '');
  return { level, heading, isBlank: line === '' };
}

const underlineOf = (line: string): number => {
  if (/^={2,1000}$/.test(line)) return 1;
  return /^-{3,1000}$/.test(line) ? 2 : 0;
};
