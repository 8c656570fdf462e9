import { deflateSync, gzipSync } from 'node:zlib';
import { readPdf } from '../entries.ts';
import { each, isFull, often, repeated, shape, type Shape } from '../shape.ts';
import { CATALOG, FONT, ONE_PAGE, onePage, pdfOf, type PdfPart } from './pdf-source.ts';

const MIB = 1024 * 1024;
const file = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);
const flate = (data: string | Uint8Array, dictionary = ''): PdfPart => ({
  dictionary: `/Filter /FlateDecode ${dictionary}`,
  data: deflateSync(data),
});
const plain = (data: string, dictionary = ''): PdfPart => ({ dictionary, data });
const content = (data: string): Uint8Array => file(onePage([flate(data)]));
const TEXT = 'BT /F1 12 Tf 50 700 Td (A line of text) Tj ET ';
const form = (data: string, names: string): PdfPart =>
  flate(data, `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << ${names} >> >>`);
/** A stack of forms, each of which draws the next one so many times. */
const forms = (depth: number, times: number): Uint8Array =>
  file(
    onePage(
      [
        flate('/X0 Do'),
        ...Array.from({ length: depth }, (_, index) =>
          form(`/X${index + 1} Do `.repeat(times), `/X${index + 1} ${7 + index} 0 R`),
        ),
        flate(TEXT, '/Type /XObject /Subtype /Form /BBox [0 0 9 9]'),
      ],
      '5 0 R',
      '/XObject << /X0 6 0 R >>',
    ),
  );
const references = (count: number): string => `[${'5 0 R '.repeat(count)}]`;
/** What is too much is refused, and never half read. */
const REFUSED = { outcomes: ['too_large', 'unreadable'] };

