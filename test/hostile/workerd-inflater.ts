import { createGunzip, createInflate, createInflateRaw, constants } from 'node:zlib';

/** Bytes that decoders have made and no reader has taken, now and at most. */
export const inflated = { held: 0, most: 0 };

const PIECE = 64 * 1024;
/** Where a decoder gives up: what it held by then is far beyond every bound. */
const MOST_HELD = 128 * 1024 * 1024;
const DECODERS = { gzip: createGunzip, deflate: createInflate, 'deflate-raw': createInflateRaw } as const;

/** The synchronous half of Node's zlib streams, which has no types. */
type Decoder = {
  _handle: {
    writeSync: (
      flush: number,
      from: Uint8Array,
      at: number,
      size: number,
      to: Uint8Array,
      toAt: number,
      room: number,
    ) => void;
  };
  _writeState: Uint32Array;
  destroyed: boolean;
};

/**
 * Replaces `DecompressionStream` by one that does as workerd's: whatever is written is inflated at once and whole, the writer
 * never waits, and all of it is held until somebody reads it. Node's own waits for its reader, which hides what a Worker holds.
 */
export function installWorkerdInflater(look: () => void): void {
  class WorkerdInflater {
    readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
    readonly writable: WritableStream<Uint8Array<ArrayBuffer>>;

    constructor(format: keyof typeof DECODERS) {
      if (!Object.hasOwn(DECODERS, format)) throw new TypeError(`no such format: ${format}`);
      const stream = DECODERS[format]({ flush: constants.Z_SYNC_FLUSH });
      stream.on('error', () => undefined); // It is looked for after each step.
      const decoder = stream as unknown as Decoder;
      const queue: Uint8Array<ArrayBuffer>[] = [];
      const state: { end: 'open' | 'closed' | Error; wake: () => void } = { end: 'open', wake: () => undefined };
      const drop = (): void => {
        for (const part of queue.splice(0)) inflated.held -= part.byteLength;
      };
      const fail = (error: Error): Error => {
        state.end = error;
        state.wake();
        return error;
      };
      this.readable = new ReadableStream(
        {
          async pull(controller) {
            while (queue.length === 0 && state.end === 'open') await new Promise<void>((wake) => (state.wake = wake));
            const part = queue.shift();
            if (part !== undefined) {
              inflated.held -= part.byteLength;
              controller.enqueue(part);
            } else if (state.end === 'closed') controller.close();
            else controller.error(state.end);
          },
          cancel() {
            drop();
            state.end = new TypeError('the reader has gone');
            stream.destroy();
          },
        },
        { highWaterMark: 0 },
      );
      this.writable = new WritableStream<Uint8Array<ArrayBuffer>>(
        {
          write(chunk) {
            if (state.end !== 'open') throw new TypeError('the stream is over');
            for (const part of stepsOf(decoder, chunk)) {
              queue.push(part);
              inflated.held += part.byteLength;
              inflated.most = Math.max(inflated.most, inflated.held);
              if (inflated.held > MOST_HELD) throw fail(new RangeError('held more than any Worker has'));
            }
            look();
            if (decoder.destroyed) throw fail(new TypeError('broken data'));
            state.wake();
          },
          close() {
            if (state.end === 'open') state.end = 'closed';
            state.wake();
            stream.close();
          },
          abort(reason) {
            fail(reason instanceof Error ? reason : new TypeError('aborted'));
          },
        },
        { highWaterMark: 1024 },
      );
    }
  }
  Reflect.set(globalThis, 'DecompressionStream', WorkerdInflater);
}

function* stepsOf(decoder: Decoder, bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
  let at = 0;
  for (;;) {
    const room = new Uint8Array(PIECE);
    if (decoder.destroyed) return;
    decoder._handle.writeSync(constants.Z_SYNC_FLUSH, bytes, at, bytes.byteLength - at, room, 0, PIECE);
    const [free = PIECE, left = 0] = decoder._writeState;
    const made = PIECE - free;
    at = bytes.byteLength - left;
    if (made > 0) yield room.subarray(0, made);
    if (free > 0) return;
  }
}
