import { canSendGzip } from '../../src/management/core/conventions/compression.ts';
import type { Answered, AnsweredPieces, AnsweredStream } from '../../src/management/core/conventions/response-data.ts';

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
