import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { inflateAtMost, type InflateFormat, inflateStream, MAX_WAITING_INFLATIONS } from '../../src/net/inflate.ts';
import { zeroBomb } from '../support/audit/bombs.ts';

const MIB = 1_024 * 1_024;
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
const noise = (size: number): Uint8Array<ArrayBuffer> => {
  let state = 1;
  return Uint8Array.from({ length: size }, () => (state = (state * 48_271) % 2_147_483_647) & 0xff);
};

describe('what is inflated is said to be', () => {
  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate-raw', deflateRawSync],
  ] as const)('whole, in %s, up to its last byte', async (format, packed) => {
    const text = utf8('hello '.repeat(10_000));
    expect(await inflateAtMost(own(packed(text)), format, text.byteLength)).toEqual({ bytes: text, end: 'whole' });
  });

  test('whole, where it took many steps', async () => {
    const bytes = noise(300_000);
    expect(await inflateAtMost(own(gzipSync(bytes)), 'gzip', MIB)).toEqual({ bytes, end: 'whole' });
  });

  test('whole, where nothing is in it', async () => {
    expect(await inflateAtMost(own(gzipSync('')), 'gzip', 10)).toEqual({ bytes: utf8(''), end: 'whole' });
  });

  test('cut, where it has a byte more than the limit', async () => {
    expect(await inflateAtMost(own(gzipSync('hello')), 'gzip', 4)).toEqual({ bytes: utf8('hell'), end: 'cut' });
  });

  test.each([
    ['is empty', new Uint8Array()],
    ['is of another format', utf8('hello')],
    ['ends in its header', own(gzipSync('hello').subarray(0, 8))],
    ['has a wrong sum', own(Buffer.from(gzipSync('hello')).fill(0, 17, 21))],
    ['goes on after its end', own(Buffer.concat([gzipSync('hello'), Buffer.from('more')]))],
  ])('broken, where it %s', async (_what, bytes) => {
    expect((await inflateAtMost(bytes, 'gzip', 100)).end).toBe('broken');
  });

  test('broken, with what came before', async () => {
    const bytes = noise(200_000);
    const { bytes: made, end } = await inflateAtMost(own(gzipSync(bytes).subarray(0, 150_000)), 'gzip', MIB);
    expect(end).toBe('broken');
    expect(made.byteLength).toBeGreaterThan(100_000);
    expect(made).toEqual(bytes.subarray(0, made.byteLength));
  });
});

describe('B2: a decoder', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  /** Bytes that decoders are given from here on. Node's works on a thread, before which some steps may wait. */
  function counted(): { given: number; largest: number } {
    const count = { given: 0, largest: 0 };
    const Decoder = DecompressionStream;
    class Counting {
      readonly readable: ReadableStream;
      readonly writable: WritableStream<Uint8Array<ArrayBuffer>>;
      constructor(format: InflateFormat) {
        const decoder = new Decoder(format);
        const writer = decoder.writable.getWriter();
        this.readable = decoder.readable;
        this.writable = new WritableStream({
          write(chunk) {
            count.given += chunk.byteLength;
            count.largest = Math.max(count.largest, chunk.byteLength);
            return writer.write(chunk);
          },
          close: () => writer.close(),
          abort: (reason) => writer.abort(reason),
        });
      }
    }
    vi.stubGlobal('DecompressionStream', Counting);
    return count;
  }

  test('of a bomb is given a part of it, in steps, until the limit is filled', async () => {
    const bomb = await zeroBomb(200_000_000);
    const count = counted();
    expect((await inflateAtMost(bomb, 'gzip', MIB)).end).toBe('cut');
    expect(count.largest).toBe(8_192);
    expect(count.given).toBeLessThanOrEqual(65_536);
  });

  test('of a stream is given no more than its reader has asked for', async () => {
    const bomb = await zeroBomb(200_000_000);
    const count = counted();
    const reader = inflateStream(new Blob([bomb]).stream(), 'gzip').getReader();
    const first = await reader.read();
    expect(first.value?.byteLength).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(count.given).toBeLessThanOrEqual(65_536);
    await reader.cancel();
  });
});

describe('a stream', () => {
  test('is inflated whole', async () => {
    const bytes = noise(300_000);
    const stream = inflateStream(new Blob([own(gzipSync(bytes))]).stream(), 'gzip');
    expect(new Uint8Array(await new Response(stream).arrayBuffer())).toEqual(bytes);
  });

  test('that is broken fails its reader', async () => {
    const stream = inflateStream(new Blob([utf8('hello')]).stream(), 'gzip');
    await expect(new Response(stream).arrayBuffer()).rejects.toThrow(TypeError);
  });
});

describe('B2: 50 bombs at once', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  test('are inflated one at a time, in their order, and all end', async () => {
    let open = 0;
    let most = 0;
    const { DecompressionStream: Real } = globalThis;
    vi.stubGlobal(
      'DecompressionStream',
      class {
        readonly readable: ReadableStream<Uint8Array>;
        readonly writable: WritableStream<unknown>;
        constructor(format: InflateFormat) {
          const real = new Real(format);
          open += 1;
          most = Math.max(most, open);
          this.writable = real.writable;
          const reader = real.readable.getReader();
          const end = (): void => void (open -= 1);
          this.readable = new ReadableStream(
            {
              async pull(controller) {
                const part = await reader.read();
                if (!part.done) return controller.enqueue(part.value);
                end();
                controller.close();
              },
              async cancel() {
                end();
                await reader.cancel();
              },
            },
            { highWaterMark: 0 },
          );
        }
      },
    );
    const bomb = own(gzipSync(new Uint8Array(8 * MIB)));
    const ended: number[] = [];
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        expect((await inflateAtMost(bomb, 'gzip', 100_000)).end).toBe('cut');
        ended.push(index);
      }),
    );
    expect(most).toBe(1);
    expect(ended).toEqual(Array.from({ length: 50 }, (_, index) => index));
  });

  test('are refused where too many wait, and the next ones are inflated again', async () => {
    const small = own(gzipSync('hello'));
    const all = await Promise.all(
      Array.from({ length: MAX_WAITING_INFLATIONS + 5 }, () => inflateAtMost(small, 'gzip', 10).then(({ end }) => end)),
    );
    expect(all.filter((end) => end === 'busy')).toHaveLength(4);
    expect((await inflateAtMost(small, 'gzip', 10)).end).toBe('whole');
  });
});
