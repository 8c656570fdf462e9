import { dropStream } from '../../net/read-body.ts';
import { EngineAnswerRefused, EngineUnreachable } from '../answer/sdk-failure.ts';

/** What one answer of an engine may take: bytes in all, and milliseconds to its first byte and between two pieces of it. */
export type EngineLimits = { maxBytes: number; firstByteMs: number; idleMs: number };

/**
 * A fetch for engines whose answers come piece by piece: a redirect is refused, because the key would go along, and the
 * body ends in an error when it is too long or stalls.
 * @throws EngineAnswerRefused, EngineUnreachable for what happens on the wire, and a TimeoutError
 */
export function createEngineFetch(inner: typeof fetch, limits: EngineLimits): typeof fetch {
  return async (input, init) => {
    const own = new AbortController();
    const signal = init?.signal ? AbortSignal.any([init.signal, own.signal]) : own.signal;
    const answer = onTheWire(inner(input, { ...init, redirect: 'manual', signal }));
    const response = await waitWithin(answer, limits.firstByteMs, () => own.abort(createTimeoutError()));
    // Some runtimes hide the status of a redirect: it is 0 then.
    if (response.status < 200 || (response.status >= 300 && response.status < 400)) {
      dropStream(response.body);
      throw new EngineAnswerRefused('a redirect');
    }
    const { status, headers, body } = response;
    if (!body) return response;
    return new Response(limitStream(body, limits), { status, headers: removeEncodingHeaders(headers) });
  };
}

/** The same bytes, as long as they keep to the limits. @throws as `createEngineFetch`, when it is read */
export function limitStream(body: ReadableStream<Uint8Array>, limits: EngineLimits): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let size = 0;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const part = await waitWithin(onTheWire(reader.read()), size === 0 ? limits.firstByteMs : limits.idleMs);
        if (part.done) return controller.close();
        size += part.value.byteLength;
        if (size > limits.maxBytes) throw new EngineAnswerRefused('too large');
        controller.enqueue(part.value);
      } catch (error) {
        dropStream(reader);
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Distinguishes a lost connection from a bug: undici throws a TypeError for one, workerd a plain Error. */
async function onTheWire<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && (error.name === 'Error' || error.name === 'TypeError'))
      throw new EngineUnreachable(error.name);
    throw error;
  }
}

/** Settles as `work` does, or fails with a TimeoutError after so many milliseconds. */
async function waitWithin<T>(work: Promise<T>, ms: number, stop: () => void = () => {}): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(createTimeoutError());
      stop();
    }, ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}

const createTimeoutError = (): DOMException => new DOMException('the engine was too slow', 'TimeoutError');

/** The body is decoded by now. */
function removeEncodingHeaders(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('content-encoding');
  kept.delete('content-length');
  return kept;
}
