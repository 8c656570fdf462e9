import { unreadable } from '../../src/management/conventions/invalid.ts';
import { accepted, type Outcome, refused } from '../../src/management/conventions/outcome.ts';
import { requestRefusals } from '../../src/management/conventions/errors.ts';
import { heldBytes } from '../../src/net/held-bytes.ts';
import { inflateAtMost } from '../../src/net/inflate.ts';
import { bytesOf } from '../body.ts';
import { bodyTooLarge, unknownCoding } from './refusals.ts';

/** DEFLATE makes at most so many bytes of one. */
const MOST = 1_032;
/** Seconds: inflating a body takes less. */
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
 * stops there. 415 for another coding, 400 for a gzip that is none.
 */
export async function contentOf(request: Request, maxBytes: number): Promise<Outcome<Uint8Array>> {
  const coding = (request.headers.get('content-encoding') ?? '').trim().toLowerCase();
  if (!CODINGS.has(coding)) return refused(unknownCoding());
  const bytes = await bytesOf(request, maxBytes);
  if (bytes === undefined) return refused(bodyTooLarge(maxBytes));
  const format = CODINGS.get(coding);
  return format === undefined || bytes.byteLength === 0 ? accepted(bytes) : inflated(bytes, format, maxBytes);
}

async function inflated(
  bytes: Uint8Array<ArrayBuffer>,
  format: 'gzip',
  maxBytes: number,
): Promise<Outcome<Uint8Array>> {
  const room = heldBytes.take('body', Math.min(maxBytes, bytes.byteLength * MOST));
  if (!room) return refused(requestRefusals.backendError(BUSY_RETRY_AFTER_S));
  const content = await inflateAtMost(bytes, format, maxBytes).finally(room.release);
  if (content.end === 'cut') return refused(bodyTooLarge(maxBytes));
  if (content.end === 'whole') return accepted(content.bytes);
  return refused(unreadable('The body is not the gzip that its Content-Encoding says.'));
}
