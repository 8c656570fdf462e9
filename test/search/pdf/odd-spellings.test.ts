import { brotliCompressSync, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { sanitisePdf } from '../../../src/search/pdf/streams.ts';
import { extractPdfText } from '../../../src/search/pdf/text.ts';
import { FONTS, form, onePage, pdfFile, type PdfPart, shown } from './file.ts';

const RESOURCES = `/Resources << ${FONTS} >>`;
const PAGE = `${RESOURCES} /Contents 5 0 R`;
/** More saved states than a file may have: a reader takes minutes for them. */
const STATES = 'q '.repeat(20_000);
const states: PdfPart = { content: STATES };
/** Drawn 600 times it is too much. */
const lines = form(shown('a line').repeat(3_000));
const plain = (content: string | Uint8Array, dict = ''): PdfPart => ({ content, dict, isPlain: true });
const withForm = (name: string, own = ''): string =>
  `/Resources << ${FONTS} /XObject << /${name} 6 0 R >> ${own} >> /Contents 5 0 R`;
const drawn = (times: string): string => times.repeat(600);

/** The same file with some text of it in another spelling. Readers find objects that are not where the table says. */
const spelled = (pdf: Uint8Array, from: string, to: string): Uint8Array =>
  new Uint8Array(
    Buffer.from(
      Buffer.from(pdf)
        .toString('latin1')
        .replace(from, () => to),
      'latin1',
    ),
  );
const hidden = (from: string, to: string): Uint8Array => spelled(onePage(PAGE, states), from, to);

function base85(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, group) => {
    let value = view.getUint32(4 * group);
    let text = '';
    for (let digit = 0; digit < 5; digit += 1, value = Math.floor(value / 85))
      text = String.fromCharCode(33 + (value % 85)) + text;
    return text;
  }).join('');
}

/** Codes of nine bits. */
function lzw(codes: readonly number[]): Uint8Array {
  const bits = codes.map((code) => code.toString(2).padStart(9, '0')).join('');
  return Uint8Array.from(bits.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, '0'), 2));
}
const literal = Array.from(Buffer.from(STATES.slice(0, 8_000)), (code, at) =>
  at % 200 === 0 ? [256, code] : [code],
).flat();

const deflated = deflateSync(STATES, { level: 9 });
/** A window that no decoder of ours takes, and some readers do. */
const largeWindow = Buffer.concat([Buffer.of(0x88, 31 - ((0x88 * 256) % 31)), deflated.subarray(2)]);

