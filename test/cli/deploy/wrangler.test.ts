import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readLogin } from '../../../src/cli/deploy/login.ts';
import { type CloneTools, runCloneWrangler } from '../../../src/cli/deploy/wrangler.ts';

/** A clone whose wrangler is this program. */
function makeClone(program: string, env: Record<string, string> = {}): CloneTools {
  const root = mkdtempSync(join(tmpdir(), 'deploy-clone-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, 'node_modules', 'wrangler', 'wrangler-dist');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'cli.js'), program);
  return { root, node: process.execPath, apiBase: 'http://127.0.0.1:9/client/v4', accountId: 'acc-1', env };
}

const REPORT = `
const fs = require('node:fs');
const words = process.argv.slice(2);
const files = words.filter((word) => fs.existsSync(word)).map((word) => fs.readFileSync(word, 'utf8'));
console.log(JSON.stringify({ words, files, input: fs.readFileSync(0, 'utf8'), env: process.env, cwd: process.cwd() }));
`;

type Report = { words: string[]; files: string[]; input: string; env: Record<string, string>; cwd: string };
const read = (output: string): Report => JSON.parse(output) as Report;

test('secrets come by standard input; files are there for the time of the call', async () => {
  const tools = makeClone(REPORT);
  const run = {
    args: ['deploy', '--file', '@rules.json'],
    input: '{"A":"secret"}',
    files: { 'rules.json': '{"rules":[]}' },
  };
  const { code, output } = await runCloneWrangler(run, tools);
  const { words, files, input, cwd } = read(output);
  expect([code, input, files, cwd]).toEqual([0, '{"A":"secret"}', ['{"rules":[]}'], tools.root]);
  expect(words.join(' ')).not.toContain('secret');
  expect(existsSync(words[2] ?? '')).toBe(false);
});

test('its environment names the API and the account, and has none of our secrets', async () => {
  const env = {
    HOME: '/home/ada',
    CLOUDFLARE_API_TOKEN: 't',
    OPERATOR_SECRET: 's',
    LEDGER_SECRET: 's',
    SIGHTLINE_WALLET_KEY: 'k',
    CLOUDFLARE_ENV: 'production',
    WRANGLER_TOKEN_URL: 'https://evil.example/token',
    WRANGLER_API_ENVIRONMENT: 'staging',
  };
  const { output } = await runCloneWrangler({ args: [] }, makeClone(REPORT, env));
  const given = read(output).env;
  expect(given).toMatchObject({
    HOME: '/home/ada',
    CLOUDFLARE_API_TOKEN: 't',
    CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:9/client/v4',
    CLOUDFLARE_ACCOUNT_ID: 'acc-1',
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_ENV: '',
  });
  for (const name of [
    'OPERATOR_SECRET',
    'LEDGER_SECRET',
    'SIGHTLINE_WALLET_KEY',
    'WRANGLER_TOKEN_URL',
    'WRANGLER_API_ENVIRONMENT',
  ])
    expect(given).not.toHaveProperty(name);
});

test('how it ended is handed on, and colours are taken off; one that does not read its input is no fault', async () => {
  const tools = makeClone("process.stderr.write('\\u001b[31mred\\u001b[0m'); process.exit(3);");
  expect(await runCloneWrangler({ args: [], input: 'x'.repeat(1_000_000) }, tools)).toEqual({ code: 3, output: 'red' });
});

test('a wrangler that cannot be started is a failure with a reason', async () => {
  const { code, output } = await runCloneWrangler({ args: [] }, { ...makeClone(''), node: '/nowhere/node' });
  expect([code, output]).toEqual([-1, expect.stringContaining('ENOENT')]);
});

test('the login is that of the environment, or that of wrangler', async () => {
  expect(await readLogin(makeClone('process.exit(1)', { CLOUDFLARE_API_TOKEN: 't' }))).toEqual({
    ok: true,
    login: { token: 't' },
  });
  expect(
    await readLogin(makeClone('process.exit(1)', { CLOUDFLARE_API_KEY: 'k', CLOUDFLARE_EMAIL: 'a@b.example' })),
  ).toEqual({
    ok: true,
    login: { key: 'k', email: 'a@b.example' },
  });
  const stored = 'console.log(JSON.stringify({ type: "oauth", token: process.argv.slice(2).join(" ") }))';
  expect(await readLogin(makeClone(stored))).toEqual({ ok: true, login: { token: 'auth token --json' } });
  expect(await readLogin(makeClone("console.log('Not logged in'); process.exit(1)"))).toMatchObject({
    ok: false,
    reason: 'login_missing',
  });
  const lost = "console.log('fetch failed ECONNRESET'); process.exit(1)";
  expect(await readLogin(makeClone(lost))).toMatchObject({ ok: false, reason: 'platform_unreachable' });
});
