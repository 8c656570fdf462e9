/** Headers by lower-case name. */
export type Headers = Readonly<Record<string, string>>;

/** Headers of one part of a batch. */
const MAX_HEADERS = 64;
const MAX_HEADER_CHARS = 16_384;

/** A block of lines and what follows its first empty line. */
export type Block = { head: string; rest: string };

/** Cuts a text at its first empty line; lines end in CRLF or LF. Without one all of it is head. */
export function cutAtEmptyLine(text: string): Block {
  if (text.startsWith('\r\n')) return { head: '', rest: text.slice(2) };
  if (text.startsWith('\n')) return { head: '', rest: text.slice(1) };
  const [at, width] = firstOf(text, ['\n\r\n', '\n\n']);
  return at === -1 ? { head: text, rest: '' } : { head: text.slice(0, at), rest: text.slice(at + width) };
}

function firstOf(text: string, marks: readonly string[]): readonly [at: number, width: number] {
  const found = marks.map((mark) => [text.indexOf(mark), mark.length] as const).filter(([at]) => at !== -1);
  return found.toSorted(([a], [b]) => a - b)[0] ?? [-1, 0];
}

/**
 * The headers of a block. Undefined when a line is no header, a name comes twice, a value holds control characters, or there
 * is too much of it: what reads such blocks differently can be made to see another request (RFC 9112 11.2).
 * @param folding whether a line may go on in the next one, as those of mail do (RFC 5322 2.2.3) and those of HTTP do not
 */
export function parseHeaders(block: string, folding: 'folded' | 'not folded' = 'not folded'): Headers | undefined {
  if (block.length > MAX_HEADER_CHARS) return undefined;
  const head = folding === 'folded' ? unfolded(block) : block;
  const lines = head.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const filled = lines.filter((line) => line !== '');
  if (filled.length > MAX_HEADERS) return undefined;
  const headers = new Map<string, string>();
  for (const line of filled) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    const value = line.slice(colon + 1).trim();
    if (!isHeaderName(name) || !isHeaderValue(value) || headers.has(name)) return undefined;
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

/** A line that starts with a blank goes on the one before it; a first one like that is left, and then is no header. */
const unfolded = (block: string): string => block.replaceAll(/\r?\n(?=[\t ])/g, '');

const isHeaderName = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9a-z-]{1,256}$/.test(name) && name !== '__proto__';

/** No control characters but tabs. */
export const isHeaderValue = (value: string): boolean => /^[\t\u0020-\u007e\u0080-\uffff]*$/.test(value);
