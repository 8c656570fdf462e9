import { spawnSync } from 'node:child_process';
import { linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import type { TrafficReport } from '../../../src/traffic/tally/traffic-report.ts';
import { runCli } from '../../support/runner/run-cli.ts';
import { samples } from '../../traffic/formats/samples-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-logs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return name;
};
const logs = (...args: string[]) => runCli(['logs', ...args], { cwd: folder });
const readReport = async (...args: string[]): Promise<TrafficReport> => {
  const { status, out, err } = await logs(...args, '--json');
  if (status !== 0) throw new Error(err);
  return JSON.parse(out) as TrafficReport;
};

const lines = (count: number): string => `${samples.combined}\n`.repeat(count);

describe('files', () => {
  test('several formats, gz of several members and zst are one report', async () => {
    write('a.log', lines(2));
    write('b.json', `${samples.caddy}\n`);
    write('c.gz', Buffer.concat([gzipSync(lines(3)), gzipSync(lines(4))]));
    write('d.zst', Buffer.concat([zstdCompressSync(lines(5)), zstdCompressSync(lines(6))]));
    const report = await readReport('a.log', 'b.json', 'c.gz', 'd.zst');
    expect(
      report.files.map(({ name, format, compression, requests }) => [name, format, compression, requests]),
    ).toEqual([
      ['a.log', 'combined', 'none', 2],
      ['b.json', 'caddy', 'none', 1],
      ['c.gz', 'combined', 'gzip', 7],
      ['d.zst', 'combined', 'zstd', 11],
    ]);
    expect(report.agents).toMatchObject([{ token: 'GPTBot', verification: 'pretended', requests: 21, addresses: 1 }]);
    expect(JSON.stringify(report)).not.toContain('203.0.113');
  });

  test('zst of pzstd, which has frames that are skipped', async () => {
    const skipped = Buffer.from([0x5f, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]);
    const parts = [skipped, zstdCompressSync(lines(2)), skipped, zstdCompressSync(lines(3))];
    write('parallel.zst', Buffer.concat(parts));
    expect((await readReport('parallel.zst')).files).toMatchObject([{ compression: 'zstd', requests: 5 }]);
  });

  test('the same file is counted once, and another one with the same lines is named', async () => {
    write('same.log', lines(2));
    write('same.log.gz', gzipSync(lines(2)));
    linkSync(join(folder, 'same.log'), join(folder, 'link.log'));
    const { out, err } = await logs('same.log', './same.log', 'link.log', '--json');
    expect(JSON.parse(out)).toMatchObject({ lines: { requests: 2 }, files: [{ name: 'same.log', same_as: null }] });
    expect(err).toMatch(/link\.log[^]*once/);
    const report = await readReport('same.log', 'a.log', 'same.log.gz');
    expect(report.files.map(({ name, same_as: same }) => [name, same])).toEqual([
      ['same.log', null],
      ['a.log', 'same.log'],
      ['same.log.gz', 'same.log'],
    ]);
    expect((await logs('same.log', 'same.log.gz')).out).toMatch(/same\.log\.gz: it has the lines of same\.log/);
  });

  test.each([
    ['gz', (text: string) => gzipSync(text)],
    ['zst', (text: string) => zstdCompressSync(text)],
  ])('a %s that breaks off counts what came before, and says so', async (ending, pack) => {
    const text = Array.from({ length: 20_000 }, (_, at) => samples.combined.replace('/docs/a', `/docs/${at}`)).join(
      '\n',
    );
    const packed = pack(text);
    write(`cut.${ending}`, packed.subarray(0, Math.floor(packed.length / 2)));
    const report = await readReport(`cut.${ending}`);
    expect(report.files[0]?.ended).toBe('truncated');
    expect(report.lines.requests).toBeGreaterThan(1_000);
    expect(report.lines.requests).toBeLessThan(20_000);
    expect((await logs(`cut.${ending}`)).out).toMatch(/breaks off/);
  });

  test('a damaged gz, and one with lines that are none', async () => {
    const packed = gzipSync(
      Array.from({ length: 5_000 }, (_, at) => `${samples.combined.replace('/a', `/${at * at}`)}\n`).join(''),
    );
    packed.fill(0xff, packed.length - 2_000, packed.length - 1_000);
    write('bad.gz', packed);
    expect((await readReport('bad.gz')).files[0]?.ended).toBe('damaged');
  });

  test('an empty log is one', async () => {
    write('empty.log', '');
    expect(await readReport('empty.log')).toMatchObject({ lines: { read: 0, requests: 0 }, agents: [] });
  });

  test.each([
    [['missing.log'], 'unreadable_file', /missing\.log cannot be read: there is no such file/],
    [['.'], 'unreadable_file', /it is a folder/],
    [
      [write('page.html', '<!doctype html>\n<title>x</title>\n')],
      'no_access_log',
      /None of 2 lines is of a known format/,
    ],
    [['page.html', '--log-format', 'combined'], 'no_access_log', /of the format combined/],
    [[write('list.json', '[{"status":200}]')], 'no_access_log', /^The only line is not of a known format/],
    [[write('x.bz2', 'BZh91AY&SY')], 'unknown_compression', /bzip2/],
    [[write('one.log', lines(1)), '--host', 'example.com'], 'host_not_logged', /does not name/],
    [['one.log', '--since', 'soon'], 'usage', /--since/],
    [['one.log', '--since', '2026-02-31'], 'usage', /--since/],
    [['one.log', '--since', '2d', '--until', '3d'], 'usage', /not before/],
    [['-', '-'], 'usage', /once/],
    [['one.log', '--robots', 'missing.txt'], 'unreadable_file', /--robots/],
    [['one.log', '--ranges', 'page.html'], 'not_json', /page\.html/],
    [['one.log', '--ranges', write('gptbot.json', '{"prefixes":[]}')], 'not_a_file', /one list without the agent/],
    [['one.log', '--sitemap', 'page.html'], 'no_sitemap', /no sitemap/],
  ])('%j is refused with %s', async (args, reason, message) => {
    const { status, err, out } = await logs(...args, '--json');
    expect(JSON.parse(err)).toMatchObject({ reason, message: expect.stringMatching(message) as string, exit: 2 });
    expect([status, out]).toEqual([2, '']);
  });
});

