/** Tokens of a character map, as readers take it apart. Strings are left out by `endOfString`. */
const TOKENS = /<<|>>|<[^<>]*>|[<()[\]]|%[^\r\n]*|[^\s\0()<>[\]{}/%]+/gu;
/** A number may stand right before the word. */
const RANGES = /begin(?:bf|cid|notdef)range$/u;
const CODESPACES = /begincodespacerange$/u;
const MENTIONED = /begin(?:bf|cid|notdef|codespace)range/u;
const INTEGER = /^[-+]?\d+$/u;
/** Codespaces of one map: a reader tries each of them for each character. Honest maps have one to four. */
const MAX_CODESPACES = 1_000;

/**
 * Codes that a stream maps one by one when it is read as a character map (CMap; ISO 32000-1, 9.7.5): the widths of all its
 * ranges. 0 where it is none; `Infinity` where ranges or their strings are written as no writer does.
 */
export function mappedCodes(bytes: Uint8Array): number {
  const text = new TextDecoder('latin1').decode(bytes);
  if (!MENTIONED.test(text)) return 0;
  let [codes, codespaces, low] = [0, 0, 0];
  let next: 'low' | 'high' | 'target' | 'targets' | 'codespace' | undefined;
  TOKENS.lastIndex = 0;
  for (let found = TOKENS.exec(text); found !== null; found = TOKENS.exec(text)) {
    const [token] = found;
    const isHex = token.startsWith('<') && token !== '<<';
    if (token === '<') return Infinity;
    if (token === '(') {
      const end = endOfString(text, TOKENS.lastIndex);
      if (end === undefined || next !== undefined) return Infinity;
      TOKENS.lastIndex = end;
    } else if (RANGES.test(token)) next = 'low';
    else if (CODESPACES.test(token)) next = 'codespace';
    else if (token.startsWith('%') || next === undefined) continue;
    else if (next === 'codespace') [codespaces, next] = isHex ? [codespaces + 1, next] : [codespaces, undefined];
    else if (next === 'targets') next = token === ']' ? 'low' : 'targets';
    else if (next === 'low') [low, next] = isHex ? [codeOf(token), 'high'] : [low, undefined];
    else if (next === 'high') {
      codes += isHex ? Math.max(0, codeOf(token) - low + 1) : 0;
      next = isHex ? 'target' : undefined;
    } else if (token === '[') next = 'targets';
    else next = isHex || INTEGER.test(token) ? 'low' : undefined;
  }
  return codespaces > 2 * MAX_CODESPACES ? Infinity : codes;
}

/** Where a string ends that begins before `from`; undefined where it has no end, or brackets inside. */
function endOfString(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === ')') return at + 1;
    if (text[at] === '(') return undefined;
    if (text[at] === '\\') at += 1;
  }
  return undefined;
}

/** The number of a code as readers take it: the last four of its bytes. */
function codeOf(token: string): number {
  const digits = token.replaceAll(/[^\da-f]/giu, '');
  const bytes = digits.length % 2 === 0 ? digits : `${digits}0`;
  return bytes === '' ? 0 : Number.parseInt(bytes.slice(-8), 16);
}
