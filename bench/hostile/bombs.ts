import { constants, crc32, deflateRawSync } from 'node:zlib';

const PIECE_BYTES = 1024 * 1024;
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/**
 * A gzip body of about a thousandth of the `mebibytes` of `letter` that it inflates to. Every piece of it ends at a byte,
 * so that one piece is packed once and repeated.
 */
export function bombOf(mebibytes: number, letter = '\0'): Buffer {
  const piece = Buffer.alloc(PIECE_BYTES, letter);
  const packed = deflateRawSync(piece, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const end = deflateRawSync(Buffer.alloc(0));
  let sum = 0;
  for (let made = 0; made < mebibytes; made += 1) sum = crc32(piece, sum);
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(sum, 0);
  tail.writeUInt32LE((mebibytes * PIECE_BYTES) % 2 ** 32, 4);
  return Buffer.concat([GZIP_HEADER, ...Array.from({ length: mebibytes }, () => packed), end, tail]);
}
