import { parseMediaType } from '../lib/media-type.ts';
import type { BodyRoom } from './held-bytes.ts';
import { readAtMost } from './read-body.ts';

/** How long a body may take to arrive, in milliseconds, where nothing else is said. The longest of these has 256 KiB. */
const BODY_MS = 20_000;

/**
 * A body that cannot be read to its end: the client left while sending, was too slow, or framed it otherwise than HTTP/1.1 says. No bug of
 * ours: each Worker answers 400, to a client that is still there.
 */
export class BodyBrokenOff extends Error {
  override readonly name = 'BodyBrokenOff';
}

/**
 * The whole body of a request; undefined when it holds more than `limit` bytes, or when `count` says no: it hears of bytes
 * before they are kept. The runtime holds a body to its declared length, and reads it faster so; with `asTheyArrive` bytes
 * that only are declared do not count. `maxMs`: how long it may take.
 * @throws BodyBrokenOff
 */
export async function readBodyBytes(
  request: Request,
  limit: number,
  {
    count = () => true,
    asTheyArrive = false,
    maxMs = BODY_MS,
  }: Partial<Pick<BodyRoom, 'count' | 'asTheyArrive' | 'maxMs'>> = {},
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > limit) return undefined;
  if (declared > 0 && !asTheyArrive) {
    if (!count(declared)) return undefined;
    const bytes = new Uint8Array(await readArrivingBody(request, maxMs, () => request.arrayBuffer()));
    return bytes.byteLength > limit ? undefined : bytes;
  }
  const { body } = request;
  return body === null ? new Uint8Array() : readArrivingBody(request, maxMs, () => readAtMost(body, limit, count));
}

/** Reads a body. A connection that failed differs from a bug by workerd's words for the error. */
async function readArrivingBody<T>({ signal }: Request, maxMs: number, read: () => Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new BodyBrokenOff('The body took too long')), maxMs);
  try {
    return await Promise.race([read(), late]);
  } catch (error) {
    // workerd 'Network connection lost.': `retryable`, for bad chunks, early ends and clients that left alike.
    const isOfTheConnection =
      signal.aborted || (error instanceof Error && 'retryable' in error && error.retryable === true);
    if (!isOfTheConnection) throw error;
    throw new BodyBrokenOff('The body broke off', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** A body as JSON. Broken UTF-8 and broken JSON are one answer. */
export function parseJsonBody(bytes: Uint8Array): { ok: true; value: unknown; text: string } | { ok: false } {
  try {
    const text = decoder.decode(bytes);
    return { ok: true, value: JSON.parse(text) as unknown, text };
  } catch {
    return { ok: false };
  }
}

/** The media type that a request says its body has, in lower case and without parameters; empty when it says none. */
export const readMediaType = (request: Request): string => parseMediaType(request.headers.get('content-type') ?? '');
