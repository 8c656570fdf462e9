import { Refusal, type RefusalData } from '../../../lib/refusal.ts';
import { isWithinBytes } from '../../../lib/utf8.ts';
import { splitMultipartBody } from './multipart.ts';
import { acceptValue, type JudgementOutcome, captureOutcome } from './outcome.ts';

/** Headers by lower-case name. */
type Headers = Readonly<Record<string, string>>;

/** Headers of one part of a batch. */
const MAX_HEADERS = 64;
const MAX_HEADER_CHARS = 16_384;

/** A block of lines and what follows its first empty line. */
type Block = { head: string; rest: string };

/** Cuts a text at its first empty line; lines end in CRLF or LF. Without one all of it is head. */
function cutAtEmptyLine(text: string): Block {
  if (text.startsWith('\r\n')) return { head: '', rest: text.slice(2) };
  if (text.startsWith('\n')) return { head: '', rest: text.slice(1) };
  const [at, width] = findFirstMark(text, ['\n\r\n', '\n\n']);
  return at === -1 ? { head: text, rest: '' } : { head: text.slice(0, at), rest: text.slice(at + width) };
}

function findFirstMark(text: string, marks: readonly string[]): readonly [at: number, width: number] {
  const found = marks.map((mark) => [text.indexOf(mark), mark.length] as const).filter(([at]) => at !== -1);
  return found.toSorted(([a], [b]) => a - b)[0] ?? [-1, 0];
}

/**
 * The headers of a block. Undefined when a line is no header, a name comes twice, a value holds control characters, or there
 * is too much of it: what reads such blocks differently can be made to see another request (RFC 9112 11.2).
 * @param folding whether a line may go on in the next one, as those of mail do (RFC 5322 2.2.3) and those of HTTP do not
 */
function parseHeaders(block: string, folding: 'folded' | 'not folded' = 'not folded'): Headers | undefined {
  if (block.length > MAX_HEADER_CHARS) return undefined;
  const head = folding === 'folded' ? unfoldLines(block) : block;
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
const unfoldLines = (block: string): string => block.replaceAll(/\r?\n(?=[\t ])/g, '');

const isHeaderName = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9a-z-]{1,256}$/.test(name) && name !== '__proto__';

/** No control characters but tabs. */
const isHeaderValue = (value: string): boolean => /^[\t\u0020-\u007e\u0080-\uffff]*$/.test(value);

/** A call of a batch, ready to be made. `contentId` is its Content-ID as sent, brackets and all. */
export type BatchCall = {
  contentId?: string;
  method: string;
  /** The raw path, as in a request line. */
  path: string;
  /** Its own query and what it has of the outer one, without `?`. */
  query: string;
  /** By lower-case name; only those that a part may have (rule K4). */
  headers: Headers;
  body: string;
};

/** A part: a call, or what is wrong with it. */
export type BatchPart = { ok: true; call: BatchCall } | { ok: false; contentId?: string; refusal: RefusalData };

/** The request that a batch came in. `ownOrigins`: parts may write their URLs in full, with one of these. */
export type Outer = { headers: Headers; query: string; ownOrigins?: readonly string[] };

/** Of one part, in bytes (rule K4). */
export const MAX_PART_BYTES = 1_024 * 1_024;
/** Limit for the URL of a part. */
export const MAX_INNER_URL_CHARS = 8_000;
const MAX_CONTENT_ID_CHARS = 1_024;

const VERBS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** What a part may say by headers: never Host, Cookie or what proxies add (rule K4). */
const PART_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'authorization',
  'content-type',
  'if-match',
  'if-none-match',
  'user-agent',
  'x-http-method-override',
]);
const isPartHeader = (name: string): boolean => PART_HEADERS.has(name) || name.startsWith('x-goog-');
/** The batch itself is what the outer one overrides. */
const isInherited = (name: string): boolean =>
  isPartHeader(name) && !name.startsWith('content-') && name !== 'x-http-method-override';

/**
 * The calls of a batch, in its order. Headers of the outer request, except Content-*, and its query parameters apply to
 * each call that does not set its own. A fault in one part is a 400 for that part alone: a URL over 8,000 characters, a
 * full URL (but of `ownOrigins`), over 1 MiB, broken headers. A fault in the batch itself refuses all of it.
 */
export function planBatch(
  outer: Outer,
  content: Uint8Array | string,
  contentType: string | null | undefined,
): JudgementOutcome<readonly BatchPart[]> {
  const parts = splitMultipartBody(content, contentType);
  return parts.ok ? acceptValue(parts.value.map((part) => readBatchPart(part, outer))) : parts;
}

