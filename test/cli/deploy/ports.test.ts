import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createDeployPorts } from '../../../src/cli/deploy/ports.ts';

/** Ports in a clone of one file. */
function openClone(name: string, text: string) {
  const root = mkdtempSync(join(tmpdir(), 'deploy-ports-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, name, '..'), { recursive: true });
  writeFileSync(join(root, name), text);
  return createDeployPorts({
    login: { token: 't' },
    tools: { root, node: process.execPath, apiBase: 'http://127.0.0.1:9/client/v4', env: {} },
    resolve: new Map(),
    saveSecrets: undefined,
    say: () => undefined,
    version: '1.2.3',
    isStopped: () => false,
  });
}

test.each([
  ['is not there', 'other.js', '', 'Cannot find module'],
  ['fails', 'scripts/read-configurations.js', "throw new Error('wrangler.toml has a tab')", 'wrangler.toml has a tab'],
  ['prints no JSON', 'scripts/read-configurations.js', "console.log('{half')", '{half'],
])('a reader of configurations that %s is a refusal with its words and no stack', async (_what, name, text, words) => {
  const read = await openClone(name, text).readConfigurations('staging');
  expect(read).toMatchObject({ ok: false, reason: 'configuration_unreadable', next: expect.stringMatching(/npm ci/) });
  expect(JSON.stringify(read)).toContain(words);
  expect(JSON.stringify(read)).not.toMatch(/ at |node:internal|Node\.js v/);
});

test('what it prints is what a deployment reads', async () => {
  const ports = openClone('scripts/read-configurations.js', 'console.log(\'{"wrangler.toml":{}}\')');
  expect(await ports.readConfigurations('staging')).toEqual({ ok: true, files: { 'wrangler.toml': {} } });
});

test('a clone without its sources is refused, and names them', async () => {
  const hashed = await openClone('wrangler.toml', '').hashSources(['api']);
  expect(hashed).toMatchObject({ ok: false, reason: 'clone_unreadable', message: expect.stringContaining('/src ') });
});