describe('B1: what a reader understands and no writer writes is refused, for it would be judged otherwise than it is read', () => {
  test.each<[string, Uint8Array]>([
    ['a comment in the header of an object', hidden('3 0 obj', '3 0%\nobj')],
    ['much white space there', hidden('3 0 obj', '3          0 obj')],
    ['a sign there', hidden('3 0 obj', '3-1 0 obj')],
    ['a reference without white space', hidden('/Contents 5 0 R', '/Contents 5 0R')],
    ['a reference with a sign', hidden('/Contents 5 0 R', '/Contents 5-0 0 R')],
    ['a sign on a line before a reference', hidden('/Contents 5 0 R', '/Contents +\n5 0 R')],
    ['an array for a key', hidden('/Contents 5 0 R', '[ /Contents 5 0 R ]')],
    ['a dictionary for a key', hidden('/Contents 5 0 R', '0 (x) << /Contents 5 0 R >>')],
    [
      'a stream within a page',
      spelled(onePage(PAGE), '/Contents 5 0 R', `/Contents << /Length 40000 >> stream\n${STATES}\nendstream`),
    ],
    ['Brotli', onePage(PAGE, plain(brotliCompressSync(STATES), '/Filter /BrotliDecode'))],
    ['DEFLATE with a larger window', onePage(PAGE, plain(largeWindow, '/Filter /FlateDecode'))],
    [
      'a code of LZW before there are any',
      onePage(PAGE, plain(lzw([256, 300, ...literal, 257]), '/Filter /LZWDecode')),
    ],
    ['a code of LZW beyond the next', onePage(PAGE, plain(lzw([256, 32, 510, 113, 257]), '/Filter /LZWDecode'))],
    [
      'the short name for bits, with rows of 250 MB',
      onePage(PAGE, { content: '\0q q', dict: '/DecodeParms << /Predictor 12 /Columns 250000 /BPC 8000 >>' }),
    ],
    [
      'bytes in base 85 that are no digits',
      onePage(PAGE, plain(`\0!!!!${base85(Buffer.from(STATES))}~>`, '/Filter /ASCII85Decode')),
    ],
    ['an end of a stream within its data', onePage(PAGE, plain(`(endstream) ${STATES}`))],
    [
      'a stream that ends within a comment before another one',
      onePage(`${RESOURCES} /Contents [5 0 R 6 0 R]`, { content: '%' }, { content: `(\n${STATES}` }),
    ],
    [
      'a form drawn by a name that another operator has left',
      onePage(withForm('X'), { content: drawn('/X /G gs Do ') }, lines),
    ],
    [
      'a name of 400 characters',
      onePage(withForm('A'.repeat(400)), { content: drawn(`/${'A'.repeat(400)} Do `) }, lines),
    ],
    [
      'a form of the resources of the node above',
      spelled(
        onePage(PAGE, { content: drawn('/X Do ') }, lines),
        '/Count 1',
        '/Count 1 /Resources << /XObject << /X 6 0 R >> >>',
      ),
    ],
    [
      'a form of the page, drawn by a stream with resources of its own',
      onePage(withForm('X'), { content: drawn('/X Do '), dict: '/Resources << /A 1 >>' }, lines),
    ],
    [
      'glyphs without resources that draw a form of the page',
      onePage(
        `/Resources << /Font << /T 7 0 R >> /XObject << /X 6 0 R >> >> /Contents 5 0 R`,
        { content: 'BT /T 12 Tf (aaaa) Tj ET' },
        lines,
        '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [9] /Encoding << /Differences [97 /a] >> /CharProcs << /a 8 0 R >> >>',
        { content: `9 0 d0 ${drawn('/X Do ')}` },
      ),
    ],
    ['hundreds of objects with one stream', hidden('5 0 obj', `${'5 0 obj%'.repeat(300)}\n5 0 obj`)],
    [
      'millions of small values',
      onePage(PAGE, states, {
        content: `20 0 [${'<<>>'.repeat(2_000_000)}]`,
        dict: '/Type /ObjStm /N 1 /First 5',
      }),
    ],
  ])('%s', async (_what, pdf) => {
    expect(await sanitisePdf(pdf)).toBe('too_large');
  });

  test('pictures without an end in a page, and streams without one, are gone through once', async () => {
    const pictures = onePage(PAGE, { content: 'BI ID EI \u0001'.repeat(100_000) });
    expect(await sanitisePdf(pictures)).toBeInstanceOf(Uint8Array);
    const streams = Buffer.from('%PDF-1.5\n'.concat('1 0 obj<</F/DCT>>stream\n'.repeat(40_000)));
    expect(await sanitisePdf(new Uint8Array(streams))).toBeInstanceOf(Uint8Array);
  });
});

describe('an honest PDF is read', () => {
  /** Pages of so much text that twice as many would be too much. */
  function manyPages(): { pdf: Uint8Array; node: string } {
    const text = shown('A line of text').repeat(200);
    const pages = Array.from({ length: 60 }, (_, at): readonly PdfPart[] => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${RESOURCES} /Contents ${6 + 2 * at} 0 R >>`,
      { content: text },
    ]).flat();
    const kids = Array.from({ length: 60 }, (_, at) => `${5 + 2 * at} 0 R`).join(' ');
    const node = `<< /Type /Pages /Count 60 /Kids [${kids}] >>`;
    const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';
    return { pdf: pdfFile(['<< /Type /Catalog /Pages 2 0 R >>', node, 'null', font, ...pages]), node };
  }

  test('that was saved again, with its node of pages once more', async () => {
    const { pdf, node } = manyPages();
    const before = Buffer.from(pdf).toString('latin1');
    const update = `2 0 obj\n${node.replace(' >>', ' /Rotate 0 >>')}\nendobj\n`;
    const table = `xref\n2 1\n${String(pdf.length).padStart(10, '0')} 00000 n \ntrailer\n<< /Size 125 /Root 1 0 R /Prev ${/startxref\n(\d+)/.exec(before)?.[1] ?? ''} >>\n`;
    const again = Buffer.from(`${before}${update}${table}startxref\n${pdf.length + update.length}\n%%EOF\n`, 'latin1');
    const read = await extractPdfText(new Uint8Array(again));
    expect(read).toMatchObject({ text: expect.stringContaining('A line of text') });
  });

  test('that has a picture whose rows are predicted by bits', async () => {
    const picture: PdfPart = {
      content: Uint8Array.of(1),
      dict: '/Type /XObject /Subtype /Image /Width 8 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 1 /DecodeParms << /Predictor 2 /Columns 8 /BitsPerComponent 1 >>',
    };
    const pdf = onePage(withForm('I'), { content: `${shown('Beside it')} /I Do` }, picture);
    expect(await extractPdfText(pdf)).toEqual({ text: 'Beside it', title: '' });
  });
});
