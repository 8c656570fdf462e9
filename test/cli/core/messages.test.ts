import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refuseUnreadSite } from '../../../src/cli/core/unreachable.ts';
import { failureWords, type ReadFailure } from '../../../src/net/failure-words-data.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';

const server = createServer((_request, answer) => {
  answer.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A page</title><h1>A page</h1>');
});
let folder = '';
let page = '';
let gone = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-messages-'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  page = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  gone = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/`;
  await new Promise((resolve) => closed.close(resolve));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const sightline = (...args: readonly string[]): Promise<Ended> => runCli(args, { cwd: folder, env: { HOME: folder } });

describe('outside a folder where the stack runs', () => {
  test.each([
    [['buy', 'full_audit', 'example.com'], 3],
    [['login'], 2],
    [['token'], 2],
  ])('%j says how to name a service', async (args, status) => {
    const ended = await sightline(...args);
    expect(ended).toMatchObject({ status, out: '' });
    expect(ended.err).toMatch(/^no local stack runs in this folder .*\nName the service with --base <url>/);
    expect(ended.err).not.toMatch(/ENOENT|Error/);
  });

  test('as JSON they are an object', async () => {
    expect(JSON.parse((await sightline('buy', 'full_audit', 'example.com', '--json')).err)).toMatchObject({
      reason: 'no_local_stack',
      exit: 3,
    });
  });
});

test('what is not installed here says what to install', async () => {
  const { status, err } = await runCli(['audit', 'http://127.0.0.1:1/', '--render'], {
    cwd: folder,
    env: { CHROMIUM: join(folder, 'none') },
  });
  expect([status, err]).toEqual([2, expect.stringMatching(/^--render needs Chromium.*\nInstall Chromium/)]);
});

describe('a site that cannot be read', () => {
  test.each(Object.keys(failureWords))('%s says what it means and what to check', (name) => {
    const failure = name as ReadFailure;
    const { means, next } = failure === 'private_target' ? LOCAL_PRIVATE : failureWords[failure];
    expect(refuseUnreadSite('https://a.test/', failure, ['GET https://a.test/: no answer\u001b[2J'])).toEqual({
      reason: failure,
      message: `https://a.test/ could not be read. ${means}`,
      detail: ['Tried: GET https://a.test/: no answer[2J'],
      next,
      exit: 3,
    });
  });

  /** Here the command line is no advice: it is what is running. */
  const LOCAL_PRIVATE = {
    means: 'The site leads to a private address, which is read only if you name it yourself.',
    next: 'Audit that address itself, or correct the redirect or the DNS record.',
  };

  test.each([
    ['run', () => ['run', 'check_health', gone]],
    ['compare', () => ['compare', gone, page]],
    ['fix', () => ['fix', gone, '--out', 'out']],
  ])('sightline %s says which address was tried, what came of it and what to check', async (_name, args) => {
    const { status, out, err } = await sightline(...args());
    expect({ status, out }).toEqual({ status: 3, out: '' });
    const { means, next } = failureWords.connection_failed;
    const [first, second, third, ...rest] = err.split('\n');
    expect([first, third, rest]).toEqual([`${gone} could not be read. ${means}`, next, ['']]);
    expect(second).toBe(`  Tried: GET ${gone}: no answer came (ECONNREFUSED)`);
  });

  test('a comparison names the site that could not be read, which may be the second', async () => {
    const { status, err } = await sightline('compare', page, gone, '--json');
    expect(status).toBe(3);
    expect(JSON.parse(err)).toMatchObject({
      reason: 'connection_failed',
      message: `${gone} could not be read. ${failureWords.connection_failed.means}`,
      detail: `Tried: GET ${gone}: no answer came (ECONNREFUSED)`,
      exit: 3,
    });
  });
});
