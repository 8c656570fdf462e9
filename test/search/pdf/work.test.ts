import { describe, expect, test } from 'vitest';
import { TEXT_PRICE, countOperators } from '../../../src/search/pdf/operators.ts';
import { sanitisePdf } from '../../../src/search/pdf/streams.ts';
import { extractPdfText } from '../../../src/search/pdf/text.ts';
import { MAX_MAPPED_CODES, MAX_PRICE, MAX_ROW_BYTES, MAX_SAVED } from '../../../src/search/pdf/work.ts';
import { FONTS, form, onePage, pdfFile, type PdfPart, shown } from './file.ts';

const RESOURCES = `/Resources << ${FONTS} >>`;
const CONTENT = `${RESOURCES} /Contents 5 0 R`;
const many = (text: string, times: number): string => text.repeat(times);
/** Operators that show text, `times` of them. */
const work = (times: number): string => `BT /F1 12 Tf ${many('(a) Tj ', times)} ET`;
const drawing = (...names: readonly string[]): string => names.map((name) => `/${name} Do`).join(' ');
const xobjects = (...entries: readonly string[]): string => `<< ${FONTS} /XObject << ${entries.join(' ')} >> >>`;
/** Levels of forms, each of which draws the next `times`. */
const nested = (levels: number, times: number, last: string): PdfPart[] =>
  Array.from({ length: levels }, (_, at) =>
    at === levels - 1 ? form(last) : form(many('/X Do ', times), xobjects(`/X ${7 + at} 0 R`)),
  );
const nestedPage = (levels: number, times: number, last: string): Uint8Array =>
  onePage(`/Resources ${xobjects('/X 6 0 R')} /Contents 5 0 R`, { content: '/X Do' }, ...nested(levels, times, last));

/** Pages that share their parts: objects 1 to 3 are catalog, pages and font. */
const pages = (count: number, page: string, ...parts: readonly PdfPart[]): Uint8Array =>
  pdfFile([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${Array.from({ length: count }, (_, at) => `${5 + parts.length + at} 0 R`).join(' ')}] >>`,
    '<< >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...parts,
    ...Array.from({ length: count }, () => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${page} >>`),
  ]);

/** A page whose text is in fonts that have this map of codes to characters. */
const mapped = (fonts: number, map: string): Uint8Array =>
  onePage(
    `/Resources << /Font << /F1 4 0 R ${Array.from({ length: fonts }, (_, at) => `/M${at} ${7 + at} 0 R`).join(' ')} >> >> /Contents 5 0 R`,
    {
      content: `BT /F1 12 Tf 50 700 Td (Mapped) Tj ${Array.from({ length: fonts }, (_, at) => `/M${at} 1 Tf (a) Tj`).join(' ')} ET`,
    },
    { content: map },
    ...Array.from({ length: fonts }, () => '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>'),
  );
const ALL_CODES = '1 beginbfrange <0000> <ffff> <0000> endbfrange';
/** A page whose text was written with a predictor. */
const predicted = (parameters: string): Uint8Array =>
  onePage(CONTENT, {
    dict: `/DecodeParms << /Predictor 12 ${parameters} >>`,
    content: Buffer.concat([Buffer.of(0), Buffer.from(shown('Predicted').padEnd(200))]),
  });

const inObjectStream = (objects: readonly [number, string][]): PdfPart => {
  const texts = objects.map(([, text]) => text);
  const head = objects.map(([number], at) => `${number} ${texts.slice(0, at).join(' ').length + (at > 0 ? 1 : 0)}`);
  const first = `${head.join(' ')} `;
  return { dict: `/Type /ObjStm /N ${objects.length} /First ${first.length}`, content: first + texts.join(' ') };
};

