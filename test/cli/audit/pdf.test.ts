import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSites, type Sites } from '../../../local/sites/sites.ts';
import { chromiumPath } from '../../../scripts/chromium.js';
import { refusePdf } from '../../../src/cli/audit/pdf.ts';
import { runCli } from '../../support/runner/run-cli.ts';

const LONG_MS = 120_000;
const MAX_PAGES = 4;

let folder = '';
let sites: Sites;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-pdf-'));
  sites = await startSites();
});
afterAll(async () => {
  await sites.stop();
  rmSync(folder, { recursive: true, force: true });
});

const at = (chromium: string) => ({ cwd: folder, env: { CHROMIUM: chromium, PATH: process.env['PATH'] ?? '' } });
const squeeze = (words: string): string => words.normalize('NFKC').replaceAll(/[\s\u00ad\u200b]/g, '');

async function readPdf(file: string): Promise<{ pages: number; text: string }> {
  const pdf = await getDocumentProxy(new Uint8Array(readFileSync(join(folder, file))));
  const { text } = await extractText(pdf, { mergePages: true });
  return { pages: pdf.numPages, text: squeeze(text) };
}

describe('--format pdf', () => {
  test(
    'prints an audit, and its replay, on a few pages',
    async () => {
      const chromium = chromiumPath() ?? '';
      const audited = await runCli(
        ['audit', sites.poor, '--format', 'pdf', '-o', 'report.pdf', '--snapshot', 'kept.json'],
        at(chromium),
      );
      expect(audited).toMatchObject({ status: 0 });
      const report = await readPdf('report.pdf');
      expect(report.pages).toBeLessThanOrEqual(MAX_PAGES);
      expect(report.text).toContain(squeeze('No sitemap at the usual addresses'));
      expect((await runCli(['replay', 'kept.json', '--format', 'pdf', '-o', 'again.pdf'], at(chromium))).status).toBe(
        0,
      );
      expect((await readPdf('again.pdf')).text).toBe(report.text);
    },
    LONG_MS,
  );

  test('says what to install and what to do without it, before any work', async () => {
    writeFileSync(join(folder, 'empty.json'), '{}');
    const commands = [
      ['audit', 'http://127.0.0.1:9'],
      ['compare', 'http://127.0.0.1:9', 'http://127.0.0.1:10'],
      ['run', 'check_health', 'http://127.0.0.1:9'],
      ['replay', 'empty.json'],
      ['buy', 'check_health', 'http://127.0.0.1:9', '--base', 'http://127.0.0.1:9'],
      ['visibility', '--brand', 'A', '--niche', 'tools'],
    ];
    for (const command of commands) {
      const { status, err } = await runCli([...command, '--format', 'pdf', '-o', 'none.pdf'], at('/nowhere'));
      expect([command[0], status]).toEqual([command[0], 2]);
      expect([command[0], err]).toEqual([
        command[0],
        expect.stringMatching(/--format pdf needs Chromium.*apt-get install chromium.*--format html/s) as string,
      ]);
    }
    expect(() => readFileSync(join(folder, 'none.pdf'))).toThrow('ENOENT');
  });

  test('is not written onto a terminal', async () => {
    expect(await refusePdf({ format: 'pdf' }, { isTTY: true })).toMatchObject({
      exit: 2,
      next: expect.stringContaining('--output') as string,
    });
    const env = { CHROMIUM: chromiumPath() };
    expect(await refusePdf({ format: 'pdf' }, { isTTY: false }, env)).toBeUndefined();
    expect(await refusePdf({ format: 'html' }, { isTTY: true })).toBeUndefined();
  });
});
