import { unreadable } from '../../src/management/conventions/invalid.ts';
import { accepted, type Outcome, refused } from '../../src/management/conventions/outcome.ts';
import { inflateAtMost } from '../../src/net/inflate.ts';
import { bytesOf } from '../body.ts';
import { bodyTooLarge, unknownCoding } from './refusals.ts';

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
  const content = await inflateAtMost(bytes, format, maxBytes);
  if (content.end === 'cut') return refused(bodyTooLarge(maxBytes));
  if (content.end === 'whole') return accepted(content.bytes);
  return refused(unreadable('The body is not the gzip that its Content-Encoding says.'));
}
