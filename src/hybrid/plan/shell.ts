import { quoteForShell } from '../../lib/text.ts';

/** Characters that steer a terminal, hide what a line says, or are no text at all. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const EVERY_UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
/** `$NAME` or `${NAME}`, and nothing that a shell would compute: no `${NAME:-...}`, `$(...)`, `$1`. */
const VARIABLE = /\$(?:[A-Za-z_][A-Za-z0-9_]*|\{[A-Za-z_][A-Za-z0-9_]*\})/g;
/** Means itself to every shell, also unquoted; `=` only after the first character (zsh looks up `=name`). */
const BARE = /^[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:@%+,=-]*$/;
/** What has a meaning between double quotes; `!` in interactive shells. */
const SPECIAL_IN_QUOTES = /["\\`$!]/;

/** A piece of shell that is not quoted again: written here, or made of words that are. */
export type Script = { script: string };
export const toScript = (text: string): Script => ({ script: text });

type Piece = { isVariable: boolean; text: string };

/**
 * A shell command in which every value is one word, whatever it says (`quoteShellWord`).
 * Only what is marked by `script` is taken as it is.
 */
export function sh(strings: TemplateStringsArray, ...values: readonly (string | Script)[]): string {
  return strings.reduce((before, part, index) => {
    const value = values[index - 1] ?? '';
    return before + (typeof value === 'string' ? quoteShellWord(value) : value.script) + part;
  });
}

/**
 * A value as one word of a POSIX shell. `$NAME` and `${NAME}` are expanded, all the rest means itself: commands,
 * quotes, line feeds. A character that is not printable is replaced: a plan with one is refused before
 * (`isPrintable`).
 */
export function quoteShellWord(value: string): string {
  const text = value.replaceAll(EVERY_UNPRINTABLE, '\u{FFFD}');
  if (BARE.test(text)) return text;
  const pieces = splitPieces(text);
  const literals = pieces.filter(({ isVariable }) => !isVariable);
  if (literals.length === pieces.length) return quoteForShell(text);
  return literals.some((piece) => SPECIAL_IN_QUOTES.test(piece.text))
    ? pieces.map((piece) => (piece.isVariable ? `"${piece.text}"` : quoteForShell(piece.text))).join('')
    : `"${pieces.map((piece, index) => (piece.isVariable ? formatQuotedVariable(piece, pieces[index + 1]) : piece.text)).join('')}"`;
}

/** A word that names a file: never taken as an option. */
export const quoteFileName = (name: string): Script =>
  toScript(quoteShellWord(name.startsWith('-') ? `./${name}` : name));

/** A value as one segment of the path of an address. Variables stay; the names that they stand for need no escapes. */
export const encodeUrlSegment = (value: string): string =>
  splitPieces(value)
    .map(({ isVariable, text }) => (isVariable ? text : encodeURIComponent(text)))
    .join('')
    .replaceAll(/^\.{1,2}$/g, (dots) => '%2E'.repeat(dots.length));

/** Whether a terminal shows the text as it is. */
export const isPrintable = (text: string): boolean => !UNPRINTABLE.test(text);

/** Names of the variables in a value. */
export const extractVariables = (value: string): readonly string[] =>
  [...value.matchAll(VARIABLE)].map(([variable]) => variable.replaceAll(/[${}]/g, ''));

function splitPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(VARIABLE)) {
    pieces.push({ isVariable: false, text: text.slice(at, match.index) }, { isVariable: true, text: match[0] });
    at = match.index + match[0].length;
  }
  return [...pieces, { isVariable: false, text: text.slice(at) }].filter((piece) => piece.text !== '');
}

/** A text as one word that means itself, `$` and all. */
export const quoteLiteral = (text: string): string => quoteForShell(text.replaceAll(EVERY_UNPRINTABLE, ' '));

/** With braces where a shell could read on (`$NAME[`, `$NAME:`). */
function formatQuotedVariable({ text }: Piece, next: Piece | undefined): string {
  const isAmbiguous = next !== undefined && !next.text.startsWith('/') && !text.startsWith('${');
  return isAmbiguous ? `\${${text.slice(1)}}` : text;
}
