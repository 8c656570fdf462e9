import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_CELL_CHARS, MAX_IMPORT_ROWS } from '../../../src/visibility/imports/csv-rows.ts';
import { importFormats } from '../../../src/visibility/imports/formats-data.ts';
import {
  type GivenFile,
  importFiles,
  type ImportOptions,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_FILES,
} from '../../../src/visibility/imports/import-files.ts';

const samples = join(import.meta.dirname, '../../data/first-party');
const sample = (source: string, name: string): GivenFile => ({
  name,
  bytes: readFileSync(join(samples, source, name)),
});
const samplesOf = (source: string, name: string): string => readFileSync(join(samples, source, name), 'utf8');
const encoder = new TextEncoder();
const file = (text: string, name = 'export.csv'): GivenFile => ({ name, bytes: encoder.encode(text) });
const nowMs = Date.UTC(2026, 10, 28);
const read = (files: readonly GivenFile[], options: Partial<ImportOptions> = {}) =>
  importFiles(files, { nowMs, maxRows: MAX_IMPORT_ROWS, ...options });

/** The one import of files that can be read. */
function importOne(files: readonly GivenFile[], options: Partial<ImportOptions> = {}) {
  const outcome = read(files, options);
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message} ${outcome.detail.join(' ')}`);
  expect(outcome.imports).toHaveLength(1);
  const [one] = outcome.imports;
  if (one === undefined) throw new Error('nothing was imported');
  return one;
}

/** Why files cannot be read. */
function refuse(files: readonly GivenFile[], options: Partial<ImportOptions> = {}) {
  const outcome = read(files, options);
  if (outcome.ok) throw new Error('the files were read');
  return outcome;
}

describe('samples of each format', () => {
  test('Search Console: pages, days, countries and the time of the filters', () => {
    const source = 'google-search-console-generative-ai';
    const names = ['Pages.csv', 'Chart.csv', 'Countries.csv', 'Devices.csv', 'Filters.csv'];
    const one = importOne(names.map((name) => sample(source, name)));
    expect(one).toMatchObject({
      source,
      counts: 'impressions',
      from: '2026-08-28',
      to: '2026-09-03',
      total: 1116,
      total_of: 'days',
      queries: null,
      not_read: [],
      notes: [],
    });
    expect(one.pages?.[0]).toEqual({ page: 'https://acme.example/pricing', count: 410, share: null });
    // Two fragments of one page are one page.
    expect(one.pages?.find(({ page }) => page.endsWith('/docs/api'))?.count).toBe(21);
    expect(one.countries?.[0]).toEqual({ name: 'United States', count: 640 });
  });

  test('Bing: byte order mark, quotes, dates with the month first, shares, and columns that are not read', () => {
    const source = 'bing-ai-performance';
    const one = importOne(['pages.csv', 'grounding-queries.csv', 'overview.csv'].map((name) => sample(source, name)));
    expect(one).toMatchObject({ source, from: '2026-09-05', to: '2026-09-06', total: 169, counts: 'citations' });
    expect(one.not_read).toEqual(['queries: Intent', 'queries: Topic', 'days: Cited Pages']);
    expect(one.not_read_columns?.[2]).toEqual({ table: 'days', column: 'Cited Pages', reason: 'unknown_column' });
    expect(one.queries?.[0]).toEqual({ query: 'best help desk software', count: 60, share: 0.125 });
  });

  test('Clarity: pages and queries by the names of the documentation', () => {
    const source = 'clarity-citations';
    const one = importOne(['my-cited-pages.csv', 'queries.csv'].map((name) => sample(source, name)));
    expect(one).toMatchObject({ source, known: 'docs', from: null, to: null, total: 2464, total_of: 'pages' });
    expect(one.queries?.[0]?.share).toBeCloseTo(0.241);
  });

  test('Google Analytics: the one channel, the days of the comments, and landing pages of a site', () => {
    const source = 'ga4-ai-assistant';
    const channels = importOne([sample(source, 'traffic-acquisition.csv')]);
    expect(channels).toMatchObject({ source, total: 184, from: '2026-08-01', to: '2026-08-31', pages: null });
    const landing = importOne([sample(source, 'landing-pages.csv')], { site: 'acme.example' });
    expect(landing.total).toBe(155);
    expect(landing.pages).toEqual([
      { page: 'https://acme.example/pricing', count: 90, share: null },
      { page: 'https://acme.example/guide/setup', count: 61, share: null },
    ]);
    const paths = importOne([sample(source, 'landing-pages.csv')]);
    expect(paths.pages?.[0]?.page).toBe('/pricing');
    expect(paths.notes.join(' ')).toContain('name the site');
  });

  test('German headers are read where they are documented', () => {
    const one = importOne([file('Häufigste Seiten;Impressionen\r\nhttps://a.example/;1.234\r\n')]);
    expect(one.total).toBe(1234);
  });

  test('every table of every format is the only one that its own header fits', () => {
    for (const { source, tables } of importFormats) {
      for (const { table, columns } of tables) {
        const header = columns.map(({ headers: [name = ''] }) => name).join(',');
        const outcome = read([file(`${header}\n`), ...(table === 'filters' ? [file('Top pages,Impressions\n')] : [])]);
        expect(outcome.ok ? outcome.imports.map((one) => one.source) : outcome).toEqual([source]);
      }
    }
  });
});

describe('spellings of one export', () => {
  const rows = [
    ['Page', 'Citations'],
    ['https://a.example/x', '7'],
  ];
  const wanted = [{ page: 'https://a.example/x', count: 7, share: null }];
  const write = (delimiter: string, end = '\r\n'): string => rows.map((row) => row.join(delimiter) + end).join('');
  const toUtf16 = (text: string, isLittle: boolean): Uint8Array => {
    const units = Array.from(`\uFEFF${text}`, (character) => character.charCodeAt(0));
    return Uint8Array.from(units.flatMap((unit) => (isLittle ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255])));
  };

  test.each([
    ['commas', encoder.encode(write(','))],
    ['semicolons', encoder.encode(write(';'))],
    ['tabs', encoder.encode(write('\t'))],
    ['line feeds alone, without the last one', encoder.encode(write(',', '\n').trimEnd())],
    ['a byte order mark', encoder.encode(`\uFEFF${write(',')}`)],
    ['the line with which Excel names the delimiter', encoder.encode(`sep=;\r\n${write(';')}`)],
    ['UTF-16 with the low byte first, as Excel writes it', toUtf16(write('\t'), true)],
    ['UTF-16 with the high byte first', toUtf16(write('\t'), false)],
    ['other case and spaces in the header', encoder.encode(' PAGE , citations \nhttps://a.example/x,7\n')],
    ['tracking parameters and a fragment', encoder.encode('Page,Citations\nhttps://A.example/x?utm_source=c#y,7\n')],
  ])('%s', (_name, bytes) => {
    expect(importOne([{ name: 'export.csv', bytes }]).pages).toEqual(wanted);
  });

  test('quoted line ends, quotes and delimiters are text of the cell', () => {
    const one = importOne([file('Grounding Query,Citations\n"a ""b"",\nc",3\n')]);
    expect(one.queries).toEqual([{ query: 'a "b",\nc', count: 3, share: null }]);
  });

  test.each([
    ['1,234', 1234],
    ['1.234.567', 1_234_567],
    ['4 000', 4000],
    ['4\u202F000', 4000],
    ["12'345", 12_345],
  ])('the count %j is %i', (cell, count) => {
    expect(importOne([file(`Page,Citations\nhttps://a.example/,"${cell}"\n`)]).total).toBe(count);
  });

  test('a share with a decimal comma is read, and one without a percent sign is said not to be', () => {
    const header = 'Grounding Query,Citations,Citation Share\n';
    expect(importOne([file(`${header}a,1,"12,5 %"\n`)]).queries?.[0]?.share).toBeCloseTo(0.125);
    const bare = importOne([file(`${header}a,1,0.5\n`)]);
    expect(bare.queries?.[0]?.share).toBeNull();
    expect(bare.not_read.join(' ')).toContain('Citation Share');
  });

  test('formulas are kept as text', () => {
    const one = importOne([file('Grounding Query,Citations\n"=cmd|\' /C calc\'!A0",3\n')]);
    expect(one.queries?.[0]?.query).toBe("=cmd|' /C calc'!A0");
  });

  test('rows that repeat another to the letter count once, and the result says so', () => {
    const one = importOne([file('Page,Citations\nhttps://a.example/,3\nhttps://a.example/,3\n')]);
    expect(one.total).toBe(3);
    expect(one.files[0]).toMatchObject({ rows: 2, repeated: 1 });
    expect(one.notes).toHaveLength(1);
  });

  test('a header without rows is an answer', () => {
    const one = importOne([file('Page,Citations\n')]);
    expect(one).toMatchObject({ total: 0, pages: [] });
    expect(one.notes[0]).toContain('no rows');
  });

  test('filters of an export are said', () => {
    const one = importOne([
      sample('google-search-console-generative-ai', 'Pages.csv'),
      file('Filter,Value\nDate,Last 3 months\nCountry,Germany\n', 'Filters.csv'),
    ]);
    expect(one.from).toBeNull();
    expect(one.notes).toEqual([
      'The export was filtered: Date is Last 3 months.',
      'The export was filtered: Country is Germany.',
    ]);
    expect(one.note_reasons).toEqual([
      { reason: 'filtered', name: 'Date', value: 'Last 3 months' },
      { reason: 'filtered', name: 'Country', value: 'Germany' },
    ]);
  });
});

