import { waitOrAbort } from './deadline.ts';
import type { FetchBudget } from './fetch-budget.ts';
import { FetchStopped } from './fetched.ts';

/**
 * Codings that every runtime we use undoes by itself, in the only spelling they all know (workerd leaves `GZIP` as it
 * came). The others, and more than one, arrive undecoded somewhere: bytes that look like content but are not (rule F12).
 */
export const DECODED_CODINGS = ['gzip', 'br'] as const;

export type Body = { bytes: Uint8Array<ArrayBuffer>; truncated: boolean };

export type BodyLimits = { maxBytes: number; budget: FetchBudget; signal: AbortSignal };

/** Says why a body with this `Content-Encoding` must not be read, or undefined when it may. */
export function refuseEncoding(header: string | null): FetchStopped | undefined {
  const codings = (header ?? '').split(',').map((coding) => coding.trim());
  const named = codings.filter((coding) => coding !== '');
  if (named.length > 1)
    return new FetchStopped('encoding_refused', `${named.length} content codings; at most one is read`);
  const known = ['identity', ...DECODED_CODINGS] as readonly string[];
  if (named.every((coding) => known.includes(coding))) return undefined;
  return new FetchStopped('encoding_refused', `the content coding is none of ${known.join(', ')}`);
}

/**
 * Reads at most `maxBytes` DECODED bytes and drops the rest unread, so that a compression bomb costs no more memory
 * than a page. Every byte that arrives is booked on the audit's budget. With `maxBytes` 0 nothing is awaited: a stream
 * that is open for ever answers by its headers alone.
 * @throws FetchStopped when the time or the budget is over, and what the stream throws when the sender breaks off.
 */
export async function readBody(stream: ReadableStream<Uint8Array> | null, limits: BodyLimits): Promise<Body> {
  if (stream === null) return { bytes: new Uint8Array(), truncated: false };
  if (limits.maxBytes === 0) {
    dropStream(stream);
    return { bytes: new Uint8Array(), truncated: true };
  }
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    while (size <= limits.maxBytes) {
      const chunk = await waitOrAbort(reader.read(), limits.signal);
      if (chunk.done) return { bytes: join(chunks, size), truncated: false };
      limits.budget.bookBytes(chunk.value.byteLength);
      chunks.push(chunk.value);
      size += chunk.value.byteLength;
    }
    return { bytes: join(chunks, limits.maxBytes), truncated: true };
  } finally {
    dropStream(reader);
  }
}

/**
 * Reads a stream to its end or gives up: undefined, and the rest dropped, when it holds more than `limit` bytes, or when
 * `count`, which hears of every byte that is kept, says no.
 */
export async function readAtMost(
  stream: ReadableStream<Uint8Array>,
  limit: number,
  count: (bytes: number) => boolean = () => true,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > limit || !count(part.value.byteLength)) {
      dropStream(reader);
      return undefined;
    }
    chunks.push(part.value);
  }
  return join(chunks, size);
}

/** Reads a stream to its end or gives up after `limit` bytes, and holds nothing of it. */
export async function dropAtMost(stream: ReadableStream<Uint8Array>, limit: number): Promise<void> {
  const reader = stream.getReader();
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > limit) return dropStream(reader);
  }
}

/** Makes the sender stop. A stream that already failed rejects here with the error that its reader has seen. */
export function dropStream(stream: { cancel: () => Promise<void> } | null): void {
  stream?.cancel().catch(() => undefined);
}

type Detachable = ArrayBuffer & { transfer?: (bytes: number) => ArrayBuffer };

/**
 * Gives the memory of bytes back now and not when garbage is collected, where the runtime can: bodies of megabytes lie
 * outside of the heap, whose collector does not see how much they are. No one may read them afterwards. Memory that they
 * share with others is left alone.
 */
export function releaseBytes({ buffer, byteLength }: Uint8Array<ArrayBuffer>): void {
  if (buffer.byteLength === byteLength) (buffer as Detachable).transfer?.(0);
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk.subarray(0, size - offset), offset);
    offset = Math.min(size, offset + chunk.byteLength);
  }
  return bytes;
}