/** B1: a PDF is judged by the work that it makes, before that work is done. */
export const pdfs: readonly Shape[] = [
  shape('B1: 332 bytes that save the state 20,000 times', () => content('q '.repeat(20_000)), readPdf, REFUSED),
  shape('B1: 14 KB that save it 7 million times', () => content('q '.repeat(7_000_000)), readPdf, REFUSED),
  shape(
    'B1: states saved over many streams',
    () => file(onePage([flate('q '.repeat(900))], references(400))),
    readPdf,
    REFUSED,
  ),
  shape(
    'B1: one stream named 10,000 times in /Contents',
    () => file(onePage([flate(TEXT.repeat(1_000))], references(10_000))),
    readPdf,
    REFUSED,
  ),
  shape(
    'B1: /Contents named by another object',
    () => file(onePage([flate(TEXT.repeat(2_000)), references(5_000)], '6 0 R')),
    readPdf,
    REFUSED,
  ),
  shape('B1: forms that draw forms, 30 deep and ten times each', () => forms(30, 10), readPdf, REFUSED),
  shape(
    'a form that draws itself',
    () => file(onePage([flate('/X Do'), form(`${TEXT}/X Do /X Do`, '/X 6 0 R')], '5 0 R', '/XObject << /X 6 0 R >>')),
    readPdf,
  ),
  shape(
    'forms that draw each other',
    () =>
      file(
        onePage(
          [flate('/X Do'), form('/Y Do /Y Do', '/Y 7 0 R'), form('/X Do /X Do', '/X 6 0 R')],
          '5 0 R',
          '/XObject << /X 6 0 R >>',
        ),
      ),
    readPdf,
  ),
  shape(
    'one form drawn a million times',
    () =>
      file(
        onePage(
          [flate('/X Do '.repeat(often(500_000, 1_000_000))), form(TEXT, '')],
          '5 0 R',
          '/XObject << /X 6 0 R >>',
        ),
      ),
    readPdf,
    REFUSED,
  ),
  shape(
    'operators without number',
    () => content('0 0 m 1 1 l '.repeat(often(100_000, 700_000))),
    readPdf,
    isFull ? REFUSED : {},
  ),
  shape(
    'operators that show no text',
    () => content(`BT ${'() Tj '.repeat(often(700_000, 1_500_000))}ET`),
    readPdf,
    REFUSED,
  ),
  shape('operands without an operator', () => content('1 '.repeat(often(400_000, 4_000_000))), readPdf),
  shape('states restored that were never saved', () => content('Q '.repeat(often(200_000, 2_000_000))), readPdf),
  shape('marked content that is never closed', () => content('/P BMC '.repeat(often(50_000, 500_000))), readPdf),
  shape('text objects that are never closed', () => content('BT '.repeat(often(100_000, 1_000_000))), readPdf),
  shape('arrays in arrays in content', () => content('['.repeat(1_000_000)), readPdf),
  shape('dictionaries in dictionaries in content', () => content('<< /A '.repeat(500_000)), readPdf),
  shape('a string that never ends', () => content('('.repeat(often(200_000, 2_000_000))), readPdf),
  shape('inline pictures without an end', () => content('BI /W 9 /H 9 ID '.repeat(100_000)), readPdf),
  shape(
    'a font chosen again for each letter',
    () => content(`BT ${'/F1 12 Tf (a) Tj '.repeat(often(25_000, 250_000))}ET`),
    readPdf,
  ),
  shape(
    'objects nested 100,000 deep',
    () => file(onePage([flate(TEXT), `${'['.repeat(100_000)}${']'.repeat(100_000)}`], '5 0 R', '/ExtGState 6 0 R')),
    readPdf,
  ),
  shape(
    'a catalog nested 100,000 deep',
    () =>
      file(
        pdfOf([`<< /Type /Catalog /Pages 2 0 R /A ${'<< /A '.repeat(100_000)}${'>> '.repeat(100_000)}>>`, ONE_PAGE]),
      ),
    readPdf,
  ),
  shape('references that go round', () => file(onePage(['6 0 R', '7 0 R', '5 0 R'])), readPdf),
  shape(
    'a tree of pages that holds itself',
    () => file(pdfOf([CATALOG, '<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] >>'])),
    readPdf,
  ),
  shape(
    'a tree of pages with parents in a ring',
    () =>
      file(
        pdfOf([
          CATALOG,
          '<< /Type /Pages /Count 9 /Parent 3 0 R /Kids [3 0 R 3 0 R] >>',
          '<< /Type /Pages /Count 9 /Parent 2 0 R /Kids [2 0 R 2 0 R] >>',
        ]),
      ),
    readPdf,
  ),
  shape(
    'a page with a million kids',
    () =>
      file(
        pdfOf([
          CATALOG,
          `<< /Type /Pages /Count 1000000 /Kids [${'3 0 R '.repeat(often(150_000, 600_000))}] >>`,
          '<< /Type /Page /Parent 2 0 R >>',
          FONT,
        ]),
      ),
    readPdf,
  ),
  shape(
    'a count of pages beyond all numbers',
    () =>
      file(pdfOf([CATALOG, '<< /Type /Pages /Count 2147483647 /Kids [3 0 R] >>', '<< /Type /Page /Parent 2 0 R >>'])),
    readPdf,
  ),
  shape(
    'pages that say to be two hundred',
    () =>
      file(
        pdfOf([
          CATALOG,
          `<< /Type /Pages /Count 200 /Kids [${'3 0 R '.repeat(200)}] >>`,
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
          FONT,
          flate(TEXT.repeat(5_000)),
        ]),
      ),
    readPdf,
  ),
  shape(
    'a page tree 10,000 deep',
    () =>
      file(
        pdfOf([
          CATALOG,
          ...Array.from(
            { length: often(2_000, 10_000) },
            (_, index) => `<< /Type /Pages /Count 1 /Kids [${index + 3} 0 R] >>`,
          ),
        ]),
      ),
    readPdf,
  ),
  shape('a table of objects that follows itself', () => file(pdfOf([CATALOG, ONE_PAGE], '/Prev 15')), readPdf),
  shape(
    'tables of objects in a ring',
    () =>
      file(
        Buffer.concat([
          pdfOf([CATALOG, ONE_PAGE]),
          Buffer.from(
            `xref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 3 /Root 1 0 R /Prev 350 >>\nstartxref\n9\n%%EOF\n`,
          ),
        ]),
      ),
    readPdf,
  ),
  shape(
    'a table of objects of ten million',
    () =>
      file(
        Buffer.from(
          `%PDF-1.7\n1 0 obj\n${CATALOG}\nendobj\nxref\n0 10000000\n0000000009 00000 n \ntrailer\n<< /Size 10000000 /Root 1 0 R >>\nstartxref\n58\n%%EOF`,
        ),
      ),
    readPdf,
  ),
  shape(
    'tables of objects without number',
    () =>
      file(
        Buffer.concat([
          pdfOf([CATALOG, ONE_PAGE]),
          Buffer.from(repeated('xref\n0 0\ntrailer\n<< /Prev 9 >>\nstartxref\n9\n%%EOF\n', 500_000)),
        ]),
      ),
    readPdf,
  ),
  shape(
    'no table of objects, and 100,000 objects',
    () =>
      file(
        Buffer.from(
          `%PDF-1.7\n${each(often(20_000, 100_000), (index) => `${index + 1} 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n`)}`,
        ),
      ),
    readPdf,
  ),
  shape(
    'an object stream that is its own extension',
    () => file(onePage([flate(TEXT), flate('7 0 8 2 1 2', '/Type /ObjStm /N 2 /First 8 /Extends 6 0 R')])),
    readPdf,
  ),
  shape(
    'object streams that extend each other',
    () =>
      file(
        onePage([
          flate(TEXT),
          flate('9 0 1', '/Type /ObjStm /N 1 /First 4 /Extends 7 0 R'),
          flate('9 0 1', '/Type /ObjStm /N 1 /First 4 /Extends 6 0 R'),
        ]),
      ),
    readPdf,
  ),
  shape(
    'an object stream of a million objects',
    () =>
      file(
        onePage([
          flate(TEXT),
          flate('1 0 '.repeat(often(100_000, 1_000_000)), '/Type /ObjStm /N 1000000 /First 4000000'),
        ]),
      ),
    readPdf,
  ),
  shape(
    'an archive in the streams of an object stream',
    () =>
      file(
        onePage([
          flate(TEXT),
          flate(
            deflateSync(deflateSync(Buffer.alloc(4 * MIB))),
            '/Type /ObjStm /N 1 /First 4 /Filter [/FlateDecode /FlateDecode /FlateDecode]',
          ),
        ]),
      ),
    readPdf,
  ),
  shape('gzip in a stream', () => file(onePage([flate(gzipSync(Buffer.alloc(8 * MIB)))])), readPdf),
  shape(
    'a stream of more than is read',
    () => file(onePage([flate(Buffer.alloc(often(20, 100) * MIB))])),
    readPdf,
    REFUSED,
  ),
  shape(
    'more streams of 1 MB than are read',
    () => file(onePage(Array.from({ length: often(20, 100) }, () => flate(Buffer.alloc(MIB))))),
    readPdf,
    REFUSED,
  ),
  shape(
    'filters on filters on filters',
    () => file(onePage([{ dictionary: `/Filter [${'/FlateDecode '.repeat(1_000)}]`, data: deflateSync(TEXT) }])),
    readPdf,
  ),
  shape(
    'hexadecimal in base 85 in hexadecimal',
    () =>
      file(
        onePage([
          { dictionary: `/Filter [${'/ASCIIHexDecode /ASCII85Decode '.repeat(200)}]`, data: '41'.repeat(100_000) },
        ]),
      ),
    readPdf,
  ),
  shape(
    'runs of a byte',
    () => file(onePage([{ dictionary: '/Filter /RunLengthDecode', data: Buffer.alloc(200_000, 0x81) }])),
    readPdf,
  ),
  shape(
    'LZW of one code',
    () => file(onePage([{ dictionary: '/Filter /LZWDecode', data: Buffer.alloc(500_000, 0x80) }])),
    readPdf,
  ),
  shape(
    'a predictor of a million columns',
    () =>
      file(
        onePage([
          flate(Buffer.alloc(MIB), '/DecodeParms << /Predictor 15 /Columns 1000000 /Colors 32 /BitsPerComponent 16 >>'),
        ]),
      ),
    readPdf,
    REFUSED,
  ),
  shape(
    'a font with a map of a million codes',
    () =>
      file(
        onePage(
          [
            flate('BT /F2 12 Tf <0001> Tj ET'),
            '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [8 0 R] /ToUnicode 7 0 R >>',
            flate(
              `begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange ${each(often(2_000, 10_000), (index) => `100 beginbfrange <0000> <ffff> <${(index % 65_536).toString(16).padStart(4, '0')}> endbfrange `)} endcmap`,
            ),
            '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDSystemInfo << /Registry (A) /Ordering (B) /Supplement 0 >> /FontDescriptor 9 0 R >>',
            '<< /Type /FontDescriptor /FontName /A /Flags 4 >>',
          ],
          '5 0 R',
          '/Font << /F2 6 0 R >>',
        ),
      ),
    readPdf,
    REFUSED,
  ),
  shape(
    'a map of codes that uses itself',
    () =>
      file(
        onePage(
          [
            flate('BT /F2 12 Tf <0001> Tj ET'),
            '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding 7 0 R /DescendantFonts [8 0 R] /ToUnicode 7 0 R >>',
            flate(
              '/CMapName /A def begincmap 1 begincidrange <00000000> <ffffffff> 0 endcidrange endcmap',
              '/Type /CMap /CMapName /A /UseCMap 7 0 R',
            ),
            '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /A /CIDSystemInfo << /Registry (A) /Ordering (B) /Supplement 0 >> >>',
          ],
          '5 0 R',
          '/Font << /F2 6 0 R >>',
        ),
      ),
    readPdf,
  ),
  shape(
    'a font of 2 MB of nothing',
    () =>
      file(
        onePage(
          [
            flate('BT /F2 12 Tf (a) Tj ET'),
            '<< /Type /Font /Subtype /TrueType /BaseFont /A /FontDescriptor 7 0 R >>',
            '<< /Type /FontDescriptor /FontName /A /Flags 4 /FontFile2 8 0 R >>',
            flate(
              Buffer.concat([Buffer.from([0, 1, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0]), Buffer.alloc(2 * MIB, 0x41)]),
            ),
          ],
          '5 0 R',
          '/Font << /F2 6 0 R >>',
        ),
      ),
    readPdf,
  ),
  shape(
    'a font of Type 1 that never ends',
    () =>
      file(
        onePage(
          [
            flate('BT /F2 12 Tf (a) Tj ET'),
            '<< /Type /Font /Subtype /Type1 /BaseFont /A /FontDescriptor 7 0 R >>',
            '<< /Type /FontDescriptor /FontName /A /Flags 4 /FontFile 8 0 R >>',
            flate(`%!PS ${'/a { '.repeat(200_000)}`, '/Length1 1000000 /Length2 0 /Length3 0'),
          ],
          '5 0 R',
          '/Font << /F2 6 0 R >>',
        ),
      ),
    readPdf,
  ),
  shape(
    'glyphs of a Type 3 font that show themselves',
    () =>
      file(
        onePage(
          [
            flate('BT /F2 12 Tf (aaaa) Tj ET'),
            '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 /LastChar 97 /Widths [9] /Encoding << /Differences [97 /a] >> /CharProcs << /a 7 0 R >> /Resources << /Font << /F2 6 0 R >> >> >>',
            flate('BT /F2 12 Tf (aaaa) Tj ET '.repeat(1_000)),
          ],
          '5 0 R',
          '/Font << /F2 6 0 R >>',
        ),
      ),
    readPdf,
  ),
  shape(
    'a hundred thousand fonts',
    () =>
      file(
        onePage(
          [flate('BT /F1 1 Tf (a) Tj ET')],
          '5 0 R',
          `/Font << ${each(often(20_000, 100_000), (index) => `/A${index} 4 0 R `)}>>`,
        ),
      ),
    readPdf,
  ),
  shape(
    'widths beyond all numbers',
    () =>
      file(
        onePage(
          [
            flate('BT /F2 12 Tf (a) Tj ET'),
            `<< /Type /Font /Subtype /TrueType /BaseFont /A /FirstChar 0 /LastChar 2147483647 /Widths [${'1 '.repeat(often(50_000, 500_000))}] >>`,
          ],
          '5 0 R',
          '/Font << /F2 6 0 R >>',
        ),
      ),
    readPdf,
  ),
  shape(
    'a function of a million samples',
    () =>
      file(
        onePage(
          [
            flate('/P sh'),
            '<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 1 1] /Function 7 0 R >>',
            flate(
              Buffer.alloc(3 * MIB),
              '/FunctionType 0 /Domain [0 1] /Range [0 1 0 1 0 1] /Size [1000000] /BitsPerSample 8',
            ),
          ],
          '5 0 R',
          '/Shading << /P 6 0 R >>',
        ),
      ),
    readPdf,
  ),
  shape(
    'colour spaces in colour spaces',
    () =>
      file(
        onePage(
          [flate('/C cs 0 sc'), ...Array.from({ length: 2_000 }, (_, index) => `[/Indexed ${index + 7} 0 R 255 (x)]`)],
          '5 0 R',
          '/ColorSpace << /C 6 0 R >>',
        ),
      ),
    readPdf,
  ),
  shape(
    'a picture of a billion pixels',
    () =>
      file(
        onePage(
          [
            flate('/I Do'),
            flate(
              Buffer.alloc(MIB),
              '/Type /XObject /Subtype /Image /Width 32768 /Height 32768 /ColorSpace /DeviceRGB /BitsPerComponent 8',
            ),
          ],
          '5 0 R',
          '/XObject << /I 6 0 R >>',
        ),
      ),
    readPdf,
  ),
  shape(
    'a title of 4 MB',
    () =>
      file(
        pdfOf(
          [
            CATALOG,
            ONE_PAGE,
            '<< /Type /Page /Parent 2 0 R >>',
            `<< /Title (${'a'.repeat(often(400_000, 3_900_000))}) >>`,
          ],
          '/Info 4 0 R',
        ),
      ),
    readPdf,
  ),
  shape('names of a megabyte', () => content(`/${'a'.repeat(1_000_000)} gs`), readPdf),
  shape('numbers of a megabyte', () => content(`${'9'.repeat(1_000_000)} w`), readPdf),
  shape('comments without number', () => content(repeated('%\n', often(400_000, 4_000_000))), readPdf),
  shape(
    'the word stream without number',
    () =>
      file(Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from(repeated('stream\n', often(390_000, 3_900_000)))])),
    readPdf,
  ),
  shape(
    'streams in one that is not compressed',
    () => file(onePage([plain('1 0 obj << /Filter /FlateDecode >> stream\nx\x9c'.repeat(often(5_000, 50_000)))])),
    readPdf,
  ),
];
