/**
 * Characters that steer a terminal or hide what a line says: controls (C0, C1, ESC), format characters (bidi marks and
 * overrides, zero-width characters, soft hyphen, tags), and separators of lines and paragraphs.
 */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Foreign text as one harmless line for a terminal, at most `maxCharacters` long (rule X8). */
export function formatSafeLine(text: string, maxCharacters = 300): string {
  const line = text.replaceAll(/[\t\n\r]+/g, ' ').replaceAll(UNSAFE, '');
  const characters = Array.from(line); // By code point: a cut never halves a surrogate pair.
  return characters.length <= maxCharacters ? line : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}

/** JSON for a terminal and for programs alike: the same value, with such characters as escapes (rule X8). */
export const formatSafeJson = (value: unknown, indent = 2): string =>
  // A raw line feed is one of the layout: those in texts are escaped already.
  JSON.stringify(value, null, indent).replaceAll(UNSAFE, (character) =>
    character === '\n' ? character : escapeTerminal(character),
  );

/** A document as a terminal may show it: such characters as visible escapes. A file or a pipe gets it as it is. */
export const onScreen = (text: string, { isTTY }: { isTTY?: boolean | undefined }): string =>
  isTTY === true
    ? text.replaceAll(UNSAFE, (character) => (/[\n\t]/.test(character) ? character : escapeTerminal(character)))
    : text;

const escapeTerminal = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index); // JSON escapes UTF-16 units, a surrogate pair as two.
    return `\\u${unit.toString(16).padStart(4, '0')}`;
  }).join('');

/** A text in lines of at most so many characters, broken between words. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const RESET = '\u001B[0m';
const RED = '\u001B[31m';
const YELLOW = '\u001B[33m';
const GREEN = '\u001B[32m';

/** What a line of a printed result is coloured by: its mark, or the grade behind the bar of a score. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/^ *✗ /, RED],
  [/^ *~ /, YELLOW],
  [/[█░] +\d{1,3} [AB]\b/, GREEN],
  [/[█░] +\d{1,3} [CD]\b/, YELLOW],
  [/[█░] +\d{1,3} F\b/, RED],
];

/** A printed result with colours, for a terminal. The text was stripped of foreign control characters before. */
export function colourResult(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const colour = rules.find(([pattern]) => pattern.test(line))?.[1];
      return colour === undefined ? line : `${colour}${line}${RESET}`;
    })
    .join('\n');
}

/** Whether to colour: a terminal, and no one asked for none. @see https://no-color.org */
export const canColour = (
  out: { isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): boolean => out.isTTY === true && !environment['NO_COLOR'];

const WIDTH = 24;
/** Requests a full audit usually makes; the bar is full at it and stays there. */
const EXPECTED_STEPS = 45;

type Terminal = { isTTY?: boolean; columns?: number; write: (text: string) => unknown };

/** A progress bar on one line of a terminal; silent where output is not one (pipes, CI). */
export function createProgressBar(out: Terminal): {
  step: (progress: { done: number; label: string; total?: number }) => void;
  end: () => void;
} {
  if (!out.isTTY) return { step: () => {}, end: () => {} };
  return {
    step: ({ done, label, total = EXPECTED_STEPS }) => {
      const filled = Math.min(WIDTH, Math.round((done / total) * WIDTH));
      const line = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done} read  ${formatSafeLine(label)}`;
      out.write(`\r\u001B[2K${line.slice(0, (out.columns ?? 80) - 1)}`);
    },
    end: () => out.write('\r\u001B[2K'),
  };
}
