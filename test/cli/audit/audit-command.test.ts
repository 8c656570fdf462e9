import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';

const inn = '<!doctype html><html lang="en"><title>The Oak</title><h1>The Oak</h1><p>Eight rooms and a kitchen.</p>';
const rooms = Array.from({ length: 30 }, (_, at) => `/rooms/${at + 1}`);
const links = rooms.map((path) => `<a href="${path}">Room ${path}</a>`).join('');
const server = createServer(({ url = '' }, answer) => {
  const isPage = url === '/' || rooms.includes(url);
  answer.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
  answer.end(isPage ? `${inn}${links}` : 'Not found');
});
let site = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(() => server.close());

const audit = (...args: string[]): Promise<Ended> => runCli(['audit', site, ...args], { cwd: tmpdir() });

test('a minimum of a score that does not apply is refused with the reason', async () => {
  const { status, err } = await audit('--min-score', 'mcp=50');
  expect(status).toBe(2);
  expect(err).toMatch(/--min-score names mcp, which does not apply to this site\. No MCP surface was found/);
});

test('it is judged once the caller names the profile', async () => {
  const { status, err } = await audit('--min-score', 'mcp=50', '--profile', 'mcp');
  expect(status).toBe(1);
  expect(err).toContain('mcp 0 < 50');
});

test('a minimum of all scores is one of those that apply', async () => {
  expect((await audit('--min-score', '0')).status).toBe(0);
  const { status, err } = await audit('--min-score', '100');
  expect(status).toBe(1);
  expect(err).toMatch(/aeo \d+ < 100/);
  expect(err).not.toContain('mcp');
});

test('the text has no bar and no number for it', async () => {
  const { out } = await audit();
  expect(out).toMatch(/^MCP does not apply\. No MCP surface/m);
  expect(out).toMatch(/^AEO {4}█/m);
});

test.each([
  ['0', /takes a number from 1 to 200/],
  ['201', /takes a number from 1 to 200/],
  ['many', /takes a number from 1 to 200/],
])('--crawl %s is refused', async (pages, words) => {
  const { status, err } = await audit('--crawl', pages);
  expect(status).toBe(2);
  expect(err).toMatch(words);
});

test('--crawl and --max-pages together are refused', async () => {
  expect((await audit('--crawl', '10', '--max-pages', '5')).err).toMatch(/name one/);
});

test('--crawl reads more pages than an audit of the service', async () => {
  const { status, out } = await audit('--crawl', '40', '--json');
  expect(status).toBe(0);
  const { requests } = JSON.parse(out) as { requests: readonly { role: string; status: number | null }[] };
  const read = requests.filter(({ role, status: answered }) => role.startsWith('sample:') && answered === 200);
  expect(read).toHaveLength(30);
});

test('Markdown and HTML have no number for it', async () => {
  expect((await audit('--format', 'md')).out).toContain('| MCP readiness | does not apply | | | |');
  const { out } = await audit('--format', 'html');
  expect(/MCP readiness[^]{0,200}/.exec(out)?.[0]).toMatch(/oes not apply/);
});
