import { type FileHandle, open } from 'node:fs/promises';
import { sentenceOf } from './fault.ts';
import type { FileStats } from './files.ts';
import type { Io } from './io.ts';
import { safePath } from './print.ts';
import { decoded } from './utf8.ts';

/** Of a file that a command takes. Overrides files have a few hundred lines. */
export const MAX_INPUT_BYTES = 1_048_576;
/** The name that stands for standard input. */
export const STDIN = '-';

export type Input = {
  bytes: Uint8Array;
  /** Undefined: the bytes are no UTF-8. A byte order mark stays, as U+FEFF. */
  text: string | undefined;
  /** Undefined for standard input. */
  stats: FileStats | undefined;
};
export type InputRead = { ok: true; input: Input } | { ok: false; detail: string };

/** Reads a file, or standard input for `-`, and no more of it than a file may have. */
export async function readInput(path: string, { stdin }: Pick<Io, 'stdin'>): Promise<InputRead> {
  try {
    if (path === STDIN) return inputOf(path, await limited(stdin), undefined);
    await using file = await open(path, 'r');
    const stats = await file.stat({ bigint: true });
    return inputOf(path, stats.size > MAX_INPUT_BYTES ? undefined : await limited(chunksOf(file)), stats);
  } catch (error) {
    return { ok: false, detail: sentenceOf(error, 'read', nameOf(path)) };
  }
}

const nameOf = (path: string): string => (path === STDIN ? 'Standard input' : path);

function inputOf(path: string, bytes: Uint8Array | undefined, stats: FileStats | undefined): InputRead {
  if (bytes === undefined) {
    return { ok: false, detail: `${safePath(nameOf(path))} is larger than 1 MiB, which no overrides file is.` };
  }
  return { ok: true, input: { bytes, text: decoded(bytes), stats } };
}

/** All bytes; undefined as soon as there are too many. */
async function limited(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.byteLength;
    if (size > MAX_INPUT_BYTES) return undefined;
    kept.push(chunk);
  }
  return Buffer.concat(kept);
}

/** Pipes too, such as `<(command)`, which have no size. */
async function* chunksOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

const CHUNK_BYTES = 65_536;
