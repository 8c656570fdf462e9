import { Refusal, type RefusalData } from '../../../lib/refusal.ts';
import { decodeUtf8Text } from '../../../lib/utf8.ts';
import { captureOutcome, type JudgementOutcome } from './outcome.ts';

/** Of a whole batch, in bytes (rule K4). */
export const MAX_BATCH_BYTES = 8 * 1_024 * 1_024;
export const MAX_PARTS = 100;
/** Seventy is what RFC 2046 5.1.1 allows; some libraries write more. */
const MAX_BOUNDARY_CHARS = 200;
const MAX_TYPE_CHARS = 1_024;

/**
 * The parts of a multipart/mixed body as texts (RFC 2046 5.1), without preamble and epilogue. Lines end in CRLF or LF.
 * 400 for the whole body: another content type, no or a broken boundary, no closing boundary, no part, or over 100 parts.
 */
export function splitMultipartBody(
  content: Uint8Array | string,
  contentType: string | null | undefined,
): JudgementOutcome<string[]> {
  return captureOutcome(() => {
    const boundary = findBoundary(contentType ?? '');
    if (boundary === undefined)
      throw refuseBrokenPart(
        'The Content-Type of a batch must be multipart/mixed with a boundary of 1 to 200 characters.',
      );
    if (content.length > MAX_BATCH_BYTES) throw new Refusal(BATCH_TOO_LARGE);
    const text = typeof content === 'string' ? content : decodeUtf8Text(content);
    if (text === undefined) throw refuseBrokenPart('It holds bytes that are no UTF-8.');
    return cutAt(`--${boundary}`, text);
  });
}

function cutAt(delimiter: string, text: string): string[] {
  const parts: string[] = [];
  let start: number | undefined;
  for (let at = text.indexOf(delimiter); at !== -1; at = text.indexOf(delimiter, at + delimiter.length)) {
    if (at > 0 && text[at - 1] !== '\n') continue;
    const after = at + delimiter.length;
    const newline = text.indexOf('\n', after);
    const end = newline === -1 ? text.length : newline;
    const kind = identifyDelimiter(text.slice(after, Math.min(end, after + MAX_PADDING)));
    if (kind === undefined) continue;
    if (start !== undefined) parts.push(withoutLastBreak(text.slice(start, at)));
    if (parts.length > MAX_PARTS) throw new Refusal(TOO_MANY_PARTS);
    if (kind === 'close') return parts.length > 0 ? parts : refuseEmptyBatch();
    start = newline === -1 ? text.length : newline + 1;
  }
  throw refuseBrokenPart(
    start === undefined ? 'The boundary of the batch is not in its body.' : 'The batch has no closing boundary.',
  );
}

/** What may follow a boundary on its line: `--`, and white space. */
const MAX_PADDING = 100;

function identifyDelimiter(rest: string): 'open' | 'close' | undefined {
  const text = rest.trimEnd();
  if (text === '') return 'open';
  return text === '--' ? 'close' : undefined;
}

/** The line break before a boundary belongs to the boundary. */
function withoutLastBreak(part: string): string {
  if (part.endsWith('\r\n')) return part.slice(0, -2);
  return part.endsWith('\n') ? part.slice(0, -1) : part;
}

/** The boundary of a content type: a token or a quoted text, which may hold `=`. Undefined for anything but multipart/mixed. */
export function findBoundary(contentType: string): string | undefined {
  if (contentType.length > MAX_TYPE_CHARS || !/^\s{0,8}multipart\/mixed\s{0,8};/i.test(contentType)) return undefined;
  // A parameter begins after a `;`, and the text of a quoted one is skipped with it.
  const parameters = contentType
    .slice(contentType.indexOf(';'))
    .matchAll(/;[\t ]{0,8}([^=;"]{1,64})=(?:"([^"]*)"|([^;"]*))/g);
  for (const [, name = '', quoted, token] of parameters) {
    if (name.trim().toLowerCase() !== 'boundary') continue;
    const boundary = quoted ?? token?.trim() ?? '';
    const fits = boundary.length >= 1 && boundary.length <= MAX_BOUNDARY_CHARS;
    return fits && /^[\u0020-\u007e]*[\u0021-\u007e]$/.test(boundary) ? boundary : undefined;
  }
  return undefined;
}

const refuseBadBatch = (message: string): RefusalData => ({
  status: 400,
  word: 'INVALID_ARGUMENT',
  reason: 'badRequest',
  message,
});

const refuseBrokenPart = (message: string): Refusal =>
  new Refusal(refuseBadBatch(`Failed to parse batch request: ${message}`));

const refuseEmptyBatch = (): never => {
  throw refuseBrokenPart('The batch has no part.');
};

const TOO_MANY_PARTS = refuseBadBatch(`The batch request has too many parts: at most ${MAX_PARTS} calls are allowed.`);

const BATCH_TOO_LARGE: RefusalData = {
  status: 413,
  word: 'INVALID_ARGUMENT',
  reason: 'uploadTooLarge',
  message: `Request payload size exceeds the limit: ${MAX_BATCH_BYTES} bytes.`,
};
