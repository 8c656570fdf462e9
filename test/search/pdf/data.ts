import { deflateSync } from 'node:zlib';
import type { PdfStream } from './of.ts';

/** @param begin bytes that stand as they are, in a block that is not compressed */
export function deflated(content: string | PdfStream, begin = '', word = 'stream\n'): PdfStream {
  const inner: PdfStream = typeof content === 'string' ? { filters: [], bytes: Buffer.from(content) } : content;
  const bytes = deflateSync(inner.bytes, { level: 9 });
  const stored = Buffer.from(begin);
  const [length, complement] = [Buffer.alloc(2), Buffer.alloc(2)];
  length.writeUInt16LE(stored.length);
  complement.writeUInt16LE(0xff_ff - stored.length);
  const block = begin === '' ? [] : [Buffer.of(0), length, complement, stored];
  return {
    filters: ['FlateDecode', ...inner.filters],
    bytes: Buffer.concat([bytes.subarray(0, 2), ...block, bytes.subarray(2)]),
    word,
  };
}

export const hex = ({ filters, bytes }: PdfStream): PdfStream => ({
  filters: ['ASCIIHexDecode', ...filters],
  bytes: Buffer.from(`${Buffer.from(bytes).toString('hex')}>`),
});

export function base85({ filters, bytes }: PdfStream): PdfStream {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    const some = bytes.subarray(at, at + 4);
    let value = Buffer.concat([some, Buffer.alloc(4 - some.length)]).readUInt32BE();
    const digits = [0, 0, 0, 0, 0].map(() => {
      const digit = value % 85;
      value = Math.floor(value / 85);
      return String.fromCharCode(33 + digit);
    });
    text += digits
      .toReversed()
      .join('')
      .slice(0, some.length + 1);
  }
  return { filters: ['ASCII85Decode', ...filters], bytes: Buffer.from(`${text}~>`) };
}

export const image = (stream: PdfStream): PdfStream => ({
  ...stream,
  more: '/Type /XObject /Subtype /Image /Width 2000 /Height 3000 /ColorSpace /DeviceGray /BitsPerComponent 8',
});
