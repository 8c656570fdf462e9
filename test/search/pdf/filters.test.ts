import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sanitisePdf } from '../../../src/search/pdf/streams.ts';
import { extractPdfText } from '../../../src/search/pdf/text.ts';
import { encoders, lzwOfBlanks } from './encoders.ts';
import { FONTS, onePage, type PdfPart, shown } from './file.ts';
import { budgetFor } from '../../support/runner/budget.ts';

// High enough for all lines.
const PAGE = `/Resources << ${FONTS} >> /Contents 5 0 R /MediaBox [0 0 612 40000]`;
const HONEST = `${shown('A line of text')} ${'% a comment\n'.repeat(60)}`;
const HOSTILE = `${shown('A line of text')} ${'q '.repeat(5_000)}`;
/** Objects of the file behind the stream, which is the fifth. */
const FIRST_EXTRA = 6;

type Spelling = {
  isShort: boolean;
  isEscaped: boolean;
  isShortKey: boolean;
  isArray: boolean;
  filterIn: 'place' | 'object' | 'objects';
  parametersIn: 'place' | 'object';
  before: string;
};
const spellings = fc.record<Spelling>({
  isShort: fc.boolean(),
  isEscaped: fc.boolean(),
  isShortKey: fc.boolean(),
  isArray: fc.boolean(),
  filterIn: fc.constantFrom('place', 'object', 'objects'),
  parametersIn: fc.constantFrom('place', 'object'),
  before: fc.constantFrom(
    '',
    '/X (obj)',
    '/X (\\) >> stream)',
    `/X (${'long '.repeat(1_000)})`,
    '% obj >>\n',
    '/X <6f626a>',
  ),
});

const nameOf = (name: string, { isEscaped }: Spelling): string =>
  isEscaped ? `/${name.slice(0, 1)}#${name.charCodeAt(1).toString(16)}${name.slice(2)}` : `/${name}`;

/** A page whose text is written with filters, the last of which is the one that was used first. */
function pageOf(text: string, filters: readonly string[], spelling: Spelling, random: () => number): Uint8Array {
  let data = Buffer.from(text, 'latin1');
  const written = filters.map((filter) => {
    const { names, encode } = encoders[filter] ?? { names: [], encode: () => ({ data, parameters: '' }) };
    const encoded = encode(data, random);
    data = Buffer.from(encoded.data);
    return { name: nameOf(names[spelling.isShort ? 1 : 0] ?? '', spelling), parameters: `<< ${encoded.parameters} >>` };
  });
  const extra: string[] = [];
  const inObject = (value: string): string => `${FIRST_EXTRA + extra.push(value) - 1} 0 R`;
  const isArray = spelling.isArray || written.length > 1;
  const names = written
    .map(({ name }) => (isArray && spelling.filterIn === 'objects' ? inObject(name) : name))
    .toReversed();
  const parameters = written
    .map((one) => (spelling.parametersIn === 'object' ? inObject(one.parameters) : one.parameters))
    .toReversed();
  const list = (values: readonly string[]): string => (isArray ? `[${values.join(' ')}]` : values.join(' '));
  const filter = spelling.filterIn === 'object' ? inObject(list(names)) : list(names);
  const [key, parametersKey] = spelling.isShortKey ? ['/F', '/DP'] : ['/Filter', '/DecodeParms'];
  const dict = `${spelling.before} ${key} ${filter} ${parametersKey} ${list(parameters)}`;
  const stream: PdfPart = { dict, content: data, isPlain: true };
  return onePage(PAGE, stream, ...extra);
}

const chains = fc.array(fc.constantFrom(...Object.keys(encoders)), { minLength: 1, maxLength: 2 });

describe('B1: the filters of a stream, however they are written', () => {
  test('an honest page is read, and one that is too much work is refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        chains,
        spellings,
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        async (filters, spelling, numbers) => {
          const random = (): number => Number(numbers.next().value);
          const honest = await extractPdfText(pageOf(HONEST, filters, spelling, random));
          expect(honest).toMatchObject({ text: 'A line of text' });
          expect(await sanitisePdf(pageOf(HOSTILE, filters, spelling, random))).toBe('too_large');
        },
      ),
      { numRuns: budgetFor(30, 150) },
    );
  });

  test.each(Object.keys(encoders))('%s: nothing is lost of a long text', async (filter) => {
    const plain: Spelling = {
      isShort: false,
      isEscaped: false,
      isShortKey: false,
      isArray: false,
      filterIn: 'place',
      parametersIn: 'place',
      before: '',
    };
    const lines = Array.from({ length: 2_000 }, (_, at) => `Line ${at} of ${(at * 7_919) % 10_007}`);
    const text = `BT /F1 12 Tf 14 TL 50 39000 Td ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`;
    const read = await extractPdfText(pageOf(text, [filter], plain, () => 0.99));
    expect(read).toMatchObject({ text: lines.join('\n') });
    expect(await sanitisePdf(pageOf(`${text} ${'q '.repeat(2_000)}`, [filter], plain, () => 0.3))).toBe('too_large');
  });

  test.each<[string, string, Buffer]>([
    ['LZW of 17 KB', 'LZWDecode', lzwOfBlanks(3)],
    ['run lengths of 270 KB', 'RunLengthDecode', Buffer.alloc(270 * 1024, Buffer.of(129, 32))],
  ])('%s that comes to more than a file may is refused', async (_, filter, content) => {
    expect(await sanitisePdf(onePage(PAGE, { dict: `/Filter /${filter}`, content, isPlain: true }))).toBe('too_large');
  });

  test('pixels of a stream that text would be read from are blank', async () => {
    const page = onePage(PAGE, { dict: '/Filter /DCTDecode', content: shown('not pixels'), isPlain: true });
    const safe = await sanitisePdf(page);
    expect(new TextDecoder('latin1').decode(page)).toContain('not pixels');
    expect(safe instanceof Uint8Array && new TextDecoder('latin1').decode(safe)).not.toContain('not pixels');
  });

  test.each<[string, string, string]>([
    ['a filter in the dictionary that is too often there', `/Filter [${'/AHx '.repeat(5)}]`, ''],
    ['a row of more than 256 KiB', '/Filter /LZWDecode /DecodeParms << /Predictor 12 /Columns 300000 >>', ''],
    ['an early change of 2', '/Filter /LZWDecode /DecodeParms << /EarlyChange 2 >>', ''],
    ['rows of TIFF of single bits', '/Filter /LZWDecode /DecodeParms << /Predictor 2 /BitsPerComponent 1 >>', ''],
    ['a picture, as another object says', '/Filter 6 0 R', '/DCTDecode endobj 6 0 obj /LZWDecode'],
  ])('%s is not judged, so it is refused or blank', async (_, dict, extra) => {
    const parts = extra === '' ? [] : [extra];
    const content = Buffer.from(shown('A line of text'));
    const safe = await sanitisePdf(onePage(PAGE, { dict, content, isPlain: true }, ...parts));
    expect(safe === 'too_large' || !Buffer.from(safe).includes('A line of text')).toBe(true);
  });
});
