import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, afterEach, expect, test } from 'vitest';
import { sampleRows } from '../../support/runner/budget.ts';
import { stackSchema, type StackFile, WALLET_KEY_VARIABLE } from '../../../src/cli/buy/wallet.ts';

const START = fileURLToPath(new URL('../../../local/start.ts', import.meta.url));
const BUY = fileURLToPath(new URL('../../../local/buy.ts', import.meta.url));
const READY_TIMEOUT_MS = 60_000;
const folders: string[] = [];
/** Buyers and sellers of every stack that was started here. */
const accounts: string[] = [];
const running: ChildProcessWithoutNullStreams[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test.each(sampleRows(['SIGINT', 'SIGTERM', 'SIGHUP'] as const, 3))(
  'npm start says what runs, writes it to a private file, and %s ends all of it with status 0',
  async (signal) => {
    const started = start(['--port', '0']);
    const stack = await ready(started);
    for (const url of [
      stack.api,
      stack.control ?? 'no control Worker',
      stack.webhook ?? 'no webhook Worker',
      stack.grpc ?? 'no gRPC front',
      stack.rpc,
      stack.facilitator,
      stack.sites.good,
      stack.sites.poor,
      stack.buyer.address,
      stack.seller.address,
    ]) {
      expect(started.output()).toContain(url);
    }
    expect(started.output()).not.toContain(stack.buyer.privateKey);
    expect(statSync(started.stackFile).mode & 0o777).toBe(0o600);
    const keyFile = join(started.folder, '.local', 'operator-key.json');
    expect(stack.operator).toMatchObject({ keyFile, customerId: 'C00000001', domain: 'example.com', project: 'local' });
    // Once, for its reader: lines of the Workers' log never have it.
    const naming = started
      .output()
      .split('\n')
      .filter((line) => line.includes(stack.operator?.token ?? 'no token'));
    expect(naming).toEqual([expect.stringMatching(/^ {2}token {8}slm_/)]);
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    started.child.kill(signal);
    expect(await started.exit).toEqual({ code: 0, signal: null });
    expect(existsSync(started.stackFile)).toBe(false);
    expect(existsSync(keyFile)).toBe(false);
    expect(readdirSync(join(started.folder, '.local', 'state'))).toEqual([]);
    for (const url of [
      stack.api,
      stack.control ?? '',
      stack.webhook ?? '',
      `http://${stack.grpc}`,
      stack.rpc,
      stack.facilitator,
      stack.sites.good,
    ])
      await expect(fetch(url)).rejects.toThrow('fetch failed');
  },
);

test('P8: npm run buy pays the stack as its demo buyer by a signed payment, a transfer, and a transfer with a proof of the payer, though another key is in the environment', async () => {
  const started = start(['--port', '0']);
  const stack = await ready(started);
  for (const [options, method] of [
    [[], 'x402'],
    [['--transfer'], 'transfer'],
    [['--transfer', '--proof'], 'transfer'],
  ] as const) {
    const bought = await run([BUY, 'check_health', `${stack.sites.good}/`, ...options], started.folder);
    expect(bought).toMatchObject({ code: 0 });
    expect(bought.output).toContain(`Paid 0.060000 USDC by ${method} from ${stack.buyer.address.toLowerCase()}`);
    expect(bought.output).toMatch(/\d+ checks: \d+ passed/);
  }
});

test.each(
  sampleRows<[string, string[], number, string]>(
    [
      ['without a running stack', ['check_health', 'http://127.0.0.1:1/'], 3, 'npm start'],
      ['without a capability', [], 2, 'Name the capability'],
      ['with a broken limit', ['check_health', 'http://127.0.0.1:1/', '--max-usd', 'much'], 2, '--max-usd'],
      ['with a broken hash', ['check_health', 'http://127.0.0.1:1/', '--hash', '0x12'], 2, '--hash'],
      ['with a field twice', ['check_health', 'url=a', 'url=b'], 2, 'url is given twice'],
      ['with a proof of nothing', ['check_health', 'http://127.0.0.1:1/', '--proof'], 2, '--proof'],
      ['with an unknown option', ['check_health', '--cheap'], 2, '--cheap'],
    ],
    3,
  ),
)('npm run buy %s explains itself', async (_what, args, code, words) => {
  const folder = emptyFolder();
  const bought = await run([BUY, ...args], folder);
  expect(bought.code).toBe(code);
  expect(bought.output).toContain(words);
});

test('a killed stack leaves nothing running', async () => {
  const started = start(['--port', '0']);
  const stack = await ready(started);
  started.child.kill('SIGKILL');
  await started.exit;
  for (const url of [stack.api, stack.rpc]) await expect.poll(() => answers(url), { timeout: 10_000 }).toBe(false);
});

test('a taken port is named, with the option that changes it, and nothing starts', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const address = blocker.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const started = start(['--port', '0', '--rpc-port', String(port)]);
  expect(await started.exit).toEqual({ code: 1, signal: null });
  expect(started.output()).toContain(`Port ${port} is taken`);
  expect(started.output()).toContain('--rpc-port');
  expect(existsSync(started.stackFile)).toBe(false);
  blocker.close();
});

test.each(sampleRows(['--port eighty', '--port 65536', '--port -1', '--unknown', 'stray'], 3))(
  'wrong usage (%s) is explained with status 2',
  async (text) => {
    const started = start(text.split(' '));
    expect(await started.exit).toEqual({ code: 2, signal: null });
    expect(started.output()).toContain('usage: npm start');
  },
);

test('the keys are new at each start', () => {
  expect(accounts.length).toBeGreaterThanOrEqual(2 * 3);
  expect(new Set(accounts).size).toBe(accounts.length);
});

type Started = {
  child: ChildProcessWithoutNullStreams;
  folder: string;
  stackFile: string;
  output: () => string;
  exit: Promise<Exit>;
};

type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** Starts the stack as a process of its own, in an empty folder so that a stack of the developer's is not disturbed. */
function start(args: readonly string[]): Started {
  const folder = emptyFolder();
  return { ...launch([START, ...args], folder), folder, stackFile: join(folder, '.local', 'stack.json') };
}

async function run(args: readonly string[], folder: string): Promise<{ code: number | null; output: string }> {
  const launched = launch(args, folder);
  const { code } = await launched.exit;
  return { code, output: launched.output() };
}

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-start-'));
  folders.push(folder);
  return folder;
}

function launch(args: readonly string[], folder: string): Pick<Started, 'child' | 'output' | 'exit'> {
  const env = { ...process.env, [WALLET_KEY_VARIABLE]: generatePrivateKey() };
  const child = spawn(process.execPath, args, { cwd: folder, env });
  running.push(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exit = new Promise<Exit>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  return { child, output: () => output, exit };
}

async function ready(started: Started): Promise<StackFile> {
  const isReady = (): boolean => {
    if (started.child.exitCode !== null) throw new Error(`npm start ended: ${started.output()}`);
    return started.output().includes('Sightline is ready');
  };
  await expect.poll(isReady, { timeout: READY_TIMEOUT_MS }).toBe(true);
  const stack = stackSchema.parse(JSON.parse(readFileSync(started.stackFile, 'utf8')));
  accounts.push(stack.buyer.address, stack.seller.address);
  return stack;
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return true;
  } catch {
    return false;
  }
}
