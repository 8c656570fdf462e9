import { createTurns, yieldToEventLoop } from '../lib/concurrency.ts';

/** Given to a decoder at once. DEFLATE makes at most 1,032 bytes of one, so one step makes at most about 8 MB. */
const STEP_BYTES = 8_192;
/** A turn of the event loop that brings no more of a step than this was its last. */
const FEW_BYTES = 65_536;

/** Inflations that wait for their turn; more than the audits of one isolate can ask for. */
export const MAX_WAITING_INFLATIONS = 512;
const turns = createTurns(MAX_WAITING_INFLATIONS);

/** gzip (RFC 1952), zlib (RFC 1950) or bare DEFLATE (RFC 1951). */
export type InflateFormat = 'gzip' | 'deflate' | 'deflate-raw';

export type Inflated = {
  /** What came out, up to the limit. */
  bytes: Uint8Array<ArrayBuffer>;
  /**
   * `whole`: the data ended where its format says. `cut`: it holds more than the limit. `broken`: it is not of the format,
   * ends too early, or something follows its end; under workerd the output of the step that failed is lost. `busy`: too many
   * others wait for their turn already; nothing was inflated.
   */
  end: 'whole' | 'cut' | 'broken' | 'busy';
};

/**
 * Inflates data, whatever size it claims to have, and never holds more than `limit` bytes and the output of one step. One
 * runs at a time in an isolate; the others wait in their order.
 * @param data bytes, or chunks of them: none is asked for before what the one before it made is read, and a step ends with it
 * @param limit bytes
 */
export async function inflateAtMost(
  data: Uint8Array<ArrayBuffer> | Iterable<Uint8Array<ArrayBuffer>>,
  format: InflateFormat,
  limit: number,
): Promise<Inflated> {
  const mine = await turns.take();
  if (mine === undefined) return { bytes: new Uint8Array(), end: 'busy' };
  try {
    return await inflateNow(data, format, limit, mine.isAlive);
  } finally {
    mine.end();
  }
}

async function inflateNow(
  data: Uint8Array<ArrayBuffer> | Iterable<Uint8Array<ArrayBuffer>>,
  format: InflateFormat,
  limit: number,
  isAlive: () => void,
): Promise<Inflated> {
  const parts: Uint8Array[] = [];
  let size = 0;
  let end: Inflated['end'] = 'whole';
  try {
    for await (const part of inflateParts(data instanceof Uint8Array ? [data] : data, format)) {
      isAlive();
      if (size < limit) parts.push(part.slice(0, limit - size));
      size += part.byteLength;
      if (size > limit) {
        end = 'cut';
        break;
      }
    }
  } catch {
    end = 'broken'; // Nothing but the data can be at fault: all of it is here.
  }
  return { bytes: join(parts, Math.min(size, limit)), end };
}

/** The same for a stream that is read as slowly as its reader likes: no more than the output of one step is held. */
export function inflateStream(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  format: InflateFormat,
): ReadableStream<Uint8Array> {
  const parts = inflateParts(readChunks(source), format);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await parts.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await parts.return();
      },
    },
    { highWaterMark: 0 },
  );
}

type Chunks = Iterable<Uint8Array<ArrayBuffer>> | AsyncIterable<Uint8Array<ArrayBuffer>>;

/**
 * Yields what chunks of data inflate to. A decoder makes all it can of each write, read or not, so data is written in
 * steps, and the next step waits until a turn of the event loop has brought nothing more of the last one.
 */
async function* inflateParts(chunks: Chunks, format: InflateFormat): AsyncGenerator<Uint8Array, void, undefined> {
  const { readable, writable } = new DecompressionStream(format);
  const [reader, writer] = [readable.getReader(), writable.getWriter()];
  let next = reader.read();
  try {
    for await (const step of splitIntoSteps(chunks)) {
      let quiet = waitUntilSettled(writer.write(step)).then(yieldToEventLoop);
      for (let size = 0; ;) {
        const part = await Promise.race([next, quiet]);
        if (part === undefined) {
          if (size <= FEW_BYTES) break;
          size = 0;
          quiet = yieldToEventLoop();
        } else if (part.done) return;
        else {
          yield part.value;
          size += part.value.byteLength;
          next = reader.read();
        }
      }
    }
    void waitUntilSettled(writer.close());
    for (let part = await next; !part.done; part = await reader.read()) yield part.value;
  } finally {
    await waitUntilSettled(reader.cancel());
    void waitUntilSettled(next);
  }
}

async function* splitIntoSteps(chunks: Chunks): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.length; at += STEP_BYTES) yield chunk.subarray(at, at + STEP_BYTES);
}

async function* readChunks(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await waitUntilSettled(reader.cancel());
  }
}

/** When a promise is over, for better or worse: what fails in a decoder fails in its reader too, where it is seen. */
const waitUntilSettled = (promise: Promise<unknown>): Promise<void> =>
  promise.then(
    () => undefined,
    () => undefined,
  );

function join(parts: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
