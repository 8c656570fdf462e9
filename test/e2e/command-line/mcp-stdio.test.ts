import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startHttpServer } from '../../../local/http-server.ts';
import { type Stack, startStack } from '../../../local/stack.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const LEGACY: ClientOptions = { versionNegotiation: { mode: 'legacy' } };
const MODERN: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
const PRICE_MICRO_USDC = 60_000n;

let stack: Stack;
let folder = '';
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-mcp-'));
  mkdirSync(join(folder, '.local'));
  writeFileSync(join(folder, '.local', 'stack.json'), JSON.stringify(stack.file));
});
const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
  rmSync(folder, { recursive: true, force: true });
});

type Started = { args?: readonly string[]; env?: Record<string, string>; options?: ClientOptions };
type Connected = { client: Client; errors: Error[]; logged: () => string };

/** Starts the built command line as a desktop client does. */
async function connect({ args = [], env = {}, options = MODERN }: Started = {}): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp', ...args],
    env,
    cwd: folder,
    stderr: 'pipe',
  });
  let logged = '';
  transport.stderr?.on('data', (text: Buffer) => void (logged += text.toString()));
  const client = new Client({ name: 'test', version: '1' }, options);
  const errors: Error[] = [];
  Object.assign(client, { onerror: (error: Error) => errors.push(error) });
  await client.connect(transport);
  open.push(client);
  return { client, errors, logged: () => logged };
}

describe.each([
  ['a client of 2025', LEGACY],
  ['a client of 2026-07-28', MODERN],
])('%s', (_what, options) => {
  test('lists the tools and audits a site that was opened, free and with progress', async () => {
    const { client, errors, logged } = await connect({ args: ['--allow-private', stack.sites.good], options });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['full_audit', 'read_report', 'get_fix']));
    const counts: number[] = [];
    const result = await client.callTool(
      { name: 'full_audit', arguments: { url: `${stack.sites.good}/` } },
      { onprogress: ({ progress }) => void counts.push(progress) },
    );
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject({
      capability: 'full_audit',
      scores: { aeo: { score: expect.any(Number) } },
      evidence: { untrusted: true },
    });
    expect(JSON.stringify(result.content)).toMatch(/AEO \d+ of 100/);
    const { report_id, do_first: [first] = [] } = Object(result.structuredContent);
    const fix = await client.callTool({ name: 'get_fix', arguments: { report_id, fix_id: first?.id } });
    expect(fix).toMatchObject({ structuredContent: { fix_id: first?.id } });
    expect(counts.length).toBeGreaterThan(10);
    expect({ errors, logged: logged() }).toEqual({ errors: [], logged: '' });
  });

  test('F2: gets no other address of this machine', async () => {
    const { client } = await connect({ args: ['--allow-private', stack.sites.good], options });
    for (const url of [stack.sites.poor, stack.api.url, 'http://localhost/', 'http://169.254.169.254/']) {
      const result = await client.callTool({ name: 'check_health', arguments: { url } });
      expect(result).toMatchObject({ isError: true, structuredContent: { code: 'private_target' } });
    }
  });
});

test('a call that is called off ends the audit', async () => {
  const connections = { opened: Promise.withResolvers<void>(), closed: Promise.withResolvers<void>() };
  const slow = await startHttpServer((request) => {
    connections.opened.resolve();
    request.socket.on('close', () => connections.closed.resolve());
  });
  try {
    const { client } = await connect({ args: ['--allow-private', slow.url] });
    const stop = new AbortController();
    const called = client.callTool({ name: 'check_health', arguments: { url: slow.url } }, { signal: stop.signal });
    await connections.opened.promise;
    stop.abort();
    await expect(called).rejects.toThrow('abort');
    await connections.closed.promise;
  } finally {
    await slow.stop();
  }
});

