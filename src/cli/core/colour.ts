const RESET = '\u001B[0m';
const RED = '\u001B[31m';
const YELLOW = '\u001B[33m';
const GREEN = '\u001B[32m';

/** What a line of a printed result is coloured by: its mark, or the grade behind the bar of a score. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/^✗ /, RED],
  [/^~ /, YELLOW],
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
