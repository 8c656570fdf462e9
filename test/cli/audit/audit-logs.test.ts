import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccessTable } from '../../../src/traffic/access/access-row.ts';
import { runCli } from '../../support/runner/run-cli.ts';

const page = '<!doctype html><html lang="en"><title>The Oak</title><h1>The Oak</h1><p>Eight rooms and a kitchen.</p>';
const robots = 'User-agent: *\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /\n';
/** Welcome by robots.txt, and refused by name at the server. */
const server = createServer(({ url = '', headers }, answer) => {
  if (url === '/robots.txt') return void answer.writeHead(200, { 'content-type': 'text/plain' }).end(robots);
  const isRefused = /PerplexityBot/.test(headers['user-agent'] ?? '');
  const status = isRefused ? 403 : url === '/' ? 200 : 404;
  answer.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(status === 200 ? page : 'No');
});
let site = '';
const folder = mkdtempSync(join(tmpdir(), 'sightline-audit-logs-'));

/** Lines of the combined format; `host` in front where the log names it. */
const write = (name: string, agents: readonly (readonly [string, number])[], host?: string): string => {
  const lines = agents.map(
    ([agent, status]) =>
      `${host === undefined ? '' : `${host}:80 `}203.0.113.7 - - [12/Nov/2026:06:25:14 +0000] "GET /rooms HTTP/1.1" ${status} 512 "-" "Mozilla/5.0 (compatible; ${agent}/1.0)"`,
  );
  const text = `${lines.join('\n')}\n`;
  writeFileSync(join(folder, name), name.endsWith('.gz') ? gzipSync(text) : text);
  return name;
};

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const audit = (...args: string[]) => runCli(['audit', site, '-q', ...args], { cwd: folder });

test('declared, observed and came are one table; each contradiction says what to do', async () => {
  const logs = [
    write('a.log', [['PerplexityBot', 403]]),
    write('b.log.gz', [
      ['GPTBot', 200],
      ['GPTBot', 200],
    ]),
  ];
  const args = logs.flatMap((name) => ['--logs', name]);
  const { status, out } = await audit(...args, '--json');
  expect(status).toBe(0);
  const { crawler_access: table } = JSON.parse(out) as { crawler_access: AccessTable };
  const rowOf = (token: string) => table.rows.find((row) => row.token === token);
  expect(rowOf('PerplexityBot')).toMatchObject({ declared: 'allowed', observed: 'refused' });
  const { came, declared, conflicts } = rowOf('GPTBot') ?? {};
  expect(declared).toBe('forbidden');
  const visits = Object.values(came ?? {}).find((one) => one !== null);
  expect(visits).toMatchObject({ requests: 2, disallowed: 2 });
  expect(conflicts?.length).toBeGreaterThan(0);
  expect(out).not.toContain('203.0.113.7');

  expect((await audit(...args)).out).toMatch(/-- Declared, observed, came[^]*PerplexityBot +allowed +refused/);
  expect((await audit(...args, '--format', 'md')).out).toMatch(
    /## Declared, observed, came[^]*\| PerplexityBot \| allowed \| refused \|/,
  );
  expect((await audit(...args, '--format', 'html')).out).toMatch(/<h2>Declared, observed, came<\/h2>[^]*PerplexityBot/);
});

test('robots.txt is read for the agents of the log that the audit does not ask under, too', async () => {
  write('training.log', [['CCBot', 200]]);
  const { out } = await audit('--logs', 'training.log', '--json');
  const { crawler_access: table } = JSON.parse(out) as { crawler_access: AccessTable };
  expect(table.rows.find(({ token }) => token === 'CCBot')).toMatchObject({
    declared: 'allowed',
    named: false,
    observed: 'not_asked',
  });
});

test('where the log names hosts, only requests of the site count; a log of other hosts alone is refused', async () => {
  write('hosts.log', [['GPTBot', 200]], 'other.example');
  write('own.log', [['PerplexityBot', 403]], '127.0.0.1');
  const { out } = await audit('--logs', 'hosts.log', '--logs', 'own.log', '--json');
  const { crawler_access: table } = JSON.parse(out) as { crawler_access: AccessTable };
  const cameOf = (token: string) => Object.values(table.rows.find((row) => row.token === token)?.came ?? {});
  expect(cameOf('GPTBot')).toEqual([null, null, null]);
  expect(cameOf('PerplexityBot')).toContainEqual(expect.objectContaining({ requests: 1 }));
  expect(await audit('--logs', 'hosts.log')).toMatchObject({
    status: 2,
    out: '',
    err: expect.stringContaining('No request in the logs is of 127.0.0.1'),
  });
});

test('of logs without a request nothing is said of who came', async () => {
  writeFileSync(join(folder, 'empty.log'), '');
  const { err, out } = await runCli(['audit', site, '--logs', 'empty.log', '--json'], { cwd: folder });
  expect(err).toContain('The logs have no requests: nothing is said of who came.');
  const { crawler_access: table } = JSON.parse(out) as { crawler_access: AccessTable };
  expect(table.rows.flatMap((row) => row.conflicts.map(({ id }) => id))).not.toContain('never_came');
});

test('a log that is missing or none, and several sites, are refused', async () => {
  expect(await audit('--logs', 'none.log')).toMatchObject({ status: 2, err: expect.stringContaining('none.log') });
  writeFileSync(join(folder, 'text.log'), 'This is no log.\n');
  expect(await audit('--logs', 'text.log')).toMatchObject({ status: 2, err: expect.stringMatching(/known format/) });
  writeFileSync(join(folder, 'sightline.config.json'), JSON.stringify({ urls: [site, site] }));
  const several = await runCli(['audit', '--logs', 'a.log'], { cwd: folder });
  expect(several).toMatchObject({ status: 2, err: expect.stringMatching(/--logs is of one site/) });
});
