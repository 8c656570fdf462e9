import type { LogRecord, ReadLine, LineOutcome } from '../record.ts';
import { createClfTime, readDigits, type ReadTime } from './dates.ts';
import { findQuote, readMethod, unescapeLog } from './quoted.ts';

const ZERO = 48;
const NINE = 57;
const SLASH = 47;
/** Characters of `- - -`, less one. */
const MIN_CLIENT_CHARS = 4;

/**
 * The common and the combined format of nginx and Apache, also with the virtual host in front. What follows the
 * User-Agent is left out.
 */
export function createCombinedReader(): ReadLine {
  const readTime = createClfTime();
  return (line, into) => {
    let open = line.indexOf('[');
    while (open !== -1 && line.charCodeAt(open + 3) !== SLASH) open = line.indexOf('[', open + 1);
    if (open < MIN_CLIENT_CHARS) return open === -1 && isAddress(line.split(' ', 1)[0] ?? '') ? 'incomplete' : 'shape';
    const close = line.indexOf(']', open);
    const quote = close === -1 ? -1 : line.indexOf('"', close);
    if (quote === -1) return 'incomplete';
    const escaped = line.includes('\\');
    const end = findQuote(line, quote + 1, escaped);
    if (end === -1) return 'incomplete';
    readClient(line, open, into);
    readRequest(line, quote + 1, end, into);
    return readRest(line, end + 1, escaped, into) ?? readWhen(line, open + 1, readTime, into);
  };
}

function readWhen(line: string, at: number, readTime: ReadTime, into: LogRecord): LineOutcome {
  const atMs = readTime(line, at);
  if (Number.isNaN(atMs)) return 'date';
  into.atMs = atMs;
  return 'request';
}

/** A number with dots, or hexadecimal digits with colons. Names of hosts have letters beyond `f`, and ports after dots. */
function isAddress(text: string): boolean {
  let colons = 0;
  let dots = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 58) colons += 1;
    else if (code === 46) dots += 1;
    else if (code >= ZERO && code <= NINE) continue;
    else if (!((code | 32) >= 97 && (code | 32) <= 102)) return false;
    else if (dots > 0) return false;
  }
  return colons > 1 || (dots === 3 && colons === 0);
}

/** Address, identity and user before the time; a virtual host in front of them. */
function readClient(line: string, open: number, into: LogRecord): void {
  const space = line.indexOf(' ');
  const first = line.slice(0, space);
  into.host = undefined;
  into.address = first;
  const code = first.charCodeAt(0);
  if (code >= ZERO && code <= NINE && !first.includes(':') && isAddress(first)) return;
  if (first.endsWith(',')) {
    into.address = first.slice(0, -1); // A list of proxies: the client is the first.
    return;
  }
  const next = line.indexOf(' ', space + 1);
  if (next === -1 || next > open || isAddress(first)) return;
  const second = line.slice(space + 1, next);
  if (!isAddress(second)) return;
  const port = first.lastIndexOf(':');
  into.host = port === -1 ? first : first.slice(0, port);
  into.address = second;
}

function readRequest(line: string, start: number, end: number, into: LogRecord): void {
  const space = line.indexOf(' ', start);
  const method = space === -1 || space >= end ? '' : readMethod(line, start, space);
  into.method = method;
  if (method === '') {
    into.path = ''; // Such as a handshake that came in the clear.
    return;
  }
  const last = line.lastIndexOf(' ', end - 1);
  const stop = last > space && line.startsWith('HTTP/', last + 1) ? last : end;
  const path = line.slice(space + 1, stop);
  into.path = path.includes('\\') ? unescapeLog(path) : path;
}

/** Status, bytes, referrer and User-Agent; undefined when all are there that the format has. */
function readRest(line: string, at: number, escaped: boolean, into: LogRecord): LineOutcome | undefined {
  const status = readDigits(line, at + 1, 3);
  if (line.charCodeAt(at) !== 32 || Number.isNaN(status)) return line.length < at + 4 ? 'incomplete' : 'shape';
  into.status = status;
  let next = at + 5;
  if (line.charCodeAt(at + 4) !== 32) return line.length <= next ? 'incomplete' : 'shape';
  let bytes = 0;
  let code = line.charCodeAt(next);
  if (code === 45) {
    next += 1;
    into.bytes = undefined;
  } else {
    const start = next;
    for (; code >= ZERO && code <= NINE; code = line.charCodeAt(++next)) bytes = bytes * 10 + code - ZERO;
    if (next === start) return line.length <= start ? 'incomplete' : 'shape';
    into.bytes = bytes;
  }
  into.referrer = '';
  into.userAgent = '';
  if (line.charCodeAt(next) !== 32 || line.charCodeAt(next + 1) !== 34) return undefined; // The common format ends here.
  const referrerEnd = findQuote(line, next + 2, escaped);
  const agentEnd = referrerEnd === -1 ? -1 : findQuote(line, referrerEnd + 3, escaped);
  if (agentEnd === -1 || line.charCodeAt(referrerEnd + 2) !== 34) return 'incomplete';
  into.referrer = cutQuoted(line, next + 2, referrerEnd, escaped);
  into.userAgent = cutQuoted(line, referrerEnd + 3, agentEnd, escaped);
  return undefined;
}

/** What is between two quotation marks; empty for the hyphen that logs write for nothing. */
function cutQuoted(line: string, start: number, end: number, escaped: boolean): string {
  if (end - start === 1 && line.charCodeAt(start) === 45) return '';
  const text = line.slice(start, end);
  return escaped && text.includes('\\') ? unescapeLog(text) : text;
}
