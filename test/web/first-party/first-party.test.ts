import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAX_IMPORT_ROWS } from '../../../src/visibility/imports/csv-rows.ts';
import { importSources } from '../../../src/visibility/imports/formats-data.ts';
import { importFiles } from '../../../src/visibility/imports/import-files.ts';
import type { OwnMeasurement } from '../../../src/visibility/imports/own-measurement.ts';
import { formatFirstPartyCsv } from '../../../src/web/first-party/first-party-csv.ts';
import { buildFirstPartyReport, type FirstPartyReport } from '../../../src/web/first-party/first-party-report.ts';
import { formatFirstPartyLines, formatFirstPartyMarkdown } from '../../../src/web/first-party/first-party-text.ts';
import { FirstPartyView, renderFirstPartyFile } from '../../../src/web/first-party/first-party-view.tsx';
import { sourceWords } from '../../../src/web/first-party/source-words.ts';
import { LANGUAGES } from '../../../src/web/language/language.ts';

const samples = join(import.meta.dirname, '../../data/first-party');
const own = (path: string): string => `https://acme.example/${path}`;

const measurement: OwnMeasurement = {
  brand: 'Acme <b>',
  engines: ['perplexity (sonar)'],
  answers: 30,
  mention_rate: { value: 0.5, low: 0.33, high: 0.67, n: 30 },
  prompts: ['What is the best help desk software?'],
  hidden: 0,
  cited: Array.from({ length: 12 }, (_, at) => [
    own('pricing'),
    own(at % 2 === 0 ? 'guide/setup' : 'status'),
    'https://rival.example/',
  ]),
};

/** A report of samples, or of a file of this text. */
function reportOf(source: string, names: readonly string[], beside?: OwnMeasurement): FirstPartyReport {
  const files = names.map((name) => ({ name, bytes: readFileSync(join(samples, source, name)) }));
  const outcome = importFiles(files, { nowMs: Date.UTC(2026, 10, 28), maxRows: MAX_IMPORT_ROWS });
  if (!outcome.ok) throw new Error(outcome.message);
  return buildFirstPartyReport(outcome.imports, beside);
}

const bing = (beside?: OwnMeasurement): FirstPartyReport =>
  reportOf('bing-ai-performance', ['pages.csv', 'grounding-queries.csv'], beside);

