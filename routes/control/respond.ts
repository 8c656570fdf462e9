import { refuseLargeBody, refuseUnknownCoding } from '../../src/management/core/call-refusals.ts';
import { canSendGzip } from '../../src/management/core/conventions/compression.ts';
import { requestRefusals } from '../../src/management/core/conventions/errors.ts';
import { refuseUnreadableRequest } from '../../src/management/core/conventions/invalid.ts';
import { acceptValue, type JudgementOutcome, rejectWith } from '../../src/management/core/conventions/outcome.ts';
import type { Answered, AnsweredPieces, AnsweredStream } from '../../src/management/core/conventions/response-data.ts';
import type { BodyRoom } from '../../src/net/held-bytes.ts';
import { inflateAtMost } from '../../src/net/inflate.ts';
import { readBodyBytes } from '../../src/net/request-body.ts';

/** Seconds: a body is read and answered in less, so that there is room again. */
const BUSY_RETRY_AFTER_S = 1;

/** Codings of a body, in lower case, and what undoes them (RFC 9110, section 8.4.1). Java's client sends every body in gzip. */
const CODINGS: ReadonlyMap<string, 'gzip' | undefined> = new Map([
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
]);

/**
 * The body of a request, without its coding. 413 when it has more than `maxBytes`, sent or inflated: inflating
 * stops there. 415 for another coding, 400 for a gzip that is none, 503 when the bodies of this isolate leave no room.
 * @param room counts what is sent before it is read, and what it inflates to; released by who gave it, with the request
 */
export async function readContent(
  request: Request,
  maxBytes: number,
  room: BodyRoom,
): Promise<JudgementOutcome<Uint8Array>> {
  const coding = (request.headers.get('content-encoding') ?? '').trim().toLowerCase();
  if (!CODINGS.has(coding)) return rejectWith(refuseUnknownCoding());
  const bytes = await readBodyBytes(request, maxBytes, room);
  if (room.isFull()) return rejectWith(refuseBusy());
  if (bytes === undefined) return rejectWith(refuseLargeBody(maxBytes));
  const format = CODINGS.get(coding);
  return format === undefined || bytes.byteLength === 0
    ? acceptValue(bytes)
    : inflateContent(bytes, format, { maxBytes, room });
}

const refuseBusy = () => requestRefusals.backendError(BUSY_RETRY_AFTER_S);

async function inflateContent(
  bytes: Uint8Array<ArrayBuffer>,
  format: 'gzip',
  { maxBytes, room }: { maxBytes: number; room: BodyRoom },
): Promise<JudgementOutcome<Uint8Array>> {
  // What runs at once is bounded by the queue; only what stays is counted.
  const content = await inflateAtMost(bytes, format, maxBytes);
  if (content.end === 'busy') return rejectWith(refuseBusy());
  if (content.end === 'cut') return rejectWith(refuseLargeBody(maxBytes));
  if (content.end === 'broken')
    return rejectWith(refuseUnreadableRequest('The body is not the gzip that its Content-Encoding says.'));
  return room.count(content.bytes.byteLength) ? acceptValue(content.bytes) : rejectWith(refuseBusy());
}

/**
 * The response of an answer: gzip only for a caller that accepts it and whose user agent says so. The runtime
 * compresses by the header; `identity` keeps it from compressing by itself.
 */
export function toResponse(
  { status, headers, body }: Answered | AnsweredPieces | AnsweredStream,
  request: Request,
  requestId: string,
): Response {
  const content = typeof body === 'string' || body instanceof ReadableStream ? body : streamPieces(body);
  const response = new Response(content === '' ? null : content, { status, headers });
  const own = {
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    ...(body === '' ? {} : { 'content-encoding': isGzipped(body, request) ? 'gzip' : 'identity' }),
  };
  for (const [name, value] of Object.entries(own)) response.headers.set(name, value);
  response.headers.append('vary', 'Accept-Encoding, User-Agent');
  return response;
}

function streamPieces(pieces: Uint8Array[]): ReadableStream<Uint8Array> {
  pieces.reverse();
  return new ReadableStream({
    pull: (controller) => {
      const piece = pieces.pop();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
}

/** What comes piece by piece, for as long as it is read, would be held back by compression. */
const isGzipped = (body: unknown, request: Request): boolean =>
  !(body instanceof ReadableStream) && isGzipWanted(request);

/** What the caller itself accepts is in `cf` where the platform put another value into the header. */
function isGzipWanted({ cf, headers }: Request): boolean {
  const own = cf?.['clientAcceptEncoding'];
  const accepted = typeof own === 'string' ? own : headers.get('accept-encoding');
  return canSendGzip(accepted, headers.get('user-agent'));
}
