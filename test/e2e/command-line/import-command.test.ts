import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FirstPartyReport } from '../../../src/web/first-party/first-party-report.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const samples = fileURLToPath(new URL('../../data/first-party/', import.meta.url));
const bing = join(samples, 'bing-ai-performance');
const exported = [join(bing, 'pages.csv'), join(bing, 'grounding-queries.csv')] as const;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-import-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sightline = (args: readonly string[]): Promise<Ended> => runCli(args, { cwd: folder });
const importing = (args: readonly string[]): Promise<Ended> => sightline(['visibility', 'import', ...args]);
const keep = (name: string, content: string): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};

/** Ends every attempt to open a connection, and leaves a mark. */
const OFFLINE = `
  const { writeFileSync } = require('node:fs');
  const refuse = () => { writeFileSync('asked', ''); throw new Error('offline'); };
  require('node:net').Socket.prototype.connect = refuse;
  require('node:dns').lookup = refuse;
  globalThis.fetch = refuse;
`;

/** Runs the built command line as a program that has no network. */
const started = (args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const offline = keep('offline.cjs', OFFLINE);
    execFile(process.execPath, ['--require', offline, CLI, ...args], { cwd: folder, env: {} }, (error, out, err) =>
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });

const result = {
  capability: 'visibility_check',
  brand: 'Acme',
  engine: { kind: 'openai-compatible', model: 'a-model' },
  mention_rate: { value: 0.5, low: 0.33, high: 0.67, n: 6 },
  prompts: { set: 'v1', valid: 6, asked: [{ prompt: 'What is the best help desk software?', status: 'answered' }] },
};
const cited = ['guide/setup', 'pricing', 'blog/help-desk-metrics', 'compare/deskly', 'docs/api', ''];
const recording = {
  input: { brand: 'Acme', niche: 'help desk software' },
  run: {
    engine: result.engine,
    answers: cited.map((_path, at) => ({
      index: at,
      status: 'answered',
      citations: [...cited.slice(0, at + 1).map((path) => `https://acme.example/${path}`), 'https://rival.example/'],
    })),
  },
};
const measured = (): readonly string[] => [
  '--with',
  keep('result.json', JSON.stringify(result)),
  '--with',
  keep('answers.json', JSON.stringify(recording)),
];

describe('sightline visibility import', () => {
  test('as a program: reads, compares, and opens no connection', async () => {
    const { status, out, err } = await started(['visibility', 'import', ...exported, ...measured(), '--json']);
    expect({ status, err }).toEqual({ status: 0, err: '' });
    const report = JSON.parse(out) as FirstPartyReport;
    expect(report.imports).toHaveLength(1);
    expect(report.comparison?.[0]?.pages?.of).toEqual({ both: 6, only_source: 1, only_panel: 0 });
    expect(report.comparison?.[0]?.disagreement.order).toMatchObject({ kind: 'figure', n: 6, value: 1 });
    expect(report.comparison?.[0]?.disagreement.own_share).toMatchObject({ kind: 'figure' });
    expect(report.comparison?.[0]?.queries).toMatchObject({ near: 1, of: 6 });
    expect(report.measurement).toMatchObject({ brand: 'Acme', answers: 6 });
    expect(Object.keys(report.can_see)).toEqual(['bing-ai-performance', 'panel']);
    expect(() => readFileSync(join(folder, 'asked'))).toThrow('ENOENT');
  });

  test('text says what each side can and cannot see, and where they disagree', async () => {
    const { status, out } = await importing([...exported, ...measured()]);
    expect(status).toBe(0);
    for (const part of ['It does not see:', 'rank correlation 1.00', 'Pages that only the vendor sees', 'the same'])
      expect(out).toContain(part.replace('the same', 'of the words'));
    expect(out).toContain('Not read: queries: Intent; queries: Topic.');
  });

  test('too few pages are said, and no figure is given', async () => {
    const few = keep('few.csv', 'Page,Citations\nhttps://acme.example/pricing,4\n');
    const { out } = await importing([few, ...measured()]);
    expect(out).toContain('Too few to compare: 1, and a figure takes 6.');
    expect(out).not.toContain('rank correlation');
  });

  test.each(['md', 'csv', 'html', 'text', 'json'])('hostile cells are harmless as %s', async (format) => {
    const hostile = keep(
      'hostile.csv',
      'Grounding Query,Citations\n"=HYPERLINK(""https://evil.example"")",3\n"<script>alert(1)</script>",2\n"a\u001B[31mb | ![x](https://evil.example/p.png)",1\n',
    );
    const { status, out } = await importing([hostile, '--format', format]);
    expect(status).toBe(0);
    // A CSV file is for other programs, and keeps what its cells hold; a terminal never gets it raw.
    if (format !== 'csv') expect(out).not.toContain('\u001B');
    if (format === 'html') expect(out).not.toContain('<script>');
    if (format === 'csv') expect(out).toContain(`,"'=HYPERLINK(""https://evil.example"")",citations,3`);
    if (format === 'md') expect(out).toContain('`a[31mb ¦ ![x](https://evil.example/p.png)`');
  });

  test('a report is written to a file', async () => {
    const file = join(folder, 'report.html');
    expect(await importing([...exported, '--format', 'html', '-o', file])).toMatchObject({ status: 0 });
    const page = readFileSync(file, 'utf8');
    expect(page).toContain('default-src &#39;none&#39;');
    expect(page).toContain('best help desk software');
  });

  test.each([
    ['no file', []],
    ['a file that is not there', ['missing.csv']],
    ['a folder', ['.']],
    ['a source that is not known', [exported[0], '--as', 'bing']],
    ['a host that is none', [exported[0], '--site', 'a b']],
    ['a measurement that is not there', [exported[0], '--with', 'missing.json']],
    ['a measurement that is none', [exported[0], '--with', exported[1]]],
    ['an option of the measurement', [exported[0], '--brand', 'Acme']],
    ['a format that it has not', [exported[0], '--format', 'sarif']],
  ])('%s ends with 2 and prints nothing', async (_name, args) => {
    const { status, out, err } = await importing(args);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).not.toBe('');
  });

  test('one bad file of several: nothing is printed, and the reason is one for programs', async () => {
    const bad = keep('bad.csv', 'Date,Citations\n31/31/2026,4\n');
    const { status, out, err } = await importing([...exported, bad, '--json']);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(JSON.parse(err)).toMatchObject({ reason: 'wrong_date', exit: 2 });
  });

  test('a measurement that is too large is said to be too large, at the limit of history', async () => {
    const large = keep('large.json', '');
    truncateSync(large, 50 * 1024 * 1024 + 1);
    const { status, err } = await importing([exported[0] ?? '', '--with', large, '--json']);
    expect(status).toBe(2);
    expect(JSON.parse(err)).toMatchObject({
      reason: 'too_large',
      message: expect.stringContaining('is larger than 50 MiB'),
    });
    expect((await sightline(['history', large, large])).err).toContain('larger than 50 MiB');
  });

  test('the measurement itself works as before', async () => {
    expect(await sightline(['visibility', '--brand', 'Acme'])).toMatchObject({ status: 2 });
  });
});
