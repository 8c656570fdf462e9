import { Lexer } from 'yaml';

export type Range = { start: number; end: number };

/** What the parsed tree does not tell: where comments are, and where `...` ends the document. */
export type Lexed = { comments: readonly Range[]; documentEnd: number | undefined };

/** Signs that the lexer puts between lexemes: they have no place in the text. */
const SIGNS: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001F']);
const SCALAR_FOLLOWS = '\u001F';

/** Takes texts without control characters: the lexer's signs are some of them. */
export function lexed(text: string): Lexed {
  const comments: Range[] = [];
  let documentEnd: number | undefined;
  let offset = 0;
  let before = '';
  for (const lexeme of new Lexer().lex(text)) {
    if (!SIGNS.has(lexeme)) {
      const end = offset + lexeme.length;
      if (lexeme.startsWith('#') && before !== SCALAR_FOLLOWS) comments.push({ start: offset, end });
      if (lexeme === '...' && before !== SCALAR_FOLLOWS) documentEnd ??= offset;
      offset = end;
    }
    before = lexeme;
  }
  return { comments, documentEnd };
}