test('options: log format, robots.txt, sitemap, newer ranges, a time, Markdown into a file', async () => {
  write('opt.log', `${lines(3)}${samples.combined.replace('10/Oct', '11/Oct')}\n`);
  write('robots.txt', 'User-agent: *\nDisallow: /docs/\n');
  write('sitemap.txt', 'https://www.example.com/docs/a\nhttps://www.example.com/b\n');
  write(
    'ranges.json',
    JSON.stringify({ GPTBot: { creationTime: '2026-10-01T00:00:00', prefixes: [{ ipv4Prefix: '203.0.113.0/24' }] } }),
  );
  const args = ['opt.log', '--log-format', 'combined', '--robots', 'robots.txt', '--sitemap', 'sitemap.txt'];
  const report = await readReport(...args, '--ranges', 'ranges.json', '--until', '2026-10-11');
  expect(report.lines).toMatchObject({ requests: 3, left_out: { time: 1 } });
  expect(report.agents).toMatchObject([{ verification: 'verified', robots_txt: { disallowed: { requests: 3 } } }]);
  expect(report.unread_pages.of_sitemap).toMatchObject({ addresses: 2, unasked: 1, pages: ['/b'] });
  expect(await logs(...args, '--format', 'md', '-o', 'came.md')).toMatchObject({ status: 0, out: '' });
  expect(readFileSync(join(folder, 'came.md'), 'utf8')).toMatch(/^# Who came\n[^]*\| GPTBot \|/);
});

test('as a program: a pipe is read as a stream, and a reader that is gone ends nothing', () => {
  const program = join(import.meta.dirname, '..', '..', '..', 'src', 'cli.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'logs', '-', '--json'], {
    input: gzipSync(lines(1_000)),
    encoding: 'utf8',
    cwd: folder,
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    files: [{ name: 'standard input', compression: 'gzip', requests: 1_000 }],
    lines: { requests: 1_000 },
  });
});
