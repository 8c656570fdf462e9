import type { LineOutcome, LogRecord, ReadLine } from '../record.ts';
import { createClfTime } from './dates.ts';
import { findQuote, isAddress, readMethod, unescapeLog } from './quoted.ts';

const SPACE = 32;
const QUOTE = 34;
const HYPHEN = 45;
const ZERO = 48;
const NINE = 57;
const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

/** What is between the time and the request. No user name has it. */
const BEFORE_REQUEST = '] "';

/**
 * The common and the combined format of nginx and Apache, also with the virtual host in front. What follows the
 * User-Agent is left out.
 */
export function createCombinedReader(): ReadLine {
  const readTime = createClfTime();
  return (line, into) => {
    const close = line.indexOf(BEFORE_REQUEST);
    const open = close === -1 ? -1 : line.lastIndexOf('[', close);
    if (open === -1) return isAddress(line.split(' ', 1)[0] ?? '') ? 'incomplete' : 'shape';
    const start = close + BEFORE_REQUEST.length;
    const isEscaped = line.includes('\\');
    const end = findQuote(line, start, isEscaped);
    if (end === -1) return 'incomplete';
    readClient(line, open, into);
    readRequest(line, start, end, into);
    const atMs = readTime(line, open + 1);
    into.atMs = Number.isNaN(atMs) ? undefined : atMs;
    return readRest(line, end + 1, isEscaped, into);
  };
}

/** Address, identity and user before the time; a virtual host in front of them. */
function readClient(line: string, open: number, into: LogRecord): void {
  const space = line.indexOf(' ');
  const first = line.slice(0, space);
  into.host = undefined;
  if (isAddress(first)) {
    into.address = first;
    return;
  }
  into.address = '';
  if (first.endsWith(',') && isAddress(first.slice(0, -1))) {
    into.address = cutList(line, open);
    return;
  }
  const next = line.indexOf(' ', space + 1);
  if (next === -1 || next > open) return;
  const second = line.slice(space + 1, next);
  if (!isAddress(second)) return;
  const port = first.lastIndexOf(':');
  into.host = port === -1 ? first : first.slice(0, port);
  into.address = second;
}

/**
 * `X-Forwarded-For` with more than one address, whole: the first is what the visitor itself wrote there, so that by it
 * anyone would be a verified crawler. A list is no address, which proves nothing.
 */
function cutList(line: string, open: number): string {
  let end = line.indexOf(' ');
  while (line[end - 1] === ',' && end < open) {
    const next = line.indexOf(' ', end + 1);
    if (next === -1 || next > open) break;
    end = next;
  }
  return line.slice(0, end);
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

/** Status, bytes, referrer and User-Agent; the common format ends before the last two. */
function readRest(line: string, at: number, isEscaped: boolean, into: LogRecord): LineOutcome {
  if (line.charCodeAt(at) !== SPACE) return line.length <= at ? 'incomplete' : 'shape';
  const between = line.indexOf(' ', at + 1);
  if (between === -1) return 'incomplete';
  const status = readNumber(line, at + 1, between);
  const after = line.indexOf(' ', between + 1);
  const stop = after === -1 ? line.length : after;
  const bytes = readNumber(line, between + 1, stop);
  if (status === NONE || bytes === NONE) return stop === between + 1 ? 'incomplete' : 'shape';
  into.status = status >= 100 && status <= 999 ? status : undefined;
  into.bytes = bytes >= 0 ? bytes : undefined;
  into.referrer = '';
  into.userAgent = '';
  if (line.charCodeAt(stop + 1) !== QUOTE) return 'request';
  const referrerEnd = findQuote(line, stop + 2, isEscaped);
  const agentEnd = referrerEnd === -1 ? -1 : findQuote(line, referrerEnd + 3, isEscaped);
  if (agentEnd === -1 || line.charCodeAt(referrerEnd + 2) !== QUOTE) return 'incomplete';
  into.referrer = cutQuoted(line, stop + 2, referrerEnd, isEscaped);
  into.userAgent = cutQuoted(line, referrerEnd + 3, agentEnd, isEscaped);
  return 'request';
}

/** Neither a number nor the hyphen for none. */
const NONE = -2;

/** The number between two places; -1 for a hyphen and for a negative one, `NONE` for anything else. */
function readNumber(line: string, start: number, end: number): number {
  let at = start;
  const isNegative = line.charCodeAt(at) === HYPHEN;
  if (isNegative) at += 1;
  else if (at === end) return NONE;
  let value = 0;
  for (; at < end; at += 1) {
    const code = line.charCodeAt(at);
    if (!isDigit(code)) return NONE;
    value = value * 10 + code - ZERO;
  }
  return isNegative ? -1 : value;
}

/** What is between two quotation marks; empty for the hyphen that logs write for nothing. */
function cutQuoted(line: string, start: number, end: number, isEscaped: boolean): string {
  if (end - start === 1 && line.charCodeAt(start) === HYPHEN) return '';
  const text = line.slice(start, end);
  return isEscaped && text.includes('\\') ? unescapeLog(text) : text;
}
