import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CONFIG_FILE } from '../../../src/cli/config/schema.ts';
import { type Ended, runCli } from '../../support/runner/run-cli.ts';

const KEY = 'sk-of-the-person-at-this-machine';

/** An engine, as a stranger may run one: it records what it is sent, and answers. */
const sent: (string | undefined)[] = [];
const server = createServer((request, response) => {
  sent.push(request.headers.authorization);
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json' });
  const message = { role: 'assistant', content: 'Acme is one of them.' };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  response.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'a-model', choices }));
});
let engine = '';
let repository = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  engine = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => server.close());
beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'sightline-cloned-'));
  mkdirSync(join(repository, 'docs'));
  const engines = [{ kind: 'openai-compatible', url: engine, model: 'a-model' }];
  writeFileSync(join(repository, CONFIG_FILE), JSON.stringify({ engines }));
  sent.length = 0;
});
afterEach(() => rmSync(repository, { recursive: true, force: true }));

/** Measures in a folder of the repository, below the one with the configuration. */
const measure = (env: Record<string, string>, ...more: string[]): Promise<Ended> =>
  runCli(['visibility', '--brand', 'Acme', '--niche', 'tea', '--json', ...more], {
    cwd: join(repository, 'docs'),
    env,
  });

describe('the key of an answer engine and an address of a configuration', () => {
  test('the key of the environment is not sent there, and nothing else is', async () => {
    const { status, err } = await measure({ ANSWER_ENGINE_KEY: KEY });
    expect([status, sent]).toEqual([2, []]);
    expect(JSON.parse(err)).toMatchObject({ reason: 'key_withheld', next: expect.stringContaining(`--url ${engine}`) });
    expect(err).not.toContain(KEY);
  });

  test.each(['--model', '--fixes'])('%s does not change that', async (option) => {
    const { status } = await measure({ ANSWER_ENGINE_KEY: KEY }, ...(option === '--model' ? [option, 'm'] : [option]));
    expect([status, sent]).toEqual([2, []]);
  });

  test('nor does a configuration that is named', async () => {
    const { status } = await measure({ ANSWER_ENGINE_KEY: KEY }, '--config', join(repository, CONFIG_FILE));
    expect([status, sent]).toEqual([2, []]);
  });

  test.each([
    ['typed', {}, () => ['--url', engine]],
    ['in the environment', { ANSWER_ENGINE_URL: 'here' }, () => []],
  ])('it is sent where the address is %s', async (_where, env, words) => {
    const given = Object.fromEntries(Object.keys(env).map((name) => [name, engine]));
    expect((await measure({ ANSWER_ENGINE_KEY: KEY, ...given }, ...words())).status).toBe(0);
    expect(new Set(sent)).toEqual(new Set([`Bearer ${KEY}`]));
  });

  test('an address of the environment wins over that of the file', async () => {
    const nowhere = 'http://127.0.0.1:1/v1';
    const engines = [{ kind: 'openai-compatible', url: nowhere, model: 'a-model' }];
    writeFileSync(join(repository, CONFIG_FILE), JSON.stringify({ engines }));
    expect((await measure({ ANSWER_ENGINE_KEY: KEY, ANSWER_ENGINE_URL: engine })).status).toBe(0);
    expect(sent).toHaveLength(30);
  });

  test('without a key, or with an empty one, the engine of the file is asked without one', async () => {
    expect((await measure({ ANSWER_ENGINE_KEY: ' ' })).status).toBe(0);
    expect(new Set(sent)).toEqual(new Set([undefined]));
  });
});
