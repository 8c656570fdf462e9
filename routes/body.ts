import { readAtMost } from '../src/net/read-body.ts';

/** The whole body of a request; undefined when it holds more than `limit` bytes. The runtime holds a body to its declared length, and reads it faster so. */
export async function bytesOf(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > limit) return undefined;
  if (declared > 0) {
    const bytes = new Uint8Array(await request.arrayBuffer());
    return bytes.byteLength > limit ? undefined : bytes;
  }
  return request.body ? readAtMost(request.body, limit) : new Uint8Array();
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** A body as JSON. Broken UTF-8 and broken JSON are one answer. */
export function jsonOf(bytes: Uint8Array): { ok: true; value: unknown; text: string } | { ok: false } {
  try {
    const text = decoder.decode(bytes);
    return { ok: true, value: JSON.parse(text) as unknown, text };
  } catch {
    return { ok: false };
  }
}

/** The media type that a request says its body has, in lower case and without parameters; empty when it says none. */
export const mediaTypeOf = (request: Request): string =>
  (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
