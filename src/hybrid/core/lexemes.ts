import { Lexer } from 'yaml';

export type Range = { start: number; end: number };

/**
 * What the parsed tree does not tell: where comments are, where `...` ends the document, and how many levels one line may
 * open at most, which is known before a tree of them is built.
 */
export type Lexed = { comments: readonly Range[]; documentEnd: number | undefined; depth: number };

/** Signs that the lexer puts between lexemes: they have no place in the text. */
const SIGNS: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001F']);
const SCALAR_FOLLOWS = '\u001F';
/** Each may begin a level of its own, many of them in one line: `- - - x`. */
const BLOCK_SIGNS: ReadonlySet<string> = new Set(['-', '?', ':']);

/** Takes texts without control characters: the lexer's signs are some of them. */
export function scanLexemes(text: string): Lexed {
  const comments: Range[] = [];
  let documentEnd: number | undefined;
  let offset = 0;
  let before = '';
  let depth = 0;
  const open = { flow: 0, line: 0 };
  for (const lexeme of new Lexer().lex(text)) {
    if (!SIGNS.has(lexeme)) {
      const end = offset + lexeme.length;
      if (lexeme.startsWith('#') && before !== SCALAR_FOLLOWS) comments.push({ start: offset, end });
      if (lexeme === '...' && before !== SCALAR_FOLLOWS) documentEnd ??= offset;
      offset = end;
      if (before !== SCALAR_FOLLOWS) count(open, lexeme);
      depth = Math.max(depth, open.flow + open.line);
    }
    before = lexeme;
  }
  return { comments, documentEnd, depth };
}

function count(open: { flow: number; line: number }, lexeme: string): void {
  if (lexeme === '[' || lexeme === '{') open.flow += 1;
  else if (lexeme === ']' || lexeme === '}') open.flow = Math.max(0, open.flow - 1);
  else if (lexeme === '\n' || lexeme === '\r\n') open.line = 0;
  else if (open.flow === 0 && BLOCK_SIGNS.has(lexeme)) open.line += 1;
}
