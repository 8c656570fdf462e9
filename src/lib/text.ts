/** The text with its first letter in upper case; the rest stays. */
export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The lines of a text, each with its line end; no empty last one. */
export const splitLines = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+/g) ?? [];

/** The first index from `from` on that has neither a space nor a tab. */
export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}

/** Orders texts by their UTF-16 units. */
export const compareTexts = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** The text with a full stop, unless it ends as a sentence already. */
export const finishSentence = (text: string): string => ('.!?'.includes(text.at(-1) ?? '') ? text : `${text}.`);

/** A text as one word of a POSIX shell, which reads it to the letter. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** `full_audit` as the name of a type: `FullAudit`. */
export const toPascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());

/** `fullAudit` as the name of a member: `full_audit`. */
export const toSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Shorter texts are left as they are: there is little to gain. */
const MIN_COMPACT_CHARS = 4_096;
const beyondLatin1 = /[\u0100-\uFFFF]/;

/**
 * The same text in half of the memory, where the engine had given each character two bytes: it does so once one of them
 * needs it, and goes on when that one has been replaced.
 */
export const compactText = (text: string): string =>
  text.length < MIN_COMPACT_CHARS || beyondLatin1.test(text)
    ? text
    : new TextDecoder().decode(new TextEncoder().encode(text));
