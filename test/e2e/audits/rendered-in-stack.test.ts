import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { type Stack, startStack } from '../../../local/stack.ts';
import { chromiumPath } from '../../../scripts/chromium.js';
import { runCli } from '../../support/runner/run-cli.ts';

/** A site whose text and tool come from a script. */
const PAGE = `<!doctype html><html lang="en"><title>Boats for rent</title><h1>Boats</h1><p>Rent one.</p><script>
document.body.insertAdjacentHTML('beforeend', '<p>' + 'Rowing boats wait at the landing stage from April to October. '.repeat(5) + '</p><p>$18.00 an hour</p>');
document.modelContext?.registerTool({ name: 'rent', description: 'Rents a boat', inputSchema: { type: 'object', properties: {} }, execute() {} });
</script></html>`;

const check = z.object({ id: z.string(), status: z.string(), note: z.string() });
const report = z.object({
  scores: z.object({ agent: z.object({ coverage: z.number(), checks: z.array(check) }) }),
});

let site: Server;
let url = '';
let folder = '';
let stack: Stack;
const before = process.env['CHROMIUM'];

beforeAll(async () => {
  process.env['CHROMIUM'] = chromiumPath() ?? '';
  folder = mkdtempSync(join(tmpdir(), 'sightline-rendered-'));
  site = createServer((request, response) => {
    const isPage = request.url === '/';
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' }).end(isPage ? PAGE : 'none');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  stack = await startStack({ render: true });
});

afterAll(async () => {
  await stack.stop();
  site.close();
  rmSync(folder, { recursive: true, force: true });
  if (before === undefined) delete process.env['CHROMIUM'];
  else process.env['CHROMIUM'] = before;
});

const parse = (text: string) => {
  const { coverage, checks } = report.parse(JSON.parse(text)).scores.agent;
  return { coverage, find: (id: string) => checks.find((one) => one.id === id) };
};

test('a sold audit renders where the Worker has a browser, and its coverage says so; a check capability does not', async () => {
  mkdirSync(join(folder, '.local'));
  writeFileSync(join(folder, '.local', 'stack.json'), JSON.stringify(stack.file), { mode: 0o600 });
  const buy = (capability: string) => runCli(['buy', capability, url, '--json'], { cwd: folder, env: {} });
  const sold = await buy('score_agent');
  expect(sold.err).not.toMatch(/not rendered/i);
  const rendered = parse(sold.out);
  expect(rendered.find('agent.content.raw-vs-rendered')).toMatchObject({
    status: 'fail',
    note: expect.stringContaining('1 price') as string,
  });
  expect(rendered.find('agent.webmcp.registered')?.status).toBe('pass');
  const plain = parse((await runCli(['audit', url, '--only', 'agent', '--json'], { cwd: folder, env: {} })).out);
  expect(plain.find('agent.content.raw-vs-rendered')?.status).toBe('unknown');
  expect(rendered.coverage).toBeGreaterThan(plain.coverage);
  const health = await buy('check_health');
  expect(health.out).toContain('visible words in the raw HTML');
  expect(health.out).not.toContain('after rendering');
});

test('the command line renders with --render; its snapshot is replayed without a browser, to the same bytes', async () => {
  const at = { cwd: folder, env: { CHROMIUM: chromiumPath() ?? '', PATH: process.env['PATH'] ?? '' } };
  const shown = await runCli(['audit', url, '--only', 'agent', '--json', '--render', '--snapshot', 'kept.json'], at);
  expect(parse(shown.out).find('agent.webmcp.registered')?.status).toBe('pass');
  const replayed = await runCli(['replay', 'kept.json', '--json'], { cwd: folder, env: { CHROMIUM: '/nowhere' } });
  expect(parse(replayed.out).find('agent.content.raw-vs-rendered')).toEqual(
    parse(shown.out).find('agent.content.raw-vs-rendered'),
  );
});

test('without a browser --render says what to install', async () => {
  const { status, err } = await runCli(['audit', url, '--render'], { cwd: folder, env: { CHROMIUM: '/nowhere' } });
  expect(status).toBe(2);
  expect(err).toMatch(/--render needs Chromium.*\n.*apt-get install chromium/);
});