describe('a first-party report', () => {
  test('says of each source what it can and cannot see, in every language', () => {
    for (const language of LANGUAGES) {
      const lines = formatFirstPartyLines(bing(measurement), language).join('\n');
      for (const source of ['bing-ai-performance', 'panel'] as const) {
        const { sees, blind } = sourceWords[language][source];
        expect(lines).toContain(sees);
        expect(lines).toContain(blind);
      }
    }
    expect(Object.keys(sourceWords.en)).toEqual([...importSources, 'panel']);
  });

  test('says of each format that no real export of it was seen', () => {
    expect(formatFirstPartyLines(bing()).join('\n')).toContain('never seen a real export');
    const clarity = reportOf('clarity-citations', ['queries.csv']);
    expect(formatFirstPartyLines(clarity).join('\n')).toContain('from the documentation of the vendor');
  });

  test('without a measurement nothing is compared', () => {
    expect(bing()).toMatchObject({ measurement: null, comparison: null });
    expect(formatFirstPartyLines(bing()).join('\n')).not.toContain('Too few');
  });

  test('does not hold the answers of the measurement', () => {
    expect(bing(measurement).measurement).not.toHaveProperty('cited');
    expect(JSON.stringify(bing(measurement))).not.toContain('https://rival.example/');
  });

  test('too few pages in common are said where a figure would be, in German too', () => {
    const lines = formatFirstPartyLines(bing(measurement), 'de').join('\n');
    expect(lines).toContain('Zu wenige für einen Vergleich: 2, nötig sind 6.');
    expect(lines).toContain('Eigener Anteil an den Zitaten: ');
    expect(lines).toContain('Seiten, die nur der Anbieter sieht');
  });

  describe('what an import notes of its files', () => {
    const encoder = new TextEncoder();
    const files = {
      'Filters.csv': 'Filter,Value\nDate,Last 3 months\nCountry,Germany\n',
      'Pages.csv': 'Top pages,Impressions,Depth\nhttps://a.example/,3,1\nhttps://a.example/,3,1\n',
      'Chart.csv': 'Date,Impressions\n',
      'landing.csv': 'Session default channel group,Sessions,Landing page\nAI Assistant,3,/pricing\n',
      'queries.csv': 'Grounding Query,Citations,Citation Share\na,1,0.5\nb,1,0.5\nb,1,0.5\na,1,0.5\n',
    };
    const read = importFiles(
      Object.entries(files).map(([name, text]) => ({ name, bytes: encoder.encode(text) })),
      { nowMs: Date.UTC(2026, 10, 28), maxRows: MAX_IMPORT_ROWS },
    );
    if (!read.ok) throw new Error(read.message);
    const report = buildFirstPartyReport(read.imports, undefined);
    const english = read.imports.flatMap(({ notes }) => notes);

    test('is in German on a German page', () => {
      const page = String(FirstPartyView({ report, language: 'de' }));
      for (const note of [
        'Der Export war gefiltert: Date ist Last 3 months.',
        'Der Export war gefiltert: Country ist Germany.',
        'Chart.csv hat eine Kopfzeile und keine weiteren Zeilen.',
        'Pages.csv: 1 Zeile stimmt Zeichen für Zeichen mit einer anderen überein. Beide zählen als eine.',
        'queries.csv: 2 Zeilen stimmen Zeichen für Zeichen mit einer anderen überein und zählen nicht noch einmal.',
        'Landingpages haben keine Domain',
        'Nicht gelesen: Seiten: Depth.',
        'Nicht gelesen: Suchanfragen: Citation Share (Zahlen ohne Prozentzeichen).',
        'nach der Tabelle „Tage“',
      ])
        expect(page).toContain(note);
      expect(english).toHaveLength(6);
      for (const text of [...english, ...read.imports.flatMap((one) => one.not_read)]) expect(page).not.toContain(text);
      expect(page).not.toContain('lang="en"');
    });

    test('is the stored text on an English page', () => {
      const lines = formatFirstPartyLines(report);
      for (const note of english) expect(lines).toContain(note);
      expect(lines).toContain('Not read: queries: Citation Share (numbers without a percent sign).');
    });

    test('stays English, and marked so, where it was stored without its reasons', () => {
      const imports = report.imports.map(({ note_reasons: _notes, not_read_columns: _columns, ...before }) => before);
      const page = String(FirstPartyView({ report: { ...report, imports }, language: 'de' }));
      expect(page).toContain('<p lang="en">The export was filtered: Country is Germany.</p>');
      expect(page).toContain('Nicht gelesen: pages: Depth.');
    });
  });

  test('a share has a column only where the source gives one', () => {
    const search = reportOf('google-search-console-generative-ai', ['Pages.csv']);
    expect(formatFirstPartyLines(search).some((line) => line.trimEnd().endsWith('Share'))).toBe(false);
    expect(formatFirstPartyLines(bing()).some((line) => line.trimEnd().endsWith('Citations  Share'))).toBe(true);
  });

  test('as CSV: a row for each page and query, and what only the measurement sees', () => {
    const rows = formatFirstPartyCsv(bing(measurement)).trimEnd().split('\r\n');
    expect(rows).toHaveLength(1 + 7 + 1 + 6);
    expect(rows).toContain('bing-ai-performance,,,page,https://acme.example/pricing,citations,40,,12,,');
    expect(rows).toContain('bing-ai-performance,,,page,https://acme.example/status,citations,,,6,,');
  });

  test('text of files and measurements is escaped in each form', () => {
    const report = bing(measurement);
    expect(renderFirstPartyFile(report, '')).toContain('Acme &lt;b&gt;');
    expect(formatFirstPartyMarkdown(report)).toContain('Acme \\<b\\>');
  });

  test('tables are cut, and say of how many', () => {
    const report = bing();
    const [one] = report.imports;
    if (one === undefined) throw new Error('nothing was imported');
    const pages = Array.from({ length: 300 }, (_, at) => ({ page: own(String(at)), count: 300 - at, share: null }));
    const long = { ...report, imports: [{ ...one, pages }] };
    expect(formatFirstPartyLines(long).join('\n')).toContain('The first 10 of 300.');
    expect(renderFirstPartyFile(long, '')).toContain('The first 100 of 300.');
  });
});
