import { constants, createGzip } from 'node:zlib';

const CHUNK = Buffer.alloc(1_000_000);

/** A gzip of so many zeros, about a thousandth of them in size. @param size bytes, a multiple of 1,000,000 */
export async function zeroBomb(size: number): Promise<Uint8Array<ArrayBuffer>> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  const parts: Uint8Array[] = [];
  gzip.on('data', (part: Uint8Array) => parts.push(part));
  const ended = new Promise((resolve) => gzip.once('end', resolve));
  for (let at = 0; at < size; at += CHUNK.length)
    if (!gzip.write(CHUNK)) await new Promise((resolve) => gzip.once('drain', resolve));
  gzip.end();
  await ended;
  return new Uint8Array(Buffer.concat(parts));
}
