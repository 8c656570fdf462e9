import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runInitCommand } from '../../../src/cli/config/init-command.ts';
import { CONFIG_FILE } from '../../../src/cli/config/schema.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';

/** A page with one plain fault: it has no title. */
const server = createServer(({ url }, answer) => {
  answer.writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
  answer.end(url === '/' ? '<!doctype html><html lang="en"><h1>The Oak</h1><p>Eight rooms.</p>' : 'Not found');
});
let site = '';
let folder = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-project-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sightline = (...args: readonly string[]): Promise<Ended> => runCli(args, { cwd: folder });
const configure = (config: object): void => writeFileSync(join(folder, CONFIG_FILE), JSON.stringify(config));

type Report = {
  url: string;
  warnings: string[];
  ignored?: { check: string }[];
  scores: Record<string, { score: number; checks: { id: string; status: string }[] }>;
};

describe('sightline audit by a configuration', () => {
  test('audits its sites and holds them against its minimum; an option wins', async () => {
    configure({ urls: [site], 'min-score': { aeo: 99 } });
    const { status, err } = await sightline('audit', '--only', 'aeo');
    expect([status, err]).toEqual([1, expect.stringMatching(/aeo \d+ < 99/)]);
    expect((await sightline('audit', '--only', 'aeo', '--min-score', 'aeo=1')).status).toBe(0);
    expect((await sightline('audit', site, '--only', 'aeo')).status).toBe(1);
    expect(await sightline('audit', '--no-config')).toMatchObject({
      status: 2,
      err: expect.stringContaining('<url> is missing'),
    });
  });

  test('several sites are a list in JSON, and each is judged', async () => {
    configure({ urls: [site, `${site}?b`], 'min-score': 100 });
    const { status, out, err } = await sightline('audit', '--only', 'aeo', '--json');
    expect((JSON.parse(out) as Report[]).map(({ url }) => url)).toEqual([site, `${site}?b`]);
    expect(status).toBe(1);
    expect(JSON.parse(err)).toMatchObject({ reason: 'below_minimum', message: expect.stringContaining(site) });
    expect((await sightline('audit', '--format', 'html')).err).toContain('--format html holds one site');
  });

  test('an ignored check is named as ignored, is no pass, and holds no gate', async () => {
    const title = { check: 'aeo.meta.title', reason: 'Comes with the new design' };
    configure({ urls: [site], ignore: [title] });
    const report = JSON.parse((await sightline('audit', '--only', 'aeo', '--json')).out) as Report;
    const plain = JSON.parse((await sightline('audit', site, '--no-config', '--only', 'aeo', '--json')).out) as Report;
    expect(report.ignored).toEqual([title]);
    expect(report.scores).toEqual(plain.scores);
    expect(report.scores['aeo']?.checks.find(({ id }) => id === title.check)?.status).toBe('fail');
    const { out } = await sightline('audit', '--only', 'aeo');
    expect(out).toContain('Ignored: aeo.meta.title (Comes with the new design)');
    expect(out).toContain('1 ignored');
    const above = String((plain.scores['aeo']?.score ?? 0) + 1);
    expect((await sightline('audit', site, '--no-config', '--only', 'aeo', '--min-score', above)).status).toBe(1);
    expect((await sightline('audit', '--only', 'aeo', '--min-score', above)).status).toBe(0);
  });

  test('an exception that has ended, and an id of no check, are reported and ignore nothing', async () => {
    configure({
      urls: [site],
      ignore: [
        { check: 'aeo.meta.title', reason: 'For a while', expires: '2020-01-31' },
        { check: 'aeo.meta.tilte', reason: 'A slip' },
      ],
    });
    const report = JSON.parse((await sightline('audit', '--only', 'aeo', '--json')).out) as Report;
    expect(report.ignored).toBeUndefined();
    expect(report.warnings).toEqual([
      'aeo.meta.title is not ignored any more: its exception ended on 2020-01-31.',
      'The ignore list names aeo.meta.tilte, which is no check. Did you mean aeo.meta.title?',
    ]);
  });

  test('its baseline lies beside it, and is for its one site', async () => {
    writeFileSync(join(folder, 'before.json'), (await sightline('audit', site, '--only', 'aeo', '--json')).out);
    configure({ urls: [site], baseline: 'before.json' });
    mkdirSync(join(folder, 'below'));
    const inside = await runCli(['audit', '--only', 'aeo'], { cwd: join(folder, 'below') });
    expect(inside.status).toBe(0);
    rmSync(join(folder, 'before.json'));
    expect((await sightline('audit', '--only', 'aeo')).err).toContain('baseline cannot be read');
    configure({ urls: [site, 'example.com'], baseline: 'before.json' });
    expect((await sightline('audit')).err).toContain('several urls and one baseline');
  });
});

describe('results in files', () => {
  test('--output writes the document and says so; --quiet does not', async () => {
    const loud = await sightline('audit', site, '--only', 'aeo', '--format', 'html', '--output', 'report.html');
    expect(loud).toEqual({ status: 0, out: '', err: 'Wrote report.html.\n' });
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/);
    const quiet = await sightline('audit', site, '--only', 'aeo', '-q', '-o', 'report.txt');
    expect(quiet).toEqual({ status: 0, out: '', err: '' });
    expect(readFileSync(join(folder, 'report.txt'), 'utf8')).toContain('AEO');
    const nowhere = await sightline('audit', site, '--only', 'aeo', '-o', 'no/such/folder.txt');
    expect(nowhere).toMatchObject({ status: 2, err: 'no/such/folder.txt cannot be written (ENOENT).\n' });
  });
});

describe('sightline init', () => {
  const read = (): unknown => JSON.parse(readFileSync(join(folder, CONFIG_FILE), 'utf8'));

  test('writes a configuration from its options, and replaces none without --force', async () => {
    expect(await sightline('init', 'example.com', '--min-score', 'aeo=80,mcp=50', '--max-pages', '5')).toEqual({
      status: 0,
      out: `Wrote ${CONFIG_FILE}. Audit its sites: sightline audit\n`,
      err: '',
    });
    expect(read()).toMatchObject({ urls: ['example.com'], 'min-score': { aeo: 80, mcp: 50 }, 'max-pages': 5 });
    expect(await sightline('init', 'example.org')).toMatchObject({
      status: 2,
      err: expect.stringContaining('--force'),
    });
    expect((await sightline('init', 'example.org', '--force', '-q')).out).toBe('');
    expect(read()).toMatchObject({ urls: ['example.org'] });
  });

  test.each([
    [['example.com', '--min-score', '101'], 'min-score'],
    [['example.com', '--min-score', 'seo=1'], 'min-score'],
    [['example.com', '--max-pages', 'many'], 'max-pages'],
    [['ftp://example.com'], 'http'],
    [[], '<url> is missing'],
  ])('%j is wrong usage, and nothing is written', async (args, said) => {
    expect(await sightline('init', ...args)).toMatchObject({ status: 2, err: expect.stringContaining(said) });
    expect(existsSync(join(folder, CONFIG_FILE))).toBe(false);
  });

  test('asks for what is left out', async () => {
    const answers = ['example.com, example.org', '75'];
    const before = process.cwd();
    process.chdir(folder);
    try {
      expect(await runInitCommand(['-q'], async () => answers.shift() ?? '')).toBe(0);
    } finally {
      process.chdir(before);
    }
    expect(read()).toMatchObject({ urls: ['example.com', 'example.org'], 'min-score': 75 });
  });
});