function readBatchPart(part: string, outer: Outer): BatchPart {
  const { head, rest } = cutAtEmptyLine(part);
  const headers = parseHeaders(head, 'folded');
  const id = readContentId(headers);
  const outcome = captureOutcome(() => {
    if (!isWithinBytes(part, MAX_PART_BYTES)) throw new Refusal(PART_TOO_LARGE);
    if (headers === undefined || (headers['content-id'] ?? '') !== (id.contentId ?? ''))
      throw refusePart('the headers of the part cannot be read');
    if (!/^application\/http(?:\s{0,8};|$)/i.test(headers['content-type'] ?? ''))
      throw refusePart('the Content-Type of a part must be application/http');
    return { ...id, ...readPartCall(rest, outer) };
  });
  return outcome.ok ? { ok: true, call: outcome.value } : { ...outcome, ...id };
}

/** A Content-ID that can be sent back in a header; none where it cannot. */
function readContentId(headers: Headers | undefined): { contentId?: string } {
  const contentId = headers?.['content-id'] ?? '';
  const fits = contentId !== '' && contentId.length <= MAX_CONTENT_ID_CHARS && isHeaderValue(contentId);
  return fits ? { contentId } : {};
}

function readPartCall(text: string, outer: Outer): Omit<BatchCall, 'contentId'> {
  // Clients may put empty lines before the request line (RFC 9112 2.2).
  const { head, rest: body } = cutAtEmptyLine(text.trimStart());
  const newline = head.indexOf('\n');
  const line = (newline === -1 ? head : head.slice(0, newline)).trimEnd();
  const own = parseHeaders(newline === -1 ? '' : head.slice(newline + 1));
  if (own === undefined) throw refusePart('the headers of the call cannot be read');
  const { method, path, query } = requestLine(line, outer.ownOrigins ?? []);
  return {
    method,
    path,
    query: mergeQueries(outer.query, query),
    headers: { ...selectHeaders(outer.headers, isInherited), ...selectHeaders(own, isPartHeader) },
    body,
  };
}

const selectHeaders = (headers: Headers, isWanted: (name: string) => boolean): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => isWanted(name)));

function requestLine(line: string, ownOrigins: readonly string[]): Pick<BatchCall, 'method' | 'path' | 'query'> {
  const [verb = '', target = '', version, ...more] = line.split(' ', MAX_LINE_WORDS);
  const method = verb.toUpperCase();
  const isLine =
    VERBS.has(method) && more.length === 0 && (version === undefined || /^HTTP\/\d(?:\.\d)?$/.test(version));
  if (!isLine) throw refusePart('a call begins with a line such as GET /path?query HTTP/1.1');
  if (target.length > MAX_INNER_URL_CHARS)
    throw refusePart(`the URL of a call has at most ${MAX_INNER_URL_CHARS} characters`);
  const url = dropOwnOrigin(target, ownOrigins);
  if (!isPathOnly(url)) throw refusePart('the URL of a call is a path, without scheme and host');
  const mark = url.indexOf('?');
  return mark === -1
    ? { method, path: url, query: '' }
    : { method, path: url.slice(0, mark), query: url.slice(mark + 1) };
}

const MAX_LINE_WORDS = 5;

/** The absolute form (RFC 9112 3.2.2) of our own origin, letter by letter, is its path; every other URL stays as it is. */
function dropOwnOrigin(target: string, ownOrigins: readonly string[]): string {
  const own = ownOrigins.find((origin) => target.startsWith(`${origin}/`));
  return own === undefined ? target : target.slice(own.length);
}

/** A path and nothing that a URL parser would read as a host: `//host`, `/\host`, `/<tab>/host`. */
const isPathOnly = (url: string): boolean =>
  url.startsWith('/') &&
  !url.startsWith('//') &&
  /^[\u0021-\u005b\u005d-\u007e\u0080-\uffff]*$/.test(url) &&
  !url.includes('#');

/** The part's own parameters, and those of the outer query whose names it does not have. */
function mergeQueries(outer: string, own: string): string {
  const names = new Set(new URLSearchParams(own).keys());
  const inherited = [...new URLSearchParams(outer)].filter(([name]) => !names.has(name));
  const rest = new URLSearchParams(inherited).toString();
  return [own, rest].filter((query) => query !== '').join('&');
}

const refusePart = (why: string): Refusal =>
  new Refusal({
    status: 400,
    word: 'INVALID_ARGUMENT',
    reason: 'badRequest',
    message: `Failed to parse batch request: ${why}.`,
  });

const PART_TOO_LARGE: RefusalData = {
  status: 413,
  word: 'INVALID_ARGUMENT',
  reason: 'uploadTooLarge',
  message: `Request payload size exceeds the limit: ${MAX_PART_BYTES} bytes.`,
};