describe('B1: a PDF that is too much work is refused before it is read', () => {
  test.each<[string, Uint8Array]>([
    ...[5_000, 10_000, 40_000, 7_000_000].map((times): [string, Uint8Array] => [
      `${times} saved states`,
      onePage(CONTENT, { content: many('q ', times) }),
    ]),
    ['saved states without white space', onePage(CONTENT, { content: many('q', 5_000) })],
    ['saved states that only strings and comments restore', onePage(CONTENT, { content: many('q (Q) %Q\n', 2_000) })],
    ['saved states behind bytes that are no text', onePage(CONTENT, { content: many('\u0001q ', 5_000) })],
    ['saved states behind a lone ID', onePage(CONTENT, { content: `ID ${many('q ', 5_000)}\xff` })],
    ...['/AHx ID 00> EI', '/A85 ID x~> EI', '/DCT ID \xff\xd9 EI', '/Fl ID x EI\n'].map((end): [string, Uint8Array] => [
      `saved states behind a picture that ends for its reader: ${end.slice(0, 4)}`,
      onePage(CONTENT, { content: `BI /W 1 /H 1 /F ${end} \xff ${many('q ', 5_000)}` }),
    ]),
    [
      'saved states that only the dictionary of a picture restores',
      onePage(CONTENT, { content: many('q BI /W ID /EI Q /A Q ID x EI q ', 2_000) }),
    ],
    [
      'saved states in what was a string before a picture ended',
      onePage(CONTENT, { content: `BI /W 1 /H 1 ID x EI (no end in sight EI ${many('q ', 5_000)}` }),
    ],
    ['saved states in a stream that is not deflated', onePage(CONTENT, { content: many('q ', 5_000), isPlain: true })],
    [
      'saved states of a stream that is named often',
      onePage(`/Contents [${many('5 0 R ', 20)}]`, { content: many('q ', 100) }),
    ],
    ['saved states of a form in a form', nestedPage(3, 1, many('q ', 2_000))],
    ['operators in one stream', onePage(CONTENT, { content: work(MAX_PRICE / TEXT_PRICE) })],
    ...[1_000, 10_000].map((times): [string, Uint8Array] => [
      `one stream ${times} times in /Contents`,
      onePage(`${RESOURCES} /Contents [${many('5 0 R ', times)}]`, { content: work(1_000) }),
    ]),
    [
      'the same in an array of its own',
      onePage(`${RESOURCES} /Contents 6 0 R`, { content: work(1_000) }, `[${many('5 0 R ', 1_000)}]`),
    ],
    [
      'the same in arrays of arrays',
      onePage(`${RESOURCES} /Contents [${many('6 0 R ', 40)}]`, { content: work(1_000) }, `[${many('5 0 R ', 40)}]`),
    ],
    [
      'the same in an object stream',
      onePage(
        `${RESOURCES} /Contents 7 0 R`,
        { content: work(1_000) },
        inObjectStream([[7, `[${many('5 0 R ', 1_000)}]`]]),
      ),
    ],
    ['one stream of 100 pages', pages(100, `/Resources << ${FONTS} >> /Contents 5 0 R`, { content: work(10_000) })],
    [
      'one page that is named 200 times',
      pdfFile([
        '<< /Type /Catalog /Pages 2 0 R >>',
        `<< /Type /Pages /Count 200 /Kids [${many('3 0 R ', 200)}] >>`,
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${CONTENT} >>`,
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        { content: work(10_000) },
      ]),
    ],
    [
      'a form that is drawn often',
      onePage(
        `/Resources ${xobjects('/X 6 0 R')} /Contents 5 0 R`,
        { content: many('/X Do ', 1_000) },
        form(work(1_000)),
      ),
    ],
    [
      'a form whose name is escaped',
      onePage(
        `/Resources ${xobjects('/X#59 6 0 R')} /Contents 5 0 R`,
        { content: many('/#58Y Do ', 1_000) },
        form(work(1_000)),
      ),
    ],
    ['forms within forms, 10 times each', nestedPage(6, 10, work(10))],
    ['forms within forms, 100 times each', nestedPage(5, 100, work(10))],
    ['forms deeper than any file has them', nestedPage(40, 1, work(10))],
    [
      'a form that draws itself',
      onePage(
        `/Resources ${xobjects('/X 6 0 R')} /Contents 5 0 R`,
        { content: '/X Do' },
        form('/X Do', xobjects('/X 6 0 R')),
      ),
    ],
    [
      'forms that draw with the resources of the page',
      onePage(
        `/Resources ${xobjects('/X 6 0 R', '/Y 7 0 R')} /Contents 5 0 R`,
        { content: many('/X Do ', 100) },
        form(many('/Y Do ', 100), ''),
        form(work(100), ''),
      ),
    ],
    [
      'a stream that is shown as a string',
      onePage(`${RESOURCES} /Contents [${many('5 0 R ', 100)}]`, { content: shown(many('a', 1_000_000)) }),
    ],
    [
      'glyphs of a font',
      onePage(
        `/Resources << /Font << /F1 6 0 R >> >> /Contents 5 0 R`,
        { content: shown('a') },
        `<< /Type /Font /Subtype /Type3 /CharProcs << ${Array.from({ length: 700 }, (_, at) => `/g${at} 7 0 R`).join(' ')} >> >>`,
        { content: work(1_000) },
      ),
    ],
    ['a map of more codes than any font has', mapped(1, many(ALL_CODES, 17))],
    ['a map of all codes that many fonts name', mapped(17, ALL_CODES)],
    ['a map behind a picture of a string', mapped(1, `(<) pop ${many(ALL_CODES, 17)} (>)`)],
    ['a map of codes in brackets', mapped(1, '1 beginbfrange (\\000\\000) (\\377\\377) <0000> endbfrange')],
    ['a map of codes that begins in a dictionary', mapped(1, `<< ${many(ALL_CODES, 17)} >>`)],
    ['a map of one code of four bytes', mapped(1, '1beginbfrange<00000000><00ffffff>0 endbfrange')],
    ['codespaces without number', mapped(1, `begincodespacerange ${many('<00> <ff> ', 2_000)} endcodespacerange`)],
    ['a row of a million columns', predicted('/Columns 1000000 /Colors 32 /BitsPerComponent 16')],
    ['a row that is one number too wide', predicted(`/Columns ${MAX_ROW_BYTES + 1}`)],
    ['a row of many colours', predicted(`/Columns 2 /Colors ${MAX_ROW_BYTES}`)],
    ['values that lie too deep', onePage(CONTENT, { content: shown('a') }, many('[', 1_000))],
    [
      'a stream whose object hides its number',
      new Uint8Array(
        Buffer.from(
          Buffer.from(onePage(CONTENT, { content: many('q ', 5_000) }))
            .toString('latin1')
            .replace('5 0 obj', '5%\n0%\nobj'),
          'latin1',
        ),
      ),
    ],
    ['fake objects within others', onePage(CONTENT, { content: shown('a') }, many('9 0 obj [ ', 100_000))],
  ])('%s', async (_shape, bytes) => {
    expect(await sanitisePdf(bytes)).toBe('too_large');
    expect(await extractPdfText(bytes)).toBe('too_large');
  });
});

test('B1: metadata in XML is blank before it is read, whatever it holds', async () => {
  const metadata = { dict: '/Type /Metadata /Subtype /XML', content: 'ampersands &&&&' };
  const safe = await sanitisePdf(
    onePage(CONTENT, { content: shown('Text'), isPlain: true }, { ...metadata, isPlain: true }),
  );
  expect(new TextDecoder('latin1').decode(safe as Uint8Array)).not.toContain('ampersands');
});

describe('an honest PDF is read', () => {
  const letterhead = form(shown('Letterhead'));
  test.each<[string, Uint8Array, string]>([
    ['text written with a predictor', predicted('/Columns 200'), 'Predicted'],
    [
      'fonts that map each of their codes',
      mapped(MAX_MAPPED_CODES / 65_536, `/Registry (Adobe) def /CIDSystemInfo << /Ordering (UCS) >> def ${ALL_CODES}`),
      'Mapped',
    ],
    [
      'a map of short ranges far from each other',
      mapped(
        1,
        many('3 beginbfrange <0003> <0004> <f000> <f000> <f004> [<0041> <0042>] <0009> <0009> 70 endbfrange ', 2_000),
      ),
      'Mapped',
    ],
    [
      'contents in parts, whose states belong together',
      onePage(
        `${RESOURCES} /Contents [5 0 R 6 0 R 7 0 R]`,
        { content: 'q q ' },
        { content: shown('Parts') },
        { content: ' Q Q' },
      ),
      'Parts',
    ],
    [
      'contents in an array of its own',
      onePage(`${RESOURCES} /Contents 6 0 R`, { content: shown('Array') }, '[5 0 R]'),
      'Array',
    ],
    [
      'contents and resources in an object stream',
      onePage(
        '/Resources 7 0 R /Contents 8 0 R',
        { content: shown('Packed') },
        inObjectStream([
          [7, `<< ${FONTS} >>`],
          [8, '[5 0 R]'],
        ]),
      ),
      '',
    ],
    [
      'many states, each restored',
      onePage(CONTENT, { content: `${many('q 1 0 0 1 0 0 cm Q\n', 20_000)}${shown('States')}` }),
      'States',
    ],
    [
      'as many states as may be open',
      onePage(CONTENT, { content: `${many('q ', MAX_SAVED)}${shown('Deep')}` }),
      'Deep',
    ],
    [
      'forms that call theirs by the same name',
      onePage(
        `/Resources ${xobjects('/Fm0 6 0 R')} /Contents 5 0 R`,
        { content: '/Fm0 Do' },
        form('/Fm0 Do', xobjects('/Fm0 7 0 R')),
        form(shown('Same name')),
      ),
      'Same name',
    ],
    [
      'forms without resources',
      onePage(
        `/Resources ${xobjects('/A 6 0 R', '/B 7 0 R')} /Contents 5 0 R`,
        { content: drawing('A', 'B') },
        form(shown('One'), ''),
        form(shown('Two'), ''),
      ),
      'One',
    ],
    [
      '200 pages with one letterhead',
      pages(200, `/Resources ${xobjects('/L 6 0 R')} /Contents 5 0 R`, { content: drawing('L') }, letterhead),
      'Letterhead',
    ],
    [
      'a picture within the text',
      onePage(CONTENT, { content: `q BI /W 2 /H 2 /BPC 8 /CS /G ID \0q Q EI q\xff EI Q ${shown('Picture')}` }),
      'Picture',
    ],
    [
      'words of the format in its text',
      onePage(CONTENT, { content: shown('A stream of 5 0 obj and endobj, Do Q q endstream'), isPlain: true }),
      'A stream of 5 0 obj',
    ],
    ['escaped parentheses', onePage(CONTENT, { content: shown('A \\(q q q\\) \\\\') }), 'A (q q q) \\'],
    [
      'an object that an update replaces',
      onePage(CONTENT, { content: shown('Old') }, '<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>'),
      'Old',
    ],
    [
      'resources of the node above',
      pdfFile([
        '<< /Type /Catalog /Pages 2 0 R >>',
        `<< /Type /Pages /Count 1 /Kids [3 0 R] /Resources ${xobjects('/X 6 0 R')} /MediaBox [0 0 612 792] >>`,
        '<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>',
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        { content: drawing('X') },
        form(shown('Inherited')),
      ]),
      'Inherited',
    ],
    [
      'annotations with contents of their own',
      onePage(`${CONTENT} /Annots [<< /Type /Annot /Subtype /Text /Contents (A note) /Rect [0 0 9 9] >>]`, {
        content: shown('Annotated'),
      }),
      'Annotated',
    ],
    [
      'half of the operators that may be',
      onePage(CONTENT, { content: `${shown('Half')}${many('0 g ', MAX_PRICE / 2)}` }),
      'Half',
    ],
  ])('%s', async (_shape, bytes, text) => {
    const read = await extractPdfText(bytes);
    expect(read).toMatchObject({ text: expect.stringContaining(text) });
  });
});

test.each<[string, Partial<ReturnType<typeof countOperators>>]>([
  ['q q Q', { price: 3, saved: 1, deepest: 2 }],
  ['qqqQ', { price: 4, saved: 2, deepest: 3 }],
  ['1 0 0 1 0 0cm/X Do/X Do', { price: 1 + 2 * TEXT_PRICE, draws: new Map([['/X', 2]]) }],
  ['(q \\) q (q)) Tj <71 71> Tj', { price: 2 * TEXT_PRICE, deepest: 0 }],
  ['% q q\nq', { price: 1, deepest: 1 }],
  ['/q Do', { price: TEXT_PRICE, deepest: 0 }],
  ['[(q) -20.5(q)] TJ', { price: TEXT_PRICE, deepest: 0 }],
  ['Q Q q', { saved: 1, deepest: 1 }],
  ['BT zoo foo ET', { price: 1 + 2 * TEXT_PRICE }],
  ['q (never closed q q', { price: 1, deepest: 1 }],
])('the work of %j', (content, expected) => {
  expect(countOperators(new TextEncoder().encode(content))).toMatchObject(expected);
});
