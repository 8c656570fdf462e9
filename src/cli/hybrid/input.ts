import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join } from 'node:path';
import type { MigrationRefusal } from '../../hybrid/core/migration.ts';
import { type FilePosition, createPositionFinder, buildOverridesProblem } from '../../hybrid/core/problem.ts';
import { describeFileFault, type FileStats } from './files.ts';
import type { Io } from './io.ts';
import { formatSafePath } from './print.ts';

/** The text of the bytes, a byte order mark as U+FEFF; undefined: they are no UTF-8. */
function decodeUtf8(bytes: Uint8Array, isBeginning = false): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isBeginning });
  } catch {
    return undefined; // The only thing that a fatal decoder throws for.
  }
}

/** What is said of a file whose bytes are no UTF-8, in place of what its text would give. */
export const refuseNotUtf8 = (bytes: Uint8Array): MigrationRefusal => ({
  ok: false,
  version: 'unknown',
  isFragment: false,
  problems: [buildOverridesProblem('not-utf8', findFirstInvalid(bytes), 'The bytes here are no UTF-8.')],
});

/** Where the text ends that can be read. */
function findFirstInvalid(bytes: Uint8Array): FilePosition {
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (decodeUtf8(bytes.subarray(0, middle), true) === undefined) bad = middle;
    else good = middle;
  }
  const text = decodeUtf8(bytes.subarray(0, good), true) ?? '';
  return createPositionFinder(text)(text.length);
}

/** Of a file that a command takes. Overrides files have a few hundred lines. */
export const MAX_INPUT_BYTES = 1_048_576;
/** The name of standard input. */
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
    if (path === STDIN) return buildInput(path, await readLimited(stdin), undefined);
    await using file = await open(path, 'r');
    const stats = await file.stat({ bigint: true });
    return buildInput(path, stats.size > MAX_INPUT_BYTES ? undefined : await readLimited(readFileChunks(file)), stats);
  } catch (error) {
    return { ok: false, detail: describeFileFault(error, 'read', formatInputName(path)) };
  }
}

const formatInputName = (path: string): string => (path === STDIN ? 'Standard input' : path);

function buildInput(path: string, bytes: Uint8Array | undefined, stats: FileStats | undefined): InputRead {
  if (bytes === undefined) {
    return {
      ok: false,
      detail: `${formatSafePath(formatInputName(path))} is larger than 1 MiB, which no overrides file is.`,
    };
  }
  return { ok: true, input: { bytes, text: decodeUtf8(bytes), stats } };
}

/** All bytes; undefined as soon as there are too many. */
async function readLimited(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
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
async function* readFileChunks(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, null);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

const CHUNK_BYTES = 65_536;

/** What standard input is called where a name is needed. */
const STDIN_NAME = 'overrides.yaml';

/** The name of the file in commands to copy, where one that begins with a hyphen would be a flag. */
export const formatFileArgument = (file: string): string => (file === STDIN ? STDIN_NAME : asFile(file));

/** A path that is no flag. */
export const asFile = (path: string): string => (path.startsWith('-') ? `./${path}` : path);

/** A name that `patch -p0` takes: it refuses paths that are absolute or climb. */
export function formatDiffName(file: string): string {
  const name = formatFileArgument(file);
  return isAbsolute(name) || name.split('/').includes('..') ? basename(name) : name;
}

/** `overrides-1.3.yaml` for `overrides.yaml`, in the same folder. */
export function formatNewName(file: string): string {
  const name = formatFileArgument(file);
  const extension = extname(name);
  const own = `${basename(name, extension)}-1.3${extension}`;
  return dirname(name) === '.' ? asFile(own) : join(dirname(name), own);
}
