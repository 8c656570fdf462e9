import { dropStream, readAtMost } from '../../net/read-body.ts';
import { EngineAnswerRefused, EngineUnreachable } from './sdk-failure.ts';

/** Largest body that an engine may answer with, in bytes: 32 kB of text, its sources, and a lot of patience. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * A fetch for answer engines: a redirect is refused, because the key would go along, and a body ends at 1 MiB.
 * @throws EngineAnswerRefused, and EngineUnreachable for what happens on the wire
 */
export function createAnswerFetch(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await onTheWire(() => inner(input, { ...init, redirect: 'manual' }));
    // Some runtimes hide the status of a redirect: it is 0 then.
    if (response.status < 200 || (response.status >= 300 && response.status < 400)) {
      dropStream(response.body);
      throw new EngineAnswerRefused('a redirect');
    }
    const { status, headers, body } = response;
    if (!body) return response;
    return new Response(await onTheWire(() => readCapped(body)), { status, headers: removeEncodingHeaders(headers) });
  };
}

/** Distinguishes a lost connection from a bug: undici throws a TypeError for one, workerd a plain Error. */
async function onTheWire<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && (error.name === 'Error' || error.name === 'TypeError'))
      throw new EngineUnreachable(error.name);
    throw error;
  }
}

async function readCapped(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readAtMost(body, MAX_BODY_BYTES);
  if (!bytes) throw new EngineAnswerRefused('too large');
  return bytes;
}

/** The body is decoded by now. */
function removeEncodingHeaders(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('content-encoding');
  kept.delete('content-length');
  return kept;
}