describe('what cannot be read is refused as a whole', () => {
  const good = file('Page,Citations\nhttps://a.example/,3\n', 'good.csv');
  const page = 'https://a.example/';

  test.each([
    ['empty_file', ''],
    ['empty_file', ' \n\t\n'],
    ['empty_file', '# a comment\n'],
    ['html_file', '<!DOCTYPE html><html><title>Sign in</title>'],
    ['zip_file', 'PK\u0003\u0004rest of an archive'],
    ['not_text', '%PDF-1.7'],
    ['not_text', 'Page,Citations\0\n'],
    ['malformed_csv', 'Page,Citations\n"https://a.example/,3\n'],
    ['wrong_row', `Page,Citations\n${page},3,4\n`],
    ['wrong_row', `Page,Citations\n${page}\n`],
    ['wrong_number', `Page,Citations\n${page},many\n`],
    ['wrong_number', `Page,Citations\n${page},-3\n`],
    ['wrong_number', `Page,Citations\n${page},1.5\n`],
    ['wrong_number', `Page,Citations\n${page},=1+1\n`],
    ['wrong_number', 'Grounding Query,Citations,Citation Share\na,1,250%\n'],
    ['wrong_date', 'Date,Citations\n2026-02-30,3\n'],
    ['wrong_date', 'Date,Citations\n25/9/2026,3\n'],
    ['wrong_date', 'Date,Citations\n2027-01-01,3\n'],
    ['wrong_date', 'Date,Citations\n1999-01-01,3\n'],
    ['wrong_date', 'Date,Citations\nyesterday,3\n'],
    ['wrong_date', '# Start date: 20269999\n# End date: 20269999\nPage,Citations\n'],
    ['wrong_date', '# Start date: 20260901\n# End date: 20260801\nPage,Citations\n'],
    ['wrong_date', 'Filter,Value\nDate,"Aug 28, 1999-Sep 3, 1999"\n'],
    ['wrong_url', 'Page,Citations\n/pricing,3\n'],
    ['wrong_url', 'Page,Citations\njavascript:alert(1),3\n'],
    ['conflicting_rows', `Page,Citations\n${page},3\n${page},4\n`],
    ['several_tables', 'Session default channel group,Sessions\nAI Assistant,3\n\n# Start date: 20260801,\n'],
    ['no_ai_channel', 'Session default channel group,Sessions\nDirect,3\n'],
    ['unknown_format', 'Keyword,Volume\na,3\n'],
    ['missing_columns', 'Page,Volume\na,3\n'],
    ['other_export', `Top pages,Clicks,Impressions,CTR,Position\n${page},1,2,50%,3\n`],
    ['nothing_to_read', 'Filter,Value\nDate,Last 3 months\n'],
    ['cell_too_long', `Page,Citations\n${page}${'a'.repeat(MAX_CELL_CHARS)},3\n`],
  ])('%s', (reason, text) => {
    const refused = refuse([good, file(text, 'bad.csv')].slice(reason === 'nothing_to_read' ? 1 : 0));
    expect(refused).toMatchObject({ ok: false, reason, file: 'bad.csv' });
    expect(refused.message).toMatch(/\.$/);
  });

  test('a page in Latin-1 is refused with what to do', () => {
    const bytes = Uint8Array.from([...encoder.encode('Page,Citations\nhttps://a.example/'), 0xfc, 0x2c, 0x33]);
    expect(refuse([{ name: 'latin.csv', bytes }])).toMatchObject({ reason: 'not_text' });
  });

  test('broken UTF-16', () => {
    expect(refuse([{ name: 'x.csv', bytes: Uint8Array.from([0xff, 0xfe, 0x41]) }])).toMatchObject({
      reason: 'not_text',
    });
  });

  test('a file that fits no format hears what it has, which formats are known and what it lacks of each', () => {
    const refused = refuse([file('Keyword,Volume\na,3\n')]);
    expect(refused.detail[0]).toBe('Found columns: "Keyword", "Volume".');
    const tables = importFormats.flatMap((format) => format.tables);
    expect(refused.detail).toHaveLength(1 + tables.length);
    expect(refused.detail.join('\n')).toContain('bing-ai-performance (2026-09-05), pages: lacks "Page", "Citations"');
  });

  test('a second table of the same kind', () => {
    expect(refuse([good, { ...good, name: 'again.csv' }])).toMatchObject({
      reason: 'same_table_twice',
      file: 'again.csv',
    });
  });

  test('the source that a reader names is the only one tried', () => {
    expect(refuse([good], { as: 'clarity-citations' })).toMatchObject({ reason: 'missing_columns' });
    expect(importOne([good], { as: 'bing-ai-performance' }).total).toBe(3);
  });

  test('rows, bytes and files have a limit', () => {
    const rows = Array.from({ length: 4 }, (_, at) => `https://a.example/${at},1\n`).join('');
    expect(refuse([file(`Page,Citations\n${rows}`)], { maxRows: 3 })).toMatchObject({ reason: 'too_many_rows' });
    expect(importOne([file(`Page,Citations\n${rows}`)], { maxRows: 4 }).total).toBe(4);
    const large = { name: 'large.csv', bytes: new Uint8Array(MAX_IMPORT_BYTES + 1) };
    expect(refuse([large])).toMatchObject({ reason: 'too_many_bytes' });
    const many = Array.from({ length: MAX_IMPORT_FILES + 1 }, () => good);
    expect(refuse(many)).toMatchObject({ reason: 'too_many_files' });
  });

  test('two million rows end at the limit, with nothing kept', () => {
    const text = `Page,Citations\n${'https://a.co,1\n'.repeat(2_000_000)}`;
    expect(refuse([file(text)])).toMatchObject({ reason: 'too_many_rows' });
  });
});

