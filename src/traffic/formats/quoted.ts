const BACKSLASH = 92;

/** Where the quoted text ends that begins at a place: its closing mark, -1 without one. `escaped`: the line has backslashes. */
export function findQuote(line: string, from: number, escaped: boolean): number {
  let at = line.indexOf('"', from);
  if (!escaped) return at;
  while (at !== -1 && isEscaped(line, at, from)) at = line.indexOf('"', at + 1);
  return at;
}

function isEscaped(line: string, at: number, from: number): boolean {
  let first = at;
  while (first > from && line.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

const LONGEST_METHOD = 20;

/** The method of a request; the empty text for what is none. GET, which most are, is never cut out of the line. */
export function readMethod(line: string, start: number, end: number): string {
  if (end - start === 3 && line.startsWith('GET', start)) return 'GET';
  if (end - start > LONGEST_METHOD) return '';
  for (let at = start; at < end; at += 1) {
    const code = line.charCodeAt(at) | 32;
    if ((code < 97 || code > 122) && line.charCodeAt(at) !== 45) return '';
  }
  return line.slice(start, end);
}

const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', v: '\v', b: '\b', f: '\f' };

/** Undoes what nginx (`\x22`) and Apache (`\"`, `\t`) write for bytes that would break a line. */
export const unescapeLog = (text: string): string =>
  text.replaceAll(/\\(?:x([\da-fA-F]{2})|(.))/g, (_whole, hex: string | undefined, letter: string | undefined) =>
    hex === undefined ? (letters[letter ?? ''] ?? letter ?? '') : String.fromCharCode(Number.parseInt(hex, 16)),
  );

/** Whether a text has the form of an address: four numbers with dots, or hexadecimal ones with two colons at least. */
export function isAddress(text: string): boolean {
  if (text.length > LONGEST_ADDRESS) return false;
  let [dots, colons, value, digits] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) {
      value = value * 10 + code - ZERO;
      digits += 1;
    } else if (code === DOT) {
      if (digits === 0 || value > MAX_OCTET) return false;
      dots += 1;
      value = digits = 0;
    } else if (code === COLON) {
      colons += 1;
      value = digits = 0;
    } else if ((code | 32) < 97 || (code | 32) > 102 || dots > 0) return false;
  }
  return colons >= 2 || (colons === 0 && dots === 3 && digits > 0 && value <= MAX_OCTET);
}

const LONGEST_ADDRESS = 45;
const MAX_OCTET = 255;
const ZERO = 48;
const NINE = 57;
const DOT = 46;
const COLON = 58;

/** An address without the port behind it, and without brackets. */
export const cutPort = (text: string): string => {
  const port = text.lastIndexOf(':');
  const address = port === -1 ? text : text.slice(0, port);
  return address.startsWith('[') && address.endsWith(']') ? address.slice(1, -1) : address;
};

/** A host without the port behind it. */
export function cutHostPort(text: string): string {
  const port = text.lastIndexOf(':');
  return port === -1 || !/^\d{1,5}$/.test(text.slice(port + 1)) ? text : text.slice(0, port);
}
