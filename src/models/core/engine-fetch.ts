import { dropStream, readAtMost } from '../../net/read-body.ts';
import { EngineAnswerRefused, EngineUnreachable } from './sdk-failure.ts';

const MIB = 1024 * 1024;

/** Largest body that is read as a whole, in bytes: 32 kB of text, its sources, and a lot of patience. */
const MAX_BODY_BYTES = MIB;

/** What a streamed answer may take: bytes in all, and milliseconds to its first byte and between two pieces of it. */
export type EngineLimits = { maxBytes: number; firstByteMs: number; idleMs: number };

/** What a streamed chat may take: a piece of text of a few bytes comes in some 250 bytes of JSON, and thoughts come along. */
export const CHAT_LIMITS: EngineLimits = { maxBytes: 8 * MIB, firstByteMs: 60_000, idleMs: 30_000 };

/** What vectors may take: 64 of them with 4,096 numbers of some 24 characters each. */
export const EMBEDDING_LIMITS: EngineLimits = { maxBytes: 8 * MIB, firstByteMs: 30_000, idleMs: 30_000 };

/**
 * A fetch for answers that are read as a whole: a redirect is refused, because the key would go along, and a body ends at
 * `maxBytes`.
 * @throws EngineAnswerRefused, and EngineUnreachable for what happens on the wire
 */
export function createAnswerFetch(inner: typeof fetch, maxBytes = MAX_BODY_BYTES): typeof fetch {
  return async (input, init) => {
    const response = await onTheWire(() => inner(input, { ...init, redirect: 'manual' }));
    refuseRedirect(response);
    const { body } = response;
    return body ? replaceBody(response, await onTheWire(() => readCapped(body, maxBytes))) : response;
  };
}

/**
 * A fetch for answers that come piece by piece: a redirect is refused as well, and the body ends in an error when it is
 * too long or stalls.
 * @throws EngineAnswerRefused, EngineUnreachable for what happens on the wire, and a TimeoutError
 */
export function createStreamFetch(inner: typeof fetch, limits: EngineLimits): typeof fetch {
  return async (input, init) => {
    const own = new AbortController();
    const signal = init?.signal ? AbortSignal.any([init.signal, own.signal]) : own.signal;
    const answer = onTheWire(() => inner(input, { ...init, redirect: 'manual', signal }));
    const response = await waitWithin(answer, limits.firstByteMs, () => own.abort(createTimeoutError()));
    refuseRedirect(response);
    const { body } = response;
    return body ? replaceBody(response, limitStream(body, limits)) : response;
  };
}

/** The same bytes, as long as they keep to the limits. @throws as `createStreamFetch`, when it is read */
export function limitStream(body: ReadableStream<Uint8Array>, limits: EngineLimits): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let size = 0;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const waitMs = size === 0 ? limits.firstByteMs : limits.idleMs;
        const part = await waitWithin(
          onTheWire(() => reader.read()),
          waitMs,
        );
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

function refuseRedirect({ status, body }: Response): void {
  // Some runtimes hide the status of a redirect: it is 0 then.
  if (status >= 200 && (status < 300 || status >= 400)) return;
  dropStream(body);
  throw new EngineAnswerRefused('a redirect');
}

/** The answer with another body, which is decoded by now. */
function replaceBody(
  { status, headers }: Response,
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>,
): Response {
  const kept = new Headers(headers);
  kept.delete('content-encoding');
  kept.delete('content-length');
  return new Response(body, { status, headers: kept });
}

async function readCapped(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readAtMost(body, maxBytes);
  if (!bytes) throw new EngineAnswerRefused('too large');
  return bytes;
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
