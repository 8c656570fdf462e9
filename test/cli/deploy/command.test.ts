import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from '../../support/runner/run-cli.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const LOST = ['--api-base', 'http://127.0.0.1:9/client/v4'];
const env = { CLOUDFLARE_API_TOKEN: 'the-token', PATH: process.env['PATH'] ?? '' };
const run = (args: readonly string[], more: Record<string, string> = {}) =>
  runCli(['deploy', ...args], { cwd: root, env: { ...env, ...more } });

test.each([
  [[], '--env is missing: staging or production.'],
  [['--env', 'prod'], '--env takes one of staging, production, not prod.'],
  [
    ['--env', 'staging', '--workers', 'api,ppdf'],
    '--workers takes one of models, api, pdf, webhook, control, not ppdf. Did you mean pdf?',
  ],
  [['--env', 'staging', '--replace', 'PAYTO'], 'not PAYTO. Did you mean PAY_TO?'],
  [
    ['--env', 'staging', '--replace', 'PAY_TO'],
    '--replace PAY_TO takes its value from the secrets file, and none is given.',
  ],
  [['--env', 'staging', '--replace', 'LEDGER_SECRET'], 'LEDGER_SECRET is never replaced'],
  [['--env', 'staging', '--domain', 'api'], '--domain takes <worker>=<host>, not api.'],
  [['--env', 'staging', '--resolve', 'a=http://127.0.0.1'], 'give --api-base too'],
  [['--env', 'staging', '--api-base', 'https://api.example'], '--api-base takes an address on this machine'],
  [['rollback'], '--env is missing: staging or production.'],
  [['rollback', '--env', 'staging', '--secrets-file', 'x'], 'Unknown option --secrets-file.'],
])('%j is wrong usage', async (args, message) => {
  const { status, err, out } = await run(args);
  expect([status, out]).toEqual([2, '']);
  expect(err).toContain(message);
});

test('an address of the environment is refused before the login goes anywhere', async () => {
  const { status, err } = await run(['--env', 'staging'], {
    CLOUDFLARE_API_BASE_URL: 'https://evil.example/client/v4',
  });
  expect([status, err]).toEqual([2, expect.stringContaining('CLOUDFLARE_API_BASE_URL is set')]);
});

test('a platform that does not answer is exit status 3, as JSON where it is asked for, without the token', async () => {
  const { status, err, out } = await run(['--env', 'staging', '--json', ...LOST]);
  expect([status, JSON.parse(err), out]).toEqual([
    3,
    {
      reason: 'platform_unreachable',
      message: 'Could not read the accounts of this login: 127.0.0.1:9 does not answer.',
      detail: null,
      next: 'Run the same command again: it goes on where this run stopped.',
      exit: 3,
    },
    '',
  ]);
  expect(err).not.toContain('the-token');
});

test('a secrets file that is open to others is refused with its remedy', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'api.env');
  writeFileSync(file, 'PAY_TO=0xaa\n', { mode: 0o644 });
  const { status, err } = await run(['--env', 'staging', '--secrets-file', file]);
  expect([status, err]).toEqual([1, expect.stringContaining(`chmod 600 ${file}`)]);
});

test('--replace of a setting that the secrets file does not have is wrong usage', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'api.env');
  writeFileSync(file, 'RPC_URL=https://rpc.example\n', { mode: 0o600 });
  const { status, err } = await run(['--env', 'staging', '--secrets-file', file, '--replace', 'PAY_TO']);
  expect([status, err]).toEqual([2, expect.stringContaining('the secrets file, which does not have it.')]);
});

test('in the folder of another clone that is not built, the command says what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-command-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'wrangler.webhook.toml'), '');
  const { status, err } = await runCli(['deploy', '--env', 'staging'], { cwd: folder, env });
  expect([status, err]).toEqual([2, expect.stringContaining('is not built.\nRun npm ci in ')]);
});