describe('with a wallet', () => {
  const foreignKey = generatePrivateKey();
  const wallet = (more: Record<string, string> = {}): Started => ({
    args: ['--base', stack.api.url],
    env: { SIGHTLINE_WALLET_KEY: foreignKey, ...more },
  });
  const buy = (client: Client) => client.callTool({ name: 'check_health', arguments: { url: `${stack.sites.good}/` } });
  const balances = async (): Promise<readonly bigint[]> =>
    Promise.all([stack.chain.balance(stack.buyer.address), stack.chain.balance(stack.seller.address)]);

  test('P8: a call is paid by the buyer of the local stack, whatever key the environment holds', async () => {
    const [buyer = 0n, seller = 0n] = await balances();
    const { client, logged } = await connect(wallet());
    const result = await buy(client);
    expect(result.structuredContent).toMatchObject({
      capability: 'check_health',
      report_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      payment: { payer: expect.stringMatching(new RegExp(`^${stack.buyer.address}$`, 'i')) },
    });
    expect(await balances()).toEqual([buyer - PRICE_MICRO_USDC, seller + PRICE_MICRO_USDC]);
    const said = JSON.stringify(result) + logged();
    for (const key of [foreignKey, stack.buyer.privateKey]) expect(said).not.toContain(key.slice(2));
  });

  test('A9: neither a call over the limit for one nor one over the limit for a day is paid', async () => {
    const small = await connect(wallet({ SIGHTLINE_MAX_USD_PER_CALL: '0.05' }));
    const before = await balances();
    expect(await buy(small.client)).toMatchObject({ isError: true, structuredContent: { code: 'amount_above_cap' } });
    expect(await balances()).toEqual(before);
    const daily = await connect(wallet({ SIGHTLINE_MAX_USD_PER_DAY: '0.1' }));
    expect((await buy(daily.client)).isError).toBeFalsy();
    expect(await buy(daily.client)).toMatchObject({
      isError: true,
      structuredContent: { code: 'daily_limit_reached' },
    });
    const [buyer = 0n, seller = 0n] = before;
    expect(await balances()).toEqual([buyer - PRICE_MICRO_USDC, seller + PRICE_MICRO_USDC]);
  });

  test('--local runs what it can here, and nothing is paid', async () => {
    const before = await balances();
    const { client } = await connect({
      ...wallet(),
      args: ['--base', stack.api.url, '--local', '--allow-private', stack.sites.good],
    });
    expect((await buy(client)).structuredContent).not.toHaveProperty('report_url');
    expect(await balances()).toEqual(before);
  });
});

test('with a service and no credentials, what asks an answer engine answers its terms in-band', async () => {
  const { client } = await connect({ args: ['--base', stack.api.url] });
  const result = await client.callTool({ name: 'visibility_check', arguments: { brand: 'Acme', niche: 'mugs' } });
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { x402Version: 2, accepts: [{ scheme: 'exact', network: 'eip155:8453', amount: '1950000' }] },
  });
});

test('a token that the service does not accept is an error result that does not repeat it', async () => {
  const { client, logged } = await connect({
    args: ['--base', stack.api.url],
    env: { SIGHTLINE_TOKEN: 'slm_secret-marker' },
  });
  const result = await client.callTool({ name: 'check_health', arguments: { url: `${stack.sites.good}/` } });
  expect(result).toMatchObject({ isError: true, structuredContent: { code: 'token_refused' } });
  expect(JSON.stringify(result) + logged()).not.toContain('secret-marker');
});

/** Runs `sightline mcp` with raw lines on its input, then ends the input. */
const raw = (args: readonly string[], lines: readonly string[]): Promise<{ status: number | null; out: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [CLI, 'mcp', ...args], { cwd: folder, env: {}, stdio: 'pipe' });
    let out = '';
    child.stdout.on('data', (text: Buffer) => void (out += text.toString()));
    child.on('close', (status) => resolve({ status, out }));
    child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  });

test('the end of standard input ends it, and nothing but messages stands on standard output', async () => {
  expect(await raw([], [])).toEqual({ status: 0, out: '' });
  const { status, out } = await raw([], ['not JSON', '{"jsonrpc":"2.0","id":1,"method":"nothing"}', '[]']);
  expect(status).toBe(0);
  for (const line of out.split('\n').filter((text) => text !== ''))
    expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
});

test.each([
  [['--allow-private', 'http://127.0.0.1:1/path']],
  [['--allow-private', '127.0.0.1']],
  [['--allow-private', 'file:///etc']],
  [['--base', 'http://service.example']],
  [['--max-usd', '100']],
])('%j is wrong usage', async (args) => {
  expect(await raw(args, [])).toEqual({ status: 2, out: '' });
});