describe('any bytes end as a result or as a refusal', () => {
  const known = importFormats.flatMap(({ tables }) =>
    tables.flatMap(({ columns }) => columns.flatMap(({ headers }) => headers)),
  );
  const piece = fc.oneof(
    fc.constantFrom(
      ...known,
      ...Array.from(',;\t\r\n"\'#=\0\uFEFF%./:'),
      'https://a.example/',
      'AI Assistant',
      '2026-09-01',
      '12,5 %',
      '\n',
    ),
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.nat().map(String),
  );

  test('random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(typeof read([{ name: 'any', bytes }]).ok).toBe('boolean');
      }),
      { numRuns: 500 },
    );
  });

  test('pieces of exports in any order, and samples with a piece put in', () => {
    const text = samplesOf('bing-ai-performance', 'grounding-queries.csv');
    const put = fc
      .tuple(fc.nat({ max: text.length }), piece)
      .map(([at, one]) => text.slice(0, at) + one + text.slice(at));
    const pieces = fc.array(piece, { maxLength: 40 }).map((all) => all.join(''));
    fc.assert(
      fc.property(fc.oneof(put, pieces), (any) => {
        const outcome = read([file(any)]);
        if (outcome.ok) expect(outcome.imports).toHaveLength(1);
        else expect(outcome.message.length).toBeGreaterThan(0);
      }),
      { numRuns: 1_000 },
    );
  });
});
