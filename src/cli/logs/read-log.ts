import { open } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import * as zlib from 'node:zlib';
import type { Readable, Transform } from 'node:stream';
import { fileFaults } from '../core/file-faults-data.ts';

/** How the reading of a file ended. `truncated`: its compression broke off; `damaged`: it cannot be unpacked further. */
export type LogEnd = 'whole' | 'truncated' | 'damaged';
export type Compression = 'none' | 'gzip' | 'zstd';

export type ReadLog =
  | { ok: true; compression: Compression; ended: LogEnd }
  | { ok: false; reason: 'unreadable_file' | 'zstd_needs_newer_node' | 'unknown_compression'; detail: string };

/** Standard input, as a file is called on the command line. */
export const STANDARD_INPUT = '-';

/** Bytes that are read at once: large enough for few calls, small enough for the cache of a processor. */
const CHUNK_BYTES = 262_144;
/** The first Node of each line that unpacks zstd. */
const ZSTD_NODE = '22.15';

/** Beginnings of compressed files. */
const magics: readonly { bytes: readonly number[]; name: string }[] = [
  { bytes: [0x1f, 0x8b], name: 'gzip' },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], name: 'zstd' },
  { bytes: [0x42, 0x5a, 0x68], name: 'bzip2' },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], name: 'xz' },
  { bytes: [0x50, 0x4b, 0x03, 0x04], name: 'zip' },
];

/** Frames that zstd skips, with which pzstd begins: the last digit of their first byte is free (RFC 8878, section 3.1.2). */
const SKIPPED = [0x50, 0x2a, 0x4d, 0x18] as const;

function findMagic(start: Uint8Array): string | undefined {
  if (SKIPPED.every((byte, at) => ((start[at] ?? 0) & (at === 0 ? 0xf0 : 0xff)) === byte)) return 'zstd';
  return magics.find(({ bytes }) => bytes.every((byte, at) => start[at] === byte))?.name;
}

/**
 * Reads a file, or standard input, as byte strings of bounded size, unpacked as its first bytes say. What came before the
 * end of a broken file was handed on.
 */
export async function readLog(path: string, push: (text: string) => void): Promise<ReadLog> {
  try {
    if (path !== STANDARD_INPUT && (await inspectFile(path)) === undefined) return await readPlainFile(path, push);
    return await readStream(path === STANDARD_INPUT ? process.stdin : createReadStream(path), push);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error; // Of who counts, and not of the file.
    const code = String(error.code);
    return { ok: false, reason: 'unreadable_file', detail: fileFaults[code] ?? code };
  }
}

/** The compression that the first bytes name; undefined for none, and for what is no plain file. */
async function inspectFile(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    if (!(await file.stat()).isFile()) return 'stream';
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0);
    return findMagic(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** One buffer for the whole file. */
async function readPlainFile(path: string, push: (text: string) => void): Promise<ReadLog> {
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return { ok: true, compression: 'none', ended: 'whole' };
      push(buffer.toString('latin1', 0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

async function readStream(source: Readable, push: (text: string) => void): Promise<ReadLog> {
  const pieces = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const start = await takeStart(pieces);
  const name = findMagic(start);
  const rest = async function* (): AsyncGenerator<Buffer> {
    if (start.length > 0) yield start;
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
  };
  if (name === undefined) {
    for await (const piece of rest()) push(piece.toString('latin1'));
    return { ok: true, compression: 'none', ended: 'whole' };
  }
  if (name !== 'gzip' && name !== 'zstd')
    return {
      ok: false,
      reason: 'unknown_compression',
      detail: `${name} is not read; unpack it and hand it on by a pipe`,
    };
  const ended = await unpack(rest(), name, push);
  if (ended !== undefined) return { ok: true, compression: name, ended };
  const detail = `zstd needs Node ${ZSTD_NODE} or newer, and this is ${process.versions.node}`;
  return { ok: false, reason: 'zstd_needs_newer_node', detail };
}

const MAGIC_BYTES = 8;

/** The first pieces, until they are long enough to know what they are. */
async function takeStart(pieces: AsyncIterator<Buffer>): Promise<Buffer> {
  let start: Buffer = Buffer.alloc(0);
  while (start.length < MAGIC_BYTES) {
    const { done, value } = await pieces.next();
    if (done === true) break;
    start = start.length === 0 ? value : Buffer.concat([start, value]);
  }
  return start;
}

/** A decoder of several members one after the other; undefined where this Node has none. */
function createDecoder(name: 'gzip' | 'zstd'): (Transform & { bytesWritten: number }) | undefined {
  if (name === 'gzip') return zlib.createGunzip({ chunkSize: CHUNK_BYTES });
  return 'createZstdDecompress' in zlib ? zlib.createZstdDecompress({ chunkSize: CHUNK_BYTES }) : undefined;
}

/** A decoder at work: what it unpacks is handed on at once, and not lost when it breaks. */
type Unpacking = {
  /** Bytes of the piece that were taken; fewer than it has when the frame ended within it. */
  feed: (piece: Buffer) => Promise<number>;
  end: () => void;
  /** Resolves when all is handed on, to what broke it. */
  ended: Promise<NodeJS.ErrnoException | undefined>;
};

function startUnpacking(decoder: Transform & { bytesWritten: number }, push: (text: string) => void): Unpacking {
  decoder.on('data', (piece: Buffer) => push(piece.toString('latin1')));
  const ended = new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    decoder.once('end', () => resolve(undefined)).once('error', resolve);
  });
  return {
    ended,
    end: () => void decoder.end(),
    feed: async (piece) => {
      const before = decoder.bytesWritten;
      const written = new Promise<void>((resolve) => void decoder.write(piece, () => resolve()));
      await Promise.race([written, ended]);
      return decoder.bytesWritten - before;
    },
  };
}

/** Frame after frame: the decoder of gzip goes on by itself, that of zstd ends with its first one. */
async function unpack(
  source: AsyncIterable<Buffer>,
  name: 'gzip' | 'zstd',
  push: (text: string) => void,
): Promise<LogEnd | undefined> {
  let decoder = createDecoder(name);
  if (decoder === undefined) return undefined;
  let work = startUnpacking(decoder, push);
  for await (const piece of source) {
    for (let rest = piece; rest.length > 0;) {
      const taken = await work.feed(rest);
      if (decoder.errored !== null) return describeEnd(await work.ended);
      rest = rest.subarray(taken);
      if (rest.length === 0) break;
      await work.ended;
      const next = name === 'zstd' && taken > 0 ? createDecoder(name) : undefined;
      if (next === undefined) return 'whole'; // Padding behind the last member.
      decoder = next;
      work = startUnpacking(decoder, push);
    }
  }
  work.end();
  return describeEnd(await work.ended);
}

function describeEnd(error: NodeJS.ErrnoException | undefined): LogEnd {
  if (error === undefined) return 'whole';
  return error.code === 'Z_BUF_ERROR' ? 'truncated' : 'damaged';
}
