import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unreachableRows } from '../../../src/cli/core/unreachable-data.ts';
import { describeUnreachable } from '../../../src/cli/core/unreachable.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-messages-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
  test.each(Object.keys(unreachableRows))('%s says what it means and what to check', (failure) => {
    const { means, next } = unreachableRows[failure as keyof typeof unreachableRows];
    expect(describeUnreachable('target_unreachable', `${failure}: no answer: none`, ['https://a.test/'])).toEqual({
      reason: failure,
      message: `https://a.test/ could not be read. ${means}`,
      detail: ['Tried: GET https://a.test/: no answer: none'],
      next,
      exit: 3,
    });
  });

  test('another reason is said as it is', () => {
    expect(describeUnreachable('target_busy', 'Try later\u001b[2J', ['https://a.test/'])).toEqual({
      reason: 'target_busy',
      message: 'https://a.test/: Try later[2J',
      exit: 3,
    });
  });
});
