import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';

/** A site, and an answer engine: both count how often they are asked. */
let asked = 0;
const server = createServer((request, answer) => {
  asked += 1;
  request.resume();
  const isPage = request.url === '/';
  answer.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
  answer.end(
    isPage
      ? '<!doctype html><html lang="en"><title>The Oak</title><h1>The Oak</h1><p>The Oak is an inn with six quiet rooms above the harbour.</p>'
      : 'None',
  );
});
let site = '';
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-formats-'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  asked = 0;
});

const sightline = (...args: readonly string[]): Promise<Ended> => runCli(args, { cwd: folder });

describe.each(['sarif', 'junit'])('what has no checks as %s', (format) => {
  test('is refused: a comparison before a site is read, a measurement before the engine is asked', async () => {
    const engine = ['--engine', 'openai-compatible', '--url', `${site}v1`, '--model', 'm'];
    const compared = await sightline('compare', site, `${site}?b`, '--format', format, '-o', 'c.txt');
    expect([compared.status, compared.err]).toEqual([
      2,
      expect.stringContaining(`has no checks to write as ${format}`) as string,
    ]);
    const about = ['--brand', 'Acme', '--niche', 'tea'];
    const measured = await sightline('visibility', ...about, ...engine, '--format', format, '-o', 'c.txt');
    expect([measured.status, measured.err]).toEqual([2, expect.stringContaining(`not ${format}`) as string]);
    expect([asked, existsSync(join(folder, 'c.txt'))]).toEqual([0, false]);
  });

  test('a generated file is no empty document of checks, and a check is a whole one', async () => {
    const { status, err } = await sightline('run', 'generate_llms_txt', site, '--format', format);
    expect([status, err]).toEqual([2, expect.stringContaining(`generate_llms_txt has no checks`)]);
    expect((await sightline('run', 'check_health', site, '--format', format)).out).toContain('aeo.sitemap.exists');
  });
});

describe('--out', () => {
  test.each(['html', 'md', 'sarif', 'pdf'])('does not write its list of files as %s', async (format) => {
    const { status, err } = await sightline('run', 'generate_llms_txt', site, '--out', 'no', '--format', format);
    expect([status, err, asked]).toEqual([2, expect.stringContaining(`not as ${format}`), 0]);
  });

  test('with --json the list is JSON', async () => {
    const { status, out } = await sightline('run', 'generate_llms_txt', site, '--out', 'made', '--json');
    expect([status, JSON.parse(out)]).toEqual([
      0,
      { capability: 'generate_llms_txt', url: site, folder: 'made', paths: [expect.stringMatching(/llms\.txt$/)] },
    ]);
    const [path = ''] = (JSON.parse(out) as { paths: string[] }).paths;
    expect(readFileSync(join(folder, path), 'utf8')).toContain('The Oak');
  });
});
